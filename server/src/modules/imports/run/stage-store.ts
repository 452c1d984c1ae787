import type { Writable } from 'node:stream';
import { copyInto, type Tx } from '../../../platform/postgres.ts';
import {
  analyzeTempTable,
  createTempTable,
  type TempTable,
} from '../../../platform/temp-tables.ts';
import type { HeaderMatch } from '../formats/header.ts';
import type { FileReader, Kind, KindTask, Staged } from '../kinds/kind.ts';
import { FileDayReader } from '../read/file-day.ts';
import type { Dialect } from '../read/records.ts';
import type { Cells, ReadRow } from '../read/row-reader.ts';
import { FileRefused, readSource } from '../read/source-file.ts';
import { CopyRows, CopyWriter } from './copy-rows.ts';
import { createFileReader } from './file-reader.ts';
import type { LineSet } from './line-set.ts';
import { createValueFinder } from './refused-value.ts';

/** Where a file's rows go, once its header is known. */
export interface Target extends Omit<FileReader, 'readRow'> {
  /** @param text of the record, as {@link readSource} gives it */
  readRow(cells: Cells, text: string): ReturnType<ReadRow>;
  /** Called with the first row. */
  open(): Promise<Writable>;
  /** What each row starts with in place of its line. */
  readonly constants: readonly number[] | null;
  /** By which column rows are sent on roughly in order; without, in the order of the file. */
  readonly orderBy?: string | null;
}

/** Makes a staging table, and the stream that fills these of its columns, and `line` before them. */
export async function openStaging(
  tx: Tx,
  table: TempTable,
  columns: readonly string[],
): Promise<Writable> {
  await createTempTable(tx, table);
  return copyInto(tx, table.name, ['line', ...columns]);
}

/** Reads a file whose rows need nothing but the kind's reader into its staging table. */
export async function stageFile(
  tx: Tx,
  kind: Pick<Kind, 'createReader'>,
  table: TempTable,
  task: KindTask,
): Promise<Staged> {
  let idLabel = '';
  const { rows, columns } = await stageRows(task, (match) => {
    const reader = createFileReader(kind, task, match);
    idLabel = reader.idLabel;
    return { ...reader, open: () => openStaging(tx, table, reader.columns), constants: null };
  });
  reportWriting(task);
  await analyzeTempTable(tx, table);
  return { rows, columns, idLabel, isLoaded: false };
}

/** All rows are read; what follows is the database's work. */
export function reportWriting({ findings, onProgress }: KindTask): void {
  onProgress?.({ step: 'writing', bytes: findings.bytes });
}

/**
 * Reads a file's rows and sends them on by COPY, piece by piece, and counts what it finds.
 * @param only the lines to read, of a file whose rows were counted before; where every record is one line, the others are not
 * even cut
 */
export async function stageRows(
  task: KindTask,
  choose: (match: HeaderMatch, dialect: Dialect | null) => Target,
  only?: { readonly lines: LineSet; readonly isLineByLine: boolean },
): Promise<{ readonly rows: number; readonly columns: readonly string[] }> {
  const { file, format, findings, onProgress } = task;
  const fileDay = new FileDayReader(format, task.today, (message) =>
    findings.warnings.add(message),
  );
  const pending = new CopyRows();
  let target: Target | undefined;
  let findValue: ReturnType<typeof createValueFinder> = () => null;
  let readRow: Target['readRow'] = () => 'skip';
  let writer: CopyWriter | undefined;
  let rows = 0;
  const open = async () => {
    if (!target) throw new Error('There is no target before the header.');
    return new CopyWriter(await target.open());
  };
  const { sha256, redecoded, endsInLine } = await readSource(file, format, {
    onPreamble: (text) => {
      if (!only) fileDay.readPreamble(text);
    },
    onHeader: (match, _header, dialect) => {
      if (!only) fileDay.openRows(match);
      findings.unknownColumns = match.unknown;
      findValue = createValueFinder(format, match);
      target = choose(match, dialect);
      readRow = target.readRow;
      pending.constants = target.constants;
      const place = target.columns.indexOf(target.orderBy ?? '');
      if (place !== -1) pending.orderBy(place);
    },
    wants: (line) => !only?.isLineByLine || only.lines.has(line),
    onRecord: (cells, line, text) => {
      if (only?.lines.has(line) === false) return;
      if (!only) findings.read += 1;
      fileDay.readRow(cells);
      const row = readRow(cells, text);
      if (row === 'skip') {
        findings.skipped += 1;
      } else if (Array.isArray(row)) {
        rows += 1;
        pending.add(line, row);
      } else {
        const { problem } = row;
        findings.refusals.add(problem, line);
        findings.refusals.keepFirstValue(problem, () => findValue(problem, cells));
      }
    },
    onBroken: (line, reason) => {
      if (only) return;
      findings.read += 1;
      findings.refusals.add(reason, line);
    },
    onPiece: async (bytes) => {
      findings.bytes = bytes;
      onProgress?.({ step: 'reading', bytes });
      if (pending.isEmpty) return;
      writer ??= await open();
      await writer.write(pending.take());
    },
  }).catch((error: Error) => {
    writer?.abandon(error);
    throw error;
  });
  if (!only) findings.fileDay = fileDay.day;
  findings.sha256 = sha256;
  findings.redecodedLines = redecoded;
  findings.endsInLine = endsInLine;
  // On a day without open cases, a list of them is empty.
  if (findings.read === 0 && format.missing_rows === 'nothing') {
    throw new FileRefused('The file has a header but no rows. Nothing was imported.');
  }
  refuseOtherCounty(task);
  writer ??= await open();
  await writer.write(pending.takeRest());
  await writer.finish();
  return { rows, columns: target?.columns ?? [] };
}

/**
 * A state's file lists many counties; a file of one other county is not for this account. Of several others alone, it may be that the
 * account's has no row yet, or that its name is written otherwise.
 * @throws {FileRefused}
 */
function refuseOtherCounty({ account, findings }: KindTask): void {
  const others = findings.otherCounties.list('county');
  const [other, ...more] = others;
  if (!other || others.reduce((sum, { count }) => sum + count, 0) < findings.read) return;
  const [rows, own] = [findings.read.toLocaleString('en-US'), plainCountyName(account.county)];
  if (more.length > 0) {
    const message = `of other counties, such as ${other.county}, and none of ${own} county. Does the file write the county’s name otherwise?`;
    findings.warnings.add(message, findings.read);
    return;
  }
  throw new FileRefused(
    `All ${rows} rows are of ${plainCountyName(other.county)} county. This account is for ${own} county. Nothing was imported.`,
  );
}

function plainCountyName(name: string): string {
  return name.replace(/\s*\bcounty\b/i, '');
}
