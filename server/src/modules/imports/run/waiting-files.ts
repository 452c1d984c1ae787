import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { GateReason } from '../kinds/kind.ts';
import { FileRefused, type SourceFile } from '../read/source-file.ts';

/** The gate stops a file: rolls everything back, and a second person may approve the file. */
export class FileWaits extends Error {
  override readonly name = 'FileWaits';
  readonly reasons: readonly GateReason[];

  constructor(reasons: readonly GateReason[]) {
    super('The file waits for approval.');
    this.reasons = reasons;
  }
}

/** What would wait as a file is refused, because it came without one: its sender learns nothing of the office's ballots by it. */
export class FileImplausible extends FileRefused {
  readonly reasons: readonly GateReason[];

  constructor(reasons: readonly GateReason[]) {
    super(
      'These rows cannot be right, so none of them was loaded. If they are right, import them as a file: a second person can approve that.',
    );
    this.reasons = reasons;
  }
}

/** What became of a copy: deleted, needed by another import of the same bytes, or not on this machine. */
export type KeptCopy = 'deleted' | 'needed' | 'absent';

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

  /** Deletes a file's copy unless another import of the same bytes waits. */
  async discard(sha256: Buffer, stillWaiting: readonly Buffer[]): Promise<KeptCopy> {
    if (stillWaiting.some((one) => one.equals(sha256))) return 'needed';
    try {
      await unlink(this.pathOf(sha256));
      return 'deleted';
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'absent';
      throw error;
    }
  }

  /** Deletes all files except those that still wait. @param before spares files that are newer: their import may not be recorded yet */
  async discardOthers(stillWaiting: readonly Buffer[], before?: Date): Promise<number> {
    const names = await readdir(this.#directory).catch(() => []);
    const kept = new Set(stillWaiting.map((sha256) => sha256.toString('hex')));
    let count = 0;
    for (const name of names) {
      if (kept.has(name)) continue;
      const path = join(this.#directory, name);
      const facts = before && (await stat(path).catch(() => null));
      if (facts && before && facts.mtime > before) continue;
      // One that another user's import left is that user's to delete.
      const isGone = await rm(path, { force: true }).then(
        () => true,
        () => false,
      );
      if (isGone) count += 1;
    }
    return count;
  }
}
