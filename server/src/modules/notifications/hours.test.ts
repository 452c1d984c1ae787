import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../testing/runs.ts';
import { bindingHours, type ContactHours, isWithinHours, nextWithinHours } from './hours.ts';

const minute = 60_000;
const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'America/Puerto_Rico',
  'Pacific/Guam',
  // These change their clocks by half an hour, change them at midnight, or skipped a whole day.
  'Australia/Lord_Howe',
  'America/Havana',
  'Pacific/Apia',
  'Asia/Kathmandu',
];
const clock = fc
  .integer({ min: 0, max: 1439 })
  .map((m) => `${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);
const anyHours = fc.record({ start: clock, end: clock }).filter(({ start, end }) => start !== end);
const year = (y: number) => Date.UTC(y, 0, 1);
/** Any time of eight years, and as often a time within a day of a change of the clocks. */
const anyInstant = fc.oneof(
  fc.integer({ min: year(2024), max: year(2032) }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-11-01', '2027-03-14', '2026-10-03', '2026-04-04'),
      fc.integer({ min: -24 * 60 * minute, max: 36 * 60 * minute }),
    )
    .map(([day, offset]) => Date.parse(`${day}T00:00:00Z`) + offset),
);

/** An independent calculation, by the platform's own calendar. */
const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  ]),
);
function readClock(instant: number, timeZone: string): string {
  return clocks.get(timeZone)?.format(instant) ?? '';
}
function clockIsWithin(text: string, { start, end }: ContactHours): boolean {
  return start < end ? text >= start && text < end : text >= start || text < end;
}

describe('contact hours', () => {
  test('in every zone, on every day and for every window, what is allowed is within the hours on the wall clock', () => {
    fc.assert(
      fc.property(anyInstant, anyHours, fc.constantFrom(...zones), (instant, hours, zone) => {
        expect(isWithinHours(instant, hours, zone)).toBe(
          clockIsWithin(readClock(instant, zone), hours),
        );
      }),
      { numRuns: runs(1000) },
    );
  });

  test('a deferred message waits for the very first allowed minute, never past it and never before', () => {
    fc.assert(
      fc.property(anyInstant, anyHours, fc.constantFrom(...zones), (instant, hours, zone) => {
        const next = nextWithinHours(instant, hours, zone);
        expect(next).toBeGreaterThanOrEqual(instant);
        expect(clockIsWithin(readClock(next, zone), hours)).toBe(true);
        if (next === instant) return;
        // Every minute between is closed.
        const first = Math.ceil(instant / minute) * minute;
        const step = Math.max(minute, Math.floor((next - first) / 40 / minute) * minute);
        for (let at = first; at < next; at += step)
          expect(clockIsWithin(readClock(at, zone), hours)).toBe(false);
        expect(clockIsWithin(readClock(next - 1, zone), hours)).toBe(false);
      }),
      { numRuns: runs(1000) },
    );
  });

  test('a window that tomorrow’s clock leaps over opens the day after', () => {
    const hours = { start: '02:10', end: '02:50' };
    const next = nextWithinHours(Date.parse('2026-03-07T12:00:00-05:00'), hours, zones[0] ?? '');
    expect(new Date(next).toISOString()).toBe('2026-03-09T06:10:00.000Z');
  });

  test('a window across midnight is open on both sides of it', () => {
    const night = { start: '22:00', end: '02:00' };
    const at = (text: string) => Date.parse(text);
    expect(isWithinHours(at('2026-10-20T23:30:00-04:00'), night, 'America/New_York')).toBe(true);
    expect(isWithinHours(at('2026-10-21T01:59:59-04:00'), night, 'America/New_York')).toBe(true);
    expect(isWithinHours(at('2026-10-21T02:00:00-04:00'), night, 'America/New_York')).toBe(false);
    expect(nextWithinHours(at('2026-10-21T12:00:00-04:00'), night, 'America/New_York')).toBe(
      at('2026-10-21T22:00:00-04:00'),
    );
  });

  test('the morning after the clocks change still begins at eight', () => {
    const day = { start: '08:00', end: '20:00' };
    const next = (text: string) => nextWithinHours(Date.parse(text), day, 'America/New_York');
    expect(next('2026-03-07T21:00:00-05:00')).toBe(Date.parse('2026-03-08T08:00:00-04:00'));
    expect(next('2026-10-31T21:00:00-04:00')).toBe(Date.parse('2026-11-01T08:00:00-05:00'));
  });

  test('a window that begins in the hour that is skipped opens as the clock jumps into it', () => {
    const window = { start: '02:30', end: '09:00' };
    expect(
      nextWithinHours(Date.parse('2026-03-08T00:10:00-05:00'), window, 'America/New_York'),
    ).toBe(Date.parse('2026-03-08T03:00:00-04:00'));
  });

  test('a window in the hour that comes twice opens twice', () => {
    const window = { start: '01:10', end: '01:40' };
    expect(
      nextWithinHours(Date.parse('2026-11-01T01:45:00-04:00'), window, 'America/New_York'),
    ).toBe(Date.parse('2026-11-01T01:10:00-05:00'));
  });

  test('texts and calls keep to the quiet hours of the office when the voter set none; mail goes at once', () => {
    const office = { start: '09:00', end: '19:00' };
    const none = { start: null, end: null };
    expect(bindingHours('sms', none, office)).toEqual(office);
    expect(bindingHours('voice', none, office)).toEqual(office);
    expect(bindingHours('email', none, office)).toBeNull();
    // A voter who chose one end alone has the other of those who chose none.
    expect(bindingHours('email', { start: '10:00:00', end: null }, office)).toEqual({
      start: '10:00',
      end: '20:00',
    });
    // Two equal ends say nothing of when.
    const same = { start: '12:00:00', end: '12:00:00' };
    expect(bindingHours('sms', same, office)).toEqual(office);
    expect(bindingHours('email', same, office)).toBeNull();
    const own = { start: '06:30:00', end: '22:00:00' };
    for (const channel of ['sms', 'voice', 'email'] as const)
      expect(bindingHours(channel, own, office)).toEqual({ start: '06:30', end: '22:00' });
  });
});
