import { expect, test } from 'vitest';
import { isFewUndecided, judgeResemblance, type Resemblance } from './gate-resemblance.ts';

/** The next day's file of the same list. */
const same: Resemblance = {
  ...{ number: '7', redated: 0, emptied: 0, worded: 0, undecided: 0 },
  ...{ scattered: 0, ways: 0, exchanged: 0, waysExchanged: 0, movedDays: 0 },
  ...{ unexplained: 0, explained: 0, misexplained: 0, overexplained: 0 },
  ...{ wordless: 0, inWords: 0, codeless: 0, coded: 0 },
  ...{
    otherReturn: 0,
    takenBack: 0,
    sentOtherwise: 0,
    mixed: 0,
    reverted: 0,
    damaged: 0,
    added: 0,
    replacing: 0,
    moved: 0,
    movedAndReturned: 0,
  },
};

interface Sizes {
  readonly listed?: number;
  readonly known?: number;
  readonly corrected?: number;
}

const judge = (one: Partial<Resemblance>, sizes: Sizes = {}) =>
  judgeResemblance({ ...same, ...one }, { listed: 1_000, known: 1_000, corrected: 0, ...sizes });

type Case = (count: number) => readonly [Partial<Resemblance>, Sizes?];

test('the next day’s file is like the one before', () => {
  expect(judge({ worded: 900, added: 50 })).toEqual([]);
});

test.each<readonly [string, string, number, Case]>([
  ['a third gets other days', 'other-dates', 333, (redated) => [{ redated }]],
  ['of eight, two get other days', 'other-dates', 2, (redated) => [{ redated }, { listed: 8 }]],
  ['of nine, three get other days', 'other-dates', 3, (redated) => [{ redated }, { listed: 9 }]],
  ['a third’s number has other days', 'other-dates', 333, (corrected) => [{}, { corrected }]],
  [
    'of a small list, ten get other days in six ways',
    'scattered-dates',
    10,
    (scattered) => [{ scattered, ways: 6 }, { listed: 300 }],
  ],
  [
    'of a large list, one in two hundred gets other days in six ways',
    'scattered-dates',
    25,
    (scattered) => [{ scattered, ways: 6 }, { listed: 5_000 }],
  ],
  [
    'two have what another had',
    'exchanged-rows',
    2,
    (exchanged) => [{ exchanged, waysExchanged: exchanged }],
  ],
  [
    'of a large election, one in a thousand has what another had',
    'exchanged-rows',
    60,
    (exchanged) => [{ exchanged, waysExchanged: exchanged }, { known: 60_000 }],
  ],
  ['of two ballots, a day is in another place', 'moved-days', 2, (movedDays) => [{ movedDays }]],
  [
    'of a large election, one in a thousand has a day in another place',
    'moved-days',
    60,
    (movedDays) => [{ movedDays }, { known: 60_000 }],
  ],
  ['two lose their reason', 'reasons-missing', 2, (unexplained) => [{ unexplained }]],
  [
    'as many lose their reason as have one',
    'reasons-missing',
    5,
    (unexplained) => [{ unexplained, explained: 5 }],
  ],
  [
    'as many lose their word as have one',
    'empty-statuses',
    5,
    (emptied) => [{ emptied, worded: 5 }],
  ],
  ['two lose their word', 'empty-statuses', 2, (emptied) => [{ emptied, worded: 1 }]],
  ['no word is lost in a file without any', 'empty-statuses', 0, (emptied) => [{ emptied }]],
  ['of a small list, three are undecided', 'accepted-undecided', 3, (undecided) => [{ undecided }]],
  [
    'of a large list, one in a thousand is undecided',
    'accepted-undecided',
    10,
    (undecided) => [{ undecided }, { known: 10_000 }],
  ],
  [
    'of any list, fifty are undecided',
    'accepted-undecided',
    50,
    (undecided) => [{ undecided }, { known: 1_000_000 }],
  ],
  [
    'of a small list, five acceptances change',
    'accepted-changed',
    5,
    (count) => [{ otherReturn: count - 1, takenBack: 1 }],
  ],
  [
    'of a large list, one acceptance in two hundred changes',
    'accepted-changed',
    10,
    (count) => [{ otherReturn: 3, takenBack: count - 3 }, { known: 2_000 }],
  ],
  [
    'half of the new ones replace others',
    'other-ballots',
    3,
    (replacing) => [{ replacing, added: 6 }],
  ],
  [
    'of a few new ones, two replace others',
    'other-ballots',
    2,
    (replacing) => [{ replacing, added: 3 }],
  ],
  [
    'of two known ones, one is replaced',
    'other-ballots',
    1,
    (replacing) => [{ replacing, added: replacing }, { known: replacing }],
  ],
  ['fewer than half moved', 'moved-election', 2, (moved) => [{ moved, added: 6 }]],
  ['of a few, two moved', 'moved-election', 2, (moved) => [{ moved, added: 3 }]],
])('%s', (_, code, most, make) => {
  const found = (count: number) => judge(...make(count)).filter((one) => one.code === code);
  for (const count of [most - 1, most]) if (count >= 0) expect(found(count)).toEqual([]);
  expect(found(most + 1)).toMatchObject([{ code, rows: most + 1 }]);
});

