import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';

export async function saveCredential(
  tx: Tx,
  accountId: AccountId,
  hash: Buffer,
  now: Date,
): Promise<void> {
  await sql`
    insert into push_credentials (account_id, credential_hash, created_at) values (${accountId}, ${hash}, ${now})
    on conflict (account_id) do update set credential_hash = excluded.credential_hash, created_at = excluded.created_at`.execute(
    tx,
  );
}

/** For the account that the connection is bound to; null when none was created. */
export async function readCredentialHash(db: Db): Promise<Buffer | null> {
  const { rows } = await sql<{ credential_hash: Buffer }>`
    select credential_hash from push_credentials where account_id = current_account_id()`.execute(
    db,
  );
  return rows[0]?.credential_hash ?? null;
}

/** When the password was made, for the account that the connection is bound to; null when none was. */
export async function readCredentialTime(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from push_credentials where account_id = current_account_id()`.execute(db);
  return rows[0]?.created_at ?? null;
}
