import { hash } from 'node:crypto';
import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/** Where Linux keeps files in memory. */
const inMemory = '/dev/shm';
/** A whole run fills a third of it. In bytes. */
const needed = 3 * 1024 ** 3;

/**
 * Lets this process and those that it starts keep temporary files, and so the test's databases, in memory, where there is enough:
 * a disk's file system needs 150 ms to copy or remove the thousand files of a database. One folder for each TMPDIR, so that
 * runs which were kept apart stay apart.
 */
export function keepTemporaryFilesInMemory(): void {
  const usual = tmpdir();
  if (usual.startsWith(`${inMemory}/`) || !hasRoom()) return;
  const folder = join(
    inMemory,
    `beacon-${process.getuid?.() ?? 0}-${hash('sha1', usual, 'hex').slice(0, 8)}`,
  );
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  process.env.TMPDIR = folder;
}

function hasRoom(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return Math.min(bavail * bsize, process.availableMemory()) > needed;
  } catch {
    return false;
  }
}
