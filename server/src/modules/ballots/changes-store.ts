import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

/** PostgreSQL's channel of accounts whose ballots changed. */
export const ballotChanges = 'ballot_changes';

/** Announces with the transaction's commit that ballots of an account changed: once, however often it is called there. */
export async function announceChanges(tx: Db, accountId: AccountId): Promise<void> {
  await sql`select pg_notify(${ballotChanges}, ${String(accountId)})`.execute(tx);
}
