import { daysBetween, formatsFor } from '@ballot-beacon/contract/formats';
import { expect, test, vi } from 'vitest';
import { isTooLate } from './ballot-fix.tsx';
import { daysToReturn, timeLeft } from './time-left.ts';
import { addDays } from './when.tsx';

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

test.each(['America/New_York', 'America/Los_Angeles', 'Pacific/Auckland'])(
  'days are added and counted the same over a change of the clocks, on a device in %s',
  (zone) => {
    vi.stubEnv('TZ', zone);
    expect(addDays('2026-03-07', 2)).toBe('2026-03-09');
    expect(addDays('2026-03-08', 1)).toBe('2026-03-09');
    expect(addDays('2026-10-31', 2)).toBe('2026-11-02');
    expect(addDays('2026-03-07T12:00:00.000Z', 2)).toBe('2026-03-09T12:00:00.000Z');
    expect(daysBetween('2026-03-07', '2026-03-09')).toBe(2);
    expect(daysBetween('2026-11-02', '2026-10-31')).toBe(-2);
    vi.unstubAllEnvs();
  },
);

test('it is too late once the deadline of a problem has ended, and never once the problem was withdrawn', () => {
  const end = Date.parse(deadline);
  expect(isTooLate({ state: 'open', deadline }, end - 1)).toBe(false);
  expect(isTooLate({ state: 'open', deadline }, end)).toBe(true);
  expect(isTooLate({ state: 'recorded', deadline }, end)).toBe(false);
  expect(isTooLate({ state: 'open', deadline: null }, end)).toBe(false);
});

test('the last day to return a ballot ends at the office’s time for it', () => {
  const left = (now: string, time: string | null, zone = 'America/New_York') =>
    daysToReturn({ date: '2026-12-08', time }, Date.parse(now), formatsFor('english', zone));
  expect(left('2026-12-07T23:59:00-05:00', '19:00')).toBe(1);
  expect(left('2026-12-08T00:00:00-05:00', '19:00')).toBe(0);
  expect(left('2026-12-08T18:59:59-05:00', '19:00')).toBe(0);
  expect(left('2026-12-08T19:00:00-05:00', '19:00')).toBeLessThan(0);
  expect(left('2026-12-08T19:00:00-05:00', '19:00', 'America/Los_Angeles')).toBe(0);
  expect(left('2026-12-08T23:59:59-05:00', null)).toBe(0);
  expect(left('2026-12-09T00:00:00-05:00', null)).toBeLessThan(0);
});
