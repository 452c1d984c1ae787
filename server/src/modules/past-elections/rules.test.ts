import { expect, test } from 'vitest';
import { firstDayToDiscard, isDue } from './rules.ts';

test.each([
  ['general', '2026-11-03', '2028-09-03'],
  ['primary', '2026-08-04', '2028-06-04'],
  [null, '2026-11-03', '2028-09-03'],
  ['special', '2026-12-31', '2028-10-31'],
  // February has no such day: later rather than earlier.
  ['general', '2026-04-30', '2028-03-01'],
  ['municipal', '2026-11-03', '2026-11-04'],
  ['local', '2026-12-31', '2027-01-01'],
] as const)('an election of kind %s on %s may go on %s', (kind, electionDate, first) => {
  expect(firstDayToDiscard({ electionDate, kind })).toBe(first);
});

test.each([
  ['the day before its days are over', 30, '2026-12-02', 'municipal', false, false],
  ['the day on which they are over', 30, '2026-12-03', 'municipal', false, true],
  ['the day after', 30, '2026-12-04', 'municipal', false, true],
  ['election day, with no day kept', 0, '2026-11-03', 'local', false, false],
  ['the day after, with no day kept', 0, '2026-11-04', 'local', false, true],
  ['a day before the law’s', 30, '2028-09-02', 'general', false, false],
  ['the law’s day', 30, '2028-09-03', 'general', false, true],
  ['later than the law asks, before its days are over', 900, '2029-04-20', 'general', false, false],
  ['later than the law asks, on the day they are over', 900, '2029-04-21', 'general', false, true],
  ['any day while it is active', 30, '2030-01-01', 'general', true, false],
] as const)('is due %s', (_, keptDays, today, kind, isActive, expected) => {
  const election = { electionDate: '2026-11-03', kind, isActive };
  expect(isDue(election, keptDays, today)).toBe(expected);
});

test('an office without a rule keeps all', () => {
  const election = { electionDate: '2000-01-01', kind: 'local', isActive: false } as const;
  expect(isDue(election, null, '2030-01-01')).toBe(false);
});
