import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import { arrivingMark } from '../ballots/index.ts';
import type { AlikeBallots, EventKey, Period } from './rules.ts';

/**
 * An election's ballots, those to which the same happened counted as one row: a county's million are a few thousand.
 *
 * @param db bound to the account
 * @param timeZone the account's, in which an instant becomes a day
 */
export async function readAlikeBallots(
  db: Db,
  electionId: number,
  timeZone: string,
): Promise<Iterable<AlikeBallots>> {
  const { rows } = await sql<{ events: string; created_on: string; count: number }>`
    select events, created_on, count(*) as count from (
      select coalesce(happened.events, '[]') as events,
        case when happened.events is null then (b.created_at at time zone ${timeZone})::date end as created_on
      from ballots b left join lateral (
        select json_agg(json_build_array(v.kind, v.status,
            coalesce((v.occurred_at at time zone ${timeZone})::date, v.occurred_on),
            (v.recorded_at at time zone ${timeZone})::date) order by v.event_id)::text as events
        from ballot_events v where v.ballot_id = b.ballot_id
          and not (v.kind = 'estimate' and v.raw_status = ${arrivingMark}
            and v.occurred_on >= (now() at time zone ${timeZone})::date)
      ) happened on true
      where b.account_id = current_account_id() and b.election_id = ${electionId}
    ) ballots group by events, created_on`.execute(db);
  return readRows(rows);
}

/** One after the other, so that a large county's are not all unpacked at once. */
function* readRows(
  rows: readonly { events: string; created_on: string; count: number }[],
): Generator<AlikeBallots> {
  for (const { events, created_on, count } of rows) {
    yield { events: JSON.parse(events) as EventKey[], createdOn: created_on, count };
  }
}

export interface RegistrationDay {
  readonly day: string;
  readonly language: string;
  readonly channel: string;
  readonly asked: number;
  readonly confirmed: number;
  readonly withdrawn: number;
}

export interface Selection extends Period {
  readonly timeZone: string;
  /** Null: of all elections and of none. */
  readonly electionId: number | null;
}

/** Who asked to be told, by day; nobody by name. @param db bound to the account */
export async function readRegistrations(db: Db, of: Selection): Promise<RegistrationDay[]> {
  const { timeZone, electionId } = of;
  const { rows } = await sql<RegistrationDay>`
    select day, language, channel,
      count(*) filter (where action = 'asked') as asked,
      count(*) filter (where action = 'confirmed') as confirmed,
      count(*) filter (where action = 'withdrawn') as withdrawn
    from (
      select (c.at at time zone ${timeZone})::date as day, c.channel, c.action,
        coalesce(nullif(p.language_preference, ''), nullif(v.language_preference, ''), 'english') as language
      from consents c join voters v using (voter_id) left join contact_preferences p using (voter_id)
      where c.account_id = current_account_id() and (${electionId}::bigint is null or exists (
        select from ballots b where b.voter_id = c.voter_id and b.election_id = ${electionId}))
    ) consents
    where ${within(of)}
    group by day, language, channel order by day, language, channel`.execute(db);
  return rows;
}

export interface MessageDay {
  readonly day: string;
  readonly election: string;
  readonly kind: string;
  readonly status: string;
  readonly language: string;
  readonly channel: string;
  readonly state: string;
  readonly messages: number;
}

/** What was made to be sent, by the day it was made, and what became of it. @param db bound to the account */
export async function readMessages(db: Db, of: Selection): Promise<MessageDay[]> {
  const { timeZone, electionId } = of;
  const { rows } = await sql<MessageDay>`
    select day, election, kind, status, language, channel, state, count(*) as messages
    from (
      select (m.created_at at time zone ${timeZone})::date as day, coalesce(e.number, '') as election, m.kind,
        coalesce(m.status, '') as status, m.language, m.channel, m.state::text as state
      from messages m left join ballots b on b.ballot_id = m.ballot_id
      left join elections e on e.election_id = b.election_id
      where m.account_id = current_account_id()
        and (${electionId}::bigint is null or b.election_id = ${electionId})
    ) messages
    where ${within(of)}
    group by day, election, kind, status, language, channel, state
    order by day, election, kind, status, language, channel, state`.execute(db);
  return rows;
}

function within({ from, to }: Period) {
  return sql`(${from}::date is null or day >= ${from}::date) and (${to}::date is null or day <= ${to}::date)`;
}
