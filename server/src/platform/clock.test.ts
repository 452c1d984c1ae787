import { expect, test } from 'vitest';
import { formatDay, localDay } from './clock.ts';

test('a day is named with its year where it is of another one', () => {
  expect(formatDay('2026-11-03', '2026-10-05')).toBe('Nov 3');
  expect(formatDay('2025-11-04', '2026-10-05')).toBe('Nov 4, 2025');
  expect(formatDay('2027-01-02', '2026-12-31')).toBe('Jan 2, 2027');
});

test('a day is the one on the office’s calendar', () => {
  const instant = new Date('2026-11-04T04:30:00Z');
  expect(localDay(instant, 'America/New_York')).toBe('2026-11-03');
  expect(localDay(instant, 'UTC')).toBe('2026-11-04');
  expect(localDay(instant, 'Pacific/Honolulu')).toBe('2026-11-03');
});
