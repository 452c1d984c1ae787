import { once } from 'node:events';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { LineOffset, RecordProblem } from './records.ts';
import type { ImportReport } from './report.ts';
import { type Connection, lineOf, readInBatches } from './store.ts';

interface RefusedRows {
  /** SQL of `row_no`, `problem`. */
  readonly query: string;
  readonly values: readonly unknown[];
}

/** Refusals by reason, the most frequent first, each with the first line it was met on. */
export async function countRefusals(
  connection: Connection,
  { query, values }: RefusedRows,
  offsets: readonly LineOffset[],
  broken: readonly RecordProblem[],
): Promise<ImportReport['refusals']> {
  const { rows } = await connection.query<{ reason: string; count: number; line: number }>(
    `select problem as reason, count(*) as count, min(${lineOf('row_no', offsets)}) as line
    from (${query}) refused group by problem order by 2 desc, 3 limit 1000`,
    [...values],
  );
  const byReason = new Map(rows.map((row) => [row.reason, row]));
  for (const { reason, line } of broken) {
    const known = byReason.get(reason);
    if (known) known.count += 1;
    else byReason.set(reason, { reason, count: 1, line });
  }
  return [...byReason.values()].sort((a, b) => b.count - a.count || a.line - b.line);
}

/**
 * The refused rows of one file for the clerk to mend: line, reason, and the row as it was. It holds voters' data, so
 * only its owner may read it.
 */
export class RejectsFile {
  readonly #directory: string;
  readonly #path: string;
  #written = false;

  constructor(directory: string, fileName: string, now: Date) {
    this.#directory = directory;
    const stamp = now.toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z');
    this.#path = join(directory, `${fileName}.${stamp}.rejects.csv`);
  }

  /** Null while no row was refused. */
  get path(): string | null {
    return this.#written ? this.#path : null;
  }

  async write(
    connection: Connection,
    { query, values }: RefusedRows,
    about: {
      readonly offsets: readonly LineOffset[];
      readonly broken: readonly RecordProblem[];
      readonly header: readonly string[];
      /** Columns never written down. */
      readonly secretColumns: readonly number[];
    },
  ): Promise<void> {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const file = createWriteStream(this.#path, { mode: 0o600 });
    await once(file, 'open');
    this.#written = true;
    await put(file, ['line', 'reason', ...about.header]);
    for (const { line, reason } of about.broken) await put(file, [String(line), reason]);
    const columns = about.header.map((_, place) =>
      about.secretColumns.includes(place) ? "'(not kept)'" : `s.c${place}`,
    );
    const rows = `select ${lineOf('r.row_no', about.offsets)} as line, r.problem as reason, array[${columns.join(', ')}]::text[] as cells
      from (${query}) r join staged s on s.row_no = r.row_no order by r.row_no`;
    for await (const batch of readInBatches<{ line: number; reason: string; cells: string[] }>(
      connection,
      rows,
      values,
    )) {
      for (const { line, reason, cells } of batch)
        await put(file, [String(line), reason, ...cells]);
    }
    file.end();
    await once(file, 'close');
  }
}

async function put(file: WriteStream, cells: readonly string[]): Promise<void> {
  const line = cells.map(quoteCell).join(',');
  if (!file.write(`${line}\n`)) await once(file, 'drain');
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
