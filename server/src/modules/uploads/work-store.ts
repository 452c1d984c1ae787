import { sql } from 'kysely';
import type { ImportId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';
import { leaseSeconds } from './rules.ts';
import { type Upload, uploadColumns } from './upload-store.ts';

/** Work on an upload that one process has taken, until its lease ends. */
export interface Claim {
  readonly upload: Upload;
  readonly lease: string;
  /** This one included. */
  readonly attempts: number;
}

type Taken = Pick<Claim, 'lease'> & { readonly upload: Pick<Upload, 'uploadId'> };

const leaseEnd = sql`now() + make_interval(secs => ${sql.lit(leaseSeconds)})`;

/** Takes the work that has waited longest. @returns undefined when there is none */
export async function claimUpload(db: Db): Promise<Claim | undefined> {
  const { rows } = await sql<Upload & { lease: string; attempts: number }>`
    update uploads u set lease = gen_random_uuid(), lease_until = ${leaseEnd}, attempts = attempts + 1, progress_bytes = 0
    where upload_id = (
      select upload_id from uploads
      where queued_at <= now() and (lease_until is null or lease_until < now())
      order by queued_at limit 1 for update skip locked)
    returning ${uploadColumns}, u.lease, u.attempts`.execute(db);
  const [row] = rows;
  return row && { upload: row, lease: row.lease, attempts: row.attempts };
}

/** @returns false when another process has the work now, or nobody wants it any more */
export async function renewLease(
  db: Db,
  { upload, lease }: Taken,
  progressBytes: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set lease_until = ${leaseEnd}, progress_bytes = ${progressBytes}
    where upload_id = ${upload.uploadId} and lease = ${lease}`.execute(db);
  return numAffectedRows === 1n;
}

const free = sql`lease = null, lease_until = null, progress_bytes = null, attempts = 0`;
const idle = sql`queued_at = null, ${free}`;

/** Ends a check or an import that came to nothing: a person decides what to do. */
export async function endWork(
  db: Db,
  { upload, lease }: Taken,
  result: {
    readonly preview?: Buffer;
    readonly isImportable?: boolean;
    /** The format that the file turned out to have. */
    readonly format?: string;
    readonly problem?: string;
  },
  now: Date,
): Promise<void> {
  const { preview, isImportable, format, problem } = result;
  await sql`
    update uploads set ${idle}, state = 'ready', problem = ${problem ?? null}, updated_at = ${now},
      preview = coalesce(${preview ?? null}::bytea, preview), format = coalesce(${format ?? null}, format),
      is_importable = ${isImportable ?? null}::boolean is true or (${isImportable ?? null}::boolean is null and is_importable)
    where upload_id = ${upload.uploadId} and lease = ${lease}`.execute(db);
}

/** Puts work back for later: something else of the office is in its way. */
export async function postponeWork(db: Db, { upload, lease }: Taken): Promise<void> {
  await sql`
    update uploads set ${free}, queued_at = now() + interval '5 s'
    where upload_id = ${upload.uploadId} and lease = ${lease}`.execute(db);
}

/**
 * Records what the file's import is, in the import's own transaction: both are there, or neither.
 * @returns false when another process has the work now
 */
export async function recordImported(
  tx: Tx,
  { upload, lease }: Taken,
  importId: ImportId,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set ${idle}, state = 'imported', import_id = ${importId}, preview = null, problem = null,
      updated_at = ${now}
    where upload_id = ${upload.uploadId} and lease = ${lease} and state = 'importing'`.execute(tx);
  return numAffectedRows === 1n;
}

export interface ErasableUpload {
  readonly uploadId: number;
  readonly accountId: AccountId;
}

/**
 * Sets when the bytes of decided uploads are erased, and gives up those that nobody decided.
 * @returns the uploads that were given up
 */
export async function scheduleErasure(
  db: Db,
  at: { readonly now: Date; readonly eraseAfter: Date; readonly undecidedSince: Date },
): Promise<ErasableUpload[]> {
  const { now, eraseAfter, undecidedSince } = at;
  await sql`
    update uploads u set erase_after = ${eraseAfter}
    where erased_at is null and erase_after is null and state = 'imported'
      and not exists (select from imports i where i.import_id = u.import_id and i.state = 'file-held')`.execute(
    db,
  );
  const { rows } = await sql<ErasableUpload>`
    update uploads set state = 'deleted', preview = null, queued_at = null, lease = null, erase_after = ${now}
    where erased_at is null and state in ('receiving', 'ready') and updated_at < ${undecidedSince}
    returning upload_id as "uploadId", account_id as "accountId"`.execute(db);
  return rows;
}

/** Uploads whose bytes are due to be erased. */
export async function listErasable(db: Db, now: Date): Promise<ErasableUpload[]> {
  const { rows } = await sql<ErasableUpload>`
    select upload_id as "uploadId", account_id as "accountId" from uploads
    where erased_at is null and erase_after <= ${now} order by erase_after limit 100`.execute(db);
  return rows;
}

/** @returns false when another process has done it */
export async function markErased(tx: Tx, uploadId: number, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update uploads set erased_at = ${now}, preview = null
    where upload_id = ${uploadId} and erased_at is null`.execute(tx);
  return numAffectedRows === 1n;
}
