import { describe, expect, test } from 'vitest';
import type { EarlierFile, Learned } from '../kind.ts';
import {
  type BallotFileSize,
  explainLeavers,
  explainOtherList,
  explainShortList,
} from './list-size.ts';

const limits = { shrink_percent: 10, inactive_percent: 5 };
const file = (
  rows: number,
  more: Partial<EarlierFile> & { readonly of?: Partial<Learned> } = {},
): EarlierFile => {
  const { of, ...rest } = more;
  return { rows, isReleased: false, learned: of ?? null, ...rest } as EarlierFile;
};
const ordinary: BallotFileSize = {
  ...{
    rows: 100,
    unchanged: 0,
    areAllNew: false,
    corrected: 0,
    isOfOpenCases: false,
    otherList: null,
    leaving: null,
  },
};
const explain = (
  size: Partial<BallotFileSize>,
  before: readonly EarlierFile[],
  over: Readonly<Record<string, number>> = {},
) => explainShortList({ ...ordinary, ...size }, before, limits, new Map(Object.entries(over)));

const tooShort = expect.stringContaining('rows; the one before it had');
const mostMissing = expect.stringContaining('more than half are missing');

describe('a list that had more rows before', () => {
  test.each([
    [101, null],
    [90, null],
    [89, tooShort],
    [20, tooShort],
    // A list of the day's changes.
    [19, null],
  ])('has %i rows of 100', (rows, expected) => {
    expect(explain({ rows }, [file(100)])).toEqual(expected);
  });

  test.each([
    [9, null],
    [10, tooShort],
  ])('and of 19 rows %i that say nothing new', (unchanged, expected) => {
    expect(explain({ rows: 19, unchanged }, [file(100)])).toEqual(expected);
  });

  test.each([
    [20, 18, 18, null],
    [20, 17, 0, tooShort],
    [19, 10, 10, null],
    [19, 9, 9, mostMissing],
    [19, 9, 5, mostMissing],
    [19, 9, 4, null],
    [12, 6, 6, null],
    [12, 5, 5, mostMissing],
    [8, 4, 4, null],
    [8, 3, 3, mostMissing],
    [5, 0, 0, mostMissing],
    [4, 0, 0, null],
  ])('of %i rows has %i, and %i that say nothing new', (before, rows, unchanged, expected) => {
    expect(explain({ rows, unchanged }, [file(before)])).toEqual(expected);
  });

  test('says its numbers and the office’s limit', () => {
    expect(explain({ rows: 1_100 }, [file(2_000)])).toBe(
      'It has 1,100 rows; the one before it had 2,000, and your limit is 10% fewer.',
    );
    expect(explain({ rows: 1 }, [file(9)])).toBeNull();
    expect(explain({ rows: 1, unchanged: 1 }, [file(9)])).toBe(
      'It has 1 row; the one before it had 9, so more than half are missing.',
    );
  });

  test('is no short one of open cases, which is judged by what leaves it', () => {
    expect(explain({ rows: 0, isOfOpenCases: true }, [file(19)])).toBeNull();
    expect(explain({ rows: 10, isOfOpenCases: true }, [file(20)])).toEqual(tooShort);
    const leaving = { listed: 5, left: 5, gone: [], waited: null, tooMany: 'Too many.' };
    expect(explain({ rows: 0, isOfOpenCases: true, leaving }, [])).toBe('Too many.');
  });

  test.each([
    [45, null],
    [44, expect.stringContaining('had 50 without elections that are over')],
  ])('has %i rows without an election that is over', (rows, expected) => {
    const before = [file(100, { of: { elections: ['7', '8'] } })];
    expect(explain({ rows }, before, { 7: 50, 9: 40 })).toEqual(expected);
  });
});

describe('the list before', () => {
  test.each([
    ['not the changes of a day', [file(10), file(100)], 89, tooShort],
    ['the newest that has a fifth of the longest', [file(20), file(100)], 19, null],
    [
      'the list that somebody approved, not longer lists before it',
      [...[file(50), file(40, { isReleased: true }), file(900)]],
      45,
      null,
    ],
    [
      'the list that somebody approved itself',
      [file(40, { isReleased: true }), file(900)],
      35,
      tooShort,
    ],
    ['among the last ten', [...Array.from({ length: 10 }, () => file(30)), file(900)], 200, null],
    [
      'among ten, the tenth too',
      [...Array.from({ length: 9 }, () => file(30)), file(900)],
      700,
      tooShort,
    ],
  ])('is %s', (_, before, rows, expected) => {
    expect(explain({ rows }, before)).toEqual(expected);
  });
});

