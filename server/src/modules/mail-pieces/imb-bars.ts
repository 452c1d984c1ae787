/**
 * The Intelligent Mail barcode as 65 bars, after USPS-B-3200 Rev. H (20 April 2015), 2.2 "Encoding".
 *
 * The code detects errors: each bar carries a bit of two different characters, and every character has 2, 5, 8
 * or 11 of its 13 bits set, so one wrong bar is always detected. Several wrong bars that keep every character's bit count
 * valid pass the 11-bit checksum only by chance, once in 2,048.
 */

const crcPolynomial = 0xf35;
const crcStart = 0x7ff;
const characterBits = 13;
const allBits = (1 << characterBits) - 1;

/** Codewords below this use the 5-of-13 table, the others the 2-of-13 table. */
const fiveOf13 = 1287;
const twoOf13 = 78;
const codewordValues = fiveOf13 + twoOf13;
/** The last codeword's values; doubled, so that its lowest bit shows which way up the barcode was read. */
const lastCodewordValues = 636;
/** The first codeword's values; this is added to it when the checksum's highest bit is set. */
const firstCodewordValues = 659;
const characters = 10;

/** For each length of routing code, the first number of that length (2.2.1). */
const routingStarts = [
  { length: 0, start: 0n },
  { length: 5, start: 1n },
  { length: 9, start: 100_001n },
  { length: 11, start: 1_000_100_001n },
] as const;
const routingEnd = 101_000_100_001n;

const trackingLength = 20;
/** The second digit of a barcode ID is 0 to 4. */
const secondDigitValues = 5n;

/**
 * For each bar, the character and bit of its descender and of its ascender (2.2.6): characters A to J are 0 to 9,
 * their lowest bit is 0.
 */
const barBits = parseBars(`
  H2E3 B10A0 J12C8 F5G11 I9D1 A1F12 C5B8 E4J11 G3I10 D9H6 F11B4 I5C12 J10A2
  H1G7 D6E9 A3I6 G4C7 B1J9 H10F2 E0D8 G2A4 I11B0 J8D12 C6H7 F1E10 B12G9
  H3I0 F8J7 E6C10 D4A5 I4F7 H11B9 G0J6 A6E8 C1D2 F9I12 E11G1 J5H4 D3B2
  A7C0 B3E1 G10D5 I7J4 C11F6 A8H12 E2I1 F10D0 J3A9 G5C4 H8B7 F0E5 C3A10
  G12J2 D11B6 I8H9 F4A11 B5C2 J1E12 I3G6 H0D7 E7H5 A12B11 C9J0 G8F3 D10I2`);

interface Bit {
  readonly character: number;
  readonly mask: number;
}
interface BarBits {
  readonly descender: Bit;
  readonly ascender: Bit;
}

function parseBars(table: string): readonly BarBits[] {
  const half = (letter = '', bit = ''): Bit => ({
    character: letter.charCodeAt(0) - 'A'.charCodeAt(0),
    mask: 1 << Number(bit),
  });
  return [...table.matchAll(/([A-J])(\d+)([A-J])(\d+)/g)].map(([, down, low, up, high]) => ({
    descender: half(down, low),
    ascender: half(up, high),
  }));
}

const characterOf = [...listCharacters(5, fiveOf13), ...listCharacters(2, twoOf13)];
const codewordOf = new Map(characterOf.map((character, codeword) => [character, codeword]));

/**
 * The characters with this many bits set (2.2.5): mirrored pairs from the front, symmetric characters
 * from the back.
 */
function listCharacters(bits: number, size: number): number[] {
  const table = new Array<number>(size).fill(0);
  let front = 0;
  let back = size - 1;
  for (let character = 0; character <= allBits; character += 1) {
    if (countBits(character) !== bits) continue;
    const mirrored = mirror(character);
    if (mirrored < character) continue;
    if (mirrored === character) {
      table[back] = character;
      back -= 1;
    } else {
      table[front] = character;
      table[front + 1] = mirrored;
      front += 2;
    }
  }
  return table;
}

function countBits(character: number): number {
  let count = 0;
  for (let rest = character; rest > 0; rest >>= 1) count += rest & 1;
  return count;
}

function mirror(character: number): number {
  let mirrored = 0;
  for (let bit = 0; bit < characterBits; bit += 1) {
    if (character & (1 << bit)) mirrored |= 1 << (characterBits - 1 - bit);
  }
  return mirrored;
}

/** The checksum of the 102 bits (2.2.2), 11 bits. */
function checksum(data: bigint): number {
  let crc = crcStart;
  for (let bit = 101n; bit >= 0n; bit -= 1n) {
    const isSet = Number((data >> bit) & 1n);
    crc = ((crc >> 10) & 1) === isSet ? crc << 1 : (crc << 1) ^ crcPolynomial;
    crc &= 0x7ff;
  }
  return crc;
}

