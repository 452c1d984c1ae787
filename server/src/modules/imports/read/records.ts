import { isAscii, isUtf8 } from 'node:buffer';
import { decodeBytes, type FallbackEncoding } from './fallback-encoding.ts';
import { countLines, cutByWidths, findOpeningQuote, isBlank, skipSpaces } from './lines.ts';

/** How a file parts its records. */
export interface Dialect {
  readonly delimiter: string;
  /** Null: the format quotes nothing. */
  readonly quote: '"' | null;
  /** What bytes that are not UTF-8 are read as. */
  readonly encoding: FallbackEncoding;
  /** Characters of each field, where nothing stands between them; it then counts instead of the delimiter. */
  readonly widths?: readonly number[] | undefined;
}

export interface RecordListener {
  /**
   * `cells` is valid during the call only. `line` counts from 1, as an editor shows it. Two records of one dialect with the same
   * `text` have the same cells.
   */
  onRecord(cells: readonly string[], line: number, text: string): void;
  /** A line that is no record. */
  onBroken(line: number, reason: string, text: string): void;
  /**
   * Whether a line is to be cut at all; without it each is. Only for a file of which an earlier reading has found that
   * every record is one line.
   */
  wants?(line: number): boolean;
}

const LF = 10;
/** A quoted value may span lines, but a quotation mark that is still open then was never meant to open one. */
const longestRecord = 64 * 1024;
/** No record of any office is near it. A longer line is passed over without being kept. */
const longestLine = 1024 * 1024;

/**
 * Cuts a stream of bytes into records by RFC 4180, correcting what offices' exports get wrong: a byte-order mark, mixed
 * line ends, a stray quote inside a value, lines in another encoding, blank lines, the end-of-file mark of DOS. What
 * cannot be corrected costs its own line only.
 */
export class RecordReader {
  readonly #dialect: Dialect;
  readonly #listener: RecordListener;
  /** Bytes of a line whose end has not come yet. */
  #bytes: Buffer = Buffer.alloc(0);
  /** Lines of a quoted value whose end has not come yet. */
  #open = '';
  #line = 1;
  #redecoded = 0;
  #isStart = true;
  /** What came so far of the present line is too long to be kept. */
  #isLineTooLong = false;
  #brokenAtEnd: { line: number; reason: string } | null = null;
  readonly #cells: string[] = [];

  constructor(dialect: Dialect, listener: RecordListener) {
    this.#dialect = dialect;
    this.#listener = listener;
  }

  /** Fields that every record from now on must have; unset, any number will do. */
  fields: number | undefined;
  /** Empty fields that a record may have beyond {@link fields}. */
  trailingFields = 0;

  #hasLongRecords = false;

  /** Whether any record so far went over several lines. */
  get hasLongRecords(): boolean {
    return this.#hasLongRecords;
  }

  /** Lines taken for the fallback encoding. */
  get redecoded(): number {
    return this.#redecoded;
  }

