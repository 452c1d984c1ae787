import { codeOf } from '../../platform/log.ts';
import { isUnavailable } from '../../platform/postgres.ts';

/** The database cannot be reached. No file is lost; the watch tries again. */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
}

const passingFaults = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'EIO', 'ESTALE']);

/** Whether a fault is of the database, a disk or a mount, and not of the file. */
export function mayPass(error: unknown): boolean {
  if (error instanceof DatabaseAwayError || isUnavailable(error)) return true;
  return passingFaults.has(String((error as { code?: unknown } | null)?.code));
}

/** A mount that is gone leaves an empty folder or none. */
export function isFolderAway(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | null)?.syscall === 'scandir';
}

export function rootOf(error: unknown): unknown {
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause === undefined ? error : rootOf(cause);
}

export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(String((error as { code?: unknown } | null)?.code));
}

/** What went wrong with a file, for the clerk. */
export function explain(error: unknown): string {
  return isForbidden(error)
    ? 'It may not be read by the user that beacon watch runs as. Let the exporter give that user the right to read.'
    : `Something unexpected went wrong (${codeOf(error)}). Keep the file and show it, with the log of beacon watch, to the person who looks after the product.`;
}