/**
 * @param digits a valid barcode's 20, 25, 29 or 31 digits
 * @returns 65 letters: A ascender, D descender, F full bar, T tracker
 */
export function encodeBars(digits: string): string {
  const data = toNumber(digits);
  const crc = checksum(data);
  let rest = data;
  const codewords = new Array<number>(characters).fill(0);
  for (let place = characters - 1; place > 0; place -= 1) {
    const values = BigInt(place === characters - 1 ? lastCodewordValues : codewordValues);
    codewords[place] = Number(rest % values);
    rest /= values;
  }
  codewords[0] = Number(rest) + (crc & 0x400 ? firstCodewordValues : 0);
  codewords[characters - 1] = (codewords[characters - 1] ?? 0) * 2;
  const word = codewords.map((codeword, place) => {
    const character = characterOf[codeword] ?? 0;
    return crc & (1 << place) ? character ^ allBits : character;
  });
  return barBits.map((bar) => letterOf(word, bar)).join('');
}

function letterOf(word: readonly number[], { descender, ascender }: BarBits): string {
  const isSet = ({ character, mask }: Bit) => ((word[character] ?? 0) & mask) > 0;
  if (isSet(ascender)) return isSet(descender) ? 'F' : 'A';
  return isSet(descender) ? 'D' : 'T';
}

/**
 * @param bars 65 letters of A, D, F and T
 * @returns the digits, or null when the bars are not a barcode: a bar is wrong, or they are upside down
 */
export function decodeBars(bars: string): string | null {
  const codewords = readCodewords(bars);
  if (codewords === null) return null;
  let { crc } = codewords;
  const { values } = codewords;
  const last = values[characters - 1] ?? 0;
  if (last % 2 === 1) return null;
  let first = values[0] ?? 0;
  if (first >= firstCodewordValues) {
    first -= firstCodewordValues;
    crc |= 0x400;
  }
  if (first >= firstCodewordValues || last / 2 >= lastCodewordValues) return null;
  let data = BigInt(first);
  for (let place = 1; place < characters - 1; place += 1) {
    data = data * BigInt(codewordValues) + BigInt(values[place] ?? 0);
  }
  data = data * BigInt(lastCodewordValues) + BigInt(last / 2);
  return checksum(data) === crc ? toDigits(data) : null;
}

function readCodewords(bars: string): { values: number[]; crc: number } | null {
  const word = new Array<number>(characters).fill(0);
  const set = ({ character, mask }: Bit) => {
    word[character] = (word[character] ?? 0) | mask;
  };
  barBits.forEach(({ descender, ascender }, place) => {
    const letter = bars[place];
    if (letter === 'D' || letter === 'F') set(descender);
    if (letter === 'A' || letter === 'F') set(ascender);
  });
  let crc = 0;
  const values: number[] = [];
  for (const [place, character] of word.entries()) {
    const plain = codewordOf.get(character);
    const codeword = plain ?? codewordOf.get(character ^ allBits);
    if (codeword === undefined) return null;
    if (plain === undefined) crc |= 1 << place;
    values.push(codeword);
  }
  return { values, crc };
}

/** The digits as the single number that the bars encode (2.2.1). */
function toNumber(digits: string): bigint {
  const routing = digits.slice(trackingLength);
  const kind = routingStarts.find(({ length }) => length === routing.length);
  if (!kind) throw new Error(`A barcode has 20, 25, 29 or 31 digits, not ${digits.length}.`);
  let data = kind.start + BigInt(routing || '0');
  data = data * 10n + BigInt(digits[0] ?? '0');
  data = data * secondDigitValues + BigInt(digits[1] ?? '0');
  for (const digit of digits.slice(2, trackingLength)) data = data * 10n + BigInt(digit);
  return data;
}

/** @returns null for a number above the greatest routing code, which no barcode has */
function toDigits(data: bigint): string | null {
  const rest = trackingLength - 2;
  const divisor = 10n ** BigInt(rest);
  const tail = String(data % divisor).padStart(rest, '0');
  const head = data / divisor;
  const second = head % secondDigitValues;
  const first = (head / secondDigitValues) % 10n;
  const routed = head / secondDigitValues / 10n;
  if (routed >= routingEnd) return null;
  const kind = routingStarts.findLast(({ start }) => routed >= start);
  if (!kind) return null;
  const routing = kind.length === 0 ? '' : String(routed - kind.start).padStart(kind.length, '0');
  return `${first}${second}${tail}${routing}`;
}
