import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import { keptDays, keptSince } from './run/kept-days.ts';
import { discardOldRejects } from './run/rejects.ts';
import { WaitingFiles } from './run/waiting-files.ts';
import { expireImports, listAllWaiting } from './run/waiting-store.ts';

const dayMs = 86_400_000;

/**
 * Deletes what imports left longer ago than {@link keptDays}: rejects files, waiting files with their copies, and what
 * wrong imports could be put back from. Of the files only those on this machine.
 *
 * @param rejectsDirectory of all accounts
 */
export function createImportsCleanup(
  database: Database,
  clock: Clock,
  log: Log,
  rejectsDirectory: string,
): () => Promise<void> {
  return async () => {
    const now = clock.now();
    const { waiting, replaced } = await expireImports(database.system, keptSince(now), keptDays);
    const files = await deleteFiles(database, rejectsDirectory, now);
    if (waiting + replaced + files > 0) log.write('imports.expired', { waiting, files, replaced });
  };
}

async function deleteFiles(database: Database, directory: string, now: Date): Promise<number> {
  const waiting = await listAllWaiting(database.system);
  // A copy is kept before its import is recorded.
  const aDayAgo = new Date(now.getTime() - dayMs);
  let count = 0;
  // Also of accounts that were renamed or removed since.
  for (const subdomain of await readdir(directory).catch(() => [])) {
    const folder = join(directory, subdomain);
    count += await discardOldRejects(folder, keptSince(now));
    count += await new WaitingFiles(join(folder, 'held')).discardOthers(waiting, aDayAgo);
  }
  return count;
}
