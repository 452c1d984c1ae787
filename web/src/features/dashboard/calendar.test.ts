import { expect, it } from 'vitest';
import { calendarLink, writeCalendar } from './calendar.ts';

const entry = {
  id: 'return-2026-12-08-received@ballot-beacon',
  day: '2026-12-31',
  title: 'Last day to return your mail ballot',
  text: 'Your ballot must be back at the election office by Thu, Dec 31, 7:00 PM.',
  place: 'Elections Office; 100 Pier Street, Port Addison',
};

it('a deadline is an entry for its whole day that any calendar reads, with a reminder ahead of it', () => {
  const lines = writeCalendar(entry).replaceAll('\r\n ', '').split('\r\n');
  expect(lines).toContain('DTSTART;VALUE=DATE:20261231');
  expect(lines).toContain('DTEND;VALUE=DATE:20270101');
  expect(lines).toContain('LOCATION:Elections Office\\; 100 Pier Street\\, Port Addison');
  expect(lines).toContain('TRIGGER:-P2D');
  expect(lines.filter((line) => line.startsWith('BEGIN:')).map((line) => line.slice(6))).toEqual(
    lines
      .filter((line) => line.startsWith('END:'))
      .map((line) => line.slice(4))
      .sort((a, b) => nesting.indexOf(a) - nesting.indexOf(b)),
  );
});

const nesting = ['VCALENDAR', 'VEVENT', 'VALARM'];

it('no line has more than 75 octets, in any script', () => {
  const text = 'সন্লহ '.repeat(60);
  for (const line of writeCalendar({ ...entry, text }).split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
});

it('the link contains all of it', () => {
  const link = calendarLink(entry);
  expect(decodeURIComponent(link.slice(link.indexOf(',') + 1))).toBe(writeCalendar(entry));
});
