import { type MailSettings, readSettings } from '../../accounts/index.ts';
import { judgeStatus, statusColumns } from '../kinds/ballots/status-rules.ts';
import { kinds } from '../kinds/index.ts';
import { tokenColumn } from '../kinds/voters/rows.ts';
import { ballotRange, birthRange } from '../read/dates.ts';
import { FileDayReader } from '../read/file-day.ts';
import { type Cells, type ReadRow, RowReader } from '../read/row-reader.ts';
import { readSource, type SourceFile } from '../read/source-file.ts';
import { type Format, isDateField } from './format.ts';
import { type HeaderMatch, looksLikeStatus } from './header.ts';
import { columnsOf } from './source.ts';

/** What a format would make of a sample file: nothing is stored. */
export interface FormatCheck {
  readonly rows: number;
  /** Rows that would be refused. */
  readonly refused: number;
  /** What each field of the format becomes: its first different values, dates as `YYYY-MM-DD`. Tokens are not shown. */
  readonly values: readonly { readonly field: string; readonly examples: readonly string[] }[];
  /** The file's own date, `YYYY-MM-DD`; null where it has none, undefined where the format names no place for it. */
  readonly fileDate?: string | null;
  /** Why dates of the file itself do not count. */
  readonly dateProblems?: readonly string[];
  /** What a voter roll needs for signing in and the sample does not have. */
  readonly missingForSignIn: readonly string[];
  readonly columns: readonly ColumnCheck[];
  readonly statuses: readonly {
    readonly value: string;
    readonly count: number;
    /** A status, `keep` or `skip`; null when no rule knows the value. */
    readonly becomes: string | null;
  }[];
  /** Reasons for which rows would be refused; those that need the office's roll and elections are not among them. */
  readonly refusals: readonly {
    readonly reason: string;
    readonly count: number;
    readonly line: number;
  }[];
}

export interface ColumnCheck {
  readonly column: string;
  /** The field it becomes, `status`, `not read`, or null for a column that the format does not know. */
  readonly becomes: string | null;
  /** The format does not know it, and its name says that it may decide a status. */
  readonly looksLikeStatus: boolean;
  readonly filled: number;
  /** Some of its different values, as the file has them. */
  readonly examples: readonly string[];
}

const mostExamples = 3;
/** Examples are compared up to this length: enough to see that a column contains codes. */
const longestExample = 30;

/**
 * Reads a sample by a format, column by column.
 * @param today `YYYY-MM-DD`
 * @param mail what an office says of its own barcodes; without it only the product's table counts
 * @throws {FileRefused} when the sample is no such file
 */
export async function checkFormat(
  format: Format,
  sample: SourceFile,
  today: string,
  mail: MailSettings = readSettings({}).mail,
): Promise<FormatCheck> {
  let header: readonly string[] = [];
  let match: HeaderMatch | undefined;
  let readRow: ReadRow = () => 'skip';
  let readStatus: ((cells: Cells) => void) | undefined;
  let readValues: ((cells: Cells) => void) | undefined;
  let rows = 0;
  const values = new Map<string, Set<string>>();
  const seen: { filled: number; examples: Set<string> }[] = [];
  const statuses = new Map<string, { value: string; count: number; becomes: string | null }>();
  const refusals = new Map<string, { reason: string; count: number; line: number }>();
  const dateProblems = new Set<string>();
  const fileDay = new FileDayReader(format, today, (problem) => dateProblems.add(problem));
  const refuse = (reason: string, line: number) => {
    const known = refusals.get(reason);
    if (known) known.count += 1;
    else refusals.set(reason, { reason, count: 1, line });
  };

  await readSource(sample, format, {
    onPreamble: (text) => fileDay.readPreamble(text),
    onHeader: (found, names) => {
      fileDay.openRows(found);
      header = names;
      match = found;
      const reader = new RowReader(format, found);
      readRow = createReadRow(reader, today, mail);
      readValues = collectValues(reader, today, values);
      if (format.status) readStatus = countStatuses(reader, statuses);
      seen.push(...names.map(() => ({ filled: 0, examples: new Set<string>() })));
    },
    onRecord: (cells, line) => {
      rows += 1;
      cells.forEach((cell, place) => {
        const column = seen[place];
        const value = cell.trim();
        if (!column || value === '') return;
        column.filled += 1;
        if (column.examples.size < mostExamples)
          column.examples.add(value.slice(0, longestExample));
      });
      fileDay.readRow(cells);
      readStatus?.(cells);
      readValues?.(cells);
      const row = readRow(cells);
      if (typeof row === 'object' && 'problem' in row) refuse(row.problem, line);
    },
    onBroken: (line, reason) => {
      rows += 1;
      refuse(reason, line);
    },
    onPiece: async () => {},
  });

  const tokens = match ? tokenPlaces(format, match) : new Set<number>();
  const uses = match ? describeUses(format, match) : new Map<number, string>();
  return {
    rows,
    refused: [...refusals.values()].reduce((sum, { count }) => sum + count, 0),
    values: [...values].map(([field, examples]) => ({ field, examples: [...examples] })),
    ...(fileDay.isExpected && { fileDate: fileDay.day, dateProblems: [...dateProblems] }),
    missingForSignIn:
      format.holds === 'voters'
        ? ['birthdate', 'zipcode'].filter((field) => !values.get(field)?.size)
        : [],
    columns: header.map((column, place) => ({
      column: column.trim(),
      becomes: uses.get(place) ?? null,
      looksLikeStatus: !uses.has(place) && looksLikeStatus(column),
      filled: seen[place]?.filled ?? 0,
      examples: tokens.has(place) ? [] : [...(seen[place]?.examples ?? [])],
    })),
    statuses: [...statuses.values()].sort((a, b) => b.count - a.count),
    refusals: [...refusals.values()].sort((a, b) => b.count - a.count),
  };
}

