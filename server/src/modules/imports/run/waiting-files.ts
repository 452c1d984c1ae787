import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { GateReason } from '../kinds/kind.ts';
import type { SourceFile } from '../read/source-file.ts';

/** The gate stops a file: rolls everything back, and a second person may approve the file. */
export class FileWaits extends Error {
  override readonly name = 'FileWaits';
  readonly reasons: readonly GateReason[];

  constructor(reasons: readonly GateReason[]) {
    super('The file waits for approval.');
    this.reasons = reasons;
  }
}

/**
 * Copies of the files that wait for approval, named by their SHA-256, until they are approved or discarded. They contain
 * voters' data, so only their owner may read them.
 */
export class WaitingFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  pathOf(sha256: Buffer): string {
    return join(this.#directory, sha256.toString('hex'));
  }

  /** Copies beside the final name and then renames: an interrupted copy never looks whole. */
  async keep(file: SourceFile, sha256: Buffer): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = this.pathOf(sha256);
    const half = `${path}.half`;
    try {
      await pipeline(file.open(), createWriteStream(half, { mode: 0o600 }));
      await rename(half, path);
    } catch (error) {
      await rm(half, { force: true });
      throw Object.assign(error as Error, { path });
    }
  }

  /** Deletes all files except those that still wait. */
  async discardOthers(stillWaiting: readonly Buffer[]): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    const kept = new Set(stillWaiting.map((sha256) => sha256.toString('hex')));
    for (const name of names) {
      if (!kept.has(name)) await rm(join(this.#directory, name), { force: true });
    }
  }
}
