import { hash } from 'node:crypto';
import type { Format, HeaderMatch } from '../../formats/format.ts';
import type { Cells } from '../../read/row-reader.ts';
import { type ReadSource, readSource, type SourceFile } from '../../read/source-file.ts';
import { StagingRows, StagingWriter } from '../../run/copy-rows.ts';
import { type Connection, openCopy, readInBatches } from '../../run/import-store.ts';

/** Line numbers of a file, a bit each: a few hundred kilobytes for the largest. */
export class LineSet {
  #bits = new Uint8Array(1 << 16);
  size = 0;

  add(line: number): void {
    const at = line >>> 3;
    if (at >= this.#bits.length) {
      const longer = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      longer.set(this.#bits);
      this.#bits = longer;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (line & 7));
    this.size += 1;
  }

  has(line: number): boolean {
    return ((this.#bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }
}

/** Count up when a row would be read otherwise than before: every row is then read once more. */
const readingVersion = 1;

/**
 * Hashes rows such that two with one hash are read as the same voter: same cells under the same header, by the same
 * format, in the same year (years of two digits depend on it). Shortened to 72 bits, of which one voter's old and new
 * row share all once in 10^21 changes.
 */
export function createRowHash(
  format: Format,
  match: HeaderMatch,
  today: string,
): (cells: Cells) => string {
  const places = [...match.places];
  const reading = JSON.stringify([readingVersion, format, places, today.slice(0, 4)]);
  const seed = hash('sha256', reading, 'base64');
  return (cells) => hash('sha256', seed + cells.join('\x1f'), 'base64').slice(0, 12);
}

/** What a row is known by; a null hash has it read in any case. */
export type RowKey = readonly [registrationId: string, hash: string | null];

export interface NewsTask {
  readonly accountId: number;
  readonly file: SourceFile;
  readonly format: Format;
  /** @returns how to know a row, and which to pass over */
  onHeader(match: HeaderMatch): (cells: Cells) => RowKey | 'skip';
  onRow(isSkipped: boolean): void;
  onBroken(line: number, reason: string): void;
  onProgress(bytes: number): void;
}

/**
 * Reads a voter file for which of its lines say something new: of a voter not on the roll, otherwise than when the
 * voter was last read, or beside such a line of the same voter. Leaves table `seen` (line, registration_id, row_hash)
 * of all its rows.
 */
export async function findNews(
  connection: Connection,
  task: NewsTask,
): Promise<ReadSource & { readonly lines: LineSet }> {
  await connection.query(
    'create temp table seen (line bigint, registration_id text, row_hash text) on commit drop',
  );
  const columns = ['line', 'registration_id', 'row_hash'].map((name) => ({ name }));
  const staging = new StagingWriter(openCopy(connection, 'seen', columns));
  const rows = new StagingRows();
  let keyOf: (cells: Cells) => RowKey | 'skip' = () => 'skip';
  const read = await readSource(task.file, task.format, {
    onHeader: (match) => {
      keyOf = task.onHeader(match);
    },
    onRecord: (cells, line) => {
      const key = keyOf(cells);
      task.onRow(key === 'skip');
      if (key !== 'skip') rows.add(line, key);
    },
    onBroken: task.onBroken,
    onPiece: async (bytes) => {
      task.onProgress(bytes);
      if (!rows.isEmpty) await staging.write(rows.take());
    },
  }).catch((error: Error) => {
    staging.abandon(error);
    throw error;
  });
  await staging.finish();
  return { ...read, lines: await compareWithRoll(connection, task.accountId) };
}

async function compareWithRoll(connection: Connection, accountId: number): Promise<LineSet> {
  await connection.query(
    `create temp table news on commit drop as
    select s.line, s.registration_id from seen s
    left join voters v on v.account_id = ${accountId} and v.registration_id = s.registration_id
    where s.row_hash is null or s.row_hash is distinct from v.row_hash`,
  );
  const lines = new LineSet();
  // With a row goes every other of its voter's, for the first of them counts.
  for await (const batch of readInBatches<{ line: number }>(
    connection,
    'select line from seen where registration_id in (select registration_id from news)',
  )) {
    for (const { line } of batch) lines.add(line);
  }
  return lines;
}
