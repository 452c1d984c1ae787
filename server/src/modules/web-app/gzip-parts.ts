import { constants, crc32, deflateRawSync } from 'node:zlib';

/**
 * gzip of a text of which some parts are the same for many visitors. A stream of deflate that ends at a byte may be followed by another,
 * so what is shared is compressed once, and well; only the rest is compressed each time.
 *
 * @param shared parts of the text in their order; a part that is missing there is compressed with the rest
 */
export function gzipInParts(text: string, shared: readonly string[]): Buffer {
  const output: Buffer[] = [head];
  let sum = 0;
  let length = 0;
  const add = (own: string) => {
    if (own === '') return;
    const bytes = Buffer.from(own);
    output.push(deflate(bytes, usualLevel));
    sum = crc32(bytes, sum);
    length += bytes.length;
  };

  let from = 0;
  for (const one of shared) {
    const at = text.indexOf(one, from);
    if (at < 0) continue;
    add(text.slice(from, at));
    const part = keepPart(one);
    output.push(part.deflated);
    sum = (multiply(part.shift, sum) ^ part.sum) >>> 0;
    length += part.length;
    from = at + one.length;
  }
  add(text.slice(from));

  const tail = Buffer.alloc(lastBlock.length + 8);
  lastBlock.copy(tail);
  tail.writeUInt32LE(sum, lastBlock.length);
  tail.writeUInt32LE(length, lastBlock.length + 4);
  return Buffer.concat([...output, tail]);
}

/** RFC 1952: deflate, no name, no time, and no system that matters. */
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** RFC 1951: an empty block that says that it is the last. */
const lastBlock = Buffer.from([3, 0]);
const usualLevel = 6;
const bestLevel = 9;

function deflate(bytes: Buffer, level: number): Buffer {
  return deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH });
}

interface Part {
  readonly deflated: Buffer;
  /** In bytes, before. */
  readonly length: number;
  readonly sum: number;
  /** What the sum of all before is multiplied by to come before this part. */
  readonly shift: number;
}

/** Two for each office and language that visitors ask for now; about 10 kB each. */
const mostParts = 500;
const parts = new Map<string, Part>();

function keepPart(text: string): Part {
  const part = parts.get(text) ?? makePart(text);
  parts.delete(text);
  parts.set(text, part);
  const [oldest] = parts.keys();
  if (parts.size > mostParts && oldest !== undefined) parts.delete(oldest);
  return part;
}

function makePart(text: string): Part {
  const bytes = Buffer.from(text);
  const { length } = bytes;
  return {
    deflated: deflate(bytes, bestLevel),
    length,
    sum: crc32(bytes),
    shift: powerOfX(8 * length),
  };
}

/**
 * The sum of two texts after each other is that of the first, times x to the bits of the second, plus that of the second: in polynomials over bits,
 * modulo that of CRC-32, the highest power in the lowest bit (as in zlib's crc32_combine).
 */
const polynomial = 0xedb88320;
const one = 0x80000000;

function multiply(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = one; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted;
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

function powerOfX(exponent: number): number {
  let power = one;
  let square = one >>> 1; // x
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  return power;
}
