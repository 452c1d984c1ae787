import { createHash } from 'node:crypto';
import type { ImageKind } from '@ballot-beacon/contract/office/images';
import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import type { AccountImage } from './images.ts';

/** Gives the account an image in place of its present one. @returns the SHA-256 of its bytes, in hex */
export async function saveImage(
  tx: Tx,
  accountId: AccountId,
  { kind, contentType, bytes }: AccountImage,
): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest();
  await keepPresent(tx, accountId, kind, sha256);
  await sql`insert into account_images (account_id, kind, content_type, bytes, sha256)
    values (${accountId}, ${kind}, ${contentType}, ${bytes}, ${sha256})
    on conflict (account_id, kind) do update set content_type = excluded.content_type,
      bytes = excluded.bytes, sha256 = excluded.sha256`.execute(tx);
  return sha256.toString('hex');
}

export async function removeImage(tx: Tx, accountId: AccountId, kind: ImageKind): Promise<void> {
  await keepPresent(tx, accountId, kind, null);
  await sql`delete from account_images where account_id = ${accountId} and kind = ${kind}`.execute(
    tx,
  );
}

/** Keeps what the account shows now, or that it shows none, unless the next is the same. */
async function keepPresent(
  tx: Tx,
  accountId: AccountId,
  kind: ImageKind,
  next: Buffer | null,
): Promise<void> {
  await sql`
    insert into replaced_images (account_id, kind, content_type, bytes, sha256)
    select ${accountId}, asked.kind, i.content_type, i.bytes, i.sha256
    from (values (${kind}::text)) asked(kind)
    left join account_images i on i.account_id = ${accountId} and i.kind = asked.kind
    where i.sha256 is distinct from ${next}::bytea
    on conflict (account_id, kind) do update set content_type = excluded.content_type,
      bytes = excluded.bytes, sha256 = excluded.sha256, replaced_at = excluded.replaced_at`.execute(
    tx,
  );
}

/** What undoing the last change of an image would do. */
export type ImageUndo = 'restore' | 'remove';

/** For each kind whose last change can be undone, how. @param db bound to the account */
export async function listImageUndos(db: Db): Promise<Partial<Record<ImageKind, ImageUndo>>> {
  const { rows } = await sql<{ kind: ImageKind; undo: ImageUndo }>`
    -- sequential scan: at most two rows an office
    select kind, case when bytes is null then 'remove' else 'restore' end as undo from replaced_images
    where account_id = current_account_id()`.execute(db);
  return Object.fromEntries(rows.map(({ kind, undo }) => [kind, undo]));
}

/**
 * Shows again what the account showed before. What it showed until now is kept in its place, so that this can be undone, too.
 *
 * @returns the SHA-256 of what is shown now, in hex, null for none; undefined when nothing is kept
 */
export async function undoImage(
  tx: Tx,
  accountId: AccountId,
  kind: ImageKind,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ content_type: string | null; bytes: Buffer | null }>`
    -- sequential scan: at most two rows an office
    select content_type, bytes from replaced_images
    where account_id = ${accountId} and kind = ${kind}`.execute(tx);
  const [before] = rows;
  if (!before) return undefined;
  const { content_type: contentType, bytes } = before;
  if (contentType !== null && bytes !== null)
    return saveImage(tx, accountId, { kind, contentType, bytes });
  await removeImage(tx, accountId, kind);
  return null;
}

const keptDays = 30;

/** Deletes images that were replaced long ago. @returns how many */
export async function discardReplacedImages(system: Db, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    -- sequential scan: once a night, at most two rows an office
    delete from replaced_images
    where replaced_at < ${now}::timestamptz - make_interval(days => ${keptDays})`.execute(system);
  return Number(numAffectedRows ?? 0n);
}
