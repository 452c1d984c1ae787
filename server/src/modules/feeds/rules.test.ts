import { describe, expect, test } from 'vitest';
import { describeAge, isLate, listFeedsOf } from './rules.ts';

const now = new Date('2026-10-05T15:00:00Z');
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds);
const minute = 60_000;
const hour = 60 * minute;

test.each([
  [26 * hour - 1, 26, false],
  [26 * hour, 26, false],
  [26 * hour + 1, 26, true],
  [999 * hour, null, false],
])('a file of %i ms ago, expected every %s hours, is late: %s', (age, everyHours, expected) => {
  expect(isLate({ format: 'x', lastAt: ago(age), everyHours }, now)).toBe(expected);
});

test('a file that is expected and never came is late', () => {
  expect(isLate({ format: 'x', lastAt: null, everyHours: 26 }, now)).toBe(true);
  expect(isLate({ format: 'x', lastAt: null, everyHours: null }, now)).toBe(false);
});

test.each([
  [-hour, '0 minutes'],
  [minute - 1, '0 minutes'],
  [minute, '1 minute'],
  [2 * minute, '2 minutes'],
  [119 * minute, '119 minutes'],
  [2 * hour - 1, '119 minutes'],
  [2 * hour, '2 hours'],
  [48 * hour - 1, '47 hours'],
  [48 * hour, '2 days'],
  [72 * hour - 1, '2 days'],
  [72 * hour, '3 days'],
])('%i ms is described as %s', (age, text) => {
  expect(describeAge(ago(age), now)).toBe(text);
});

describe('the feeds of an office', () => {
  test('are those that it expects and those that came, by name', () => {
    const received = [
      { format: 'b', lastAt: ago(1) },
      { format: 'a', lastAt: ago(2) },
    ];
    expect(listFeedsOf({ c: { every_hours: 5 }, b: { every_hours: 6 } }, received)).toEqual([
      { format: 'a', lastAt: ago(2), everyHours: null },
      { format: 'b', lastAt: ago(1), everyHours: 6 },
      { format: 'c', lastAt: null, everyHours: 5 },
    ]);
  });
});
