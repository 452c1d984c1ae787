import { sql } from 'kysely';
import type { Database, Db } from '../../platform/postgres.ts';

export interface NewestFile {
  readonly accountId: number;
  readonly format: string;
  readonly lastAt: Date;
}

/** The newest file of each format that is in, be its messages held or not; of one account, or of all. */
export async function readNewestFiles(system: Db, accountId?: number): Promise<NewestFile[]> {
  const { rows } = await sql<NewestFile>`
    select account_id as "accountId", format, max(finished_at) as "lastAt" from imports
    where state <> 'refused' and not report ? 'heldFile' and (${accountId ?? null}::integer is null or account_id = ${accountId ?? null})
    group by account_id, format`.execute(system);
  return rows;
}

/**
 * Runs `work` while no other watcher of the account does, whichever machine it is on.
 *
 * @returns false when another has the turn; then `work` did not run
 */
export async function takeTurn(
  database: Database,
  accountId: number,
  work: () => Promise<void>,
): Promise<boolean> {
  const client = await database.systemPool.connect();
  try {
    const { rows } = await client.query<{ is_ours: boolean }>(
      'select pg_try_advisory_lock(hashtext($1), $2) as is_ours',
      ['watch', accountId],
    );
    if (rows[0]?.is_ours !== true) return false;
    await work();
    return true;
  } finally {
    // The lock ends with its connection, however that ends.
    client.release(true);
  }
}
