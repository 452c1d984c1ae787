import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable, readInBatches } from '../../../../platform/temp-tables.ts';
import type { Format } from '../../formats/format.ts';
import type { HeaderMatch } from '../../formats/header.ts';
import { FileDayReader } from '../../read/file-day.ts';
import type { Dialect } from '../../read/records.ts';
import { type Cells, RowReader } from '../../read/row-reader.ts';
import { type ReadSource, readSource } from '../../read/source-file.ts';
import { CopyRows, CopyWriter } from '../../run/copy-rows.ts';
import { createCountyFilter } from '../../run/file-reader.ts';
import { LineSet } from '../../run/line-set.ts';
import { openStaging } from '../../run/stage-store.ts';
import type { KindTask } from '../kind.ts';
import { tokenColumn } from './rows.ts';

/** Every row of the file, by its hash; null has the row read in any case. */
export const fileVoters = defineTempTable('file_voters', {
  line: 'bigint',
  registration_id: 'text',
  row_hash: 'text',
});

/** The rows that are not as their voter was last read. */
const newRows = defineTempTable('new_voter_rows', { line: 'bigint', registration_id: 'text' });

/** Count up when a row would be read otherwise than before: every row is then read once more. */
const readingVersion = 2;

/** @param text of the record, as it stands in the file */
export type RowHash = (cells: Cells, text: string) => string;

/**
 * Hashes rows such that two with one hash are read as the same voter: same text in the same dialect under the same header, by the
 * same format, in the same year (years of two digits depend on it). Shortened to 72 bits, of which one voter's old and new
 * row share all once in 10^21 changes.
 */
export function createRowHash(
  format: Format,
  match: HeaderMatch,
  dialect: Dialect | null,
  today: string,
): RowHash {
  const places = [...match.places];
  const year = today.slice(0, 4);
  const reading = shorten(JSON.stringify([readingVersion, format, places, dialect, year]));
  const dated = format.file_date && 'column' in format.file_date ? format.file_date.column : '';
  const dateAt = match.places.get(dated);
  if (dateAt === undefined) return (_cells, text) => shorten(reading + text);
  // Every row of every file has another date, and says nothing of the voter by it.
  return (cells) => shorten(reading + cells.with(dateAt, '').join('\x1f'));
}

/** 72 bits of SHA-256, as Base64. */
function shorten(text: string): string {
  return hash('sha256', text, 'base64').slice(0, 12);
}

/**
 * Reads a voter file for which of its lines say something new: of a voter not on the roll, otherwise than when the
 * voter was last read, or beside such a line of the same voter. Counts the file's rows and leaves {@link fileVoters}.
 */
export async function findNews(
  tx: Tx,
  task: KindTask,
): Promise<ReadSource & { readonly lines: LineSet }> {
  const { file, format, findings, onProgress } = task;
  const columns = ['registration_id', 'row_hash'];
  const writer = new CopyWriter(await openStaging(tx, fileVoters, columns));
  const rows = new CopyRows();
  let readKey: (cells: Cells, text: string) => RowKey | 'skip' = () => 'skip';
  const fileDay = new FileDayReader(format, task.today, (message) =>
    findings.warnings.add(message),
  );
  const read = await readSource(file, format, {
    onPreamble: (text) => fileDay.readPreamble(text),
    onHeader: (match, _header, dialect) => {
      fileDay.openRows(match);
      readKey = createKeyReader(task, match, dialect);
    },
    onRecord: (cells, line, text) => {
      const row = readKey(cells, text);
      fileDay.readRow(cells);
      findings.read += 1;
      if (row === 'skip') findings.skipped += 1;
      else rows.add(line, row);
    },
    onBroken: (line, reason) => {
      findings.read += 1;
      findings.refusals.add(reason, line);
    },
    onPiece: async (bytes) => {
      onProgress?.({ step: 'comparing', bytes });
      if (!rows.isEmpty) await writer.write(rows.take());
    },
  }).catch((error: Error) => {
    writer.abandon(error);
    throw error;
  });
  await writer.finish();
  findings.fileDay = fileDay.day;
  return { ...read, lines: await compareWithRoll(tx, task.account.accountId) };
}

/** The hash is null where the row is to be read in any case. */
type RowKey = [registrationId: string, rowHash: string | null];

function createKeyReader(task: KindTask, match: HeaderMatch, dialect: Dialect | null) {
  const { format, today } = task;
  const reader = new RowReader(format, match);
  const readId = reader.field('registration_id');
  const findOther = createCountyFilter(task, reader);
  // A token's voter could be found out by trying tokens against a quick hash.
  const hasTokens = reader.has(tokenColumn);
  const hashRow = createRowHash(format, match, dialect, today);
  return (cells: Cells, text: string): RowKey | 'skip' => {
    const other = findOther(cells);
    if (other === null) return [readId(cells), hasTokens ? null : hashRow(cells, text)];
    task.findings.otherCounties.add(other);
    return 'skip';
  };
}

async function compareWithRoll(tx: Tx, accountId: AccountId): Promise<LineSet> {
  await fillTempTable(
    tx,
    newRows,
    sql`
    select f.line, f.registration_id from ${fileVoters} f
    left join voters v on v.account_id = ${sql.lit(Number(accountId))} and v.registration_id = f.registration_id
    where f.row_hash is null or f.row_hash is distinct from v.row_hash`,
  );
  const lines = new LineSet();
  // With a row goes every other of its voter's, for the first of them counts.
  const wanted = sql<{ line: number }>`
    select line from ${fileVoters} where registration_id in (select registration_id from ${newRows})`;
  for await (const batch of readInBatches(tx, wanted)) {
    for (const { line } of batch) lines.add(line);
  }
  return lines;
}
