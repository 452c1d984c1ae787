/** Days are `YYYY-MM-DD` throughout: text that sorts by time and that no time zone can shift. */
export type Day = string;

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T12:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function daysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000;
}

/** The same day, or the Monday after it when the office is closed. */
export function workday(day: Day): Day {
  const weekday = new Date(`${day}T12:00Z`).getUTCDay();
  return addDays(day, weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
}

/** MM/DD/YYYY, as Voter Focus writes dates; '' stays ''. */
export function slashed(day: Day): string {
  return day === '' ? '' : `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;
}
