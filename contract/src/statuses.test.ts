import { expect, test } from 'vitest';
import { ballotStatuses, isBallotStatus } from './statuses.ts';

test('a status is one of the listed words, and nothing that each object has', () => {
  expect(ballotStatuses.every(isBallotStatus)).toBe(true);
  const others = ['', 'Sent', 'constructor', 'toString', '__proto__', 4, null, undefined];
  expect(others.filter(isBallotStatus)).toEqual([]);
});
