import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Format } from '../formats/format.ts';
import { explainMissing, type HeaderMatch, matchHeader } from '../formats/header.ts';
import { type JsonListener, JsonRecordReader, looksLikeJson } from './json-records.ts';
import { RecordReader } from './records.ts';

/** The file's bytes, from the start each time it is opened, and the name it goes by in reports. */
export interface SourceFile {
  readonly name: string;
  /** Bytes, where known beforehand. */
  readonly size?: number;
  open(): Readable;
}

/** SHA-256 of the file's bytes. */
export async function digestSource(file: SourceFile): Promise<Buffer> {
  const digest = createHash('sha256');
  for await (const piece of file.open() as AsyncIterable<Buffer>) digest.update(piece);
  return digest.digest();
}

/** The whole file is refused, in words for the clerk. Rolls everything back. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}

/** Why a file is refused whose second reading differs from the first. */
export const changedMeanwhile = 'The file was changed while it was read. Import it again.';

export interface SourceListener {
  /** Once, before any record. */
  onHeader(match: HeaderMatch, header: readonly string[]): void;
  onRecord(cells: readonly string[], line: number): void;
  onBroken(line: number, reason: string, text: string): void;
  /** After each piece of the file, to hand on what it gave. */
  onPiece(bytes: number): Promise<void>;
  /** Whether a line behind the header is to be read at all; only for a file of which it is known that `isLineByLine`. */
  wants?(line: number): boolean;
}

export interface ReadSource {
  readonly sha256: Buffer;
  readonly redecoded: number;
  /** Every record is one line. */
  readonly isLineByLine: boolean;
}

/** So many lines that are no records, and it is another kind of file. */
const mostBrokenLines = 100_000;

/**
 * Reads a file by a format, piece by piece.
 * @throws {FileRefused} when it is not such a file, or not a whole one
 */
export async function readSource(
  file: SourceFile,
  format: Format,
  listener: SourceListener,
): Promise<ReadSource> {
  const isJson = format.json && looksLikeJson(await readStart(file, 1024));
  const delimiter = isJson ? '' : await chooseDelimiter(file, format);
  let hasHeader = false;
  let brokenLines = 0;
  let hasEnded = false;
  const openRecords = (line: readonly string[]) => {
    const header = withoutEmptyEnd(line);
    hasHeader = true;
    if (records instanceof RecordReader) {
      records.fields = header.length;
      records.trailingFields = Math.max(format.trailing_fields, line.length - header.length);
    }
    listener.onHeader(checkHeader(format, header), header);
  };
  const endsRecords = (start: string) => {
    hasEnded ||= format.trailer.some((trailer) => start.startsWith(trailer));
    return hasEnded;
  };
  const found: JsonListener = {
    onRecord: (cells, line) => {
      if (!hasHeader) openRecords([...cells]);
      else if (!endsRecords((cells[0] ?? '').trim())) listener.onRecord(cells, line);
    },
    onBroken: (line, reason, text) => {
      if (!hasHeader) throw new FileRefused(`Its first line ${reason}: it is no header.`);
      if (endsRecords(text.trim())) return;
      brokenLines += 1;
      if (brokenLines > mostBrokenLines) {
        const many = mostBrokenLines.toLocaleString('en-US');
        throw new FileRefused(
          `More than ${many} lines are no records of format ${format.name}: is it the right file, and the right --format?`,
        );
      }
      listener.onBroken(line, reason, text);
    },
    wants: (line) => !hasHeader || listener.wants?.(line) !== false,
    onUnreadable: () => {
      throw new FileRefused('It begins like JSON and is none: is it whole, and the right file?');
    },
  };
  const records = isJson
    ? new JsonRecordReader(format, found)
    : new RecordReader({ delimiter, quote: format.quote, encoding: format.encoding }, found);
  if (records instanceof JsonRecordReader) openRecords(records.header);
  else if (!format.header) openRecords(format.columns ?? []);

  const digest = createHash('sha256');
  let bytes = 0;
  const input = file.open();
  try {
    for await (const piece of input as AsyncIterable<Buffer>) {
      digest.update(piece);
      bytes += piece.length;
      records.push(piece);
      await listener.onPiece(bytes);
    }
    const cutOff = records.end();
    if (!hasHeader) throw new FileRefused('The file is empty.');
    if (cutOff) {
      throw new FileRefused(
        `The file ends in the middle of line ${cutOff.line}, which ${cutOff.reason}: it is probably not whole. Send it again.`,
      );
    }
    await listener.onPiece(bytes);
  } finally {
    input.destroy();
  }
  const isOfLines = records instanceof RecordReader;
  return {
    sha256: digest.digest(),
    redecoded: isOfLines ? records.redecoded : 0,
    isLineByLine: isOfLines && !records.hasLongRecords,
  };
}

/** Of the format's delimiters, the most frequent in the header line. */
async function chooseDelimiter(file: SourceFile, format: Format): Promise<string> {
  const choices = [format.delimiter].flat();
  const [first = ',', ...others] = choices;
  if (others.length === 0) return first;
  const [line = ''] = (await readStart(file, 64 * 1024)).toString('latin1').split('\n');
  const count = (delimiter: string) => line.split(delimiter).length;
  return choices.reduce((best, choice) => (count(choice) > count(best) ? choice : best), first);
}

/** @returns up to so many of the file's first bytes */
export async function readStart(file: SourceFile, bytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  const input = file.open();
  try {
    for await (const piece of input as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length >= bytes) break;
    }
  } finally {
    input.destroy();
  }
  return Buffer.concat(pieces).subarray(0, bytes);
}

/** Some programs end every line with a delimiter. */
function withoutEmptyEnd(header: readonly string[]): readonly string[] {
  return header.slice(0, header.findLastIndex((name) => name.trim() !== '') + 1);
}

function checkHeader(format: Format, header: readonly string[]): HeaderMatch {
  const match = matchHeader(format, header);
  const { missing, repeated } = match;
  if (missing.length === 0 && repeated.length === 0) return match;
  const found = header.map((name) => name.trim().slice(0, 40)).slice(0, 80);
  const what =
    missing.length > 0
      ? `Its header lacks ${missing.join(', ')}`
      : `Its header has ${repeated.join(', ')} twice`;
  throw new FileRefused(
    `${what}: it is not a file of format ${format.name}.${explainMissing(format, missing)} The header found is: ${found.join(', ')}`,
  );
}
