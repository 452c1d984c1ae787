import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync, type WriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeCsvRow } from '../../../platform/csv-row.ts';
import { shortenName } from '../../../platform/file-name.ts';

/** Where the refused rows of one file go, for the clerk to fix: a header, and then line, reason, and the row as it was. */
export interface RejectsList {
  /** Where the list is, for the report; null where the report need not say it. */
  readonly path: string | null;
  add(cells: readonly string[]): void;
  flush(): Promise<void>;
  /** @throws when not all of it could be written, as on a full disk */
  close(): Promise<void>;
  /** Deletes it again: the file whose rows it lists was not imported. */
  discard(): void;
}

/** The refused rows of one file on this machine's disk. They contain voters' data, so only their owner may read them. */
export class RejectsFile implements RejectsList {
  readonly path: string;
  readonly #file: WriteStream;
  readonly #failed: Promise<never>;

  constructor(directory: string, fileName: string, now: Date) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.path = join(directory, `${shortenName(fileName)}.${stampOf(now)}.rejects.csv`);
    this.#file = createWriteStream(this.path, { mode: 0o600 });
    this.#failed = new Promise((_, reject) => {
      this.#file.once('error', (error) => reject(Object.assign(error, { path: this.path })));
    });
    // The next write throws it.
    this.#failed.catch(() => {});
  }

  add(cells: readonly string[]): void {
    this.#file.write(writeCsvRow(cells, 'unix'));
  }

  async flush(): Promise<void> {
    if (this.#file.writableNeedDrain) await Promise.race([once(this.#file, 'drain'), this.#failed]);
  }

  async close(): Promise<void> {
    const done = once(this.#file, 'finish');
    this.#file.end();
    await Promise.race([done, this.#failed]);
  }

  discard(): void {
    this.#file.destroy();
    rmSync(this.path, { force: true });
  }
}

/** `20261122T140910-123Z`, in the order of time. */
function stampOf(time: Date): string {
  return time.toISOString().replace(/[-:]/g, '').replace('.', '-');
}

/** Deletes the rejects files of a folder that were written before this moment. @returns how many */
export async function discardOldRejects(directory: string, before: Date): Promise<number> {
  const names = await readdir(directory).catch(() => []);
  const old = names.filter((name) => {
    const stamp = /\.(\d{8}T\d{6}-\d{3}Z)\.rejects\.csv$/.exec(name)?.[1];
    return stamp !== undefined && stamp < stampOf(before);
  });
  // What another user's import left is that user's to delete, and no reason to fail an import that is done.
  const gone = await Promise.allSettled(
    old.map((name) => rm(join(directory, name), { force: true })),
  );
  return gone.filter(({ status }) => status === 'fulfilled').length;
}
