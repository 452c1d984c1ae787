import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SourceFile } from '../read/source-file.ts';

/** A file that takes too much away to be believed unseen. Rolls everything back; a second person may approve it. */
export class FileHeld extends Error {
  override readonly name = 'FileHeld';
}

/**
 * Held files as they were read, named by their SHA-256, until they are approved or discarded. They contain voters' data,
 * so only their owner may read them.
 */
export class HeldFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  pathOf(sha256: Buffer): string {
    return join(this.#directory, sha256.toString('hex'));
  }

  /** Copies beside the final name and then renames: a copy that breaks off never looks whole. */
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

  /** Deletes all files but those that are still held. */
  async discardOthers(stillHeld: readonly Buffer[]): Promise<void> {
    const names = await readdir(this.#directory).catch(() => []);
    const kept = new Set(stillHeld.map((sha256) => sha256.toString('hex')));
    for (const name of names) {
      if (!kept.has(name)) await rm(join(this.#directory, name), { force: true });
    }
  }
}
