import { useFormats } from '../../shell/formats.ts';

/**
 * A day in the page's language. What is only a day stays that day; a timestamp falls on its day in the account's zone.
 * Server and browser may differ in their language data, so a difference between them is no error.
 */
export function When({ value, withTime = false }: { value: string; withTime?: boolean }) {
  const formats = useFormats();
  return (
    <time dateTime={value} suppressHydrationWarning>
      {withTime ? formats.dateTime(value) : formats.date(value)}
    </time>
  );
}

/** `days` after a day, as a day (`YYYY-MM-DD`); of a timestamp, the same time `days` later. */
export function addDays(when: string, days: number): string {
  const isDay = when.length === 10;
  const date = new Date(isDay ? `${when}T00:00:00Z` : when);
  date.setUTCDate(date.getUTCDate() + days);
  return isDay ? date.toISOString().slice(0, 10) : date.toISOString();
}
