import { asOfNow } from '../testing/demo-days.ts';

/** Of the counties that journeys visit. */
export const timeZone = 'America/New_York';

/** A day, counted from today by the clock of the office that a journey opens. */
export function inDays(count: number): { readonly iso: string; readonly words: string } {
  const iso = new Date(Date.now() + count * 86_400_000).toLocaleDateString('sv-SE', { timeZone });
  return { iso, words: nameDay(iso) };
}

/** A day of the demo's autumn, written as `Dec 10, 2026`, as a demo that is loaded now has it. */
export function dated(day: string): string {
  return nameDay(asOfNow(day), { year: 'numeric', month: 'short', day: 'numeric' });
}

/** The same, written as `12/10/26`. */
export function shortDay(day: string): string {
  return nameDay(asOfNow(day), { year: '2-digit', month: 'numeric', day: 'numeric' });
}

/** @param day YYYY-MM-DD */
export function nameDay(
  day: string,
  style: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric' },
): string {
  return new Date(day).toLocaleDateString('en-US', { ...style, timeZone: 'UTC' });
}
