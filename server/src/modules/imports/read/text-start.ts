/** How a file's bytes become text, as far as its first bytes show. */
export interface TextStart {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Carriage returns alone end the lines, as old programs for the Macintosh write them. */
  readonly hasBareReturns: boolean;
}

/** Bytes of a file's start by which its text is known. */
export const startSize = 64 * 1024;

const [LF, CR] = [0x0a, 0x0d];

/** @param start up to {@link startSize} of the file's first bytes */
export function examineStart(start: Buffer): TextStart {
  const encoding = findEncoding(start);
  const text = encoding === 'utf-8' ? start : decodeWhole(start, encoding);
  return { encoding, hasBareReturns: !text.includes(LF) && text.includes(CR) };
}

function findEncoding(start: Buffer): TextStart['encoding'] {
  const [a = 1, b = 1, c = 1, d = 1] = start;
  if ((a === 0xff && b === 0xfe) || (b === 0 && d === 0 && a !== 0 && c !== 0)) return 'utf-16le';
  if ((a === 0xfe && b === 0xff) || (a === 0 && c === 0 && b !== 0 && d !== 0)) return 'utf-16be';
  return 'utf-8';
}

/** The start of a file as the reader of records gets it. */
export function decodeWhole(start: Buffer, encoding: TextStart['encoding']): Buffer {
  const pieces = new TextPieces({ encoding, hasBareReturns: false });
  return Buffer.concat([pieces.push(start), pieces.end()]);
}

/** Turns a file's pieces, however they are cut, into UTF-8 with line feeds; what is neither UTF-16 nor has bare returns is passed on as it is. */
export class TextPieces {
  readonly #how: TextStart;
  /** Of UTF-16, the bytes of a character that is cut. */
  #rest: Buffer = Buffer.alloc(0);
  #isStart = true;

  constructor(how: TextStart) {
    this.#how = how;
  }

  push(piece: Buffer): Buffer {
    const { encoding, hasBareReturns } = this.#how;
    let bytes = piece;
    if (encoding !== 'utf-8') bytes = this.#decode(piece);
    if (!hasBareReturns) return bytes;
    bytes = Buffer.from(bytes);
    for (let at = bytes.indexOf(CR); at >= 0; at = bytes.indexOf(CR, at + 1)) bytes[at] = LF;
    return bytes;
  }

  end(): Buffer {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return rest.length > 0 ? Buffer.from(rest.toString('utf16le')) : rest;
  }

  #decode(piece: Buffer): Buffer {
    const isBigEndian = this.#how.encoding === 'utf-16be';
    const all = Buffer.concat([this.#rest, piece]);
    let end = all.length - (all.length % 2);
    const lastByte = all[end - (isBigEndian ? 2 : 1)] ?? 0;
    // The first half of a character of two units.
    if (end > 0 && lastByte >= 0xd8 && lastByte <= 0xdb) end -= 2;
    this.#rest = Buffer.from(all.subarray(end));
    const units = Buffer.from(all.subarray(0, end));
    const text = (isBigEndian ? units.swap16() : units).toString('utf16le');
    const hasMark = this.#isStart && text.startsWith('\uFEFF');
    if (text !== '') this.#isStart = false;
    return Buffer.from(hasMark ? text.slice(1) : text);
  }
}
