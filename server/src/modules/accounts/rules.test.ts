import { expect, test } from 'vitest';
import { findElection, isLikelyElectionDay, keyOfElection } from './rules.ts';

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

test('a number is the same however its letters are written', () => {
  const elections = [{ number: '2026G' }, { number: '2026P' }];
  for (const number of ['2026g', ' 2026G '])
    expect(findElection(elections, number)).toBe(elections[0]);
  expect(findElection(elections, '2026p')).toBe(elections[1]);
  expect(findElection(elections, '2026')).toBeUndefined();
  expect(findElection(elections, '2026 G')).toBeUndefined();
  expect(keyOfElection(' A ')).toBe('a');
});
