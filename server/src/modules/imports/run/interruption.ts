import { isUnavailable } from '../../../platform/postgres.ts';

/** The machine failed an import, not its file. In words for the clerk; nothing of the file is in, or all of it. */
export class ImportInterrupted extends Error {
  override readonly name = 'ImportInterrupted';
  /** Somebody must make room first; otherwise it passes by itself. */
  readonly isDiskFull: boolean;

  constructor(message: string, options: { readonly cause: unknown; readonly isDiskFull?: true }) {
    super(message, options);
    this.isDiskFull = options.isDiskFull === true;
  }
}

const repeat = 'then run the same command again. That is safe.';
const diskFull = ['53100', 'ENOSPC', 'EDQUOT', 'EFBIG'];
const forbidden = ['EACCES', 'EPERM', 'EROFS'];

/**
 * What broke off an import, if it was the machine: a database that stopped, a disk without room, a folder of another user.
 * @param isCommitting whether all of the file was in but for the commit, whose answer never came
 */
export function explainInterruption(
  error: unknown,
  fileName: string,
  isCommitting: boolean,
): ImportInterrupted | undefined {
  const { code, path } = (error ?? {}) as { code?: unknown; path?: unknown };
  if (typeof code === 'string' && diskFull.includes(code)) {
    const disk =
      typeof path === 'string' ? `There is no room left on the disk for ${path}` : databaseIsFull;
    return new ImportInterrupted(
      `${disk}. Nothing of ${fileName} was imported. Make room, ${repeat}`,
      { cause: error, isDiskFull: true },
    );
  }
  if (typeof code === 'string' && typeof path === 'string' && forbidden.includes(code))
    return new ImportInterrupted(
      `${path} cannot be written (${code}): it belongs to another user of this machine. Nothing of ${fileName} was imported. Run this as that user, or set BEACON_DATA to a folder of your own.`,
      { cause: error },
    );
  if (!isUnavailable(error)) return undefined;
  const outcome = isCommitting
    ? `just as ${fileName} was being saved. It was loaded completely or not at all: beacon imports shows which`
    : `before all of ${fileName} was loaded, so nothing of it was`;
  return new ImportInterrupted(
    `The database stopped ${outcome}. Start it again (if it does not start, look whether its disk is full), ${repeat}`,
    { cause: error },
  );
}

const databaseIsFull = "The database's disk is full";
