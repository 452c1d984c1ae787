import { addDays, type Day } from '../../demo/generator/calendar.ts';
import type { Random } from '../../demo/generator/random.ts';
import { changeDays, changeRows, put } from './change-table.ts';
import type { Layout, Table } from './layout.ts';

/** What happens to one column of a spreadsheet without the others. */
export const columnAccidentKinds = [
  'IDs sorted apart',
  'IDs one row off',
  'first day sorted apart',
  'last day sorted apart',
  'days one row off',
  'days a day off',
  'days and months swapped',
  'status sorted apart',
  'status upside down',
  'status filled down',
  'reasons emptied',
  'addresses one row off',
] as const;
export type ColumnAccidentKind = (typeof columnAccidentKinds)[number];

export function isOfColumn<Kind extends string>(
  kind: Kind | ColumnAccidentKind,
): kind is ColumnAccidentKind {
  return columnAccidentKinds.some((one) => one === kind);
}

/** Gives the rows of a column other values of the same column. @returns for each row, the place of the row whose value it gets */
type Order = (cells: readonly string[]) => readonly number[];
const sorted: Order = (cells) =>
  cells.map((_, place) => place).sort((a, b) => ((cells[a] ?? '') < (cells[b] ?? '') ? -1 : 1));
const oneOff: Order = (cells) => cells.map((_, place) => (place + 1) % cells.length);
const upsideDown: Order = (cells) => cells.map((_, place) => cells.length - 1 - place);
/** A clerk drags the corner of a cell over so many rows. */
const filledRows = 200;

/** @returns null where the format cannot have this accident */
export function causeColumnAccident(
  kind: ColumnAccidentKind,
  { places }: Layout,
  table: Table,
  random: Random,
): Table | null {
  const { id, days, status, accepted, rejected, address } = places;
  const statuses = [status, ...Object.keys({ ...accepted, ...rejected })];
  switch (kind) {
    case 'IDs sorted apart':
      // Most exports are in the order of the IDs.
      return reorder(table, [id], isInOrder(table, id) ? upsideDown : sorted);
    case 'IDs one row off':
      return reorder(table, [id], oneOff);
    case 'first day sorted apart':
      return reorder(table, days.slice(0, 1), sorted);
    case 'last day sorted apart':
      return reorder(table, days.slice(-1), sorted);
    case 'days one row off':
      return reorder(table, days, oneOff);
    case 'days a day off':
      return changeDays(table, days, (day) => addDays(day, -1));
    case 'days and months swapped':
      return changeDays(table, days, swapMonth);
    case 'status sorted apart':
      return reorder(table, [status], sorted);
    case 'status upside down':
      return reorder(table, statuses, upsideDown);
    case 'status filled down': {
      const from = random.between(0, table.rows.length - 1);
      return reorder(table, statuses, (cells) =>
        cells.map((_, place) => (place > from && place < from + filledRows ? from : place)),
      );
    }
    case 'reasons emptied': {
      const reasons = Object.keys(rejected ?? {}).filter((column) => column !== status);
      if (reasons.length === 0) return null;
      const blank = Object.fromEntries(reasons.map((column) => [column, '']));
      return changeRows(table, (row) => put(table, row, blank));
    }
    case 'addresses one row off':
      return address === undefined ? null : reorder(table, [address], oneOff);
  }
}

function reorder(table: Table, columns: readonly string[], order: Order): Table {
  const values = new Map(
    columns.map((column) => {
      const place = table.columns.indexOf(column);
      const cells = table.rows.map((row) => row[place] ?? '');
      return [place, order(cells).map((from) => cells[from] ?? '')];
    }),
  );
  return {
    ...table,
    rows: table.rows.map((row, n) => row.map((cell, place) => values.get(place)?.[n] ?? cell)),
  };
}

function isInOrder(table: Table, column: string): boolean {
  const place = table.columns.indexOf(column);
  const cells = table.rows.map((row) => row[place] ?? '');
  return cells.every((cell, n) => n === 0 || (cells[n - 1] ?? '') <= cell);
}

/** As a program of another country reads a day that both can read. */
function swapMonth(day: Day): Day {
  const [year, month, date] = day.split('-');
  return Number(date) <= 12 ? `${year}-${date}-${month}` : day;
}
