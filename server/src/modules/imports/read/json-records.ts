import type { Format } from '../formats/format.ts';
import { namedColumns, normalizeHeader, spellingsOf } from '../formats/header.ts';
import type { RecordListener } from './records.ts';

/** A pulled piece with all its scans; a single event is a hundredth of it. */
const longestUnit = 1024 * 1024;
/** No value of an event is this long; a longer one is cut, and the kind's reader then refuses it. */
const longestValue = 200;
/** A sending contains pieces, a piece scans. */
const deepest = 3;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];
const space: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

export interface JsonListener extends RecordListener {
  /** The file begins like JSON but is not JSON. */
  onUnreadable(): never;
}

/** Whether a file that starts so is JSON. */
export function looksLikeJson(start: Buffer): boolean {
  return /^(\u00ef\u00bb\u00bf)?\s*[{[](?!\\)/.test(start.toString('latin1', 0, 1024));
}

/**
 * Cuts JSON into records, each an event's members under the format's columns: an object with an array `events`, a
 * piece with an array `scans` in its `data`, arrays and lines of these, and bare events. A piece's own members go
 * to each of its scans. Memory does not grow with the file; an event that cannot be read costs itself alone.
 *
 * Records are numbered, because all of a file may stand on one line.
 */
export class JsonRecordReader {
  readonly header: readonly string[];
  readonly #places = new Map<string, number>();
  readonly #placeOfKey = new Map<string, number>();
  readonly #listener: JsonListener;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #stack: number[] = [];
  /** Where the events of the present top-level value stand: the depth of their array. */
  #depthOfUnits = 0;
  #unitStart = -1;
  #isUnitTooLong = false;
  #isInString = false;
  #isEscaped = false;
  #keyStart = -1;
  #key = '';
  #record = 0;
  #isStart = true;
  /** In place of an event is a number, a text or nothing. */
  #isScalar = false;

  constructor(format: Format, listener: JsonListener) {
    this.header = namedColumns(format);
    this.#listener = listener;
    this.header.forEach((name, place) => {
      for (const spelling of spellingsOf(format, name)) {
        this.#places.set(normalizeHeader(spelling), place);
      }
    });
  }

  push(chunk: Buffer): void {
    this.#bytes = this.#bytes.length > 0 ? Buffer.concat([this.#bytes, chunk]) : chunk;
    if (this.#isStart) {
      if (this.#bytes.length < 3) return;
      this.#isStart = false;
      if (this.#bytes.toString('latin1', 0, 3) === '\u00ef\u00bb\u00bf') this.#at = 3;
    }
    this.#scan();
    this.#discardRead();
  }

  /** @returns where the file breaks off in the middle of a value, and so is probably not whole */
  end(): { line: number; reason: string } | null {
    if (this.#isStart) this.#scan();
    if (this.#stack.length === 0) return null;
    return { line: this.#record + 1, reason: 'does not end' };
  }

  #scan(): void {
    const bytes = this.#bytes;
    for (let at = this.#at; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (this.#isInString) this.#readInString(byte, at);
      else if (byte === quote) this.#openString(at);
      else if (byte === openObject || byte === openArray) this.#open(byte, at);
      else if (byte === closeObject || byte === closeArray) this.#close(byte, at);
      else if (byte === comma) this.#endValue();
      else if (!space.has(byte)) this.#readScalar();
    }
    this.#at = bytes.length;
  }

  #readInString(byte: number, at: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#isInString = false;
      if (this.#keyStart < 0) return;
      this.#key = this.#bytes.toString('latin1', this.#keyStart, at);
      this.#keyStart = -1;
    }
  }

  #readScalar(): void {
    const depth = this.#stack.length;
    if (depth === 0) this.#listener.onUnreadable();
    if (depth === this.#depthOfUnits) this.#isScalar = true;
  }

  #endValue(): void {
    this.#key = '';
    if (!this.#isScalar) return;
    this.#isScalar = false;
    this.#refuse('is not an object', '');
  }

  #openString(at: number): void {
    this.#readScalar();
    this.#isInString = true;
    // The names in a top-level object show where its events are.
    if (this.#stack.length === 1 && this.#stack[0] === openObject && this.#key === '') {
      this.#keyStart = at + 1;
    }
  }

  #open(byte: number, at: number): void {
    const depth = this.#stack.length;
    if (depth === 0) {
      this.#key = '';
      this.#depthOfUnits = byte === openArray ? 1 : 0;
    }
    if (depth === 1 && byte === openArray && this.#depthOfUnits === 0 && this.#key === 'events') {
      // The rest of the object is about the sending, not about any piece.
      this.#depthOfUnits = 2;
      this.#unitStart = -1;
      this.#isUnitTooLong = false;
    } else if (depth === this.#depthOfUnits && !(depth === 0 && byte === openArray)) {
      this.#unitStart = at;
    }
    this.#stack.push(byte);
  }

  #close(byte: number, at: number): void {
    const opened = this.#stack.pop();
    if ((opened === openObject) !== (byte === closeObject) || opened === undefined)
      this.#listener.onUnreadable();
    const depth = this.#stack.length;
    if (depth + 1 === this.#depthOfUnits) this.#endValue();
    if (depth === this.#depthOfUnits && (this.#unitStart >= 0 || this.#isUnitTooLong)) {
      this.#endUnit(at + 1);
    } else if (depth === 1 && this.#depthOfUnits === 2) {
      // What follows the events is not one of them.
      this.#depthOfUnits = -1;
    }
    if (depth === 0) this.#depthOfUnits = 0;
  }

  #endUnit(end: number): void {
    if (this.#isUnitTooLong) {
      this.#isUnitTooLong = false;
      this.#refuse('is longer than a megabyte', '');
      return;
    }
    const text = this.#bytes.toString('utf8', this.#unitStart, end);
    this.#unitStart = -1;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse('is not JSON', text);
      return;
    }
    this.#deliver(value, {}, text, 0);
  }

  /** Discards what was read, but for the unit that has not ended. */
  #discardRead(): void {
    let keep = this.#unitStart < 0 ? this.#at : this.#unitStart;
    if (this.#unitStart >= 0 && this.#at - this.#unitStart > longestUnit) {
      this.#isUnitTooLong = true;
      this.#unitStart = -1;
      keep = this.#at;
    }
    // A name that has not ended stands near the end.
    if (this.#keyStart >= 0) keep = Math.min(keep, Math.max(this.#keyStart, this.#at - 100));
    this.#bytes = Buffer.from(this.#bytes.subarray(keep));
    this.#at -= keep;
    if (this.#unitStart >= 0) this.#unitStart -= keep;
    if (this.#keyStart >= 0) this.#keyStart = Math.max(0, this.#keyStart - keep);
  }

  #deliver(value: unknown, ofPiece: object, text: string, depth: number): void {
    if (!isObject(value) || depth > deepest) {
      this.#refuse(depth > deepest ? 'is nested too deeply' : 'is not an object', text);
      return;
    }
    const { data } = value;
    const nested = value.events ?? value.scans ?? (isObject(data) ? data.scans : undefined);
    if (Array.isArray(nested)) {
      const piece = { ...ofPiece, ...value, ...(isObject(data) && data) };
      for (const one of nested) this.#deliver(one, piece, text, depth + 1);
      return;
    }
    const cells = this.#cellsOf(ofPiece, value);
    if (cells.every((cell) => cell === '') && !isMiss(value)) {
      this.#refuse('has none of the members of a scan', text);
      return;
    }
    this.#record += 1;
    this.#listener.onRecord(cells, this.#record, JSON.stringify(cells));
  }

  #cellsOf(...parts: readonly object[]): string[] {
    const cells: string[] = this.header.map(() => '');
    for (const part of parts) {
      for (const [key, value] of Object.entries(part)) {
        const place = this.#placeOf(key);
        if (place === undefined || typeof value === 'object') continue;
        const text = toCell(value);
        if (text !== '') cells[place] = text;
      }
    }
    return cells;
  }

  #placeOf(key: string): number | undefined {
    const known = this.#placeOfKey.get(key);
    if (known !== undefined || key.length > 60) return known;
    const place = this.#places.get(normalizeHeader(key));
    if (place !== undefined) this.#placeOfKey.set(key, place);
    return place;
  }

  #refuse(reason: string, text: string): void {
    this.#record += 1;
    this.#listener.onBroken(this.#record, reason, text.slice(0, 1000));
  }
}

/** "Barcode not found.": the answer about a barcode that was never scanned. */
function isMiss({ message }: Record<string, unknown>): boolean {
  return typeof message === 'string' && /not found/i.test(message);
}

function toCell(value: unknown): string {
  return String(value).slice(0, longestValue).replace(controls, ' ').trim();
}

/** No text of the post office has any, and PostgreSQL does not store NUL. */
const controls = /\p{Cc}/gu;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
