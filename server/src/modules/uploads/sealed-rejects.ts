import { createHash } from 'node:crypto';
import type { UploadPreview } from '@ballot-beacon/contract/office/uploads';
import { pieceBytes } from '@ballot-beacon/contract/office/uploads';
import { writeCsvRow } from '../../platform/csv-row.ts';
import type { Db } from '../../platform/postgres.ts';
import type { RejectsList } from '../imports/index.ts';
import { addRejectsPiece, placeOf } from './piece-store.ts';
import type { FileSeal } from './seal.ts';

type RefusedRow = UploadPreview['refused_rows'][number];

/** So many refused rows are shown at once; the rest is in the list to download. */
const mostShown = 50;
const longestValue = 200;

/** Refused rows as a preview shows them, of a list that is written nowhere. */
export class ShownRejects implements RejectsList {
  readonly path = null;
  readonly rows: RefusedRow[] = [];
  #header: readonly string[] | undefined;

  add(cells: readonly string[]): void {
    if (!this.#header) this.#header = cells.slice(2);
    else if (this.rows.length < mostShown) this.rows.push(describeRow(this.#header, cells));
  }

  async flush(): Promise<void> {}
  async close(): Promise<void> {}
  discard(): void {}
}

/** The column that the reason names, and what the row has in it. */
function describeRow(header: readonly string[], cells: readonly string[]): RefusedRow {
  const [line = '', reason = '', ...values] = cells;
  const named = header
    .map((column, place) => ({ column: column.trim(), place }))
    .filter(({ column }) => column !== '' && reason.includes(column))
    // "zip" is in "zipcode" as well.
    .sort((a, b) => b.column.length - a.column.length)[0];
  return {
    line: Number(line),
    column: named?.column ?? null,
    value: named ? (values[named.place] ?? '').slice(0, longestValue) : null,
    reason,
  };
}

/** The list of refused rows of an import, sealed in the database like its file. */
export class SealedRejects implements RejectsList {
  readonly path = null;
  readonly #db: Db;
  readonly #seal: FileSeal;
  readonly #claim: { readonly uploadId: number; readonly lease: string };
  #rows: string[] = [];
  #bytes = 0;
  #piece = 0;

  constructor(
    db: Db,
    seal: FileSeal,
    claim: { readonly uploadId: number; readonly lease: string },
  ) {
    this.#db = db;
    this.#seal = seal;
    this.#claim = claim;
  }

  add(cells: readonly string[]): void {
    const row = writeCsvRow(cells, 'unix');
    this.#rows.push(row);
    this.#bytes += row.length;
  }

  async flush(): Promise<void> {
    if (this.#bytes >= pieceBytes) await this.#write();
  }

  async close(): Promise<void> {
    if (this.#rows.length > 0) await this.#write();
  }

  /** The next attempt deletes it, and so does the end of the upload's time. */
  discard(): void {}

  async #write(): Promise<void> {
    const content = Buffer.from(this.#rows.join(''));
    this.#rows = [];
    this.#bytes = 0;
    const piece = this.#piece;
    this.#piece += 1;
    await addRejectsPiece(this.#db, this.#claim, {
      piece,
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest(),
      sealed: this.#seal.seal(placeOf('rejects', piece), content),
    });
  }
}
