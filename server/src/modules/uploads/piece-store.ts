import { sql } from 'kysely';
import type { ImportId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

/** What a piece is of: the file itself, or the list of its refused rows. */
export type PieceKind = 'file' | 'rejects';

/** How a piece is named to its seal. */
export function placeOf(kind: PieceKind, piece: number): string {
  return `${kind} ${piece}`;
}

export interface NewPiece {
  readonly piece: number;
  readonly bytes: number;
  readonly sha256: Buffer;
  readonly sealed: Buffer;
}

/**
 * Stores a piece of a file that is still coming, unless it is here already.
 * @param db bound to the account
 * @returns the hash of the piece that is stored now; undefined when no piece is wanted any more
 */
export async function addPiece(
  db: Db,
  uploadId: number,
  { piece, bytes, sha256, sealed }: NewPiece,
): Promise<Buffer | undefined> {
  const { rows: added } = await sql<{ sha256: Buffer }>`
    insert into upload_pieces (account_id, upload_id, kind, piece, bytes, sha256, sealed)
    select u.account_id, u.upload_id, 'file', ${piece}, ${bytes}, ${sha256}, ${sealed} from uploads u
    where u.account_id = current_account_id() and u.upload_id = ${uploadId} and u.state = 'receiving'
    on conflict do nothing returning sha256`.execute(db);
  const { rows } =
    added.length > 0
      ? { rows: added }
      : await sql<{ sha256: Buffer }>`
        select sha256 from upload_pieces
        where upload_id = ${uploadId} and kind = 'file' and piece = ${piece}`.execute(db);
  return rows[0]?.sha256;
}

/** The pieces of a file that are here, in order. */
export async function listPieces(
  db: Db,
  uploadId: number,
): Promise<{ piece: number; sha256: string }[]> {
  const { rows } = await sql<{ piece: number; sha256: string }>`
    select piece, encode(sha256, 'hex') as sha256 from upload_pieces
    where upload_id = ${uploadId} and kind = 'file' order by piece`.execute(db);
  return rows;
}

/** @returns null for a piece that is not here */
export async function readPiece(
  db: Db,
  uploadId: number,
  kind: PieceKind,
  piece: number,
): Promise<Buffer | null> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from upload_pieces
    where upload_id = ${uploadId} and kind = ${kind} and piece = ${piece}`.execute(db);
  return rows[0]?.sealed ?? null;
}

/** Whether the refused rows of an import are kept. */
export async function hasRejects(db: Db, importId: ImportId): Promise<boolean> {
  const { rows } = await sql`
    select from uploads u join upload_pieces p on p.upload_id = u.upload_id
    where u.import_id = ${importId} and p.kind = 'rejects' and p.piece = 0`.execute(db);
  return rows.length > 0;
}

/** Adds a piece of the list of refused rows, for the process whose lease this is. */
export async function addRejectsPiece(
  db: Db,
  claim: { readonly uploadId: number; readonly lease: string },
  { piece, bytes, sha256, sealed }: NewPiece,
): Promise<void> {
  await sql`
    insert into upload_pieces (account_id, upload_id, kind, piece, bytes, sha256, sealed)
    select account_id, upload_id, 'rejects', ${piece}, ${bytes}, ${sha256}, ${sealed} from uploads
    where upload_id = ${claim.uploadId} and lease = ${claim.lease}`.execute(db);
}

/** Deletes the list of refused rows of an attempt before, for the process whose lease this is. */
export async function deleteRejects(
  db: Db,
  { uploadId, lease }: { readonly uploadId: number; readonly lease: string },
): Promise<void> {
  await sql`
    delete from upload_pieces p using uploads u
    where u.upload_id = ${uploadId} and u.lease = ${lease} and p.upload_id = u.upload_id and p.kind = 'rejects'`.execute(
    db,
  );
}

/** Deletes some of an upload's pieces. @returns how many; 0 when none is left */
export async function deletePieces(db: Db, uploadId: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from upload_pieces where upload_id = ${uploadId} and (kind, piece) in (
      select kind, piece from upload_pieces where upload_id = ${uploadId} limit ${most})`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}
