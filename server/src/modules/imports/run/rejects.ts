import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

/**
 * The refused rows of one file for the clerk to fix: line, reason, and the row as it was. It contains voters' data, so
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
    // The next write throws it.
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

  /** Deletes it again: the file whose rows it lists was not imported. */
  discard(): void {
    this.#file.destroy();
    rmSync(this.path, { force: true });
  }
}

/** A spreadsheet program would run a cell that starts so as a formula. */
const formula = /^[=+\-@\t\r]/;

function quoteCell(cell: string): string {
  const text = formula.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
