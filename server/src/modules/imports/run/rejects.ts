import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Connection, readInBatches } from './import-store.ts';

/** Refusals by reason, each with the first line it was met on. */
export class RefusalCounts {
  readonly #byReason = new Map<string, { reason: string; count: number; line: number }>();
  #total = 0;

  add(reason: string, line: number, count = 1): void {
    this.#total += count;
    const known = this.#byReason.get(reason);
    if (known) known.count += count;
    else this.#byReason.set(reason, { reason, count, line });
  }

  get total(): number {
    return this.#total;
  }

  /** The most frequent first. */
  list(): { reason: string; count: number; line: number }[] {
    return [...this.#byReason.values()].sort((a, b) => b.count - a.count || a.line - b.line);
  }
}

/** Counts the rows refused in SQL. @param query `line`, `problem` */
export async function countRefusedRows(
  connection: Connection,
  query: string,
  counts: RefusalCounts,
): Promise<void> {
  const { rows } = await connection.query<{ reason: string; count: number; line: number }>(
    `select problem as reason, count(*) as count, min(line) as line from (${query}) r group by 1`,
  );
  for (const { reason, line, count } of rows) counts.add(reason, line, count);
}

/** The rows refused in SQL, asked for one line after the other. */
export class RefusedLines {
  readonly #batches: AsyncGenerator<{ line: number; problem: string }[]>;
  #batch: readonly { line: number; problem: string }[] = [];
  #at = 0;
  #isDone = false;

  /** @param query `line`, `problem`; null when SQL refused nothing */
  constructor(connection: Connection, query: string | null) {
    this.#batches = readInBatches(connection, `${query} order by line`);
    this.#isDone = query === null;
  }

  /** @param line after the one asked for last */
  async problemOf(line: number): Promise<string | undefined> {
    if (this.#at >= this.#batch.length && !this.#isDone) {
      const { value, done } = await this.#batches.next();
      this.#isDone = done === true;
      this.#batch = done ? [] : value;
      this.#at = 0;
    }
    const next = this.#batch[this.#at];
    if (next?.line !== line) return undefined;
    this.#at += 1;
    return next.problem;
  }
}

/**
 * The refused rows of one file for the clerk to mend: line, reason, and the row as it was. It holds voters' data, so
 * only its owner may read it.
 */
export class RejectsFile {
  readonly path: string;
  readonly #file: WriteStream;
  readonly #failed: Promise<never>;

  constructor(directory: string, fileName: string, now: Date) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const stamp = now.toISOString().replace(/[-:]/g, '').replace('.', '-');
    this.path = join(directory, `${fileName}.${stamp}.rejects.csv`);
    this.#file = createWriteStream(this.path, { mode: 0o600 });
    this.#failed = new Promise((_, reject) => {
      this.#file.once('error', (error) => reject(Object.assign(error, { path: this.path })));
    });
    // Whoever writes next is told.
    this.#failed.catch(() => {});
  }

  add(cells: readonly string[]): void {
    this.#file.write(`${cells.map(quoteCell).join(',')}\n`);
  }

  async flush(): Promise<void> {
    if (this.#file.writableNeedDrain) await Promise.race([once(this.#file, 'drain'), this.#failed]);
  }

  /** @throws when not all of it could be written, as on a full disk */
  async close(): Promise<void> {
    const done = once(this.#file, 'finish');
    this.#file.end();
    await Promise.race([done, this.#failed]);
  }

  /** Takes it away again: the file whose rows it lists was not taken in. */
  discard(): void {
    this.#file.destroy();
    rmSync(this.path, { force: true });
  }
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