describe('a list of open cases', () => {
  type Counts = Parameters<typeof explainLeavers>[0];
  const usual: Counts = {
    ...{ rows: 100, listed: 100, left: 0 },
    ...{ known: 1, waited: [], elections: ['7'], isOver: false },
  };
  const leavers = (counts: Partial<Counts>, before: readonly EarlierFile[] = []) =>
    explainLeavers({ ...usual, ...counts }, before, limits);
  const left = (listed: number, count: number) =>
    file(100, { of: { leaving: { listed, left: count } } });

  test.each([
    [0, 1, null],
    [0, 2, expect.stringContaining('It has no rows, so all 2 open cases')],
    [1, 2, null],
  ])('of %i rows may lose %i cases', (rows, count, expected) => {
    expect(leavers({ rows, listed: 2, left: count })).toEqual(expected);
  });

  test.each([
    [4, 4, null],
    [5, 4, null],
    [5, 5, '5 of 5 ballots are no longer on the list; each would count as accepted.'],
    [19, 18, null],
    [19, 19, '19 of 19 ballots are no longer on the list; each would count as accepted.'],
    [20, 5, null],
    [20, 6, expect.stringContaining('more than your limit of 10%')],
    [100, 10, null],
    [100, 11, expect.stringContaining('11 of 100 ballots are no longer on the list, more than')],
  ])('of %i cases may lose %i', (listed, count, expected) => {
    expect(leavers({ listed, left: count })).toEqual(expected);
  });

  test.each([
    ['a single busy day', [left(100, 90)], 10],
    ['the second busiest day', [left(100, 8), left(100, 90), left(100, 2)], 16],
    ['busy days of short lists', [left(19, 18), left(19, 18)], 10],
    ['busy days of lists of twenty', [left(20, 3), left(20, 3)], 30],
    ['days on which nearly all left', [left(100, 70), left(100, 80)], 40],
  ])('is measured by %s', (_, before, most) => {
    expect(leavers({ left: most }, before)).toBeNull();
    const share = most > 10 ? `the ${most}% that are usual` : 'your limit of 10%';
    expect(leavers({ left: most + 1 }, before)).toContain(`more than ${share}`);
  });

  test.each([
    [1, 1, 0, expect.stringContaining('The case of your last list is not on this one')],
    [3, 3, 0, expect.stringContaining('None of the 3 cases of your last list is on this one')],
    [3, 2, 1, null],
    [0, 0, 0, null],
  ])('of %i cases that lost %i has %i of them', (listed, count, known, expected) => {
    const counts = { ...usual, rows: 4, listed, left: count, known };
    expect(explainOtherList(counts, { last: null, earlier: [] })).toEqual(expected);
  });
});

test('the list before is the newest with a fifth of the rows, or the approved list', () => {
  expect(explain({ rows: 25 }, [file(20), file(100)])).toBeNull();
  expect(explain({ rows: 25 }, [file(19), file(100)])).toEqual(tooShort);
  const approved = [file(50), file(40, { isReleased: true }), file(900)];
  expect(explain({ rows: 44 }, approved)).toEqual(tooShort);
  expect(explain({ rows: 18, unchanged: 9 }, [file(100)])).toBeNull();
});

test('an empty list loses its last case, and a usual share that is the office’s own is called so', () => {
  const same = { known: 1, waited: [], elections: ['7'], isOver: false };
  const leavers = { ...same, rows: 0, listed: 1, left: 1, known: 0 };
  expect(explainLeavers(leavers, [], limits)).toBeNull();
  const day = file(100, { of: { leaving: { listed: 100, left: 5 } } });
  const many = { ...same, rows: 100, listed: 100, left: 11 };
  expect(explainLeavers(many, [day, day], limits)).toContain('your limit of 10%');
});
