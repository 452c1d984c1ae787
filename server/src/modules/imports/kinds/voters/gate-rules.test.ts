import { describe, expect, test } from 'vitest';
import { formatCount } from '../gate-words.ts';
import { judgeRollNews, type RollFault, type RollNews, rollFaults } from './gate-rules.ts';

/** A roll of ten thousand voters that comes again unchanged. */
const quiet: RollNews = {
  known: 10_000,
  rows: 10_000,
  added: 0,
  lostZeros: 0,
  shortIds: { rows: 0, usual: 8 },
  swappedNames: 0,
  otherPeople: 0,
  otherNames: 0,
  damagedNames: 0,
  otherBirthdates: 0,
  otherZipcodes: 0,
  otherAddresses: 0,
  otherContacts: 0,
  madeInactive: 0,
  missing: 0,
  inactive: 0,
  madeActive: 0,
  confidential: 0,
  losesProtection: 0,
  gainsProtection: 0,
  otherCounty: { rows: 0, name: 'Lake' },
  otherState: { rows: 0, name: 'GA' },
};
const judge = (news: Partial<RollNews>) =>
  judgeRollNews({ ...quiet, ...news }, { county: 'Adams', state: 'FL' }, 3);
const shortIds = (rows: number) => ({ shortIds: { rows, usual: 8 } });
const otherCounty = (rows: number) => ({ otherCounty: { rows, name: 'Lake' } });
const otherState = (rows: number) => ({ otherState: { rows, name: 'GA' } });

test('a roll that comes again unchanged is ordinary', () => {
  expect(judge({})).toEqual([]);
});

/** Each fault, what counts it, and the most that is ordinary for a roll: a number for a small one, a share of a large one. */
const limits: readonly (readonly [
  RollFault,
  (count: number) => Partial<RollNews>,
  Partial<RollNews>,
  number,
])[] = [
  ['lost-zeros', (lostZeros) => ({ lostZeros }), { known: 2_000 }, 3],
  ['lost-zeros', (lostZeros) => ({ lostZeros }), {}, 10],
  ['ids-shortened', shortIds, { known: 2_000 }, 3],
  ['ids-shortened', shortIds, {}, 10],
  ['names-swapped', (swappedNames) => ({ swappedNames }), { rows: 500 }, 3],
  ['names-swapped', (swappedNames) => ({ swappedNames }), {}, 50],
  ['names-swapped', (swappedNames) => ({ swappedNames }), { added: 1_000 }, 45],
  ['other-people', (otherPeople) => ({ otherPeople }), { rows: 400 }, 9],
  ['other-people', (otherPeople) => ({ otherPeople }), {}, 50],
  ['names-changed', (otherNames) => ({ otherNames }), { rows: 400 }, 9],
  ['names-changed', (otherNames) => ({ otherNames }), {}, 200],
  ['names-damaged', (damagedNames) => ({ damagedNames }), {}, 2],
  ['birthdates-changed', (otherBirthdates) => ({ otherBirthdates }), { rows: 400 }, 9],
  ['birthdates-changed', (otherBirthdates) => ({ otherBirthdates }), {}, 200],
  ['zipcodes-changed', (otherZipcodes) => ({ otherZipcodes }), { rows: 100 }, 9],
  ['zipcodes-changed', (otherZipcodes) => ({ otherZipcodes }), {}, 500],
  ['addresses-changed', (otherAddresses) => ({ otherAddresses }), { rows: 100 }, 9],
  ['addresses-changed', (otherAddresses) => ({ otherAddresses }), {}, 500],
  ['contacts-changed', (otherContacts) => ({ otherContacts }), { rows: 100 }, 9],
  ['contacts-changed', (otherContacts) => ({ otherContacts }), {}, 500],
  ['made-inactive', (madeInactive) => ({ madeInactive }), { known: 200 }, 9],
  ['made-inactive', (madeInactive) => ({ madeInactive }), {}, 300],
  ['made-active', (madeActive) => ({ madeActive }), { inactive: 10 }, 9],
  ['made-active', (madeActive) => ({ madeActive }), { inactive: 100 }, 50],
  ['made-active', (madeActive) => ({ madeActive }), { inactive: 5_000 }, 300],
  ['protection-lost', (losesProtection) => ({ losesProtection }), { confidential: 5 }, 1],
  ['protection-lost', (losesProtection) => ({ losesProtection }), { confidential: 50 }, 5],
  ['protection-added', (gainsProtection) => ({ gainsProtection }), { known: 500 }, 9],
  ['protection-added', (gainsProtection) => ({ gainsProtection }), {}, 100],
  ['other-county', otherCounty, { rows: 50 }, 9],
  ['other-county', otherCounty, {}, 1_000],
  ['other-state', otherState, { rows: 50 }, 9],
  ['other-state', otherState, {}, 1_000],
  ['new-voters', (added) => ({ added }), { known: 50 }, 25],
  ['new-voters', (added) => ({ added }), {}, 1_000],
];

