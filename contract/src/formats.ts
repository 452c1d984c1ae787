import { type Language, languages } from './languages.ts';

/**
 * Dates, times and numbers in one language, the same in the browser and on the server.
 *
 * Dates name the month in words in every language but English: "3/11/2026" is the third of November to
 * some readers and the eleventh of March to others, and a county's paper says 11/3. The calendar is always
 * the Gregorian one of the ballot, also where the language's home uses another (Thai, Arabic).
 */
export interface Formats {
  /** A day: `YYYY-MM-DD` stays that day in every zone; a timestamp is shown on its day in the zone. */
  date(when: string | Date): string;
  /**
   * The time of a timestamp in the zone, or of `HH:mm` on the clock. Its spaces do not break; in a text message such a
   * space would leave less than half the room, so messages have days alone.
   */
  time(when: string | Date): string;
  dateTime(when: string | Date): string;
  /** A day in words, in English without the year: "Nov 18". */
  words(when: string): string;
  /** {@link words} with its time: "Nov 21, 11:44 PM". */
  wordsAndTime(when: string): string;
  /** A moment in words, with its year also in English: "Nov 18, 2026, 10:00 AM". */
  full(when: string): string;
  /** What stands between two parts of a line, such as a day and a time: a comma as the language writes it, or a space. */
  readonly separator: string;
  /** A day in words with its weekday: "Tue, Dec 8". @param clock `HH:mm`, to be added */
  weekday(when: string, clock?: string | null): string;
  /** The last moment for something, with weekday, time and the short name of the zone: "Thu, Dec 10, 5:00 PM EST". */
  deadline(at: string): string;
  /** How long ago a day is, by the zone's calendar: "5 days ago", "yesterday", "today"; null for a day to come. */
  daysAgo(when: string, now: Date): string | null;
  /** The name of a weekday; 0 is Sunday. */
  weekdayName(index: number): string;
  /** The day of an instant in the zone, `YYYY-MM-DD`. */
  dayOf(instant: Date): string;
  /** The time of an instant in the zone, `HH:mm`. */
  clockOf(instant: Date): string;
  number(value: number): string;
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
const clockPattern = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** Whole days from one day to another, both `YYYY-MM-DD`; negative once it is over. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}

/** By language and zone: an `Intl` object costs some half a millisecond, and every component of a page asks for several. */
const known = new Map<string, Formats>();

/** @param timeZone IANA name, the account's zone. @throws RangeError for an unknown zone or an unreadable time. */
export function formatsFor(language: Language, timeZone: string): Formats {
  const key = `${language} ${timeZone}`;
  const formats = known.get(key) ?? createFormats(language, timeZone);
  known.set(key, formats);
  return formats;
}

