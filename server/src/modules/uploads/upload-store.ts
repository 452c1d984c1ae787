import type { UploadState } from '@ballot-beacon/contract/office/uploads';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { StoredKey } from './seal.ts';

/** How a person wants a file to be read. */
export interface Reading {
  /** Null: as its first line says. */
  readonly format: string | null;
  readonly election: string | null;
  readonly isFull: boolean;
}

export interface Upload extends Reading, StoredKey {
  readonly uploadId: number;
  readonly accountId: AccountId;
  readonly uploadedBy: string;
  readonly fileName: string;
  /** Bytes. */
  readonly size: number;
  readonly pieceSize: number;
  readonly state: UploadState;
  readonly askBecause: string | null;
  readonly checkNumber: number;
  /** Sealed. */
  readonly preview: Buffer | null;
  readonly isImportable: boolean;
  readonly problem: string | null;
  readonly importId: ImportId | null;
  readonly progressBytes: number | null;
  readonly receivedBytes: number;
  readonly createdAt: Date;
}

export const uploadColumns = sql`u.upload_id as "uploadId", u.account_id as "accountId", u.uploaded_by as "uploadedBy",
  u.file_name as "fileName", u.size, u.piece_size as "pieceSize", u.salt, u.key_id as "keyId", u.state, u.format,
  u.election, u.is_full as "isFull", u.ask_because as "askBecause", u.check_number as "checkNumber", u.preview,
  u.is_importable as "isImportable", u.problem, u.import_id as "importId", u.progress_bytes as "progressBytes",
  u.created_at as "createdAt", coalesce((select sum(p.bytes) from upload_pieces p
    where p.upload_id = u.upload_id and p.kind = 'file'), 0)::bigint as "receivedBytes"`;

/** Of an office, those that nobody has decided yet, newest first. @param db bound to the account */
export function listUndecided(db: Db): Promise<Upload[]> {
  return select(db, sql`u.state in ('receiving', 'checking', 'ready', 'importing')`);
}

/** How many uploads of an office wait for a person's decision. @param db bound to the account */
export async function countReady(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from uploads
    where account_id = current_account_id() and state = 'ready'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** @param db bound to the account @returns undefined when the office has no such upload, or has it no more */
export async function findUpload(db: Db, uploadId: number): Promise<Upload | undefined> {
  return (await select(db, sql`u.upload_id = ${uploadId} and u.state <> 'deleted'`))[0];
}

/** Files of all offices, not erased yet, that none of these keys opens. @param keyIds names of the keys */
export async function countWithoutKey(db: Db, keyIds: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from uploads where erased_at is null and state <> 'deleted'
      and key_id <> all(${[...keyIds]}::text[])
    -- sequential scan: an operator runs this by hand, and nobody waits for it`.execute(db);
  return rows[0]?.count ?? 0;
}

async function select(db: Db, where: RawBuilder<unknown>): Promise<Upload[]> {
  const { rows } = await sql<Upload>`
    select ${uploadColumns} from uploads u
    where u.account_id = current_account_id() and ${where} order by u.upload_id desc`.execute(db);
  return rows;
}

export async function addUpload(
  db: Db,
  upload: {
    readonly uploadedBy: string;
    readonly fileName: string;
    readonly size: number;
    readonly pieceSize: number;
    readonly key: StoredKey;
  },
  now: Date,
): Promise<number> {
  const { uploadedBy, fileName, size, pieceSize, key } = upload;
  const { rows } = await sql<{ upload_id: number }>`
    insert into uploads (account_id, uploaded_by, file_name, size, piece_size, salt, key_id, created_at, updated_at)
    values (current_account_id(), ${uploadedBy}, ${fileName}, ${size}, ${pieceSize}, ${key.salt}, ${key.keyId},
      ${now}, ${now})
    returning upload_id`.execute(db);
  const [added] = rows;
  if (!added) throw new Error('An upload could not be recorded.');
  return added.upload_id;
}

/**
 * Queues a file's check, once it is whole.
 * @returns false when it is being read, or was decided
 */
export async function queueCheck(
  db: Db,
  uploadId: number,
  { format, election, isFull }: Reading,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set state = 'checking', format = ${format}, election = ${election}, is_full = ${isFull},
      check_number = check_number + 1, preview = null, is_importable = false, problem = null, attempts = 0,
      queued_at = now(), lease = null, lease_until = null, progress_bytes = null, updated_at = ${now}
    where account_id = current_account_id() and upload_id = ${uploadId} and state in ('receiving', 'ready')`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

/**
 * Queues a file's import, for a person who has seen what this check found.
 * @returns false when there was another check since, or another decision
 */
export async function queueImport(
  db: Db,
  uploadId: number,
  decision: { readonly check: number; readonly askBecause: string | null },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set state = 'importing', ask_because = ${decision.askBecause}, problem = null, attempts = 0,
      queued_at = now(), lease = null, lease_until = null, progress_bytes = null, updated_at = ${now}
    where account_id = current_account_id() and upload_id = ${uploadId} and state = 'ready' and is_importable
      and check_number = ${decision.check}`.execute(db);
  return numAffectedRows === 1n;
}

/** @returns false when it is being imported, or was decided */
export async function markDeleted(db: Db, uploadId: number, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set state = 'deleted', preview = null, queued_at = null, lease = null, erase_after = ${now},
      updated_at = ${now}
    where account_id = current_account_id() and upload_id = ${uploadId}
      and state in ('receiving', 'checking', 'ready')`.execute(db);
  return numAffectedRows === 1n;
}

/** The upload that an import was made from. @param db of the owner, or bound to the account */
export async function findUploadOfImport(db: Db, importId: ImportId): Promise<Upload | undefined> {
  const { rows } = await sql<Upload>`
    select ${uploadColumns} from uploads u where u.import_id = ${importId} and u.erased_at is null`.execute(
    db,
  );
  return rows[0];
}
