import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Format } from '../formats/format.ts';
import {
  explainMissing,
  type HeaderMatch,
  matchHeader,
  namedColumns,
  normalizeHeader,
} from '../formats/header.ts';
import { describeStart, explainSingleValue, hasValues, isSingleValue } from './describe-start.ts';
import { chooseDialect } from './dialect.ts';
import { type JsonListener, JsonRecordReader, looksLikeJson } from './json-records.ts';
import { isPreamble, preambleText, readSeparator } from './preamble.ts';
import { type Dialect, RecordReader } from './records.ts';
import { decodeWhole, examineStart, startSize, TextPieces } from './text-start.ts';

/** The file's bytes, from the start each time it is opened, and the name it goes by in reports. */
export interface SourceFile {
  readonly name: string;
  /** Bytes, where known beforehand. */
  readonly size?: number;
  open(): Readable;
  /** For the clerk, when the content is not recognized: what of the file was not read. */
  readonly hint?: string;
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

/** A compressed file whose end is missing: perhaps it is still being copied. */
export class FileTorn extends FileRefused {}

/** Why a file is refused whose second reading differs from the first. */
export const changedMeanwhile = 'The file changed while it was being read. Import it again.';

export interface SourceListener {
  /** Once, before any record. @param dialect null in JSON */
  onHeader(match: HeaderMatch, header: readonly string[], dialect: Dialect | null): void;
  /** Each line of the format's preamble, before the header. */
  onPreamble?(text: string): void;
  /** Two records of one dialect with the same `text` have the same cells. */
  onRecord(cells: readonly string[], line: number, text: string): void;
  onBroken(line: number, reason: string, text: string): void;
  /** After each piece of the file, to hand on what it gave. */
  onPiece(bytes: number): Promise<void>;
  /** Whether to read a line after the header; only for a file known to be `isLineByLine`. */
  wants?(line: number): boolean;
}

export interface ReadSource {
  readonly sha256: Buffer;
  readonly redecoded: number;
  /** Every record is one line. */
  readonly isLineByLine: boolean;
  /** No line end follows the last record. */
  readonly endsInLine: boolean;
}

/** A row of delimiters alone, as Excel exports rows that once had values. */
function isEmpty(cells: readonly string[]): boolean {
  return (cells[0] ?? '').trim() === '' && cells.every((cell) => cell.trim() === '');
}

function isHeader(names: readonly string[], cells: readonly string[]): boolean {
  if (normalizeHeader(cells[0] ?? '') !== names[0]) return false;
  return names.every((name, place) => normalizeHeader(cells[place] ?? '') === name);
}

/** With more lines than this that are not records, it is another kind of file. */
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
  const start = await readStart(file, startSize);
  const isJson = format.json && looksLikeJson(start);
  const encoding = examineStart(start);
  const text = readableStart(start);
  const dialect = isJson ? null : chooseDialect(format, text);
  const looks = isJson ? undefined : describeStart(start, text, file.name);
  let names: readonly string[] = [];
  let hasHeader = false;
  let brokenLines = 0;
  let hasEnded = false;
  let endsInLine = false;
  const openRecords = (line: readonly string[]) => {
    const header = withoutEmptyEnd(line);
    names = header.map(normalizeHeader);
    hasHeader = true;
    if (records instanceof RecordReader) {
      records.fields = header.length;
      records.trailingFields = Math.max(format.trailing_fields, line.length - header.length);
    }
    listener.onHeader(checkHeader(format, header, looks), header, dialect);
  };
  const isTrailer = (start: string) => {
    const isOne = format.trailer.some((trailer) => start.startsWith(trailer));
    hasEnded ||= isOne;
    return isOne;
  };
  let scans = 0;
  const found: JsonListener = {
    onRecord: (cells, line, text) => {
      if (isJson && isScan(format, cells)) scans += 1;
      if (!hasHeader && isPreamble(format, cells)) listener.onPreamble?.(preambleText(cells));
      else if (!hasHeader) openRecords([...cells]);
      else if (isTrailer((cells[0] ?? '').trim()) || (!isJson && isEmpty(cells))) return;
      else if (!isJson && isHeader(names, cells))
        listener.onBroken(line, 'repeats the column names: are these two files in one?', text);
      else if (hasEnded)
        listener.onBroken(line, 'comes after the totals: are these two files in one?', text);
      else listener.onRecord(cells, line, text);
    },
    onBroken: (line, reason, text) => {
      if (!hasHeader)
        throw new FileRefused(
          looks === undefined
            ? `The first line ${reason}, so it is not a line of column names.`
            : `This is not a file of format ${format.name}. ${looks}`,
        );
      // Text below the totals is not a row that broke.
      if (isTrailer(text.trim()) || hasEnded) return;
      // Without column names, nothing else can stand above the rows.
      if (line === 1 && readSeparator(`${text}\n`) !== null) return;
      brokenLines += 1;
      if (brokenLines > mostBrokenLines) {
        const many = mostBrokenLines.toLocaleString('en-US');
        throw new FileRefused(
          `More than ${many} lines are not rows of format ${format.name}. Is it the right file, and the right --format?`,
        );
      }
      listener.onBroken(line, reason, text);
    },
    wants: (line) => !hasHeader || listener.wants?.(line) !== false,
    onUnreadable: () => {
      throw new FileRefused(
        'The file starts like JSON, but it is not JSON. Is it complete, and the right file?',
      );
    },
  };
  const records = dialect ? new RecordReader(dialect, found) : new JsonRecordReader(format, found);
  const pieces = new TextPieces(encoding);
  if (records instanceof JsonRecordReader) openRecords(records.header);
  else if (!format.header) openRecords(format.columns ?? []);

