import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { StagedRow } from '../read/row-reader.ts';

/** Rows as text of PostgreSQL's COPY, gathered until they are worth a write. */
export class StagingRows {
  #text = '';
  /** Values that every row starts with, instead of its line; null for the line. */
  constants: readonly number[] | null = null;

  get isEmpty(): boolean {
    return this.#text === '';
  }

  add(line: number, row: Readonly<StagedRow>): void {
    let text = this.constants === null ? String(line) : this.constants.join('\t');
    for (const value of row) {
      if (value === null) text += '\t\\N';
      else text += `\t${needsEscape.test(value) ? escapeValue(value) : value}`;
    }
    this.#text += `${text}\n`;
  }

  take(): Buffer {
    const bytes = Buffer.from(this.#text);
    this.#text = '';
    return bytes;
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

/** Writes to a COPY stream no faster than the server takes it in. */
export class StagingWriter {
  readonly #copy: Writable;
  readonly #failed: Promise<never>;
  #hasFailed = false;

  constructor(copy: Writable) {
    this.#copy = copy;
    // The first is told; a connection that is lost goes on to fail in its own clearing up.
    this.#failed = new Promise((_, reject) => {
      copy.on('error', (error) => {
        this.#hasFailed = true;
        reject(error);
      });
    });
    // Whoever writes next is told.
    this.#failed.catch(() => {});
  }

  async write(bytes: Buffer): Promise<void> {
    // A connection that is gone would be written to.
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
