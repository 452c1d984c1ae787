import { formatDate } from '../../../platform/clock.ts';

/** `YYYY-MM-DD`, a day of the calendar that no time zone shifts. */
export type Day = string;

export interface DayRange {
  readonly first: Day;
  readonly last: Day;
}

export type ReadDay = { readonly day: Day | null } | { readonly problem: string };

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const tokens: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<shortYear>\\d{2})',
  MM: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{1,2})',
  MON: '(?<monthName>[A-Za-z]{3})[A-Za-z]*',
};
const tokenPattern = /YYYY|YY|MON|MM|DD/g;
/** As programs write it after a time, if at all. */
const zone = '(?:\\s?(?:Z|[+-]\\d\\d(?::?\\d\\d)?))?';
/** A time after the day is ignored: the office's local date stays as it is. */
const timePattern = `(?<time>[T\\s]+\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?(?:\\s?[AaPp]\\.?[Mm]\\.?)?${zone})?`;

const compiled = new Map<string, RegExp>();

/** Whether this is a date pattern: YYYY or YY, MM or MON, DD, once each, with anything but letters between. */
export function isDatePattern(pattern: string): boolean {
  const found = pattern.match(tokenPattern)?.map((token) => token[0]) ?? [];
  const rest = pattern.replace(tokenPattern, '');
  return [...found].sort().join('') === 'DMY' && !/[A-Za-z0-9]/.test(rest);
}

/**
 * Reads a day as an office wrote it, by the first of its patterns that fits. Without separators, as in `YYYYMMDD`,
 * months and days have two digits; with them, `1/5/2026` is as good as `01/05/2026`.
 */
export function readDay(text: string, patterns: readonly string[], range: DayRange): ReadDay {
  const written = text.trim();
  if (written === '') return { day: null };
  for (const pattern of patterns) {
    const parts = compile(pattern).exec(written)?.groups;
    if (!parts) continue;
    const day = toDay(parts, range);
    if (day === null) return { problem: 'is a date that does not exist' };
    if (day < range.first) return { problem: `is before ${formatDate(range.first)}` };
    if (day > range.last) return { problem: `is after ${formatDate(range.last)}` };
    return { day };
  }
  // Excel counts days: 40000 is a day of 2009.
  if (/^[1-5]\d{4}(\.\d+)?$/.test(written))
    return { problem: 'is a number in place of a date. In Excel, format the column as a date' };
  return { problem: `is not a date written ${patterns.join(' or ')}` };
}

/** What Excel and databases put after a day that has no time. */
const midnight = new RegExp(
  `^[T\\s]+(0?0:00(:00(\\.0+)?)?|12:00(:00)?\\s?a\\.?m\\.?)${zone}$`,
  'i',
);

/**
 * A day that is part of a longer text, always in the same letters: by the first of the office's patterns, also where Excel saved
 * `1/5/2026` in place of `01/05/2026`. A time stays, unless it is midnight. What is no day stays as it is.
 */
export function rewriteDay(text: string, patterns: readonly string[]): string {
  const read = readDay(text, patterns, { first: '0001-01-01', last: '2099-12-31' });
  if ('problem' in read || read.day === null) return text;
  const [year = '', month = '', day = ''] = read.day.split('-');
  const written: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    DD: day,
    MON: (months[Number(month) - 1] ?? '').toUpperCase(),
  };
  const [pattern = isoDate] = patterns;
  const time = patterns.map((one) => compile(one).exec(text.trim())?.groups?.time).find(Boolean);
  const shown = pattern.replace(tokenPattern, (token) => written[token] ?? token);
  return shown + (time === undefined || midnight.test(time) ? '' : time.replace(/\s/g, ' '));
}

function toDay(parts: Readonly<Record<string, string | undefined>>, range: DayRange): Day | null {
  const month = parts.monthName
    ? months.indexOf(parts.monthName.toLowerCase()) + 1
    : Number(parts.month);
  const day = Number(parts.day);
  const year = parts.year ? Number(parts.year) : fullYear(Number(parts.shortYear), range);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  return `${String(year).padStart(4, '0')}-${pad(month)}-${pad(day)}`;
}

/** The latest year with these two digits that the range allows. */
function fullYear(shortYear: number, range: DayRange): number {
  const last = Number(range.last.slice(0, 4));
  const year = last - (last % 100) + shortYear;
  return year > last ? year - 100 : year;
}

function compile(pattern: string): RegExp {
  let regex = compiled.get(pattern);
  if (!regex) {
    const hasSeparators = /[^YMDON]/.test(pattern);
    const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(tokenPattern, (token) => {
      const source = tokens[token] ?? token;
      return hasSeparators ? source : source.replace('{1,2}', '{2}');
    });
    regex = new RegExp(`^${source}${timePattern}$`);
    compiled.set(pattern, regex);
  }
  return regex;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** ISO 8601 means one day only, and is what an Excel workbook's dates become: it is read in every format. */
export const isoDate = 'YYYY-MM-DD';

/** Days a voter can have been born on. @param today in the office's calendar */
export function birthRange(today: Day): DayRange {
  return { first: '1900-01-01', last: today };
}

/** Days that can concern a ballot: offices type years such as 0202 and 7020. */
export function ballotRange(today: Day): DayRange {
  return { first: '2000-01-01', last: `${Number(today.slice(0, 4)) + 1}-12-31` };
}
