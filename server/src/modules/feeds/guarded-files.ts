import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../platform/log.ts';

/*
 * A watched folder is written by strangers. Between any two looks at a name they may put something else there: a
 * link to another office's file, or a pipe that never ends. So whatever is read or written is opened once, without
 * following links, judged by what was opened, and then used through that descriptor alone.
 */

/** A file in the folder, as it was when last checked. */
export interface DroppedFile {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** Why a name in the folder is not read. */
export type Oddity = 'link' | 'second-name' | 'special';

export function isSame(one: DroppedFile, other: DroppedFile): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.inode === other.inode;
}

/** What a name leads to; undefined when nothing is there. */
export async function look(
  path: string,
  name: string,
): Promise<DroppedFile | Oddity | 'folder' | undefined> {
  try {
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) return 'link';
    if (facts.isDirectory()) return 'folder';
    if (!facts.isFile()) return 'special';
    // A hard link gives another user's file a name here.
    if (facts.nlink > 1) return 'second-name';
    const { size, mtimeMs, ctimeMs, ino } = facts;
    return { name, size, mtimeMs, ctimeMs, inode: ino };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Copies a file of strangers to a new file of ours, readable by us alone.
 * @returns false, and leaves no copy, when the name no longer leads to that very file, or the file changed meanwhile
 */
export async function copyUnlessChanged(
  path: string,
  expected: DroppedFile,
  to: string,
): Promise<boolean> {
  const file = await openRegularFile(path);
  if (!file) return false;
  try {
    if (!isSame(await factsOf(file, expected.name), expected)) return false;
    await pipeline(
      file.createReadStream({ autoClose: false, start: 0, end: expected.size - 1 }),
      createWriteStream(to, { flags: 'w', mode: 0o600 }),
    );
    return isSame(await factsOf(file, expected.name), expected);
  } finally {
    await file.close();
  }
}

/** The start of a small file of strangers; undefined when there is none, or something else. */
export async function readSmallFile(path: string, bytes: number): Promise<string | undefined> {
  const file = await openRegularFile(path);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Opens a regular file that has this one name; undefined for anything else. Never waits, as a pipe would make it. */
async function openRegularFile(path: string): Promise<FileHandle | undefined> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  let file: FileHandle;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    // ELOOP: a link. ENXIO: a socket, or a device that is not there.
    if (['ENOENT', 'ELOOP', 'ENXIO'].includes(codeOf(error))) return undefined;
    throw error;
  }
  const facts = await file.stat();
  if (facts.isFile() && facts.nlink <= 1) return file;
  await file.close();
  return undefined;
}

async function factsOf(file: FileHandle, name: string): Promise<DroppedFile> {
  const { size, mtimeMs, ctimeMs, ino } = await file.stat();
  return { name, size, mtimeMs, ctimeMs, inode: ino };
}

/** A folder inside the watched one is a link, or not a folder. */
export class NotAFolder extends Error {
  override readonly name = 'NotAFolder';
  readonly path: string;

  constructor(path: string) {
    super(`${path} is not a folder.`);
    this.path = path;
  }
}

/**
 * Does work in a folder that strangers might replace by a link while it lasts.
 *
 * @param work gets a path that leads to the opened folder itself, whatever becomes of its name
 * @throws {NotAFolder}
 */
export async function withinFolder<T>(
  path: string,
  work: (opened: string) => Promise<T>,
): Promise<T> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
  let folder: FileHandle;
  try {
    folder = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  } catch (error) {
    if (['ELOOP', 'ENOTDIR'].includes(codeOf(error))) throw new NotAFolder(path);
    throw error;
  }
  try {
    // Node has no openat(). Elsewhere than on Linux the name is used again, as it was just checked.
    return await work(process.platform === 'linux' ? `/proc/self/fd/${folder.fd}` : path);
  } finally {
    await folder.close();
  }
}

/** Creates a file that is not there yet, readable by owner and group, and fills it. */
export async function createFile(
  path: string,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  const file = await open(path, 'wx', 0o640);
  try {
    await write(file);
    await file.chmod(0o640);
    await file.sync();
  } finally {
    await file.close();
  }
}
