import { isUtf8 } from 'node:buffer';

/** How a file parts its records: single bytes, as PostgreSQL's COPY takes them. */
export interface Dialect {
  readonly delimiter: string;
  /** Null: the format quotes nothing. */
  readonly quote: '"' | null;
  /** What bytes that are no UTF-8 are taken for. */
  readonly fallbackEncoding: FallbackEncoding;
}
export type FallbackEncoding = 'windows-1252' | 'cp437';

/** A line that cannot be a record. `line` counts from 1, as an editor shows it. */
export interface RecordProblem {
  readonly line: number;
  readonly reason: string;
}

/** From the `from`-th record on (counted from 1), a record's line in the file is its number plus `delta`. */
export interface LineOffset {
  readonly from: number;
  readonly delta: number;
}

const LF = 10;
const CR = 13;
const QUOTE = 34;
const NUL = 0;
/** A quoted value may span lines, but one that has not closed by then was never meant to be open. */
const longestRecord = 64 * 1024;

/**
 * Cuts a stream of bytes into whole records fit for COPY … CSV, without turning any into a string.
 *
 * Good stretches pass through as they came. A record that COPY would stumble over is mended (mixed line ends, a
 * stray quote inside a value, bytes in the fallback encoding) or left out and reported with its line.
 */
export class RecordReader {
  readonly #dialect: Dialect;
  readonly #delimiter: number;
  readonly #onProblem: (problem: RecordProblem) => void;
  readonly #lineOffsets: LineOffset[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #line = 1;
  #records = 0;
  #redecoded = 0;
  #fields: number | undefined;
  #endsWithCr: boolean | undefined;
  #problemAtEnd: RecordProblem | null = null;

  constructor(dialect: Dialect, onProblem: (problem: RecordProblem) => void) {
    this.#dialect = dialect;
    this.#delimiter = dialect.delimiter.charCodeAt(0);
    this.#onProblem = onProblem;
  }

  /** Records passed through so far. */
  get records(): number {
    return this.#records;
  }
  /** Records taken for the fallback encoding. */
  get redecoded(): number {
    return this.#redecoded;
  }
  /** Where line numbers part from record numbers. */
  get lineOffsets(): readonly LineOffset[] {
    return this.#lineOffsets;
  }
  /** Fields every further record must have. */
  get fields(): number | undefined {
    return this.#fields;
  }
  set fields(fields: number) {
    this.#fields = fields;
  }

  /**
   * Takes the first record off the front, as the header.
   * @returns its values and the rest of the bytes, or null when more bytes are needed.
   */
  takeHeader(chunk: Buffer, isLast: boolean): { values: string[]; rest: Buffer } | null {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    if (this.#line === 1 && bytes.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) {
      bytes = bytes.subarray(3);
    }
    for (;;) {
      const end = bytes.indexOf(LF);
      if (end < 0 && !isLast) {
        this.#rest = bytes;
        return null;
      }
      const record = bytes.subarray(0, end < 0 ? bytes.length : end);
      bytes = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 1);
      this.#line += 1;
      if (isBlank(record) && bytes.length > 0) continue;
      this.#rest = Buffer.alloc(0);
      return { values: this.#split(record), rest: bytes };
    }
  }

  /** @returns whole records, ready for COPY; none of the parts is copied that needs no mending. */
  push(chunk: Buffer): Buffer[] {
    return this.#read(this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk, false);
  }

