import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { StagedRow } from '../read/row-reader.ts';
import { OrderedRows } from './ordered-rows.ts';

/** Rows as text of PostgreSQL's COPY, gathered until they are worth a write. */
export class CopyRows {
  #text = '';
  /** Values that every row starts with, instead of its line; null for the line. */
  constants: readonly number[] | null = null;
  #ordered: OrderedRows | null = null;
  #orderedBy = 0;

  /** From now on rows come out in the order of the value at this place, roughly and many at a time. */
  orderBy(place: number): void {
    this.#ordered = new OrderedRows();
    this.#orderedBy = place;
  }

  /** Nothing is worth a write yet. */
  get isEmpty(): boolean {
    return this.#ordered?.isEmpty ?? this.#text === '';
  }

  add(line: number, row: Readonly<StagedRow>): void {
    let text = this.constants === null ? String(line) : this.constants.join('\t');
    for (const value of row) {
      if (value === null) text += '\t\\N';
      else text += `\t${needsEscape.test(value) ? escapeValue(value) : value}`;
    }
    text += '\n';
    if (this.#ordered) this.#ordered.add(text, row[this.#orderedBy] ?? '');
    else this.#text += text;
  }

  take(): Buffer {
    if (this.#ordered) return this.#ordered.take();
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    return bytes;
  }

  /** The rows that are left, when no more come. */
  takeRest(): Buffer {
    if (!this.#ordered) return this.take();
    this.#ordered.order();
    return this.#ordered.takeAll();
  }
}

const needsEscape = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escapeValue(value: string): string {
  return value.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

/** Writes to a COPY stream no faster than the server reads it. */
export class CopyWriter {
  readonly #copy: Writable;
  readonly #failed: Promise<never>;
  #hasFailed = false;

  constructor(copy: Writable) {
    this.#copy = copy;
    // The first error counts; a lost connection fails again while it is closed.
    this.#failed = new Promise((_, reject) => {
      copy.on('error', (error) => {
        this.#hasFailed = true;
        reject(error);
      });
    });
    // The next write throws it.
    this.#failed.catch(() => {});
  }

  async write(bytes: Buffer): Promise<void> {
    // Else this would write to a connection that is gone.
    if (this.#hasFailed) await this.#failed;
    if (!this.#copy.write(bytes)) await Promise.race([once(this.#copy, 'drain'), this.#failed]);
  }

  async finish(): Promise<void> {
    if (this.#hasFailed) await this.#failed;
    const done = once(this.#copy, 'finish');
    this.#copy.end();
    await Promise.race([done, this.#failed]);
  }

  /** Ends the COPY without its rows. */
  abandon(reason: Error): void {
    this.#copy.destroy(reason);
  }
}
