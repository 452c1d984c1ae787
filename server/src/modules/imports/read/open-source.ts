import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import yauzl from 'yauzl';
import { FileRefused, type SourceFile } from './source-file.ts';

const pieceSize = 64 * 1024;

/**
 * A file as the office left it: plain, gzip or zip. Of a zip of several files those of the county are read, else the
 * statewide one, else all of them, one after the other as one file.
 *
 * @param county the account's, by which its part of a zip is found
 * @throws {FileRefused} when it cannot be read, or is no such file
 */
export async function openSourceFile(path: string, county: string): Promise<SourceFile> {
  const facts = await stat(path).catch(() => null);
  if (!facts?.isFile()) throw new FileRefused(`${path} cannot be read. Is the path right?`);
  const name = basename(path);
  const start = await readMagic(path);
  const plain = () => createReadStream(path, { highWaterMark: pieceSize });
  if (start.startsWith('1f8b')) return { name, open: () => Readable.from(unzipped(plain())) };
  if (!start.startsWith('504b0304')) return { name, size: facts.size, open: plain };
  const entries = chooseEntries(await listEntries(path), county);
  return { name, open: () => Readable.from(concatenated(path, entries)) };
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
    throw new FileRefused('The gzip file is damaged or not whole. Send it again.');
  } finally {
    input.destroy();
    gunzip.destroy();
  }
}

function chooseEntries(entries: readonly yauzl.Entry[], county: string): yauzl.Entry[] {
  const files = entries
    .filter(({ fileName }) => !/\/$|(^|\/)[._]|\.(pdf|txt\.md|docx?|xlsx?)$/i.test(fileName))
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z]|county/g, '');
  const named = (part: string) =>
    files.filter(({ fileName }) => plain(basename(fileName)).includes(part));
  const ofCounty = named(plain(county));
  if (ofCounty.length > 0) return ofCounty;
  const statewide = named('statewide');
  const chosen = statewide.length > 0 ? statewide : files;
  if (chosen.length === 0) throw new FileRefused('The zip holds no file that could be read.');
  return chosen;
}

function listEntries(path: string): Promise<yauzl.Entry[]> {
  return withZip(path, (zip, resolve) => {
    const entries: yauzl.Entry[] = [];
    zip.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry);
      zip.readEntry();
    });
    zip.once('end', () => {
      zip.close();
      resolve(entries);
    });
    zip.readEntry();
  });
}

function withZip<T>(
  path: string,
  use: (zip: yauzl.ZipFile, resolve: (value: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const damaged = () =>
      reject(new FileRefused('The zip is damaged or not whole. Send it again.'));
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, zip) => {
      if (error) return damaged();
      zip.once('error', damaged);
      use(zip, resolve);
    });
  });
}

/** The entries as one file: each must begin with the first one's header line, which is read once. */
async function* concatenated(
  path: string,
  entries: readonly yauzl.Entry[],
): AsyncGenerator<Buffer> {
  const zip = await withZip<yauzl.ZipFile>(path, (opened, resolve) => resolve(opened));
  let header: string | undefined;
  try {
    for (const [place, entry] of entries.entries()) {
      let start: Buffer | undefined = Buffer.alloc(0);
      let last: Buffer | undefined;
      const content: AsyncIterable<Buffer> = await openEntry(zip, entry);
      for await (const piece of entries.length > 1 ? inUtf8(content) : content) {
        last = piece;
        if (start && entries.length > 1) {
          start = Buffer.concat([start, piece]);
          const end = start.indexOf(10);
          if (end < 0 && start.length < longestHeader) continue;
          const line = start.toString('latin1', 0, end < 0 ? start.length : end);
          const found = line.replace(/^\u00ef\u00bb\u00bf/, '').trimEnd();
          header ??= found;
          // Else columns in another order would be read as those of the first file, or a file without headers
          // would lose its first row.
          if (found !== header) throw new FileRefused(differs(entries[0], entry));
          last = place === 0 ? start : start.subarray(end + 1);
          start = undefined;
        }
        yield last;
      }
      const isOpen = last !== undefined && last.length > 0 && last[last.length - 1] !== 10;
      if (isOpen && place < entries.length - 1) yield Buffer.from('\n');
    }
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused('The zip is damaged or not whole. Send it again.');
  } finally {
    zip.close();
  }
}

/** UTF-16, which begins with its mark, as UTF-8, so that several files can stand in one; other bytes as they are. */
async function* inUtf8(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  let decoder: StringDecoder | undefined;
  for await (const piece of content) {
    let bytes = piece;
    if (start) {
      bytes = Buffer.concat([start, piece]);
      start = bytes.length < utf16Mark.length ? bytes : null;
      if (start) continue;
      if (bytes.subarray(0, utf16Mark.length).equals(utf16Mark)) {
        decoder = new StringDecoder('utf16le');
        bytes = bytes.subarray(utf16Mark.length);
      }
    }
    yield decoder ? Buffer.from(decoder.write(bytes)) : bytes;
  }
  if (start && start.length > 0) yield start;
  const rest = decoder?.end() ?? '';
  if (rest !== '') yield Buffer.from(rest);
}

const utf16Mark = Buffer.from([0xff, 0xfe]);

/** Bytes in which a header line must end. */
const longestHeader = 1024 * 1024;

function differs(first: yauzl.Entry | undefined, other: yauzl.Entry): string {
  return `In the zip ${other.fileName} does not begin with the header line of ${first?.fileName}. Import each file by itself.`;
}

function openEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error)
        reject(new FileRefused(`The zip's ${entry.fileName} cannot be read: is it encrypted?`));
      else resolve(stream);
    });
  });
}
