import type { Day } from '../read/dates.ts';

/** `1,234` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** Ends the warnings about rows without what a voter needs to sign in. */
export const withoutSignIn = 'cannot sign in';
