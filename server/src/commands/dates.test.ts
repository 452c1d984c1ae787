import { expect, test } from 'vitest';
import { formatClock, formatInstant, formatWhen, readDate } from './dates.ts';

test.each([
  ['2026-11-23T00:05:00-08:00', '11/23/2026 12:05 AM'],
  ['2026-11-23T09:37:00-05:00', '11/23/2026 9:37 AM'],
  ['2026-11-23T11:59:00-08:00', '11/23/2026 11:59 AM'],
  ['2026-11-23T12:00:00-08:00', '11/23/2026 12:00 PM'],
  ['2026-11-23T13:00:00-08:00', '11/23/2026 1:00 PM'],
  ['2026-11-23T23:59:00-08:00', '11/23/2026 11:59 PM'],
])('the clock that says %s is written %s', (when, written) => {
  expect(formatClock(when)).toBe(written);
});

test.each([
  ['2026-11-24T04:59:00Z', 'America/New_York', '11/23/2026 11:59 PM EST'],
  ['2026-11-24T05:00:00Z', 'America/New_York', '11/24/2026 12:00 AM EST'],
  ['2026-10-24T19:00:00Z', 'America/Los_Angeles', '10/24/2026 12:00 PM PDT'],
])('%s in %s is %s', (instant, timeZone, written) => {
  expect(formatInstant(new Date(instant), timeZone)).toBe(written);
  expect(formatWhen(instant, timeZone)).toBe(written);
});

test('a day is no instant, and moves with no time zone', () => {
  expect(formatWhen('2026-11-03', 'Pacific/Honolulu')).toBe('11/03/2026');
});

test.each([
  ['11/3/2026', '2026-11-03'],
  [' 2026-11-03 ', '2026-11-03'],
  ['2/29/2028', '2028-02-29'],
  ['2/29/2026', undefined],
  ['13/1/2026', undefined],
  ['11/3/26', undefined],
  ['2026-11-3', undefined],
  ['', undefined],
])('%j is the day %s', (typed, day) => {
  expect(readDate(typed)).toBe(day);
});
