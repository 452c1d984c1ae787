/**
 * So many rows at most, and bytes of them, are put in order together; at first few, so that the database need not wait for them,
 * and in little memory, since most rolls are small and what they leave must be collected.
 */
const most = { first: 4_096, rows: 16_384, firstBytes: 65_536, bytes: 6_000_000 };
/** Of the rows before, which the index has: as many entries are neighbors however large it is. */
const shareOfThose = 4;
/** Of UTF-8, for each unit of a string. */
const mostBytesOfUnit = 3;

/**
 * Rows that come out roughly in the order of a value, many thousands at a time: the entries that they get in an index on it are
 * neighbors then, and the index's pages at hand. Kept as bytes and numbers, which cost a process with a small heap nothing.
 */
export class OrderedRows {
  readonly #most: typeof most;
  #bytes: Buffer;
  readonly #keys: Float64Array;
  /** Where each row begins, and the last one ends. */
  readonly #starts: Uint32Array;
  #rows = 0;
  #rowsBefore = 0;
  /** Rows in order, of which {@link #ready} is what was not taken. Memory that is used again is not left to be collected. */
  #ordered: Buffer = Buffer.alloc(0);
  #ready: Buffer = this.#ordered;
  /** How many rows were gathered when some were taken last. */
  #taken = 0;

  constructor(together = most) {
    this.#most = together;
    this.#bytes = Buffer.allocUnsafe(together.firstBytes);
    this.#keys = new Float64Array(together.rows);
    this.#starts = new Uint32Array(together.rows + 1);
  }

  /** No row is in order that was not taken. */
  get isEmpty(): boolean {
    return this.#ready.length === 0;
  }

  add(text: string, value: string): void {
    const longest = text.length * mostBytesOfUnit;
    if (longest > this.#most.bytes) throw new Error('A row is longer than all rows may be.');
    if (this.#isFull(longest)) this.order();
    this.#makeRoom(this.#end + longest);
    this.#keys[this.#rows] = keyOf(value);
    const end = this.#end + this.#bytes.write(text, this.#end);
    this.#rows += 1;
    this.#starts[this.#rows] = end;
  }

  #isFull(longest: number): boolean {
    return this.#rows >= this.#limit || this.#end + longest > this.#most.bytes;
  }

  #makeRoom(size: number): void {
    if (size <= this.#bytes.length) return;
    const twice = Math.min(this.#most.bytes, Math.max(size, 2 * this.#bytes.length));
    const bytes = Buffer.allocUnsafe(twice);
    this.#bytes.copy(bytes, 0, 0, this.#end);
    this.#bytes = bytes;
  }

  /** How many rows are put in order next. */
  get #limit(): number {
    const { first, rows } = this.#most;
    return Math.min(rows, Math.max(first, Math.floor(this.#rowsBefore / shareOfThose)));
  }

  get #end(): number {
    return this.#starts[this.#rows] ?? 0;
  }

  /** Puts the gathered rows in order, after those that were not taken yet. */
  order(): void {
    const keys = this.#keys;
    const places = new Uint32Array(this.#rows)
      .map((_, row) => row)
      .sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
    const size = this.#ready.length + this.#end;
    const ordered =
      size <= this.#ordered.length
        ? this.#ordered
        : Buffer.allocUnsafe(Math.max(size, this.#bytes.length));
    let end = this.#ready.copy(ordered);
    for (const row of places)
      end += this.#bytes.copy(ordered, end, this.#starts[row], this.#starts[row + 1]);
    this.#ordered = ordered;
    this.#ready = ordered.subarray(0, end);
    this.#rowsBefore += this.#rows;
    this.#rows = 0;
    this.#taken = 0;
  }

  /** Such a part of what is in order as was gathered since of the rows that come next: it lasts until these are in order, and the database has work all the time. */
  take(): Buffer {
    const gathered = (this.#rows - this.#taken) / Math.max(1, this.#limit - this.#taken);
    this.#taken = this.#rows;
    const piece = this.#ready.subarray(0, Math.ceil(this.#ready.length * gathered));
    this.#ready = this.#ready.subarray(piece.length);
    // It may wait in a stream while the next rows are put in order.
    return Buffer.from(piece);
  }

  takeAll(): Buffer {
    const rest = Buffer.from(this.#ready);
    this.#ready = this.#ready.subarray(0, 0);
    return rest;
  }
}

const keyLength = 8;

/** The start of a value as a number in its order, of letters in any case, digits and punctuation; other letters are somewhere. */
function keyOf(value: string): number {
  let key = 0;
  for (let at = 0; at < keyLength; at += 1) {
    const code = at < value.length ? value.charCodeAt(at) : 32;
    key = key * 64 + (((code >= 97 ? code - 32 : code) - 32) & 63);
  }
  return key;
}
