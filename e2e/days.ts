import type { Locator } from '@playwright/test';
import { asOfNow } from '../testing/demo-days.ts';
import { expect } from './fixtures.ts';

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

/** @param day YYYY-MM-DD, or a timestamp, which falls on its day in the county */
export function nameDay(
  day: string,
  style: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric' },
  locale = 'en-US',
): string {
  const zone = day.length === 'YYYY-MM-DD'.length ? 'UTC' : timeZone;
  return new Date(day).toLocaleDateString(locale, { ...style, timeZone: zone });
}

/** Expects dates of the demo's October or November, each written as its day is. */
export async function expectAutumnDays(
  dates: Locator,
  style: Intl.DateTimeFormatOptions,
  locale?: string,
): Promise<void> {
  for (const date of await dates.all()) {
    const day = (await date.getAttribute('datetime')) ?? '';
    await expect(date).toHaveText(nameDay(day, style, locale));
    expect(Date.parse(day)).toBeGreaterThanOrEqual(Date.parse(asOfNow('2026-10-01')));
    expect(Date.parse(day)).toBeLessThan(Date.parse(asOfNow('2026-12-01')));
  }
}

/** A time of the county's clocks, which may be set to summer time. */
export function inCounty(day: string, time: string): string {
  const noon = new Date(`${day}T17:00Z`);
  const named = noon.toLocaleString('en-US', { timeZone, timeZoneName: 'longOffset' });
  return `${day}T${time}:00${named.slice(-6)}`;
}
