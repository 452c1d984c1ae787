import {
  copyFile,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file in the folder, as it was when last checked. */
export interface DroppedFile {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** The reports stored beside a processed file. */
export interface FiledReport {
  readonly text: string;
  readonly json: unknown;
  /** Where to copy the refused rows from; null without refused rows. */
  readonly rejectsFile: string | null;
}

/** Names that programs give to unfinished files, and files that are not data. */
const unfinished =
  /^[.~]|~$|\.(part|partial|filepart|tmp|temp|crdownload|upload(ing)?|writing|lock|swp|bak)$/i;

/** The folder belongs to another office. */
export class FolderTaken extends Error {
  override readonly name = 'FolderTaken';
  readonly owner: string;
  /** The file that records the owner. */
  readonly path: string;

  constructor(owner: string, path: string) {
    super(`The folder belongs to ${owner}.`);
    this.owner = owner;
    this.path = path;
  }
}

/**
 * The folder that an office's exporter fills. Each file moves from the folder into `importing/`, so that an export with
 * the same name cannot change it while it is read, and then into `done/` or `failed/`.
 */
export class DropFolder {
  readonly path: string;
  readonly importing: string;

  constructor(path: string) {
    this.path = path;
    this.importing = join(path, 'importing');
  }

  /** Creates the folders inside it. Throws when the folder does not exist or cannot be written. */
  async prepare(): Promise<void> {
    await readdir(this.path);
    for (const name of ['importing', 'done', 'failed']) {
      await mkdir(join(this.path, name), { recursive: true, mode: 0o770 });
    }
  }

  /**
   * Assigns the folder to this office permanently: two offices that shared it would import each other's voters. The owner is
   * recorded in the folder itself, so that it applies to every path and machine.
   * @throws {FolderTaken}
   */
  async claimFor(subdomain: string): Promise<void> {
    const path = join(this.importing, '.account');
    try {
      await writeFile(path, `${subdomain}\n`, { flag: 'wx', mode: 0o640 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = (await readFile(path, 'utf8')).trim();
      // The process that created the file died before it wrote the owner.
      if (owner === '') await writeFile(path, `${subdomain}\n`);
      else if (owner !== subdomain) throw new FolderTaken(owner, path);
    }
  }

  /** The files that may be an office's data, in the order in which they arrived. Links are ignored. */
  async list(folder: string = this.path): Promise<DroppedFile[]> {
    const files: DroppedFile[] = [];
    for (const name of await readdir(folder)) {
      if (unfinished.test(name)) continue;
      const file = await look(folder, name);
      if (file && file.size > 0) files.push(file);
    }
    return files.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.name < b.name ? -1 : 1));
  }

  /**
   * Moves the file to `importing/`.
   * @returns false when it is gone, changed since it was checked, or would replace an earlier file there
   */
  async claim(file: DroppedFile): Promise<boolean> {
    const now = await look(this.path, file.name);
    if (!now || !isSame(now, file)) return false;
    if (await look(this.importing, file.name)) return false;
    await rename(join(this.path, file.name), join(this.importing, file.name));
    return true;
  }

  /** The current state of the file in `importing/`. */
  lookAtClaimed(name: string): Promise<DroppedFile | undefined> {
    return look(this.importing, name);
  }

  /** Moves a claimed file back to the waiting files, unless a newer file with its name waits there. */
  async putBack(name: string): Promise<void> {
    if (await look(this.path, name)) return;
    await rename(join(this.importing, name), join(this.path, name));
  }

  /**
   * Moves a claimed file with its reports to its final folder, under an unused name. The reports are
   * written first: they reserve the name, and the file never appears without them.
   *
   * @param describe gets the path of the copy of the refused rows
   * @returns the file's new path
   */
  async file(
    name: string,
    where: 'done' | 'failed',
    now: Date,
    describe: (rejectsCopy: string | null) => Omit<FiledReport, 'rejectsFile'>,
    rejectsFile: string | null,
  ): Promise<string> {
    const folder = join(this.path, where);
    const path = await takeName(folder, `${stampOf(now)}-${shorten(name)}`);
    const rejectsCopy = rejectsFile === null ? null : `${path}.rejects.csv`;
    if (rejectsFile !== null && rejectsCopy !== null)
      await moveInto(rejectsFile, rejectsCopy, true);
    const { text, json } = describe(rejectsCopy);
    await write(`${path}.report.json`, `${JSON.stringify(json, null, 2)}\n`);
    await write(`${path}.report.txt`, `${text}\n`);
    await moveInto(join(this.importing, name), path, false);
    return path;
  }
}

export function isSame(one: DroppedFile, other: DroppedFile): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.inode === other.inode;
}

async function look(folder: string, name: string): Promise<DroppedFile | undefined> {
  try {
    const facts = await lstat(join(folder, name));
    if (!facts.isFile()) return undefined;
    const { size, mtimeMs, ctimeMs, ino } = facts;
    return { name, size, mtimeMs, ctimeMs, inode: ino };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the report's file, which reserves the name: two watchers with the same name get two different names. */
async function takeName(folder: string, wanted: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? wanted : `${count}-${wanted}`);
    try {
      await (await open(`${path}.report.txt`, 'wx', 0o640)).close();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw error;
    }
    if (!(await look(folder, path.slice(folder.length + 1)))) return path;
  }
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o640);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Renames. If `to` is on another disk, copies under a temporary name first and then renames. */
async function moveInto(from: string, to: string, isCopy: boolean): Promise<void> {
  if (!isCopy) {
    try {
      return await rename(from, to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    }
  }
  const part = `${to}.part`;
  await copyFile(from, part);
  const copy = await open(part, 'r+');
  try {
    await copy.chmod(0o640);
    await copy.sync();
  } finally {
    await copy.close();
  }
  await rename(part, to);
  if (!isCopy) await unlink(from);
}

/** `20261121T145237-123Z` */
function stampOf(now: Date): string {
  return now.toISOString().replace(/[-:]/g, '').replace('.', '-');
}

/** The longest name in bytes, so that the names of its reports fit a file system's limit of 255. */
const longestName = 200;

function shorten(name: string): string {
  const end = extname(name).slice(0, 20);
  let stem = name.slice(0, name.length - extname(name).length);
  while (Buffer.byteLength(stem + end) > longestName) stem = stem.slice(0, -1);
  return stem + end;
}