  const digest = createHash('sha256');
  let bytes = 0;
  const input = file.open();
  try {
    for await (const piece of input as AsyncIterable<Buffer>) {
      digest.update(piece);
      bytes += piece.length;
      records.push(pieces.push(piece));
      await listener.onPiece(bytes);
    }
    records.push(pieces.end());
    const cutOff = records.end();
    if (!hasHeader || bytes === 0) throw new FileRefused(explainEmpty(file));
    if (isJson && scans === 0) throw new FileRefused(notScans(format));
    if (cutOff?.reason && !hasEnded) {
      throw new FileRefused(
        `The file ends in the middle of line ${cutOff.line}, which ${cutOff.reason}. It is probably not complete. Send it again.`,
      );
    }
    endsInLine = cutOff !== null;
    await listener.onPiece(bytes);
  } finally {
    input.destroy();
  }
  const isOfLines = records instanceof RecordReader;
  return {
    sha256: digest.digest(),
    redecoded: isOfLines ? records.redecoded : 0,
    isLineByLine: isOfLines && !records.hasLongRecords,
    endsInLine,
  };
}

/** A scan has a barcode or a time, be it unreadable; the answer about a barcode that was never scanned has nothing at all. */
function isScan(format: Format, cells: readonly string[]): boolean {
  const columns = namedColumns(format);
  const isFilled = (name: string) => (cells[columns.indexOf(name)] ?? '') !== '';
  const needed = [...format.required, ...format.required_one_of];
  return needed.some(isFilled) || cells.every((cell) => cell === '');
}

function notScans({ required, required_one_of: either }: Format): string {
  const members = [either.join(' or '), ...required].filter((name) => name !== '').join(' and ');
  return `This JSON file has no USPS scans: no entry has ${members}. Is it the right file?`;
}

/** A file's start as UTF-8 with line feeds, whatever it is written in. */
export function readableStart(start: Buffer): Buffer {
  const how = examineStart(start);
  const text = decodeWhole(start, how.encoding);
  return how.hasBareReturns ? new TextPieces({ ...how, encoding: 'utf-8' }).push(text) : text;
}

export function explainEmpty({ name }: SourceFile): string {
  return `${name} is empty. Export it again, and check that the export has finished.`;
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

/** @param looks what the file looks like, if it is not a table */
function checkHeader(
  format: Format,
  header: readonly string[],
  looks: string | undefined,
): HeaderMatch {
  const match = matchHeader(format, header);
  const { missing, repeated } = match;
  if (missing.length === 0 && repeated.length === 0) return match;
  // A line of a voter's data is neither shown nor kept on record.
  const [first = '', ...others] = header;
  const isUndivided = others.length === 0 && isSingleValue(`"${first}"`);
  const isData = hasValues(header) || (isUndivided && hasValues(first.split(/[,;\t|]/)));
  if (missing.length > 0 && (looks !== undefined || isData)) {
    const noNames =
      'Its first line has values in place of the names of columns: export it again with the names.';
    throw new FileRefused(
      `This is not a file of format ${format.name}. ${looks ?? (isUndivided ? explainSingleValue : noNames)}`,
    );
  }
  const found = header.map((name) => name.trim().slice(0, 40)).slice(0, 80);
  const what =
    missing.length > 0
      ? `The file has no column ${missing.join(', ')}`
      : `The file has two columns named ${repeated.join(', ')}`;
  throw new FileRefused(
    `${what}, so it is not a file of format ${format.name}.${explainMissing(format, missing)} Its columns are: ${found.join(', ')}`,
  );
}
