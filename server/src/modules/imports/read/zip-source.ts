import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import yauzl from 'yauzl';
import { isUnavailable } from '../../../platform/postgres.ts';
import { withinLimits } from './packed-size.ts';
import { readSeparator } from './preamble.ts';
import { FileRefused, FileTorn, readableStart } from './source-file.ts';
import type { StoredFile } from './stored-file.ts';
import { examineStart, startSize, TextPieces } from './text-start.ts';

/**
 * Of a zip of several files those of the county, else the statewide one, else all. Clayton's is none of Clay's, though its name begins
 * so: parts of words count only where nothing else is there.
 */
export function chooseEntries(entries: readonly yauzl.Entry[], county: string): yauzl.Entry[] {
  const files = entries
    .filter(
      ({ fileName }) => !/\/$|(^|\/)([._]|readme)|\.(pdf|txt\.md|docx?|xlsx?)$/i.test(fileName),
    )
    .sort((a, b) => (a.fileName < b.fileName ? -1 : 1));
  const own = lettersOf(county);
  const choices = [
    files.filter(({ fileName }) => hasWords(basename(fileName), own)),
    files.filter(({ fileName }) => lettersOf(basename(fileName)).includes('statewide')),
    files.filter(({ fileName }) => lettersOf(basename(fileName)).includes(own)),
    files,
  ];
  const chosen = choices.find((some) => some.length > 0);
  if (!chosen) throw new FileRefused(explainNoFile(entries));
  return chosen;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]|county/g, '');
}

/** Whether some of a name's words, one after the other, are these. */
function hasWords(name: string, wanted: string): boolean {
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return words.some((_, from) =>
    words.some((_, to) => lettersOf(words.slice(from, to + 1).join('')) === wanted),
  );
}

function explainNoFile(entries: readonly yauzl.Entry[]): string {
  const workbook = entries.find(({ fileName }) => /\.xls[xmb]?$/i.test(fileName));
  return workbook
    ? `The zip contains no file that can be read, but a workbook: unpack it, and import ${basename(workbook.fileName)}.`
    : 'The zip contains no file that can be read.';
}

