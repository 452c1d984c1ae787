import { addDays } from './when.tsx';

/** An entry to be given to any calendar (RFC 5545), with a reminder: for one whole day, or until a moment of it. */
export interface CalendarEntry {
  /** Unique in the world. */
  readonly id: string;
  /** YYYY-MM-DD */
  readonly day: string;
  /** ISO 8601: the moment that ends the entry's hour; without it the entry is for the whole day. */
  readonly at?: string;
  readonly title: string;
  readonly text: string;
  /** May be empty. */
  readonly place: string;
}

/** An entry for the hour that ends with a deadline, which a reminder a day ahead announces. */
export function deadlineEntry(entry: {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly text: string;
}): CalendarEntry {
  return { ...entry, day: entry.at.slice(0, 10), place: '' };
}

/** The entry as an address that a link can offer for download. */
export function calendarLink(entry: CalendarEntry): string {
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(writeCalendar(entry))}`;
}

export function writeCalendar({ id, day, at, title, text, place }: CalendarEntry): string {
  const compact = (date: string) => date.replaceAll('-', '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ballot Beacon//Return deadline//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${compact(day)}T000000Z`,
    ...(at
      ? [`DTSTART:${inUtc(Date.parse(at) - 3_600_000)}`, `DTEND:${inUtc(Date.parse(at))}`]
      : [`DTSTART;VALUE=DATE:${compact(day)}`, `DTEND;VALUE=DATE:${compact(addDays(day, 1))}`]),
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    ...(place ? [`LOCATION:${escapeText(place)}`] : []),
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    at ? 'TRIGGER:-P1D' : 'TRIGGER:-P2D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines
    .flatMap(fold)
    .map((line) => `${line}\r\n`)
    .join('');
}

/** `20261210T220000Z` */
function inUtc(time: number): string {
  return new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}

function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n/g, '\\n');
}

/** A line has at most 75 octets; what goes on begins with a space. */
function fold(line: string): string[] {
  const folded: string[] = [];
  let part = '';
  let octets = 0;
  for (const sign of line) {
    const length = new TextEncoder().encode(sign).length;
    if (octets + length > 74) {
      folded.push(part);
      part = ' ';
      octets = 1;
    }
    part += sign;
    octets += length;
  }
  return [...folded, part];
}
