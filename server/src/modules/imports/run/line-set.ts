/** Line numbers of a file, a bit each: a few hundred kilobytes for the largest. */
export class LineSet {
  #bits = new Uint8Array(1 << 16);
  size = 0;

  add(line: number): void {
    const at = line >>> 3;
    if (at >= this.#bits.length) {
      const longer = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
      longer.set(this.#bits);
      this.#bits = longer;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (line & 7));
    this.size += 1;
  }

  has(line: number): boolean {
    return ((this.#bits[line >>> 3] ?? 0) & (1 << (line & 7))) !== 0;
  }
}