  /**
   * The records that were still open.
   * `cutOff`: the file ends in the middle of its last line, and so is probably not whole.
   */
  end(): { parts: Buffer[]; cutOff: RecordProblem | null } {
    const bytes = this.#rest;
    if (isBlank(bytes)) return { parts: [], cutOff: null };
    const hasLineEnd = bytes[bytes.length - 1] === LF;
    const newline = Buffer.from(this.#endsWithCr ? '\r\n' : '\n');
    const whole = hasLineEnd ? bytes : Buffer.concat([bytes, newline]);
    const parts = this.#read(whole, true);
    return { parts, cutOff: hasLineEnd ? null : this.#problemAtEnd };
  }

  #read(bytes: Buffer, isLast: boolean): Buffer[] {
    const parts: Buffer[] = [];
    let goodStart = 0;
    let start = 0;
    let nextQuote = this.#nextQuote(bytes, 0);
    const hasNul = bytes.indexOf(NUL) >= 0;
    const leaveOut = (end: number, replacement?: Buffer) => {
      if (start > goodStart) parts.push(this.#decode(bytes.subarray(goodStart, start)));
      if (replacement) parts.push(this.#decode(replacement));
      goodStart = end;
    };

    while (start < bytes.length) {
      const newline = bytes.indexOf(LF, start);
      if (newline < 0) break;
      if (nextQuote >= 0 && nextQuote < start) nextQuote = this.#nextQuote(bytes, start);
      const measured =
        nextQuote >= 0 && nextQuote < newline
          ? this.#measureQuoted(bytes, start, newline, isLast)
          : this.#measurePlain(bytes, start, newline);
      if (measured === 'open') break;
      const { end, problem } = measured;
      const reason =
        problem ??
        (hasNul && bytes.subarray(start, end).includes(NUL) ? 'holds a NUL character' : undefined);
      if (measured.isBlank) {
        leaveOut(end);
      } else if (reason) {
        const found = { line: this.#line, reason };
        this.#onProblem(found);
        if (end === bytes.length) this.#problemAtEnd = found;
        leaveOut(end);
      } else {
        this.#records += 1;
        this.#noteLine();
        if (measured.mend) leaveOut(end, this.#mend(bytes.subarray(start, end)));
      }
      this.#line += measured.lines;
      start = end;
    }
    if (start > goodStart) parts.push(this.#decode(bytes.subarray(goodStart, start)));
    this.#rest = bytes.subarray(start);
    return parts;
  }

  #nextQuote(bytes: Buffer, from: number): number {
    return this.#dialect.quote === null ? -1 : bytes.indexOf(QUOTE, from);
  }

  #measurePlain(bytes: Buffer, start: number, newline: number): Measured {
    const delimiter = this.#delimiter;
    let end = newline;
    const hasCr = end > start && bytes[end - 1] === CR;
    if (hasCr) end -= 1;
    if ((bytes[start] ?? 0) <= 0x20 && isBlank(bytes.subarray(start, end))) {
      return { end: newline + 1, lines: 1, isBlank: true };
    }
    let fields = 1;
    let hasBareCr = false;
    for (let at = start; at < end; at += 1) {
      const byte = bytes[at];
      if (byte === delimiter) fields += 1;
      else if (byte === CR) hasBareCr = true;
    }
    const mend = hasBareCr || this.#isOtherLineEnd(hasCr);
    return { end: newline + 1, lines: 1, mend, problem: this.#fieldProblem(fields) };
  }

  /** A record with a quote in it, by RFC 4180. What breaks the rule costs its first line only. */
  #measureQuoted(
    bytes: Buffer,
    start: number,
    newline: number,
    isLast: boolean,
  ): Measured | 'open' {
    const refuse = (problem: string): Measured => ({ end: newline + 1, lines: 1, problem });
    let at = start;
    let fields = 1;
    let mend = false;
    let lines = 1;
    for (;;) {
      if (bytes[at] === QUOTE) {
        let close = bytes.indexOf(QUOTE, at + 1);
        while (close >= 0 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2);
        const isTooLong = (close < 0 ? bytes.length : close) - start > longestRecord;
        if (close < 0 || close + 1 >= bytes.length || isTooLong) {
          return isTooLong || isLast
            ? refuse('opens a quotation mark that nothing closes')
            : 'open';
        }
        for (
          let cr = bytes.indexOf(LF, at);
          cr >= 0 && cr < close;
          cr = bytes.indexOf(LF, cr + 1)
        ) {
          lines += 1;
        }
        at = close + 1;
      } else {
        while (at < bytes.length && bytes[at] !== this.#delimiter && bytes[at] !== LF) {
          if (bytes[at] === QUOTE || (bytes[at] === CR && bytes[at + 1] !== LF)) mend = true;
          at += 1;
        }
        if (at < bytes.length && bytes[at] === LF && bytes[at - 1] === CR) at -= 1;
      }
      if (bytes[at] === this.#delimiter) {
        fields += 1;
        at += 1;
        continue;
      }
      const hasCr = bytes[at] === CR;
      const end = hasCr ? at + 1 : at;
      if (end >= bytes.length) return 'open';
      if (bytes[end] !== LF) return refuse('has text after a closing quotation mark');
      if (this.#isOtherLineEnd(hasCr)) mend = true;
      const problem = this.#fieldProblem(fields);
      return problem ? refuse(problem) : { end: end + 1, lines, mend };
    }
  }

  /** COPY wants the line ends of the first record throughout. */
  #isOtherLineEnd(hasCr: boolean): boolean {
    this.#endsWithCr ??= hasCr;
    return hasCr !== this.#endsWithCr;
  }

  #fieldProblem(fields: number): string | undefined {
    this.#fields ??= fields;
    if (fields === this.#fields) return undefined;
    return `has ${fields} field${fields === 1 ? '' : 's'}, not ${this.#fields}`;
  }

  #noteLine(): void {
    const delta = this.#line - this.#records;
    if (delta !== (this.#lineOffsets.at(-1)?.delta ?? 0)) {
      this.#lineOffsets.push({ from: this.#records, delta });
    }
  }

  #mend(record: Buffer): Buffer {
    const quoted = this.#splitBytes(record).map(
      (value) => `"${value.toString('latin1').replace(/\r/g, ' ').replaceAll('"', '""')}"`,
    );
    const newline = this.#endsWithCr ? '\r\n' : '\n';
    return Buffer.from(`${quoted.join(this.#dialect.delimiter)}${newline}`, 'latin1');
  }

  #decode(part: Buffer): Buffer {
    if (isUtf8(part)) return part;
    const lines: Buffer[] = [];
    for (let start = 0; start < part.length; ) {
      const newline = part.indexOf(LF, start);
      const line = part.subarray(start, newline < 0 ? part.length : newline + 1);
      start += line.length;
      if (isUtf8(line)) {
        lines.push(line);
      } else {
        this.#redecoded += 1;
        lines.push(Buffer.from(decodeBytes(line, this.#dialect.fallbackEncoding)));
      }
    }
    return Buffer.concat(lines);
  }

  #split(record: Buffer): string[] {
    return this.#splitBytes(record).map((value) =>
      isUtf8(value) ? value.toString('utf8') : decodeBytes(value, this.#dialect.fallbackEncoding),
    );
  }

  /** The values of one record that is known to be whole. */
  #splitBytes(record: Buffer): Buffer[] {
    const values: Buffer[] = [];
    let end = record.length;
    if (record[end - 1] === LF) end -= 1;
    if (record[end - 1] === CR) end -= 1;
    let at = 0;
    for (;;) {
      let value: Buffer;
      if (this.#dialect.quote !== null && record[at] === QUOTE && at < end) {
        let close = record.indexOf(QUOTE, at + 1);
        while (close >= 0 && record[close + 1] === QUOTE) close = record.indexOf(QUOTE, close + 2);
        if (close < 0 || close >= end) close = end;
        const inside = record.toString('latin1', at + 1, close).replaceAll('""', '"');
        value = Buffer.from(inside, 'latin1');
        at = Math.min(close + 1, end);
        while (at < end && record[at] !== this.#delimiter) at += 1;
      } else {
        let stop = record.indexOf(this.#delimiter, at);
        if (stop < 0 || stop > end) stop = end;
        value = record.subarray(at, stop);
        at = stop;
      }
      values.push(value);
      if (at >= end) return values;
      at += 1;
    }
  }
}

interface Measured {
  /** Past the line end. */
  readonly end: number;
  readonly lines: number;
  readonly isBlank?: boolean;
  readonly mend?: boolean;
  readonly problem?: string | undefined;
}

/** Nothing, blanks, or the end-of-file mark of DOS. */
function isBlank(record: Buffer): boolean {
  return record.every(
    (byte) => byte === 0x20 || byte === 0x09 || byte === CR || byte === 0x1a || byte === LF,
  );
}

const windows1252 = new TextDecoder('windows-1252');
/** The upper half of code page 437, which IBM's PCs spoke and some registration systems still do. */
const cp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

function decodeBytes(bytes: Buffer, encoding: FallbackEncoding): string {
  if (encoding === 'windows-1252') return windows1252.decode(bytes);
  return bytes
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (character) => cp437[character.charCodeAt(0) - 0x80] ?? character);
}
