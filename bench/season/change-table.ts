import type { Day } from '../../demo/generator/calendar.ts';
import type { Cells, Table } from './layout.ts';

/** @param change is given each row, and its cells by place; a place that is not known has an empty one */
export function changeRows(
  table: Table,
  change: (
    row: readonly string[],
    cell: (place: number | undefined) => string,
  ) => readonly string[],
): Table {
  return {
    ...table,
    rows: table.rows.map((row) =>
      change(row, (place) => (place === undefined ? '' : (row[place] ?? ''))),
    ),
  };
}

/** The row with these cells, by column. */
export function put({ columns }: Table, row: readonly string[], cells: Cells): string[] {
  return row.map((cell, place) => cells[columns[place] ?? ''] ?? cell);
}

/** Changes every day of some columns, however it is written. */
export function changeDays(
  table: Table,
  columns: readonly string[],
  change: (day: Day) => Day,
): Table {
  const places = new Set(columns.map((column) => table.columns.indexOf(column)));
  return changeRows(table, (row) =>
    row.map((cell, place) => (places.has(place) ? rewriteDay(cell, change) : cell)),
  );
}

function rewriteDay(cell: string, change: (day: Day) => Day): string {
  const slashedDay = /^(\d\d)\/(\d\d)\/(\d{4})/.exec(cell);
  if (slashedDay) {
    const [written, month, day, year] = slashedDay;
    const [newYear, newMonth, newDay] = change(`${year}-${month}-${day}`).split('-');
    return `${newMonth}/${newDay}/${newYear}${cell.slice(written.length)}`;
  }
  const isoDay = /^\d{4}-\d\d-\d\d(?=$|[T ])/.exec(cell)?.[0];
  if (isoDay) return change(isoDay) + cell.slice(isoDay.length);
  return /^\d{4}$/.test(cell) ? change(`${cell}-06-15`).slice(0, 4) : cell;
}
