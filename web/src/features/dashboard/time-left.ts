import type { Formats } from '@ballot-beacon/contract/formats';
import { daysBetween } from './when.tsx';

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