test('acceptances that get another day, or are taken back, do not wait unless both are so', () => {
  expect(judge({ otherReturn: 100 })).toEqual([]);
  expect(judge({ otherReturn: 2, takenBack: 100 })).toEqual([]);
  expect(judge({ otherReturn: 3, takenBack: 100 })).toMatchObject([
    { code: 'accepted-changed', what: 'unsettled', rows: 103 },
  ]);
});

test('days that change in five ways are batches that a clerk corrects, and are named once', () => {
  expect(judge({ scattered: 300, ways: 5 })).toEqual([]);
  expect(judge({ scattered: 300, ways: 6 })).toMatchObject([{ code: 'scattered-dates' }]);
  expect(judge({ redated: 334, scattered: 334, ways: 6 })).toMatchObject([{ code: 'other-dates' }]);
});

test('reasons that change, and reasons for more ballots, are two things that an office does', () => {
  expect(judge({ misexplained: 300, overexplained: 2 })).toEqual([]);
  expect(judge({ misexplained: 2, overexplained: 300 })).toEqual([]);
  expect(judge({ misexplained: 3, overexplained: 3 })).toMatchObject([{ code: 'reasons-moved' }]);
  const large = { known: 60_000 };
  expect(judge({ misexplained: 30, overexplained: 30 }, large)).toEqual([]);
  expect(judge({ misexplained: 30, overexplained: 31 }, large)).toHaveLength(1);
});

test('two trays of which one gets the days that the other had are corrected ones', () => {
  expect(judge({ exchanged: 300, waysExchanged: 2 })).toEqual([]);
  expect(judge({ exchanged: 300, waysExchanged: 3 })).toMatchObject([{ code: 'exchanged-rows' }]);
});

test('one returned envelope that moved is enough in half of the new ones, or in an election without any', () => {
  expect(judge({ moved: 2, movedAndReturned: 1, added: 4 })).toMatchObject([{ rows: 2 }]);
  expect(judge({ moved: 2, movedAndReturned: 0, added: 4 })).toEqual([]);
  expect(judge({ moved: 1, movedAndReturned: 1, added: 4 })).toEqual([]);
  expect(judge({ moved: 1, movedAndReturned: 1, added: 100 }, { known: 0 })).toMatchObject([
    { code: 'moved-election' },
  ]);
  expect(judge({ moved: 1, movedAndReturned: 0, added: 100 }, { known: 0 })).toEqual([]);
});

test('corrected days count for no more ballots than the file lists, and the larger number is named', () => {
  expect(judge({ redated: 4 }, { listed: 5, corrected: 90 })).toMatchObject([
    { code: 'other-dates', what: 'corrected', rows: 5 },
  ]);
  expect(judge({ redated: 5 }, { listed: 5, corrected: 90 })).toMatchObject([
    { code: 'other-dates', what: 'redated', rows: 5 },
  ]);
  const [finding] = judge({ redated: 1_200 }, { listed: 2_000 });
  expect(finding?.detail).toBe(
    'Election 7: 1,200 of 2,000 known ballots in this file would get another day of request, printing, mailing or return. Is it the file of another county or election, or has the office changed how it writes dates?',
  );
});

test.each([
  [3, 0, true],
  [4, 0, false],
  [4, 4_000, true],
  [5, 4_999, false],
  [50, 50_000, true],
  [51, 60_000, false],
])('%i undecided ballots of %i are few: %s', (rows, known, expected) => {
  expect(isFewUndecided(rows, known)).toBe(expected);
});

test('a single ballot is written about in the singular', () => {
  expect(judge({ emptied: 1 })[0]?.detail).toContain('1 known ballot would have no status');
  expect(judge({ moved: 1, movedAndReturned: 1, added: 1 })[0]?.detail).toContain(
    '1 of 1 new ballots has the days',
  );
});

test.each<readonly [Partial<Resemblance>, string, string]>([
  [{ emptied: 3 }, 'emptied', '3 known ballots would have no status any more'],
  [
    { undecided: 4 },
    'undecided',
    '4 ballots that are accepted or voted in person would have a status that does not say',
  ],
  [
    { otherReturn: 5, takenBack: 1 },
    'unsettled',
    'another day of return (5) or another status (1)',
  ],
  [{ replacing: 4, added: 6 }, 'replacing', '4 of 6 new ballots are of voters whose known ballot'],
  [{ moved: 3, added: 6 }, 'moved', '3 of 6 new ballots have the days of a ballot'],
])('%j is about what is %s', (one, what, detail) => {
  const [finding] = judge(one);
  expect(finding?.what).toBe(what);
  expect(finding?.detail).toContain(detail);
});