function createFormats(language: Language, timeZone: string): Formats {
  const tag = intlTags[language] ?? languages[language].tag;
  const months = ownMonths[language];
  const numbers = new Intl.NumberFormat(tag);
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' });
  const day = (zone: string) => createDayFormat(language, tag, months, zone);
  const clock = (zone: string) => {
    const format = new Intl.DateTimeFormat(tag, {
      hour: 'numeric',
      minute: '2-digit',
      timeZone: zone,
    });
    return (when: Date) => format.format(when).replaceAll(/\s/g, '\u00a0');
  };
  const days = { local: day(timeZone), fixed: day('UTC') };
  const clocks = { local: clock(timeZone), fixed: clock('UTC') };
  // A choice of hours asks for the same few times again and again.
  const clockTexts = new Map<string, string>();
  const onTheClock = (clockTime: string) => {
    const text = clockTexts.get(clockTime) ?? clocks.fixed(new Date(`2000-01-01T${clockTime}:00Z`));
    clockTexts.set(clockTime, text);
    return text;
  };

  const join = dateFromTime[language] ?? ', ';
  const zoneOf = (when: string) => (dayPattern.test(when) ? 'UTC' : timeZone);
  const instantOf = (when: string) => toDate(dayPattern.test(when) ? `${when}T00:00:00Z` : when);

  const inZone = (options: Intl.DateTimeFormatOptions, locale = tag) =>
    keep((zone: string) => new Intl.DateTimeFormat(locale, { ...options, timeZone: zone }));
  const ofWords = inZone({ month: 'short', day: 'numeric' });
  const ofFull = inZone({ dateStyle: 'medium' });
  const ofWeekday = inZone({ weekday: 'short', month: 'short', day: 'numeric' });
  const ofWeekdayName = inZone({ weekday: 'short' });
  const ofDay = inZone({}, 'en-CA');
  const ofClock = inZone({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, 'en-GB');
  // The abbreviation that Americans know in every language, such as EST.
  const ofZoneName = inZone({ timeZoneName: 'short' }, 'en-US');
  const zoneName = (at: string) =>
    ofZoneName(timeZone)
      .formatToParts(toDate(at))
      .find(({ type }) => type === 'timeZoneName')?.value ?? '';

  const formats: Formats = {
    separator: join,
    words: (when) =>
      language === 'english' ? ofWords(zoneOf(when)).format(instantOf(when)) : formats.date(when),
    wordsAndTime: (when) => `${formats.words(when)}${join}${formats.time(when)}`,
    full: (when) => {
      const day =
        language === 'english' ? ofFull(zoneOf(when)).format(instantOf(when)) : formats.date(when);
      return `${day}${join}${formats.time(when)}`;
    },
    weekday: (when, clock) => {
      const day = instantOf(when);
      const date = dayPattern.test(when) ? when : formats.dayOf(day);
      const words = months
        ? `${formats.weekdayName(new Date(date).getUTCDay())}, ${formats.date(when)}`
        : ofWeekday(zoneOf(when)).format(day);
      return clock ? `${words}${join}${formats.time(clock)}` : words;
    },
    daysAgo: (when, now) => {
      const day = dayPattern.test(when) ? when : formats.dayOf(toDate(when));
      const days = daysBetween(day, formats.dayOf(now));
      if (days < 0) return null;
      const own = ownDaysAgo[language];
      return own ? (own[days] ?? own[2]).replace('#', String(days)) : relative.format(-days, 'day');
    },
    deadline: (at) => `${formats.weekday(at)}${join}${formats.time(at)} ${zoneName(at)}`,
    weekdayName: (index) =>
      ownWeekdays[language]?.[index] ??
      ofWeekdayName('UTC').format(new Date(Date.UTC(2023, 0, 1 + index))),
    dayOf: (instant) => ofDay(timeZone).format(instant),
    clockOf: (instant) => ofClock(timeZone).format(instant),
    date: (when) =>
      typeof when === 'string' && dayPattern.test(when)
        ? days.fixed(new Date(`${when}T00:00:00Z`))
        : days.local(toDate(when)),
    time: (when) =>
      typeof when === 'string' && clockPattern.test(when)
        ? onTheClock(when)
        : clocks.local(toDate(when)),
    dateTime: (when) => `${formats.date(when)}${join}${formats.time(when)}`,
    number: (value) => numbers.format(value),
  };
  return formats;
}

/** Makes the value of a key when it is first asked for. */
function keep<K, V>(make: (key: K) => V): (key: K) => V {
  const kept = new Map<K, V>();
  return (key) => {
    const value = kept.get(key) ?? make(key);
    kept.set(key, value);
    return value;
  };
}

function createDayFormat(
  language: Language,
  tag: string,
  months: readonly string[] | undefined,
  timeZone: string,
): (when: Date) => string {
  if (months === undefined) {
    const format = new Intl.DateTimeFormat(
      tag,
      language === 'english'
        ? { dateStyle: 'short', timeZone }
        : { year: 'numeric', month: 'long', day: 'numeric', timeZone },
    );
    return (when) => format.format(when);
  }
  const parts = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    timeZone,
  });
  return (when) => {
    const values = new Map(parts.formatToParts(when).map((part) => [part.type, part.value]));
    const month = months[Number(values.get('month')) - 1];
    const dayOfMonth = values.get('day');
    return monthFirst.has(language)
      ? `${month} ${dayOfMonth}, ${values.get('year')}`
      : `${dayOfMonth} ${month} ${values.get('year')}`;
  };
}

