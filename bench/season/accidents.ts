import { addDays, type Day } from '../../demo/generator/calendar.ts';
import { createRandom, type Random } from '../../demo/generator/random.ts';
import { changeDays, changeRows, put } from './change-table.ts';
import { type ColumnAccidentKind, causeColumnAccident, isOfColumn } from './column-accidents.ts';
import { type Exporter, type Layout, renderTable, type Table } from './layout.ts';

export const accidentKinds = [
  'yesterday’s file',
  'another county',
  'last year’s file',
  'swapped columns',
  'lost zeros',
  'truncated',
  'all rejected',
  'dates a year off',
  'half the rows gone',
  'accepted flipped',
  'duplicated rows',
  'wrong election',
  'test file',
  'other encoding',
  'reordered lines',
  'mixed elections',
  'empty values',
  'shifted status column',
  'future dates',
  'double send',
] as const;
/** Smaller versions of some of them, which come closer to an ordinary day. */
export const weakAccidentKinds = [
  'truncated by a twentieth',
  'a third of the rows gone',
  'a few accepted flipped',
  'a tenth rejected',
  'some dates a year off',
] as const;
export type AccidentKind =
  | (typeof accidentKinds)[number]
  | (typeof weakAccidentKinds)[number]
  | ColumnAccidentKind;

/** An election of the same office, a few weeks later, without ballots so far. */
export const runoff = { number: '2026R', date: '2026-12-08' } as const;

/** A file as the office sends it. */
export interface Delivery {
  readonly name: string;
  readonly bytes: Buffer;
  /** The election that the clerk names because the file does not. */
  readonly election?: string;
  /** It comes after today's file, not in its place. */
  readonly isAfterTodays: boolean;
}

export interface AccidentScene {
  readonly seed: string;
  readonly layout: Layout;
  readonly own: Exporter;
  readonly otherCounty: Exporter;
  readonly lastYear: Exporter;
  readonly today: Day;
  readonly yesterday: Day;
}

type Change = (table: Table, scene: AccidentScene, random: Random) => Table | null;

/** @returns null where the format cannot have this accident, such as lost zeros in IDs without any */
export function causeAccident(kind: AccidentKind, scene: AccidentScene): Delivery | null {
  const { layout, own, today, yesterday } = scene;
  const random = createRandom(`${scene.seed} ${kind}`);
  const todays = own.tableOf(today);
  const election = namesElection(layout) ? {} : { election: own.office.electionNumber };
  const send = (table: Table, isAfterTodays = false): Delivery => ({
    ...election,
    name: table.name,
    bytes: renderTable(layout, table),
    isAfterTodays,
  });
  switch (kind) {
    case 'yesterday’s file': {
      const table = own.tableOf(yesterday);
      // Sometimes a clerk saves it again under today's name.
      return send(random.chance(0.5) ? table : { ...table, name: todays.name }, true);
    }
    case 'double send':
      return send(todays, true);
    case 'another county':
      return send(scene.otherCounty.tableOf(today));
    case 'last year’s file':
      return send(random.chance(0.5) ? scene.lastYear.tableOf(today) : named(scene, todays));
    case 'truncated':
      return truncate(send(todays), 0.3 + random.next() * 0.5);
    case 'truncated by a twentieth':
      return truncate(send(todays), 0.95);
    case 'other encoding': {
      const whole = send(todays);
      const text = whole.bytes.toString(layout.text.encoding === 'latin1' ? 'latin1' : 'utf8');
      return { ...whole, bytes: Buffer.from(`\uFEFF${text.replace('\uFEFF', '')}`, 'utf16le') };
    }
    case 'wrong election': {
      if (layout.of === 'voters') return null;
      if (!namesElection(layout)) return { ...send(todays), election: runoff.number };
      return send(changeRows(todays, (row) => inRunoff(layout, row)));
    }
    default: {
      const table = isOfColumn(kind)
        ? causeColumnAccident(kind, layout, todays, random)
        : changes[kind](todays, scene, random);
      return table && send(table);
    }
  }
}

function truncate(whole: Delivery, share: number): Delivery {
  return { ...whole, bytes: whole.bytes.subarray(0, Math.round(whole.bytes.length * share)) };
}

function named({ lastYear, today }: AccidentScene, { name }: Table): Table {
  return { ...lastYear.tableOf(today), name };
}

/** Whether the rows say of which election they are. */
export function namesElection({ of, places }: Layout): boolean {
  return of === 'voters' || places.election !== undefined;
}

type OfTable = Exclude<
  AccidentKind,
  | ColumnAccidentKind
  | 'yesterday’s file'
  | 'double send'
  | 'another county'
  | 'last year’s file'
  | 'truncated'
  | 'truncated by a twentieth'
  | 'other encoding'
  | 'wrong election'
>;

