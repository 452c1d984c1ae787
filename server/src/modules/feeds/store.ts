import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import { isInEffect } from '../../platform/import-state-store.ts';
import type { Database, Db } from '../../platform/postgres.ts';

export interface NewestFile {
  readonly accountId: AccountId;
  readonly format: string;
  readonly lastAt: Date;
}

/** The newest loaded file of each format, even if its messages wait for approval, unless it was put back; of one account, or of all. */
export async function readNewestFiles(system: Db, accountId?: AccountId): Promise<NewestFile[]> {
  const { rows } = await sql<NewestFile>`
    select account_id as "accountId", format, max(finished_at) as "lastAt" from imports
    where ${isInEffect} and (${accountId ?? null}::integer is null or account_id = ${accountId ?? null})
    group by account_id, format`.execute(system);
  return rows;
}

export interface WaitingImports {
  readonly subdomain: string;
  readonly state: 'file-held' | 'messages-held';
  readonly count: number;
  readonly oldestAt: Date;
}

/** The imports of all accounts that wait for a second person. */
export async function countWaitingImports(system: Db): Promise<WaitingImports[]> {
  const { rows } = await sql<WaitingImports>`
    select a.subdomain, i.state, count(*)::integer as count, min(i.finished_at) as "oldestAt"
    from imports i join accounts a using (account_id)
    where i.state in ('file-held', 'messages-held') group by a.subdomain, i.state
    -- sequential scan: once per scrape, beside the newest files, which read every import too`.execute(
    system,
  );
  return rows;
}

/**
 * Runs `work` unless another watcher of the account is running, on this or another machine.
 *
 * @returns false when another watcher is running; then `work` did not run
 */
export async function takeTurn(
  database: Database,
  accountId: AccountId,
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
    // The lock ends with its connection, even after a crash.
    client.release(true);
  }
}
