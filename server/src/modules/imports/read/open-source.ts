import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Format } from '../formats/format.ts';
import { withinLimits } from './packed-size.ts';
import { FileRefused, FileTorn, type SourceFile } from './source-file.ts';
import { isWorkbook, openWorkbook } from './workbook.ts';
import { chooseEntries, concatenated, listEntries, listNames } from './zip-source.ts';

const pieceSize = 64 * 1024;

/**
 * A file as the office left it: plain, gzip, zip or an Excel workbook. Of a zip of several files those of the county are read,
 * else the statewide one, else all of them, one after the other as one file.
 *
 * @param county the account's, by which its part of a zip is found
 * @param sheet of a workbook, by name or by number from 1
 * @throws {FileRefused} when it cannot be read, or is not such a file
 */
export async function openSourceFile(
  path: string,
  county: string,
  sheet: Format['sheet'] = 1,
): Promise<SourceFile> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) throw new FileRefused(`${path} cannot be read. Is the path right?`);
  const name = basename(path);
  const start = await readMagic(path);
  const plain = () => createReadStream(path, { highWaterMark: pieceSize });
  if (start.startsWith('1f8b'))
    return {
      name,
      open: () => Readable.from(withinLimits(unzipped(plain()), facts.size, name)),
    };
  if (start === '504b0506') throw new FileRefused('The zip contains no file.');
  if (!start.startsWith('504b0304')) return { name, size: facts.size, open: plain };
  const entries = await listEntries(path);
  if (isWorkbook(entries)) return openWorkbook(path, name, entries, sheet);
  const chosen = chooseEntries(entries, county);
  return {
    ...{ name, open: () => Readable.from(concatenated(path, chosen)) },
    ...(chosen.length > 1 && { hint: listNames(chosen) }),
  };
}

async function readMagic(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('hex', 0, bytesRead * 2);
  } finally {
    await file.close();
  }
}

async function* unzipped(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceSize });
  input.once('error', (error) => gunzip.destroy(error));
  input.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch {
    throw new FileTorn('The gzip file is damaged or not complete. Send it again.');
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}
