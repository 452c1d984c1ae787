import { useFormats } from '../../shell/formats.ts';

interface WhenProps {
  value: string;
  withTime?: boolean;
  /** Without the time: "Nov 18", where the card's own dates are the short ones of the specification. */
  inWords?: boolean;
}

/**
 * A day in the page's language. What is only a day stays that day; a timestamp falls on its day in the account's zone.
 * Server and browser may differ in their language data, so a difference between them is no error.
 */
export function When({ value, withTime = false, inWords = false }: WhenProps) {
  const formats = useFormats();
  const day = inWords ? formats.words(value) : formats.date(value);
  return (
    <time dateTime={value} suppressHydrationWarning>
      {withTime ? formats.dateTime(value) : day}
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
