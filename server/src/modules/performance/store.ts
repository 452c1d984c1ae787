import { sql } from 'kysely';
import { isInEffect } from '../../platform/import-state-store.ts';
import type { Db } from '../../platform/postgres.ts';
import { isConfidential } from '../voters/index.ts';
import type { AnsweredMinutes, ChannelCounts } from './rules.ts';

/** An instant, to an instant that is not part of it. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The spans of the last days in an office's time zone, until the last midnight. @param db bound to the account */
export async function readSpans(
  db: Db,
  timeZone: string,
  days: readonly number[],
  now: Date,
): Promise<{ readonly through: string; readonly spans: readonly (Span & { days: number })[] }> {
  const { rows } = await sql<{ days: number; from: Date; to: Date; through: string }>`
    select days, (today - days)::timestamp at time zone ${timeZone} as "from",
      today::timestamp at time zone ${timeZone} as "to", (today - 1)::text as through
    from unnest(${days}::integer[]) as days,
      (select (${now}::timestamptz at time zone ${timeZone})::date as today) as local
    order by days`.execute(db);
  return { through: rows[0]?.through ?? '', spans: rows };
}

/**
 * Messages that were due in a span, by channel, without confidential voters'. Messages that were withdrawn, became
 * untrue or wait for approval were never due.
 *
 * @param db bound to the account
 */
export async function countMessages(db: Db, { from, to }: Span): Promise<ChannelCounts[]> {
  return db.transaction().execute(async (tx) => {
    // A county's messages of a season take longer than a voter's page; they are counted once an hour.
    await sql`set local statement_timeout = '60s'`.execute(tx);
    const { rows } = await sql<ChannelCounts>`
      -- sequential scan: counts an office's messages of 90 days, at most once an hour
      select channel, count(*)::int as messages,
        count(*) filter (where handed_at <= due + interval '10 seconds')::int as prompt,
        count(*) filter (where state = 'delivered')::int as delivered,
        count(*) filter (where state in ('failed-permanent', 'failed-temporary-exhausted'))::int as failed,
        count(*) filter (where kind = 'correction' and sent_at is not null)::int as corrections
      from (
        select m.channel, m.kind, m.state, m.sent_at, coalesce(m.sent_at, m.finished_at) as handed_at,
          coalesce(m.due_at, m.deliver_after) as due
        from messages m
        where m.account_id = current_account_id() and not ${isConfidential(sql`m.voter_id`)}
          and m.state not in ('held', 'superseded', 'withdrawn', 'expired')
      ) as messages
      where due >= ${from} and due < ${to}
      group by channel order by channel`.execute(tx);
    return rows;
  });
}

/** When files of ballots or scans came in a span, and the last one before it; not what was put back. @param db bound to the account */
export async function readImportTimes(db: Db, { from, to }: Span): Promise<Date[]> {
  const { rows } = await sql<{ at: Date }>`
    select finished_at as at from imports
    where account_id = current_account_id() and ${isInEffect}
      and report->>'holds' in ('ballots', 'scans') and finished_at < ${to}
      and finished_at >= coalesce((
        select max(finished_at) from imports
        where account_id = current_account_id() and ${isInEffect}
          and report->>'holds' in ('ballots', 'scans') and finished_at < ${from}), '-infinity')
    order by finished_at`.execute(db);
  return rows.map((row) => row.at);
}

/** Counts the present minute as answered. Processes that share a database count it once. */
export async function recordAnswer(unscoped: Db, now: Date): Promise<void> {
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  const day = minute.toISOString().slice(0, 10);
  await sql`
    insert into availability_days as d (day, first_minute, last_minute, answered)
    values (${day}::date, ${minute}, ${minute}, 1)
    on conflict (day) do update set last_minute = excluded.last_minute, answered = d.answered + 1
      where d.last_minute < excluded.last_minute`.execute(unscoped);
}

/** The answered minutes of a span in whole days of UTC: from the day of its start to the day before its end. */
export async function readAnsweredMinutes(db: Db, { from, to }: Span): Promise<AnsweredMinutes> {
  const { rows } = await sql<AnsweredMinutes>`
    -- sequential scan: one row a day
    select coalesce(sum(answered) filter (where day >= ${dayOf(from)}::date and day < ${dayOf(to)}::date), 0)::int
        as answered, min(first_minute) as since
    from availability_days`.execute(db);
  return rows[0] ?? { answered: 0, since: null };
}

/** The same span in whole days of UTC, as availability is counted. */
export function inWholeDays({ from, to }: Span): Span {
  return { from: new Date(dayOf(from)), to: new Date(dayOf(to)) };
}

function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