/** @throws {FileRefused} when it is damaged */
export function listEntries(file: StoredFile): Promise<yauzl.Entry[]> {
  return withZip(file, (zip, resolve) => {
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

/** Gives the zip's reader any part of a file. */
class PartReader extends yauzl.RandomAccessReader {
  readonly #file: StoredFile;

  constructor(file: StoredFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#file.read(start, end);
  }
}

function withZip<T>(
  file: StoredFile,
  use: (zip: yauzl.ZipFile, resolve: (value: T) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(explainDamage(error, file.name));
    const options = { lazyEntries: true, autoClose: false };
    yauzl.fromRandomAccessReader(new PartReader(file), file.size, options, (error, zip) => {
      if (error) return fail(error);
      zip.once('error', fail);
      use(zip, resolve);
    });
  });
}

/** A database that is away says nothing about the file in it. */
function explainDamage(error: unknown, name: string): unknown {
  if (error instanceof FileRefused || isUnavailable(error)) return error;
  return new FileTorn(explainTorn(name));
}

/** Documents that are zip files inside, which nobody but their program calls so. */
const documents: readonly (readonly [name: RegExp, is: string, program: string])[] = [
  [/\.xls[xmb]$/i, 'Excel workbook', 'Excel'],
  [/\.ods$/i, 'OpenDocument file', 'the program that wrote it'],
  [/\.docx$/i, 'Word document', 'Word'],
  [/\.numbers$/i, 'Numbers document', 'Numbers'],
];

function explainTorn(name: string): string {
  const known = documents.find(([pattern]) => pattern.test(name));
  if (!known) return 'The zip is damaged or not complete. Send it again.';
  const [, is, program] = known;
  return `The ${is} ${name} is damaged or its end is missing. Copy or download it again. If ${program} cannot open it either, ask for a new export.`;
}

/** For a zip that is not recognized. */
export function listNames(entries: readonly yauzl.Entry[]): string {
  const names = entries.slice(0, 5).map(({ fileName }) => fileName);
  const more = entries.length > names.length ? ' and more' : '';
  return `The zip has ${entries.length} files: ${names.join(', ')}${more}. Unpack it, and import each by itself.`;
}

/** One entry's bytes. @throws {FileRefused} when it is damaged */
export async function* readEntry(file: StoredFile, entry: yauzl.Entry): AsyncGenerator<Buffer> {
  yield* concatenated(file, [entry]);
}

/** The entries as one file: each must begin with the first one's header line, which is read once. */
export async function* concatenated(
  file: StoredFile,
  entries: readonly yauzl.Entry[],
): AsyncGenerator<Buffer> {
  const zip = await withZip<yauzl.ZipFile>(file, (opened, resolve) => resolve(opened));
  let header: { readonly line: string; readonly of: yauzl.Entry } | undefined;
  /** Without the header line, unless it is the first; null while the line has no end. */
  const afterHeader = (start: Buffer, entry: yauzl.Entry, isWhole: boolean) => {
    const after = readSeparator(start.toString('latin1', 0, 32))?.end ?? 0;
    const end = start.indexOf(10, after);
    if (end < 0 && !isWhole && start.length < longestHeader) return null;
    const line = start.toString('latin1', 0, end < 0 ? start.length : end);
    const found = line.replace(/^\u00ef\u00bb\u00bf/, '').trimEnd();
    const isFirst = header === undefined;
    header ??= { line: found, of: entry };
    // Else columns in another order would be read as those of the first file, or a file without headers
    // would lose its first row.
    if (found !== header.line) throw new FileRefused(differs(header.of, entry));
    return isFirst ? start : start.subarray(end < 0 ? start.length : end + 1);
  };
  try {
    for (const [place, entry] of entries.entries()) {
      let start: Buffer | undefined = entries.length > 1 ? Buffer.alloc(0) : undefined;
      let last: Buffer | undefined;
      const content = withinLimits(
        await openEntry(zip, entry),
        entry.compressedSize,
        entry.fileName,
      );
      for await (const piece of entries.length > 1 ? inUtf8(content) : content) {
        last = piece;
        if (start) {
          start = Buffer.concat([start, piece]);
          const rest = afterHeader(start, entry, false);
          if (rest === null) continue;
          last = rest;
          start = undefined;
        }
        yield last;
      }
      if (start && start.length > 0) {
        last = afterHeader(start, entry, true) ?? start;
        yield last;
      }
      const isOpen = last !== undefined && last.length > 0 && last[last.length - 1] !== 10;
      if (isOpen && place < entries.length - 1) yield Buffer.from('\n');
    }
  } catch (error) {
    throw explainDamage(error, file.name);
  } finally {
    zip.close();
  }
}

/** Text of any encoding as UTF-8 with line feeds, so that several files can stand in one; other bytes as they are. */
async function* inUtf8(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let start = Buffer.alloc(0);
  let pieces: TextPieces | undefined;
  for await (const piece of content) {
    if (pieces) {
      yield pieces.push(piece);
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < startSize) continue;
    pieces = new TextPieces(examineStart(start));
    yield pieces.push(start);
  }
  if (!pieces) yield readableStart(start);
  else yield pieces.end();
}

/** Bytes in which a header line must end. */
const longestHeader = 1024 * 1024;

function differs(first: yauzl.Entry, other: yauzl.Entry): string {
  return `In the zip ${other.fileName} does not begin with the header line of ${first.fileName}. Import each file by itself.`;
}

function openEntry(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (!error) resolve(stream);
      else if (isUnavailable(error)) reject(error);
      else reject(new FileRefused(`The zip's ${entry.fileName} cannot be read: is it encrypted?`));
    });
  });
}