const changes: Readonly<Record<OfTable, Change>> = {
  'swapped columns': (table, { layout }) => {
    const [one, other] = layout.places.swapped.map((column) => table.columns.indexOf(column));
    return changeRows(table, (row, cell) =>
      row.map((_, place) => cell(place === one ? other : place === other ? one : place)),
    );
  },
  'lost zeros': (table, { layout }) => {
    const id = table.columns.indexOf(layout.places.id);
    if (!table.rows.some((row) => row[id]?.startsWith('0'))) return null;
    return changeRows(table, (row) =>
      row.map((cell, place) => (place === id ? cell.replace(/^0+/, '') : cell)),
    );
  },
  'all rejected': (table, { layout }) => {
    const { rejected } = layout.places;
    return rejected ? changeRows(table, (row) => put(table, row, rejected)) : null;
  },
  'dates a year off': (table, { layout }) =>
    changeDays(table, layout.places.days, (day) => addYears(day, -1)),
  'half the rows gone': (table, _, random) => {
    const parity = random.between(0, 1);
    return { ...table, rows: table.rows.filter((_row, place) => place % 2 === parity) };
  },
  'a third of the rows gone': (table, _, random) => ({
    ...table,
    rows: table.rows.filter(() => random.chance(0.67)),
  }),
  'accepted flipped': (table, { layout }, random) =>
    layout.of === 'voters'
      ? rejectAccepted(table, layout, () => random.chance(0.4))
      : rejectAccepted(table, layout, (place) => place < 169),
  'a few accepted flipped': (table, { layout }, random) =>
    rejectAccepted(table, layout, () => random.chance(0.02)),
  'a tenth rejected': (table, { layout }, random) => {
    const { rejected } = layout.places;
    if (!rejected) return null;
    return changeRows(table, (row) => (random.chance(0.1) ? put(table, row, rejected) : row));
  },
  'some dates a year off': (table, { layout }, random) => {
    const shifted = changeDays(table, layout.places.days, (day) => addYears(day, -1)).rows;
    const rows = table.rows.map((row, place) =>
      random.chance(0.1) ? (shifted[place] ?? []) : row,
    );
    return { ...table, rows };
  },
  'duplicated rows': (table, _, random) => ({
    ...table,
    rows: table.rows.flatMap((row) => (random.chance(0.1) ? [row, row] : [row])),
  }),
  'test file': (table, { layout }) => ({
    ...table,
    rows: table.rows.slice(0, 12).map((row, place) =>
      put(table, row, {
        [layout.places.id]: `TEST${place + 1}`,
        ...(layout.of === 'ballots' && layout.places.rejected),
        ...(layout.of === 'voters' && { [layout.places.swapped[0]]: 'TEST' }),
      }),
    ),
  }),
  'reordered lines': (table, _, random) => ({
    ...table,
    rows: table.rows
      .map((row) => ({ row, draw: random.next() }))
      .sort((a, b) => a.draw - b.draw)
      .map(({ row }) => row),
  }),
  'mixed elections': (table, { layout, lastYear, today }, random) => {
    if (layout.of === 'voters') return null;
    if (layout.places.election !== undefined)
      return changeRows(table, (row) => (random.chance(0.5) ? inRunoff(layout, row) : row));
    // Rows that name no election can only be mixed with those of another year.
    const others = lastYear.tableOf(today).rows;
    return { ...table, rows: [...table.rows, ...others].filter(() => random.chance(0.5)) };
  },
  'empty values': (table, { layout }) => {
    const { places, of } = layout;
    const emptied = of === 'voters' ? places.swapped[1] : places.status;
    return changeRows(table, (row) => put(table, row, { [emptied]: '' }));
  },
  'shifted status column': (table, { layout }) => {
    const from = table.columns.indexOf(layout.places.status);
    return changeRows(table, (row) => [...row.slice(0, from), '', ...row.slice(from, -1)]);
  },
  'future dates': (table, { layout }) => {
    const last = layout.places.days.at(-1) ?? '';
    return changeDays(table, [last], (day) =>
      layout.of === 'voters' ? addYears(day, 100) : addDays(day, 45),
    );
  },
};

/** @param chooses some of the accepted rows, by their place among them */
function rejectAccepted(
  table: Table,
  { places: { accepted, rejected } }: Layout,
  chooses: (place: number) => boolean,
): Table | null {
  if (!accepted || !rejected) return null;
  const isAccepted = (row: readonly string[]) =>
    Object.entries(accepted).every(([name, value]) => row[table.columns.indexOf(name)] === value);
  let place = -1;
  return changeRows(table, (row) => {
    if (!isAccepted(row)) return row;
    place += 1;
    return chooses(place) ? put(table, row, rejected) : row;
  });
}

function inRunoff({ columns, places, format }: Layout, row: readonly string[]): string[] {
  const [year, month, day] = runoff.date.split('-');
  const written = format === 'nc-absentee' ? `${month}/${day}/${year}` : runoff.number;
  return row.map((cell, place) => (columns[place] === places.election ? written : cell));
}

/** The same day of another year; a leap day becomes the day before. */
function addYears(day: Day, years: number): Day {
  const year = String(Number(day.slice(0, 4)) + years);
  return `${year}${day.slice(4)}`.replace('-02-29', '-02-28');
}
