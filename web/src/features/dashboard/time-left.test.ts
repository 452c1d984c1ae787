import { formatsFor } from '@ballot-beacon/contract/formats';
import { expect, test } from 'vitest';
import { isTooLate } from './ballot-fix.tsx';
import { timeLeft } from './time-left.ts';

const deadline = '2026-12-10T17:00:00-05:00';
const at = (now: string, zone = 'America/New_York') =>
  timeLeft(deadline, Date.parse(now), formatsFor('english', zone));

test('days are counted on the calendar, the last day in hours, and then it is over', () => {
  expect(at('2026-12-05T10:00:00-05:00')).toEqual({ unit: 'days', count: 5 });
  expect(at('2026-12-09T23:59:00-05:00')).toEqual({ unit: 'days', count: 1 });
  expect(at('2026-12-10T00:00:00-05:00')).toEqual({ unit: 'hours', count: 17 });
  expect(at('2026-12-10T16:59:59-05:00')).toEqual({ unit: 'hours', count: 0 });
  expect(at('2026-12-10T17:00:00-05:00')).toEqual({ unit: 'over' });
});

test('days change at midnight where the deadline is, wherever the reader is', () => {
  expect(at('2026-12-09T22:30:00-08:00')).toEqual({ unit: 'hours', count: 15 });
  expect(at('2026-12-09T22:30:00-08:00', 'America/Los_Angeles')).toEqual({
    unit: 'days',
    count: 1,
  });
});

test('it is too late once the deadline of a problem has ended, and never once the problem was withdrawn', () => {
  const end = Date.parse(deadline);
  expect(isTooLate({ state: 'open', deadline }, end - 1)).toBe(false);
  expect(isTooLate({ state: 'open', deadline }, end)).toBe(true);
  expect(isTooLate({ state: 'recorded', deadline }, end)).toBe(false);
  expect(isTooLate({ state: 'open', deadline: null }, end)).toBe(false);
});
