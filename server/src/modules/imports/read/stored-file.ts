import { constants, createReadStream, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { readUserName } from '../../../platform/user-name.ts';
import { FileRefused } from './source-file.ts';

const pieceSize = 64 * 1024;

/** A file's bytes as they were sent, packed or not, wherever they are kept: on a disk, or sealed in the database. */
export interface StoredFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Bytes from `start` up to, not including, `end`; left out: all of them. */
  read(start?: number, end?: number): Readable;
}

/** @throws {FileRefused} when there is no such file, or this user may not read it */
export async function openDiskFile(path: string): Promise<StoredFile> {
  const facts = await findReadable(path);
  if (!facts?.isFile()) throw new FileRefused(`${path} cannot be read. Is the path right?`);
  const { size } = facts;
  return {
    name: basename(path),
    size,
    // Node counts the last byte in.
    read: (start = 0, end) =>
      createReadStream(path, {
        ...{ start, highWaterMark: pieceSize },
        ...(end !== undefined && { end: end - 1 }),
      }),
  };
}

async function findReadable(path: string): Promise<Stats | undefined> {
  try {
    const facts = await stat(path);
    await access(path, constants.R_OK);
    return facts;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM'].includes(code)) return undefined;
    throw new FileRefused(
      `${path} cannot be read: the user ${readUserName()} may not (${code}). Put it where this user may read it, or change its rights.`,
    );
  }
}

/** All of a file, or a part of it, in memory. */
export async function readBytes(file: StoredFile, start = 0, end = file.size): Promise<Buffer> {
  if (start >= end) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  for await (const piece of file.read(start, end) as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}
