import { Temporal } from 'temporal-polyfill';

/** Days that the library lists among the public holidays of a state, and on which its offices are open. */
const workingHolidays: ReadonlySet<string> = new Set(['Susan B. Anthony Day']);

/**
 * The days of a year on which a state's offices are closed: the library's public holidays, with what laws say otherwise.
 *
 * @param state two letters; null: the mail, which keeps the federal holidays
 */
export async function loadHolidays(
  state: string | null,
): Promise<(year: number) => ReadonlySet<string>> {
  // Loaded late: the rules of the world's holidays are 2 MB, which no other command or page needs.
  const { default: Holidays } = await import('date-holidays');
  const holidays = state === null ? new Holidays('US') : new Holidays('US', state.toLowerCase());
  const isNewYork = state?.toUpperCase() === 'NY';
  // Federal offices keep the Friday before a Saturday holiday, and most states do. The mail goes that Friday, and New York's
  // law moves holidays from Sundays alone (General Construction Law 24).
  const isFridayKept = state !== null && !isNewYork;

  return (year) => {
    const days = holidays
      .getHolidays(year)
      .filter(({ type, name }) => type === 'public' && !workingHolidays.has(name))
      .map(({ name, date, substitute }) => {
        const day = Temporal.PlainDate.from(date.slice(0, 10));
        return { day: name === 'Family Day' ? dayAfterThanksgiving(year) : day, substitute };
      })
      .filter(({ day, substitute }) => isFridayKept || !substitute || day.dayOfWeek !== 5)
      .map(({ day }) => day);
    const veteransDay = Temporal.PlainDate.from({ year, month: 11, day: 11 });
    if (veteransDay.dayOfWeek === 6 && isFridayKept) days.push(veteransDay.subtract({ days: 1 }));
    if (veteransDay.dayOfWeek === 7) days.push(veteransDay.add({ days: 1 }));
    // The same law: each general election day is a holiday, in odd years too.
    if (isNewYork) days.push(nthOfNovember(year, 1, 1).add({ days: 1 }));
    return new Set(days.map(String));
  };
}

/** Nevada's Family Day (NRS 236.015). The library has the fourth Friday, a week early where November begins on one. */
function dayAfterThanksgiving(year: number): Temporal.PlainDate {
  return nthOfNovember(year, 4, 4).add({ days: 1 });
}

/** @param weekday ISO: Monday is 1. @returns the nth such weekday of November */
function nthOfNovember(year: number, weekday: number, count: number): Temporal.PlainDate {
  const first = Temporal.PlainDate.from({ year, month: 11, day: 1 });
  return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + 7 * (count - 1) });
}
