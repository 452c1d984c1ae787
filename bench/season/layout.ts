import { addDays, type Day, slashed } from '../../demo/generator/calendar.ts';
import { type BallotNow, ballotsOn, type Customs, drawBallots } from './model.ts';
import { drawRoll, type VoterNow, votersOn } from './roll.ts';

/** A row by its columns; those left out are blank. */
export type Cells = Readonly<Record<string, string>>;

/** A file before it is written: accidents happen to it here, or to its bytes. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** How a format puts a table into bytes. */
export interface TextStyle {
  readonly delimiter: ',' | '\t' | '|' | ';';
  readonly quotes: 'all' | 'needed' | 'none';
  /** What an empty field contains. */
  readonly blank: '' | ' ';
  readonly hasHeader: boolean;
  /** Empty fields that each row has after those of the header. */
  readonly trailingFields: number;
  readonly encoding: 'utf8' | 'utf8-bom' | 'latin1' | 'ascii';
}

/** Where an accident finds what it damages. */
export interface Places {
  readonly id: string;
  /** Columns of days. */
  readonly days: readonly string[];
  readonly election?: string;
  readonly county?: string;
  /** The columns that a wrong export swaps. */
  readonly swapped: readonly [string, string];
  readonly status: string;
  /** Of a voter, as the voter's page shows it. */
  readonly address?: string;
  /** What an accepted row has, and no other row. */
  readonly accepted?: Cells;
  /** What turns a row into a rejected ballot, or a removed voter; left out where the format cannot say so. */
  readonly rejected?: Cells;
}

interface LayoutBase {
  /** The built-in format's name. */
  readonly format: string;
  /** The format file, where the office describes a format of its own. */
  readonly definition?: object;
  /** Of the account. */
  readonly state: string;
  readonly columns: readonly string[];
  readonly text: TextStyle;
  readonly places: Places;
  fileName(day: Day): string;
  /** An ID of the office's system. @param voter place on the roll, from 0 */
  idOf(voter: number): string;
  /** Two counties give the same IDs to different voters. */
  readonly hasLocalIds: boolean;
  writeDay(day: Day): string;
}

export interface BallotLayout extends LayoutBase {
  readonly of: 'ballots';
  readonly customs: Customs;
  /** Only the voter's newest envelope is in the file. */
  readonly isOneRowPerVoter: boolean;
  /** Its rows are of ballots that the office knows from files of another format. */
  readonly needsBallots?: true;
  /** Its rows are of envelopes whose barcodes a mail house gave before, and the office sends its own list beside each file. */
  readonly isOfEnvelopes?: true;
  /** It knows of an envelope before the office does, so many days at most. */
  readonly daysAhead?: number;
  toRows(now: BallotNow, office: Office, morning: Day): readonly Cells[];
}

export interface VoterLayout extends LayoutBase {
  readonly of: 'voters';
  toRow(now: VoterNow, office: Office): Cells;
}

export type Layout = BallotLayout | VoterLayout;

/** The office whose season it is, or another that an accident brings in. */
export interface Office {
  readonly county: string;
  readonly state: string;
  readonly electionNumber: string;
  readonly electionDate: Day;
  idOf(voter: number): string;
}

/** Writes an office's files, each morning's as a table. */
export interface Exporter {
  readonly office: Office;
  tableOf(morning: Day): Table;
}

export const plainText: TextStyle = {
  ...{ delimiter: ',', quotes: 'needed', blank: '', hasHeader: true },
  ...{ trailingFields: 0, encoding: 'utf8' },
};

export function createExporter(
  layout: Layout,
  options: {
    readonly seed: string;
    readonly voters: number;
    readonly office: Office;
    /** Of an election that was so long before: its season is the same, and every day so much earlier. */
    readonly daysEarlier?: number;
  },
): Exporter {
  const { seed, voters, office, daysEarlier = 0 } = options;
  const shift = (day: Day) => (daysEarlier > 0 && day !== '' ? addDays(day, -daysEarlier) : day);
  if (layout.of === 'voters') {
    const roll = drawRoll(seed, voters);
    return {
      office,
      tableOf: (morning) => ({
        name: layout.fileName(shift(morning)),
        columns: layout.columns,
        rows: Array.from(votersOn(roll, morning), (now) =>
          toCells(layout, layout.toRow(now, office)),
        ),
      }),
    };
  }
  const ballots = drawBallots(seed, voters, layout.customs);
  return {
    office,
    tableOf(morning) {
      const rows: string[][] = [];
      let previous: { readonly voter: number; readonly start: number } | undefined;
      for (const now of ballotsOn(ballots, addDays(morning, layout.daysAhead ?? 0))) {
        if (layout.isOneRowPerVoter && previous?.voter === now.voter) rows.length = previous.start;
        previous = { voter: now.voter, start: rows.length };
        const moved = {
          ...{ ...now, stateOn: shift(now.stateOn), requestedOn: shift(now.requestedOn) },
          ...{ sentOn: shift(now.sentOn), returnedOn: shift(now.returnedOn) },
        };
        const found = layout.toRows(moved, office, shift(morning));
        for (const cells of found) rows.push(toCells(layout, cells));
        if (found.length > 0) addOrdinaryFaults(layout, rows, now);
      }
      return { name: layout.fileName(shift(morning)), columns: layout.columns, rows };
    },
  };
}

/** What an ordinary file has too: a voter who is not on the roll yet, and a year typed wrongly. */
function addOrdinaryFaults(layout: BallotLayout, rows: string[][], now: BallotNow): void {
  const place = (column: string) => layout.columns.indexOf(column);
  const row = rows.at(-1);
  if (!row) return;
  if (now.voter % 397 === 11) {
    const stranger = [...row];
    stranger[place(layout.places.id)] = layout.idOf(900_000 + now.voter);
    rows.push(stranger);
  }
  const lastDay = layout.places.days.at(-1) ?? '';
  if (now.voter % 2_503 === 17 && now.returnedOn !== '') row[place(lastDay)] = '11/08/0202';
}

function toCells({ columns, text }: Layout, cells: Cells): string[] {
  return columns.map((column) => cells[column] || text.blank);
}

/** The bytes of a file. */
export function renderTable({ text }: Layout, table: Table): Buffer {
  const line = (cells: readonly string[]) =>
    cells.map((cell) => quote(text, cell)).join(text.delimiter);
  const rest = text.delimiter.repeat(text.trailingFields);
  const lines = table.rows.map((row) => line(row) + rest);
  if (text.hasHeader) lines.unshift(line(table.columns));
  return encode(text, `${lines.join('\n')}\n`);
}

function quote({ delimiter, quotes }: TextStyle, cell: string): string {
  if (quotes === 'none') return cell;
  const needsQuotes = quotes === 'all' || cell.includes(delimiter) || cell.includes('"');
  return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function encode({ encoding }: TextStyle, content: string): Buffer {
  if (encoding === 'utf8') return Buffer.from(content);
  if (encoding === 'utf8-bom') return Buffer.from(`\uFEFF${content}`);
  if (encoding === 'latin1') return Buffer.from(content, 'latin1');
  return Buffer.from(content.normalize('NFKD').replace(/[^\n\t -~]/g, ''), 'latin1');
}

/** `MM/DD/YYYY`; every day of a season is written thousands of times. */
export function writeSlashed(day: Day): string {
  const known = slashedDays.get(day) ?? slashed(day);
  slashedDays.set(day, known);
  return known;
}
const slashedDays = new Map<Day, string>();

export const writeIso = (day: Day): string => day;

export function compact(day: Day): string {
  return day.replaceAll('-', '');
}
