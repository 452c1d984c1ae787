import type { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import { daysBetween, type Formats } from '@ballot-beacon/contract/formats';
import { isTooLateToReturn } from '@ballot-beacon/contract/return-deadline';

/** How much time is left until a deadline: whole days, on its last day whole hours, and `over` from its moment on. */
export type TimeLeft =
  | { readonly unit: 'days' | 'hours'; readonly count: number }
  | { readonly unit: 'over' };

/**
 * @param at the deadline, ISO 8601
 * @param now milliseconds since the epoch
 * @param formats of the deadline's zone, in which days change at midnight
 */
export function timeLeft(at: string, now: number, formats: Formats): TimeLeft {
  const left = Date.parse(at) - now;
  if (left <= 0) return { unit: 'over' };
  const days = daysBetween(formats.dayOf(new Date(now)), formats.dayOf(new Date(at)));
  return days > 0
    ? { unit: 'days', count: days }
    : { unit: 'hours', count: Math.floor(left / 3_600_000) };
}

/**
 * Days until a ballot must be back: 0 on the last day, and negative from the last moment on.
 *
 * @param now milliseconds since the epoch
 * @param formats of the office's zone, on whose clock the deadline is
 */
export function daysToReturn(
  deadline: Pick<ReturnDeadline, 'date' | 'time'>,
  now: number,
  formats: Formats,
): number {
  const instant = new Date(now);
  const days = daysBetween(formats.dayOf(instant), deadline.date);
  return days === 0 && isTooLateToReturn(deadline, instant, formats) ? -1 : days;
}