describe('what an ordinary day brings', () => {
  test.each(limits)(
    '%s: its limit is ordinary, and one more is not (%#)',
    (code, count, roll, most) => {
      expect(judge({ ...roll, ...count(most) })).toEqual([]);
      const found = judge({ ...roll, ...count(most + 1) });
      expect(found.map((one) => [one.code, one.rows])).toEqual([[code, most + 1]]);
      expect(found[0]?.detail).toContain(`${formatCount(most + 1)} `);
    },
  );

  test('has a limit for each fault', () => {
    expect([...new Set(limits.map(([code]) => code))]).toEqual([...rollFaults]);
  });

  test('is anything at an office that has just begun', () => {
    expect(judge({ known: 49, rows: 5_000, added: 5_000 })).toEqual([]);
  });

  test('is a thousand new voters a day before a deadline', () => {
    const earlier = { day: { 'new-voters': 1_000 }, week: { 'new-voters': 7_000 } };
    const own = { county: 'Adams', state: 'FL' };
    expect(judgeRollNews({ ...quiet, added: 1_000 }, own, 3, earlier)).toEqual([]);
  });

  test('is what the office says of voters who become inactive', () => {
    const of = (percent: number) =>
      judgeRollNews({ ...quiet, madeInactive: 501 }, { county: 'Adams', state: 'FL' }, percent);
    expect(of(6)).toEqual([]);
    expect(of(5)).toEqual([
      {
        code: 'made-inactive',
        rows: 501,
        detail:
          '501 active voters would become inactive, and could no longer sign in. Your limit is 5% of the roll. Is the status in another column?',
      },
    ]);
  });
});

describe('of a small roll, most is too much', () => {
  const small = { known: 8, rows: 8 };
  test.each([
    ['names-swapped', (swappedNames: number) => ({ swappedNames }), 4],
    ['other-people', (otherPeople: number) => ({ otherPeople }), 4],
    ['names-changed', (otherNames: number) => ({ otherNames }), 4],
    ['birthdates-changed', (otherBirthdates: number) => ({ otherBirthdates }), 4],
    ['zipcodes-changed', (otherZipcodes: number) => ({ otherZipcodes }), 4],
    ['addresses-changed', (otherAddresses: number) => ({ otherAddresses }), 4],
    ['contacts-changed', (otherContacts: number) => ({ otherContacts }), 4],
    ['other-county', otherCounty, 4],
    ['other-state', otherState, 4],
  ] as const)('%s: half of it is loaded, and one more waits', (code, count, half) => {
    const codes = (news: Partial<RollNews>) => judge({ ...small, ...news }).map((one) => one.code);
    expect(codes(count(half + 1))).toEqual([code]);
    const allowed = code === 'names-swapped' ? 3 : half;
    expect(codes(count(allowed))).toEqual([]);
  });

  test('two voters are never most, and three can be', () => {
    expect(judge({ known: 2, rows: 2, otherNames: 2, otherBirthdates: 2 })).toEqual([]);
    expect(judge({ known: 2, rows: 2, ...otherCounty(2) })).toEqual([]);
    expect(judge({ known: 3, rows: 3, otherNames: 3 })).toHaveLength(1);
    expect(judge({ known: 3, rows: 3, ...otherCounty(3) })).toHaveLength(1);
  });

  test('a first roll of a few voters is a trial', () => {
    const first = { known: 0, rows: 9, added: 9 };
    expect(judge({ ...first, ...otherCounty(9), ...otherState(9) })).toEqual([]);
  });
});

test('what is wrong says how much is usual, whose county it is, and whom the file is of', () => {
  expect(judge({ added: 1_001 })[0]?.detail).toBe(
    '1,001 voters would be new on a roll of 10,000. Up to 1,000 in one file is usual.',
  );
  expect(judge(otherCounty(1_001))[0]?.detail).toBe(
    '1,001 rows are of another county, such as Lake. This account is for Adams.',
  );
  expect(judge(otherState(1_001))[0]?.detail).toBe(
    '1,001 rows are of another state, such as GA. This account is in FL.',
  );
});
