import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres.ts';

/** The most messages that one statement deletes, so that no lock lasts long. */
const batchSize = 10_000;

/** Longer than any page shows them. */
const keptOriginsDays = 60;

/** For an account whose file has no `message_retention_days`. */
const defaultDays = 730;

/**
 * Deletes messages that ended longer ago than their account keeps them, with receipts and local copies. Messages about
 * an active election stay, because they keep a voter from being notified twice; consents and the audit log stay for good.
 *
 * @returns how many messages
 */
export async function discardOldMessages(
  system: Db,
  now: Date,
  isStopping: () => boolean,
): Promise<number> {
  await sql`
    -- sequential scan: once a day, of a few rows an office and day
    delete from message_origins where day < ${now}::date - ${keptOriginsDays}::integer`.execute(
    system,
  );
  let discarded = 0;
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      with old as materialized (
        -- sequential scan: once a day, in batches; the age differs by office
        select m.message_id from messages m
        join accounts a on a.account_id = m.account_id
        left join ballots b on b.ballot_id = m.ballot_id
        left join elections e on e.election_id = b.election_id
        where m.state not in ('created', 'sending') and e.is_active is not true
          and m.created_at < ${now}::timestamptz - make_interval(days =>
            coalesce((a.settings->>'message_retention_days')::integer, ${defaultDays}))
        limit ${batchSize}
      ), receipts_gone as (
        delete from receipts r using old where r.message_id = old.message_id
      ), copies_gone as (
        delete from local_deliveries d using old where d.message_id = old.message_id
      ), messages_gone as (
        delete from messages m using old where m.message_id = old.message_id returning 1
      )
      select count(*) as count from messages_gone`.execute(system);
    const count = rows[0]?.count ?? 0;
    discarded += count;
    if (count < batchSize || isStopping()) return discarded;
  }
}
