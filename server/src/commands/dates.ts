import { InvalidArgumentError } from 'commander';
import { isLikelyElectionDay } from '../modules/accounts/index.ts';
import { formatDate } from '../platform/clock.ts';

// Dates as American clerks read and write them. JSON output has ISO dates and instants instead.

/** A date as an option's value, `2026-11-03` or `11/3/2026`. @returns `YYYY-MM-DD` */
export function dateOption(text: string): string {
  const day = readDate(text);
  if (day !== undefined) return day;
  throw new InvalidArgumentError(
    'Use a date that exists, with four digits for the year, such as 11/3/2026 or 2026-11-03.',
  );
}

/** Election day as an option's value. */
export function electionDayOption(text: string): string {
  const day = dateOption(text);
  if (isLikelyElectionDay(day, new Date())) return day;
  throw new InvalidArgumentError(
    `Check the year: ${formatDate(day)} is not a likely election day.`,
  );
}

/** @returns `YYYY-MM-DD`; undefined for anything but a date that exists */
export function readDate(text: string): string | undefined {
  const typed = text.trim();
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(typed);
  const [, month = '', day = '', year = ''] = american ?? [];
  const iso = american ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : typed;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return undefined;
  const date = new Date(`${iso}T00:00:00Z`);
  // Date rolls February 30 over into March.
  const exists = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
  return exists ? iso : undefined;
}

/**
 * A day as it was typed and the time behind it, `HH:mm`, if there is one. Undefined for any other time, and for more behind it: of "11:59 PM" the time
 * alone would be in the morning.
 */
export function readDayAndClock(text: string): { day: string; clock: string | null } | undefined {
  const [day = '', clock = null, ...more] = text.trim().split(/[ T]/);
  const isRight = clock === null || /^([01]\d|2[0-3]):[0-5]\d$/.test(clock);
  return isRight && more.length === 0 ? { day, clock } : undefined;
}

/** `11/21/2026 9:37 AM EST` */
export function formatInstant(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).formatToParts(instant);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? '';
  return `${part('month')}/${part('day')}/${part('year')} ${part('hour')}:${part('minute')} ${part('dayPeriod')} ${part('timeZoneName')}`;
}

/** A day as it is, an instant in the office's time zone. @param when `YYYY-MM-DD`, or an instant as in ISO 8601 */
export function formatWhen(when: string, timeZone: string): string {
  return when.length === 10 ? formatDate(when) : formatInstant(new Date(when), timeZone);
}

/** The clock's own date and time of `2026-11-23T16:30:00-08:00`: `11/23/2026 4:30 PM`. */
export function formatClock(when: string): string {
  const [day = '', time = ''] = when.split('T');
  const [hour = 0, minute = ''] = [Number(time.slice(0, 2)), time.slice(3, 5)];
  return `${formatDate(day)} ${hour % 12 || 12}:${minute} ${hour < 12 ? 'AM' : 'PM'}`;
}
