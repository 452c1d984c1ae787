/** When the Saturday begins that the demo's files show: elections are over, counted and under way. */
const demoDay = Date.parse('2026-11-21T00:00:00-05:00');
const weekMs = 7 * 86_400_000;

/** As the files write days of that year, in which none of their voters was born: YYYY-MM-DD and MM/DD/YYYY. */
const isoDay = /(?<!\d)2026-\d\d-\d\d(?!\d)/g;
const slashedDay = /(?<!\d)(\d\d)\/(\d\d)\/2026(?!\d)/g;

/** Whole weeks, so that a Saturday stays one; 0 before the demo's day. */
export function weeksSinceDemo(now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - demoDay) / weekMs));
}

/** By how many weeks a day of the demo was moved. @param day and `movedTo`: YYYY-MM-DD */
export function weeksMoved(day: string, movedTo: string): number {
  return Math.round((Date.parse(movedTo) - Date.parse(day)) / weekMs);
}

/** A file or name of the demo with all its days moved: it is written once, and its elections would soon have passed. */
export function moveDemoDays(text: string, weeks: number): string {
  return text
    .replace(isoDay, (day) => moveDay(day, weeks))
    .replace(slashedDay, (_written, month, date) => {
      const moved = moveDay(`2026-${month}-${date}`, weeks);
      return `${moved.slice(5, 7)}/${moved.slice(8)}/${moved.slice(0, 4)}`;
    });
}

/** YYYY-MM-DD */
function moveDay(day: string, weeks: number): string {
  return new Date(Date.parse(day) + weeks * weekMs).toISOString().slice(0, 10);
}
