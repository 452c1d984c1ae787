import { expect, test } from 'vitest';
import { explainLoss } from './roll-size.ts';

const limits = { inactive_percent: 5, shrink_percent: 10 };

test.each([
  [1_000, 1_000, 50, null],
  [1_000, 1_000, 51, expect.stringContaining('51 active voters (5%) are missing from this file')],
  [19, 20, 1, null],
  [20, 20, 2, expect.stringContaining('2 active voters (10%) are missing')],
  [900, 1_000, 0, null],
  [
    899,
    1_000,
    0,
    'It has 899 rows; the roll has 1,000 active voters, and your limit is 10% fewer.',
  ],
  [0, 0, 0, null],
])(
  'a roll of %i rows for %i active voters, of whom %i are missing',
  (rows, active, missing, expected) => {
    expect(explainLoss({ rows, active, missing }, limits)).toEqual(expected);
  },
);

test('an office that allows none is asked about one', () => {
  const none = { inactive_percent: 0, shrink_percent: 100 };
  expect(explainLoss({ rows: 1, active: 1_500, missing: 1 }, none)).toBe(
    '1 active voter (0%) is missing from this file and would become inactive. Your limit is 0%.',
  );
  expect(explainLoss({ rows: 0, active: 1_500, missing: 0 }, none)).toBeNull();
});
