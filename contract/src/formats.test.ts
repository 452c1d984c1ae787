import { describe, expect, it } from 'vitest';
import { formatsFor } from './formats.ts';
import { type Language, languageNames } from './languages.ts';

const denver = 'America/Denver';

describe('dates, times and numbers', () => {
  it('keep a day without a time on that day in every zone', () => {
    for (const zone of ['Pacific/Honolulu', denver, 'Pacific/Kiritimati'])
      expect(formatsFor('german', zone).date('2026-11-03')).toBe('3. November 2026');
  });

  it('name the weekday of that day, whichever zone the office is in', () => {
    for (const zone of ['Pacific/Honolulu', 'America/New_York', 'Pacific/Kiritimati'])
      for (const language of languageNames) {
        const formats = formatsFor(language, zone);
        // A Tuesday there, and another day in UTC.
        const at = {
          'Pacific/Honolulu': '2026-12-09T09:00:00Z',
          'America/New_York': '2026-12-09T04:59:00Z',
        }[zone];
        for (const when of ['2026-12-08', at ?? '2026-12-07T11:00:00Z'])
          expect(formats.weekday(when), `${language} in ${zone}`).toContain(formats.weekdayName(2));
      }
  });

  it('have the digits of the ballot in every language, as the counts beside them', () => {
    for (const language of languageNames) {
      const formats = formatsFor(language, denver);
      const shown = [formats.weekday('2026-11-03', '19:00'), formats.date('2026-11-03')];
      for (const text of [...shown, formats.number(1234)])
        expect(toLatinDigits(text), language).toBe(text);
    }
  });

  it('say how many days ago a day is, by the calendar of the office', () => {
    // Still the 20th in Denver.
    const now = new Date('2026-11-21T06:59:00Z');
    const { daysAgo } = formatsFor('english', denver);
    expect(daysAgo('2026-11-20', now)).toBe('today');
    expect(daysAgo('2026-11-20T07:00:00Z', now)).toBe('today');
    expect(daysAgo('2026-11-20T06:59:00Z', now)).toBe('yesterday');
    expect(daysAgo('2026-11-15', now)).toBe('5 days ago');
    expect(daysAgo('2026-11-21', now)).toBeNull();
    // Over the night on which the clocks change.
    expect(daysAgo('2026-10-31', new Date('2026-11-02T06:30:00Z'))).toBe('yesterday');
  });

  it('say in each language, in its own words, how many days ago a day is', () => {
    const now = new Date('2026-11-20T19:00:00Z');
    for (const days of [0, 1, 5]) {
      const day = `2026-11-${20 - days}`;
      const said = languageNames.map((language) => formatsFor(language, denver).daysAgo(day, now));
      // French, Haitian and others may share a word; English shares none.
      expect(said.filter((words) => words === said[languageNames.indexOf('english')])).toHaveLength(
        1,
      );
      if (days === 5) for (const words of said) expect(words).toContain('5');
    }
  });

  it('show a timestamp on its day in the zone of the office', () => {
    expect(formatsFor('french', denver).date('2026-11-04T03:30:00Z')).toBe('3 novembre 2026');
  });

  it('show the year of the ballot, never that of another calendar', () => {
    for (const language of languageNames) {
      const shown = formatsFor(language, denver).date('2026-11-03');
      expect(toLatinDigits(shown), language).toMatch(/26/);
      expect(toLatinDigits(shown), language).not.toMatch(/2569|1448/);
    }
  });

  it('name the month in words wherever day and month could be confused', () => {
    for (const language of languageNames.filter((name) => name !== 'english')) {
      const shown = toLatinDigits(formatsFor(language, denver).date('2026-11-03'));
      expect(shown, language).not.toMatch(/\d[./-]\s?\d/);
    }
  });

  it.each([
    ['2026-11-03T06:59:59Z', '2026-11-02', '23:59'],
    ['2026-11-03T07:00:00Z', '2026-11-03', '00:00'],
    ['2026-11-03T19:05:00Z', '2026-11-03', '12:05'],
    // The hour that is there twice.
    ['2026-11-01T07:30:00Z', '2026-11-01', '01:30'],
    ['2026-11-01T08:30:00Z', '2026-11-01', '01:30'],
  ])('find the day and the time of %s in the office’s zone: %s, %s', (at, day, clock) => {
    const formats = formatsFor('arabic', denver);
    expect([formats.dayOf(new Date(at)), formats.clockOf(new Date(at))]).toEqual([day, clock]);
  });

  it('say a moment of long ago in words, with its year', () => {
    const shown = (language: Language) => formatsFor(language, denver).full('2024-11-03T17:05:00Z');
    expect(shown('english')).toBe('Nov 3, 2024, 10:05\u00a0AM');
    expect(shown('german')).toBe('3. November 2024, 10:05');
    // On its day in the office's zone.
    expect(formatsFor('english', denver).full('2024-11-04T03:05:00Z')).toBe(
      'Nov 3, 2024, 8:05\u00a0PM',
    );
    for (const language of languageNames)
      expect(toLatinDigits(shown(language)), language).toMatch(/24/);
  });

  it('say until when, with the weekday and the zone of the office in winter and in summer', () => {
    const { deadline } = formatsFor('english', 'America/New_York');
    expect(deadline('2026-12-10T22:00:00Z')).toBe('Thu, Dec 10, 5:00\u00a0PM EST');
    expect(deadline('2026-08-13T21:00:00Z')).toBe('Thu, Aug 13, 5:00\u00a0PM EDT');
    expect(formatsFor('chinese', denver).deadline('2026-12-10T22:00:00Z')).toMatch(/ 15:00 MST$/);
  });

  it('never depend on the language of the reader’s system where Intl has no data', () => {
    const shown = (language: Language) => formatsFor(language, denver).date('2026-11-03');
    expect(shown('creole')).toBe('3 novanm 2026');
    expect(formatsFor('creole', denver).words('2026-11-03')).toBe('3 novanm 2026');
    expect(formatsFor('english', denver).words('2026-11-03')).toBe('Nov 3');
    expect(shown('hawaiian')).toBe('Nowemapa 3, 2026');
    expect(shown('ilocano')).toBe('Nobiembre 3, 2026');
    expect(shown('khmer')).toBe('3 វិច្ឆិកា 2026');
    expect(shown('somali')).toBe('Noofeembar 3, 2026');
  });

  // Written out: names that change places look right, and are another month.
  it.each([
    ['creole', 'janvye fevriye mas avril me jen jiyè out septanm oktòb novanm desanm'],
    [
      'hawaiian',
      'Ianuali Pepeluali Malaki ʻApelila Mei Iune Iulai ʻAukake Kepakemapa ʻOkakopa Nowemapa Kekemapa',
    ],
    [
      'ilocano',
      'Enero Pebrero Marso Abril Mayo Hunio Hulio Agosto Septiembre Oktubre Nobiembre Disiembre',
    ],
    ['khmer', 'មករា កុម្ភៈ មីនា មេសា ឧសភា មិថុនា កក្កដា សីហា កញ្ញា តុលា វិច្ឆិកា ធ្នូ'],
    [
      'somali',
      'Jannaayo Febraayo Maarso Abriil Maayo Juun Luulyo Ogosto Sebteembar Oktoobar Noofeembar Diseembar',
    ],
  ] as const)('name the months of %s in their order', (language, months) => {
    const { date } = formatsFor(language, denver);
    for (const [index, month] of months.split(' ').entries())
      expect(date(`2026-${String(index + 1).padStart(2, '0')}-03`)).toContain(month);
  });

  it('show contact hours by the clock of the language', () => {
    expect(formatsFor('english', denver).time('20:30')).toMatch(/^8:30\sPM$/);
    expect(formatsFor('japanese', denver).time('20:30')).toBe('20:30');
  });

  it('keep a time on one line, and a day free of spaces that a text message has no room for', () => {
    for (const language of languageNames) {
      const formats = formatsFor(language, denver);
      const shown = [formats.time('20:30'), formats.time('2026-11-03T15:05:00Z')];
      for (const time of shown) expect(time, language).not.toMatch(/[ \u202f]/);
      expect(formats.weekday('2026-11-03', '19:00'), language).toContain(formats.time('19:00'));
      expect(formats.date('2026-11-03'), language).not.toContain('\u00a0');
    }
    expect(formatsFor('english', denver).time('19:00')).toBe('7:00\u00a0PM');
  });

  it('cost a page with many of them what one of each costs', () => {
    const original = Intl.DateTimeFormat;
    let made = 0;
    class Counted extends original {
      constructor(...parameters: ConstructorParameters<typeof original>) {
        super(...parameters);
        made += 1;
      }
    }
    Object.assign(Intl, { DateTimeFormat: Counted });
    try {
      for (const language of ['english', 'somali', 'spanish'] as const) {
        const showAll = () => {
          const formats = formatsFor(language, 'America/Boise');
          for (const when of ['2026-11-03', '2026-11-03T15:05:00Z']) {
            formats.date(when);
            formats.words(when);
            formats.full(when);
            formats.weekday(when, '19:00');
            formats.deadline(when);
          }
          formats.dayOf(new Date());
        };
        showAll();
        expect(made, language).toBeGreaterThan(0);
        made = 0;
        showAll();
        expect(made, language).toBe(0);
      }
    } finally {
      Object.assign(Intl, { DateTimeFormat: original });
    }
  });

  it('refuse text that is not a date', () => {
    expect(() => formatsFor('english', denver).date('soon')).toThrow('Not a date or time: soon');
  });

  it('join a day and its time in the usual way of the language', () => {
    const between = (language: Language) => {
      const formats = formatsFor(language, 'America/New_York');
      const when = '2026-11-03T15:05:00Z';
      return formats.dateTime(when).slice(formats.date(when).length, -formats.time(when).length);
    };
    expect(between('english')).toBe(', ');
    expect(between('arabic')).toBe('، ');
    for (const language of ['chinese', 'cantonese', 'japanese', 'korean', 'thai'] as const)
      expect(between(language), language).toBe(' ');
  });
});

function toLatinDigits(text: string): string {
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    return code < 0x80 ? digit : String((code - 0x09e6) % 10);
  });
}
