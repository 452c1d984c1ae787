import { expect, test } from 'vitest';
import { findElection, isLikelyElectionDay, isMovedTooFar, keyOfElection } from './rules.ts';

const now = new Date('2026-10-05T15:00:00Z');

test.each([
  ['2005-12-31', false],
  ['2006-01-01', true],
  ['2026-11-03', true],
  ['2031-12-31', true],
  ['2032-01-01', false],
])('an election may be on %s: %s', (day, expected) => {
  expect(isLikelyElectionDay(day, now)).toBe(expected);
});

test('an election moves by 120 days at most, either way', () => {
  const far = (to: string) => isMovedTooFar('2026-11-03', to);
  expect(['2026-07-06', '2026-11-04', '2027-03-03'].map(far)).toEqual([false, false, false]);
  expect(['2026-07-05', '2027-03-04'].map(far)).toEqual([true, true]);
});

test('a number is the same however its letters are written', () => {
  const elections = [{ number: '2026G' }, { number: '2026P' }];
  for (const number of ['2026g', ' 2026G '])
    expect(findElection(elections, number)).toBe(elections[0]);
  expect(findElection(elections, '2026p')).toBe(elections[1]);
  expect(findElection(elections, '2026')).toBeUndefined();
  expect(findElection(elections, '2026 G')).toBeUndefined();
  expect(keyOfElection(' A ')).toBe('a');
});
