/** Where the time comes from; tests set it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** By zone: making one costs far more than using it. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** @returns the day of an instant in a time zone, as `YYYY-MM-DD` */
export function localDay(instant: Date, timeZone: string): string {
  const format =
    dayFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  dayFormats.set(timeZone, format);
  return format.format(instant);
}

/** `2026-11-03` as `11/03/2026`, as clerks read and write it in tables. */
export function formatDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${month}/${date}/${year}`;
}

/** SQL that writes a date as {@link formatDate} does. @param day SQL of a date, or of one as text */
export function dateInWords(day: string): string {
  return `to_char((${day})::date, 'MM/DD/YYYY')`;
}

/** `2026-10-31` as `Oct 31`; with the year where it is not this year. */
export function formatDay(day: string, today: string): string {
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(new Date(day));
}
