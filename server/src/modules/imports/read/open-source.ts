import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { isUnavailable } from '../../../platform/postgres.ts';
import type { Format } from '../formats/format.ts';
import { withinLimits } from './packed-size.ts';
import { FileRefused, FileTorn, type SourceFile } from './source-file.ts';
import { openDiskFile, readBytes, type StoredFile } from './stored-file.ts';
import { isWorkbook, openWorkbook, refuseOtherDocument } from './workbook.ts';
import { chooseEntries, concatenated, listEntries, listNames } from './zip-source.ts';

const pieceSize = 64 * 1024;

/**
 * A file as the office left it: plain, gzip, zip or an Excel workbook. Of a zip of several files those of the county are read,
 * else the statewide one, else all of them, one after the other as one file.
 *
 * @param from a path, or where else the bytes are
 * @param county the account's, by which its part of a zip is found
 * @param sheet of a workbook, by name or by number from 1
 * @throws {FileRefused} when it cannot be read, or is not such a file
 */
export async function openSourceFile(
  from: string | StoredFile,
  county: string,
  sheet?: Format['sheet'],
): Promise<SourceFile> {
  const file = typeof from === 'string' ? await openDiskFile(from) : from;
  const { name, size } = file;
  const start = (await readBytes(file, 0, Math.min(4, size))).toString('hex');
  if (start.startsWith('1f8b'))
    return {
      name,
      open: () => Readable.from(withinLimits(unzipped(file.read()), size, name)),
    };
  if (start === '504b0506') throw new FileRefused('The zip contains no file.');
  if (!start.startsWith('504b0304')) return { name, size, open: () => file.read() };
  const entries = await listEntries(file);
  if (isWorkbook(entries)) return openWorkbook(file, entries, sheet);
  refuseOtherDocument(name, entries);
  const chosen = chooseEntries(entries, county);
  return {
    ...{ name, open: () => Readable.from(concatenated(file, chosen)) },
    ...(chosen.length > 1 && { hint: listNames(chosen) }),
  };
}

async function* unzipped(input: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: pieceSize });
  input.once('error', (error) => gunzip.destroy(error));
  input.pipe(gunzip);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new FileTorn('The gzip file is damaged or not complete. Send it again.');
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}