function toDate(when: string | Date): Date {
  const date = new Date(when);
  if (Number.isNaN(date.getTime())) throw new RangeError(`Not a date or time: ${when}`);
  return date;
}

/**
 * Tags for Intl where the language's own would mislead or differ between machines. Arabic and Thai would show
 * another calendar's year (1448, 2569); Arabic and Bengali keep the digits of the ballot, the phone number and the ZIP.
 * Chromium has no data for Creole, Hawaiian, Ilocano, Khmer and Somali, and would quietly use the reader's
 * system language, which may differ from the server's: they use American times and numbers, and the months below.
 */
const intlTags: { readonly [L in Language]?: string } = {
  arabic: 'ar-SA-u-ca-gregory-nu-latn',
  bengali: 'bn-BD-u-nu-latn',
  thai: 'th-TH-u-ca-gregory-nu-latn',
  creole: 'en-US',
  hawaiian: 'en-US',
  ilocano: 'en-US',
  khmer: 'en-US',
  somali: 'en-US',
};

/** The separator between a date and a time, if it is not a Latin comma. */
const dateFromTime: { readonly [L in Language]?: string } = {
  arabic: '، ',
  cantonese: ' ',
  chinese: ' ',
  japanese: ' ',
  korean: ' ',
  thai: ' ',
};

const monthFirst: ReadonlySet<Language> = new Set<Language>(['hawaiian', 'ilocano', 'somali']);

/** Month names of CLDR (haw, km, so); of the Haitian and Philippine calendars in print (ht, ilo). */
const ownMonths: { readonly [L in Language]?: readonly string[] } = {
  creole: split('janvye fevriye mas avril me jen jiyè out septanm oktòb novanm desanm'),
  hawaiian: split(
    'Ianuali Pepeluali Malaki ʻApelila Mei Iune Iulai ʻAukake Kepakemapa ʻOkakopa Nowemapa Kekemapa',
  ),
  ilocano: split(
    'Enero Pebrero Marso Abril Mayo Hunio Hulio Agosto Septiembre Oktubre Nobiembre Disiembre',
  ),
  khmer: split('មករា កុម្ភៈ មីនា មេសា ឧសភា មិថុនា កក្កដា សីហា កញ្ញា តុលា វិច្ឆិកា ធ្នូ'),
  somali: split(
    'Jannaayo Febraayo Maarso Abriil Maayo Juun Luulyo Ogosto Sebteembar Oktoobar Noofeembar Diseembar',
  ),
};

/** Weekdays from Sunday on, from the same sources as {@link ownMonths}. */
const ownWeekdays: { readonly [L in Language]?: readonly string[] } = {
  creole: split('dimanch lendi madi mèkredi jedi vandredi samdi'),
  hawaiian: split('Lāpule Poʻakahi Poʻalua Poʻakolu Poʻahā Poʻalima Poʻaono'),
  ilocano: split('Domingo Lunes Martes Mierkoles Huebes Biernes Sabado'),
  khmer: split('អាទិត្យ ចន្ទ អង្គារ ពុធ ព្រហស្បតិ៍ សុក្រ សៅរ៍'),
  somali: split('Axad Isniin Talaado Arbaco Khamiis Jimce Sabti'),
};

/** Today, yesterday and some days ago, of the languages that Chromium has no data for; in CLDR's words for Khmer and Somali. */
const ownDaysAgo: { readonly [L in Language]?: readonly [string, string, string] } = {
  creole: ['jodi a', 'yè', 'sa gen # jou'],
  hawaiian: ['i kēia lā', 'i nehinei', '# lā aku nei'],
  ilocano: ['ita nga aldaw', 'idi kalman', '# nga aldaw ti napalabas'],
  khmer: ['ថ្ងៃ​នេះ', 'ម្សិលមិញ', '# ថ្ងៃ​មុន'],
  somali: ['maanta', 'shalay', '# maalmood ka hor'],
};

function split(names: string): readonly string[] {
  return names.split(' ');
}