function createReadRow(reader: RowReader, today: string, mail: MailSettings): ReadRow {
  const anyElection = { find: () => 1 };
  const namesElection = reader.has('election') || reader.has('election_date');
  return kinds[reader.format.holds].createReader({
    ...{ reader, today, mail },
    election: namesElection ? null : 'any',
    elections: { byNumber: anyElection, byDay: anyElection, known: [] },
    warn: () => {},
    noteUnknownStatus: () => {},
  }).readRow;
}

/** Keeps some of each field's values, as they are read. */
function collectValues(
  reader: RowReader,
  today: string,
  values: Map<string, Set<string>>,
): (cells: Cells) => void {
  const reads = Object.keys(reader.format.fields)
    .filter((field) => field !== tokenColumn && reader.has(field))
    .map((field) => {
      const examples = new Set<string>();
      values.set(field, examples);
      if (!isDateField(field)) return { examples, read: reader.field(field) };
      const range = field === 'birthdate' ? birthRange(today) : ballotRange(today);
      const readOne = reader.day(field, range);
      const read = (cells: Cells) => {
        const found = readOne(cells);
        return 'problem' in found ? '' : (found.day ?? '');
      };
      return { examples, read };
    });
  return (cells) => {
    for (const { examples, read } of reads) {
      if (examples.size >= mostExamples) continue;
      const value = read(cells);
      if (value !== '') examples.add(value.slice(0, longestExample));
    }
  };
}

/** Of every column that a security token may come from. */
function tokenPlaces({ fields }: Format, { places }: HeaderMatch): ReadonlySet<number> {
  const source = fields[tokenColumn];
  const columns = source === undefined ? [] : columnsOf(source);
  return new Set(columns.flatMap((column) => places.get(column) ?? []));
}

function countStatuses(
  reader: RowReader,
  statuses: Map<string, { value: string; count: number; becomes: string | null }>,
): (cells: Cells) => void {
  const names = statusColumns(reader.format);
  const reads = names.map((name) => [name, reader.column(name)] as const);
  return (cells) => {
    const values = Object.fromEntries(reads.map(([name, read]) => [name, read(cells)]));
    const { status, raw, isUnknown, isSkipped } = judgeStatus(reader.format, values);
    const becomes = isUnknown ? null : (status ?? (isSkipped ? 'skip' : 'keep'));
    const key = `${raw}\0${becomes}`;
    const known = statuses.get(key);
    if (known) known.count += 1;
    else if (statuses.size < 1000) statuses.set(key, { value: raw, count: 1, becomes });
  };
}

/** Of each place in the file, what the format makes of it. */
function describeUses(format: Format, match: HeaderMatch): Map<number, string> {
  const uses = new Map<number, string>();
  const note = (column: string, use: string) => {
    const place = match.places.get(column);
    if (place === undefined) return;
    const known = uses.get(place);
    uses.set(place, known === undefined ? use : `${known}, ${use}`);
  };
  for (const [field, source] of Object.entries(format.fields)) {
    for (const column of columnsOf(source)) note(column, field);
  }
  for (const column of statusColumns(format)) note(column, 'status');
  if (format.county !== undefined) note(format.county, "the row's county");
  if (format.file_date && 'column' in format.file_date)
    note(format.file_date.column, "the file's own date");
  for (const [column, place] of match.places) if (!uses.has(place)) note(column, 'not read');
  return uses;
}
