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
  'IDs one row off at the end',
  'cell inserted before days',
  'status filled over few',
  'rows filled over few',
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
/** A clerk drags the corner of a cell over so many rows, or over a few. */
const [filledRows, fewRows] = [200, 21];

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
      return fill(table, statuses, from, filledRows);
    }
    case 'IDs one row off at the end': {
      const first = Math.floor(table.rows.length * 0.95);
      return reorder(table, [id], (cells) =>
        cells.map((_, place) => (place < first ? place : Math.min(place + 1, cells.length - 1))),
      );
    }
    case 'cell inserted before days':
      return insertCell(table, days[0] ?? '', middleOf(table));
    case 'status filled over few':
      return fill(table, statuses, findRow(table, { ...rejected }), fewRows);
    case 'rows filled over few': {
      const others = table.columns.filter((column) => column !== id && column !== 'ballot_number');
      return fill(table, others, middleOf(table), fewRows);
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

function middleOf({ rows }: Table): number {
  return Math.floor(rows.length / 2);
}

/** @returns the first row with these cells that has others below; 0 for none */
function findRow({ columns, rows }: Table, cells: Readonly<Record<string, string>>): number {
  const has = (row: readonly string[]) =>
    Object.entries(cells).every(([column, cell]) => row[columns.indexOf(column)] === cell);
  return Math.max(0, rows.slice(0, -fewRows).findIndex(has));
}

/** @param from the place of the row whose cells the rows below get */
function fill(table: Table, columns: readonly string[], from: number, rows: number): Table {
  return reorder(table, columns, (cells) =>
    cells.map((_, place) => (place > from && place < from + rows ? from : place)),
  );
}

/** In a few rows, so that the cells behind it are in the next column. */
function insertCell({ columns, rows, ...table }: Table, column: string, first: number): Table {
  const place = columns.indexOf(column);
  const isLonger = (n: number) => n >= first && n < first + fewRows;
  return {
    ...{ ...table, columns },
    rows: rows.map((row, n) =>
      isLonger(n) ? [...row.slice(0, place), '', ...row.slice(place, -1)] : row,
    ),
  };
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
