import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { wakeWorker } from '../enqueue/store.ts';
import { restoredCode } from './rules.ts';

/**
 * How far the numbers of messages jump at a restore: more than a site makes between two backups. The lost database gave the next
 * ones to messages that providers and voters know by them.
 */
const numbersLeftOut = 100_000_000;

/** In a claim: nothing leaves a database that is a copy of the database that sends. */
export const isSendingDatabase = sql`(select is_sending_database())`;

export async function maySend(db: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select ${isSendingDatabase} as may`.execute(db);
  return rows[0]?.may === true;
}

/** Writes down that this database sends, where none does yet. */
export async function claimSending(db: Db): Promise<void> {
  await sql`insert into sending_database (identity) values (database_identity())
    on conflict do nothing`.execute(db);
}

/**
 * Lets this database send from now on, in place of the database it is a copy of.
 *
 * @param db as the owner of the tables
 */
export async function takeOverSending(db: Db): Promise<void> {
  await sql`insert into sending_database (identity) values (database_identity())
    on conflict (is_only) do update set identity = excluded.identity`.execute(db);
}

/** What may have left the lost database. */
export interface UnsureMessages {
  /** They were with a provider at the end of the backup. None of them is sent again. */
  readonly unknown: number;
  /** They wait for an operator. */
  readonly waiting: number;
}

/**
 * Sets aside what the lost database may have handed over after the end of the backup, and begins each office's restore:
 * from now on its news waits until {@link finishRestore}.
 *
 * @param db as the owner of the tables
 * @param sentUntil the last moment at which the lost database was used. What was not due by then has not left
 */
export async function setUnsureAside(db: Db, sentUntil: Date, now: Date): Promise<UnsureMessages> {
  const unknown = await sql`
    update messages set state = 'outcome-unknown', error_code = ${restoredCode}, finished_at = ${now}
    where state = 'sending'
    -- sequential scan: once after a loss, while nothing is sent`.execute(db);
  const waiting = await sql`
    update messages set state = 'held', error_code = ${restoredCode}
    where state in ('created', 'held') and deliver_after <= ${sentUntil}
    -- sequential scan: once after a loss, while nothing is sent`.execute(db);
  await sql`insert into restores (account_id) select account_id from accounts
    on conflict (account_id) where finished_at is null do nothing`.execute(db);
  await sql`select setval('messages_message_id_seq',
    nextval('messages_message_id_seq') + ${numbersLeftOut}::bigint)`.execute(db);
  return {
    unknown: Number(unknown.numAffectedRows ?? 0n),
    waiting: Number(waiting.numAffectedRows ?? 0n),
  };
}

/** An office whose restore is not finished. */
export interface OpenRestore {
  readonly accountId: AccountId;
  readonly subdomain: string;
  readonly begunAt: Date;
  /** Messages that wait for the decision. */
  readonly waiting: number;
}

export async function readOpenRestores(db: Db): Promise<OpenRestore[]> {
  const { rows } = await sql<OpenRestore>`
    select r.account_id as "accountId", a.subdomain, r.begun_at as "begunAt",
      (select count(*) from messages m where m.account_id = r.account_id and m.state = 'held'
        and m.error_code = 'restored') as waiting
    from restores r join accounts a using (account_id)
    where r.finished_at is null order by a.subdomain`.execute(db);
  return rows;
}

/**
 * Ends an office's restore: what waits is sent, or ends as `outcome-unknown` because it has left before.
 *
 * @returns how many messages there were; undefined where no restore is open
 */
export async function finishRestore(
  tx: Db,
  accountId: AccountId,
  isSent: boolean,
  now: Date,
): Promise<number | undefined> {
  const ended = await sql`update restores set finished_at = ${now}
    where account_id = ${accountId} and finished_at is null`.execute(tx);
  if (ended.numAffectedRows === 0n) return undefined;
  const change = isSent
    ? sql`state = 'created', error_code = null, created_at = ${now}, due_at = null,
        deliver_after = greatest(deliver_after, ${now}::timestamptz)`
    : sql`state = 'outcome-unknown', finished_at = ${now}`;
  const { rows } = await sql<{ channel: Channel; count: number }>`
    with decided as (
      update messages set ${change}
      where account_id = ${accountId} and state = 'held' and error_code = 'restored' returning channel
    ) select channel, count(*) as count from decided group by channel`.execute(tx);
  for (const { channel } of rows) await wakeWorker(tx, channel);
  return rows.reduce((sum, { count }) => sum + count, 0);
}
