import type { Day } from '../read/dates.ts';

/** `1,234` */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

/** `Oct 31`; with the year where it is not this year. */
export function formatDay(day: Day, today: Day): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(new Date(day));
}

export function daysBetween(from: Day, to: Day): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
