import { addDays } from './when.tsx';

/** An entry for one whole day, to be given to any calendar (RFC 5545), with a reminder two days ahead. */
export interface CalendarEntry {
  /** Unique in the world. */
  readonly id: string;
  /** YYYY-MM-DD */
  readonly day: string;
  readonly title: string;
  readonly text: string;
  /** May be empty. */
  readonly place: string;
}

/** The entry as an address that a link can offer for download. */
export function calendarLink(entry: CalendarEntry): string {
  return `data:text/calendar;charset=utf-8,${encodeURIComponent(writeCalendar(entry))}`;
}

export function writeCalendar({ id, day, title, text, place }: CalendarEntry): string {
  const compact = (date: string) => date.replaceAll('-', '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ballot Beacon//Return deadline//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${compact(day)}T000000Z`,
    `DTSTART;VALUE=DATE:${compact(day)}`,
    `DTEND;VALUE=DATE:${compact(addDays(day, 1))}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    ...(place ? [`LOCATION:${escapeText(place)}`] : []),
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(title)}`,
    'TRIGGER:-P2D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines
    .flatMap(fold)
    .map((line) => `${line}\r\n`)
    .join('');
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
