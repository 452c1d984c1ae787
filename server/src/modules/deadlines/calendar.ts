import { Temporal } from 'temporal-polyfill';
import { loadHolidays } from './holidays.ts';

/** Days on which a county's election office works. */
export interface BusinessCalendar {
  /** @param day `YYYY-MM-DD` */
  isBusinessDay(day: string): boolean;
}

/** ISO: Monday is 1. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** What an office is closed on beside weekends and the holidays of its state. */
export interface Closures {
  readonly weekdays: readonly Weekday[];
  /** `YYYY-MM-DD` */
  readonly days: readonly string[];
}

export const noClosures: Closures = { weekdays: [], days: [] };

const weekdayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/**
 * Weekends, the public holidays of a state and the office's own closures.
 *
 * @param state two capital letters
 * @throws when the office closes on every weekday, because then no business day ever comes
 */
export function createCalendar(state: string, closures: Closures): Promise<BusinessCalendar> {
  return createDays(state, closures);
}

/** Business days of the mail: USPS keeps the federal holidays. */
export function createMailCalendar(): Promise<BusinessCalendar> {
  return createDays(null, noClosures);
}

/** @param state null: the country's holidays alone */
async function createDays(state: string | null, closures: Closures): Promise<BusinessCalendar> {
  const closedWeekdays = new Set<number>([6, 7, ...closures.weekdays]);
  if (closedWeekdays.size === 7) throw new Error('The office is closed on every day of the week.');
  const closedDays = new Set(closures.days);
  const listHolidays = await loadHolidays(state);
  const holidaysByYear = new Map<number, ReadonlySet<string>>();

  function isHoliday(day: string): boolean {
    const year = Number(day.slice(0, 4));
    let known = holidaysByYear.get(year);
    if (!known) {
      known = listHolidays(year);
      holidaysByYear.set(year, known);
    }
    return known.has(day);
  }

  return {
    isBusinessDay: (day) =>
      !closedWeekdays.has(Temporal.PlainDate.from(day).dayOfWeek) &&
      !closedDays.has(day) &&
      !isHoliday(day),
  };
}

/**
 * Reads closed weekdays and days, such as `fri,2020-11-11`.
 *
 * @returns the first part that is neither, as `problem`
 */
export function parseClosures(
  list: string,
):
  | { readonly ok: true; readonly closures: Closures }
  | { readonly ok: false; readonly problem: string } {
  const weekdays: Weekday[] = [];
  const days: string[] = [];
  for (const part of list.split(',').map((one) => one.trim().toLowerCase())) {
    const place = weekdayNames.findIndex((name) => part.length >= 3 && isNameOf(part, name));
    if (part === '') continue;
    if (place >= 0) weekdays.push((place + 1) as Weekday);
    else if (isDay(part)) days.push(part);
    else return { ok: false, problem: part };
  }
  return { ok: true, closures: { weekdays, days } };
}

/** The closures of an account file. A part that is neither, from before it was checked, closes nothing. */
export function readClosures(list: readonly string[]): Closures {
  const read = list.flatMap((one) => {
    const part = parseClosures(one);
    return part.ok ? [part.closures] : [];
  });
  return {
    weekdays: read.flatMap(({ weekdays }) => weekdays),
    days: read.flatMap(({ days }) => days),
  };
}

/** Whether `YYYY-MM-DD` is a day of the calendar. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}

/** `tue`, `tues` and `tuesday` are all Tuesday. */
function isNameOf(part: string, name: string): boolean {
  const whole = { tue: 'tuesday', wed: 'wednesday', thu: 'thursday', sat: 'saturday' }[name];
  return (whole ?? `${name}day`).startsWith(part);
}
