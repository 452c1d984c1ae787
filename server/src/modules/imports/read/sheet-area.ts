/** Rows and columns of a sheet. */
export interface SheetArea {
  readonly rows: number;
  readonly columns: number;
}

/** What a tag can be long; the rest of a tag that is cut by the end of a piece waits for the next. */
const longestTag = 64 * 1024;

/**
 * Follows the XML of a sheet, piece by piece, to the cell that is farthest from its first: a reader fills the whole area up to it.
 * A place in another form than Excel writes is infinitely far. On the way it finds the cells whose formula failed.
 */
export class AreaFinder {
  #rest = '';
  #rows = 0;
  #columns = 0;
  readonly errors: { readonly row: number; readonly column: number }[] = [];

  push(piece: Buffer): void {
    const text = this.#rest + piece.toString('latin1');
    for (const [, tag, attributes = ''] of text.matchAll(/<(row|c)((?:\s[^>]*)?)>/g)) {
      const place = /\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes);
      if (!place) continue;
      const found = this.#add(tag === 'row', place[1] ?? place[2] ?? '');
      if (found && tag === 'c' && /\st\s*=\s*["']e["']/.test(attributes)) this.errors.push(found);
    }
    const last = text.lastIndexOf('<');
    this.#rest = last >= 0 && text.indexOf('>', last) < 0 ? text.slice(last) : '';
    if (this.#rest.length > longestTag) this.#add(true, '');
  }

  area(): SheetArea {
    return { rows: this.#rows, columns: this.#columns };
  }

  /** @returns the place, where it is a plain one */
  #add(isRow: boolean, place: string): { row: number; column: number } | null {
    const [, letters = '', digits] = /^([A-Z]{0,3})(\d{1,7})$/.exec(place) ?? [];
    const isPlain = digits !== undefined && isRow === (letters === '');
    const column = [...letters].reduce((sum, one) => sum * 26 + one.charCodeAt(0) - 64, 0);
    this.#rows = Math.max(this.#rows, isPlain ? Number(digits) : Number.POSITIVE_INFINITY);
    this.#columns = Math.max(this.#columns, isPlain ? column : Number.POSITIVE_INFINITY);
    return isPlain ? { row: Number(digits), column } : null;
  }
}