  push(chunk: Buffer): void {
    let bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, chunk]) : chunk;
    if (this.#isStart) {
      if (bytes.length < 4) {
        this.#bytes = bytes;
        return;
      }
      bytes = this.#readMark(bytes);
    }
    if (this.#isLineTooLong) bytes = this.#skipLongLine(bytes);
    const end = bytes.lastIndexOf(LF) + 1;
    this.#bytes = bytes.subarray(end);
    if (end > 0) this.#read(this.#decode(bytes.subarray(0, end)), false);
    if (this.#bytes.length > longestLine) {
      this.#isLineTooLong = true;
      this.#bytes = Buffer.alloc(0);
    }
  }

  /** @returns what follows the line that is too long; nothing when it goes on */
  #skipLongLine(bytes: Buffer): Buffer {
    const end = bytes.indexOf(LF) + 1;
    if (end === 0) return Buffer.alloc(0);
    this.#refuseLongLine();
    return bytes.subarray(end);
  }

  #refuseLongLine(): void {
    this.#isLineTooLong = false;
    if (this.#open !== '') {
      // The quoted value that the line is in does not end where it should.
      this.#read('', true);
    }
    this.#break('is longer than a megabyte', '', false);
    this.#line += 1;
  }

  /** @returns the last line where no line end follows it, and why it is no record: the file is then probably not whole */
  end(): { line: number; reason: string | null } | null {
    let rest = this.#bytes;
    if (this.#isStart) rest = this.#readMark(rest);
    if (this.#isLineTooLong) this.#refuseLongLine();
    const text = this.#decode(rest);
    const isCutOff = !isBlank(text) && !text.endsWith('\n');
    this.#read(isCutOff ? `${text}\n` : text, true);
    return isCutOff ? (this.#brokenAtEnd ?? { line: this.#line - 1, reason: null }) : null;
  }

  #readMark(bytes: Buffer): Buffer {
    this.#isStart = false;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3);
    return bytes;
  }

  #decode(bytes: Buffer): string {
    if (isAscii(bytes)) return bytes.toString('latin1');
    if (isUtf8(bytes)) return bytes.toString('utf8');
    const lines: string[] = [];
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(LF, start);
      const line = bytes.subarray(start, newline < 0 ? bytes.length : newline + 1);
      start += line.length;
      if (isUtf8(line)) {
        lines.push(line.toString('utf8'));
      } else {
        this.#redecoded += 1;
        lines.push(decodeBytes(line, this.#dialect.encoding));
      }
    }
    return lines.join('');
  }

  /** @param more whole lines */
  #read(more: string, isLast: boolean): void {
    const text = this.#open === '' ? more : this.#open + more;
    this.#open = '';
    const hasQuotes = this.#dialect.quote !== null;
    const hasNul = text.includes('\0');
    let nextQuote = hasQuotes ? text.indexOf('"') : -1;
    let start = 0;
    while (start < text.length) {
      const newline = text.indexOf('\n', start);
      if (newline < 0) break;
      if (this.#listener.wants?.(this.#line) === false) {
        start = newline + 1;
        this.#line += 1;
        continue;
      }
      if (newline - start > longestLine) {
        this.#break('is longer than a megabyte', '', newline === text.length - 1);
        start = newline + 1;
        this.#line += 1;
        continue;
      }
      if (nextQuote >= 0 && nextQuote < start) nextQuote = text.indexOf('"', start);
      if (nextQuote < 0 || nextQuote > newline) {
        this.#readPlain(text, start, newline, hasNul);
        start = newline + 1;
        this.#line += 1;
        continue;
      }
      const end = this.#readQuoted(text, start, newline, { isLast, hasNul });
      if (end < 0) break;
      start = end;
    }
    this.#open = text.slice(start);
  }

  #readPlain(text: string, start: number, newline: number, hasNul: boolean): void {
    const end = newline > start && text.charCodeAt(newline - 1) === 13 ? newline - 1 : newline;
    const cells = this.#cells;
    cells.length = 0;
    const { delimiter, widths } = this.#dialect;
    let at = start;
    if (widths) cutByWidths(text.slice(start, end), widths, cells);
    while (!widths) {
      const stop = text.indexOf(delimiter, at);
      if (stop < 0 || stop >= end) {
        cells.push(text.slice(at, end));
        break;
      }
      cells.push(text.slice(at, stop));
      at = stop + 1;
    }
    const isAtEnd = newline === text.length - 1;
    if ((widths || cells.length === 1) && isBlank(cells.join(''))) return;
    if (hasNul && text.slice(start, end).includes('\0')) {
      this.#break(nulProblem, text.slice(start, end), isAtEnd);
      return;
    }
    this.#accept(text, start, end, isAtEnd);
  }

  /** @returns where the next record starts, or -1 when more lines are needed to know */
  #readQuoted(
    text: string,
    start: number,
    newline: number,
    { isLast, hasNul }: { readonly isLast: boolean; readonly hasNul: boolean },
  ): number {
    const { delimiter } = this.#dialect;
    const cells = this.#cells;
    cells.length = 0;
    const refuse = (reason: string): number => {
      this.#break(reason, text.slice(start, newline), newline === text.length - 1);
      this.#line += 1;
      return newline + 1;
    };
    let at = start;
    let lineEnd = newline;
    for (;;) {
      if (text[at] === ' ') at = findOpeningQuote(text, at, delimiter);
      if (text[at] === '"') {
        let close = text.indexOf('"', at + 1);
        let hasInner = false;
        while (close >= 0 && text[close + 1] === '"') {
          hasInner = true;
          close = text.indexOf('"', close + 2);
        }
        if (close < 0 || close - start > longestRecord) {
          const isTooLong = (close < 0 ? text.length : close) - start > longestRecord;
          return isTooLong || isLast ? refuse('opens a quotation mark that nothing closes') : -1;
        }
        const inside = text.slice(at + 1, close);
        cells.push(hasInner ? inside.replaceAll('""', '"') : inside);
        at = skipSpaces(text, close + 1, delimiter);
      } else {
        // A quote inside an unquoted value is a nickname's or an inch's, and means itself.
        if (lineEnd < at) lineEnd = text.indexOf('\n', at);
        const delimited = text.indexOf(delimiter, at);
        const isLastCell = delimited < 0 || delimited > lineEnd;
        let stop = isLastCell ? lineEnd : delimited;
        if (isLastCell && stop > at && text[stop - 1] === '\r') stop -= 1;
        cells.push(text.slice(at, stop));
        at = stop;
      }
      if (text[at] === delimiter) {
        at += 1;
        continue;
      }
      const end = at;
      if (text[at] === '\r') at += 1;
      if (text[at] !== '\n') return refuse('has text after a closing quotation mark');
      if (hasNul && text.slice(start, at).includes('\0')) return refuse(nulProblem);
      if (this.#isMiscounted() && at !== newline) return refuse(this.#miscount());
      this.#accept(text, start, end, at === text.length - 1);
      if (at === newline) {
        this.#line += 1;
      } else {
        this.#hasLongRecords = true;
        this.#line += countLines(text, start, at);
      }
      return at + 1;
    }
  }

  #accept(text: string, start: number, end: number, isAtEnd: boolean): void {
    const record = text.slice(start, end);
    if (this.#isMiscounted()) this.#break(this.#miscount(), record, isAtEnd);
    else this.#listener.onRecord(this.#cells, this.#line, record);
  }

  #isMiscounted(): boolean {
    const { fields, trailingFields } = this;
    const found = this.#cells.length;
    if (fields === undefined || found === fields) return false;
    if (found < fields || found > fields + trailingFields) return true;
    return this.#cells.slice(fields).some((cell) => cell.trim() !== '');
  }

  #miscount(): string {
    const found = this.#cells.length;
    return `has ${found} field${found === 1 ? '' : 's'}, not ${this.fields}`;
  }

  #break(reason: string, text: string, isAtEnd: boolean): void {
    if (isAtEnd) this.#brokenAtEnd = { line: this.#line, reason };
    this.#listener.onBroken(this.#line, reason, text.replace(/\r$/, ''));
  }
}

const nulProblem = 'contains a NUL character';
