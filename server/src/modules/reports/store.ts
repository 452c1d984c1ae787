import type { Channel, MessageKind, MessageState } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import { arrivingMark, becameBallot, isStanding, isWithdrawn } from '../ballots/index.ts';
import { isConfidential } from '../voters/index.ts';
import type { AlikeBallots, EventKey, Period } from './rules.ts';

/**
 * An election's ballots without confidential voters', with one row for all ballots with the same events: a county's million ballots become a few thousand rows.
 * The events of an application are those of the ballot that it became.
 *
 * @param db bound to the account
 * @param timeZone the account's, in which an instant becomes a day
 */
export async function readAlikeBallots(
  db: Db,
  electionId: number,
  timeZone: string,
): Promise<Iterable<AlikeBallots>> {
  const occurredOn = sql`coalesce((v.occurred_at at time zone ${timeZone})::date, v.occurred_on)`;
  const recordedOn = sql`(v.recorded_at at time zone ${timeZone})::date`;
  return db.transaction().execute(async (tx) => {
    // A report on a whole county may take longer than a voter's page.
    await sql`set local statement_timeout = '10min'`.execute(tx);
    const { rows } = await sql<{ events: string; created_on: string; count: number }>`
      select coalesce(events, '') as events,
        case when events is null then (created_at at time zone ${timeZone})::date end as created_on, count(*) as count
      from (
        select min(b.created_at) as created_at, string_agg(v.kind || ' ' || coalesce(v.status, '') || ' '
            || coalesce((${occurredOn} - ${dayZero}::date)::text, '') || ' '
            || (${recordedOn} - ${dayZero}::date)::text, ',' order by v.event_id) as events
        from ballots b left join ballot_events v on v.ballot_id = b.ballot_id
          and ${isStanding(sql`v`)}
          and not (v.kind = 'estimate' and v.raw_status = ${arrivingMark}
            and v.occurred_on >= (now() at time zone ${timeZone})::date)
        where b.account_id = current_account_id() and b.election_id = ${electionId}
          and not ${isConfidential(sql`b.voter_id`)} and not ${isWithdrawn(sql`b`)}
        group by coalesce(${becameBallot(sql`b`)}, b.ballot_id)
      ) ballots group by 1, 2`.execute(tx);
    return readRows(rows);
  });
}

/** Days are counted from here, because formatting three dates for each of a million ballots takes seconds. */
const dayZero = '2000-01-01';

function toDay(count: string): string {
  return new Date(Date.parse(dayZero) + Number(count) * 86_400_000).toISOString().slice(0, 10);
}

/** One after another, so that a large county's ballots are not all in memory at once. */
function* readRows(
  rows: readonly { events: string; created_on: string; count: number }[],
): Generator<AlikeBallots> {
  for (const { events, created_on, count } of rows) {
    yield {
      events: events === '' ? [] : events.split(',').map(readEvent),
      createdOn: created_on,
      count,
    };
  }
}

function readEvent(text: string): EventKey {
  const [kind, status, occurred, recorded] = text.split(' ') as [EventKey[0], ...string[]];
  return [kind, status || null, occurred ? toDay(occurred) : null, toDay(recorded ?? '')];
}

export interface RegistrationDay {
  readonly day: string;
  readonly language: string;
  readonly channel: Channel;
  readonly asked: number;
  readonly confirmed: number;
  readonly withdrawn: number;
}

export interface Selection extends Period {
  readonly timeZone: string;
  /** Null: all elections, and messages without an election. */
  readonly electionId: number | null;
}

/** Sign-ups by day, without names. @param db bound to the account */
export async function readRegistrations(db: Db, of: Selection): Promise<RegistrationDay[]> {
  const { timeZone, electionId } = of;
  const { rows } = await sql<RegistrationDay>`
    -- sequential scan: a report counts every row of the office
    select day, language, channel,
      count(*) filter (where action = 'asked') as asked,
      count(*) filter (where action = 'confirmed') as confirmed,
      count(*) filter (where action = 'withdrawn') as withdrawn
    from (
      select (c.at at time zone ${timeZone})::date as day, c.channel, c.action,
        coalesce(nullif(p.language_preference, ''), nullif(v.language_preference, ''), 'english') as language
      from consents c join voters v using (voter_id) left join contact_preferences p using (voter_id)
      where c.account_id = current_account_id() and not v.is_confidential and (${electionId}::bigint is null or exists (
        select from ballots b where b.voter_id = c.voter_id and b.election_id = ${electionId}))
    ) consents
    where ${within(of)}
    group by day, language, channel order by day, language, channel`.execute(db);
  return rows;
}

export interface MessageDay {
  readonly day: string;
  readonly election: string;
  readonly kind: MessageKind;
  readonly status: string;
  readonly language: string;
  readonly channel: Channel;
  readonly state: MessageState;
  readonly messages: number;
}

/** Messages by creation day and outcome. @param db bound to the account */
export async function readMessages(db: Db, of: Selection): Promise<MessageDay[]> {
  const { timeZone, electionId } = of;
  const { rows } = await sql<MessageDay>`
    -- sequential scan: a report counts every row of the office
    select day, election, kind, status, language, channel, state, count(*) as messages
    from (
      select (m.created_at at time zone ${timeZone})::date as day, coalesce(e.number, '') as election, m.kind,
        coalesce(m.status, '') as status, m.language, m.channel, m.state::text as state
      from messages m left join ballots b on b.ballot_id = m.ballot_id
      left join elections e on e.election_id = b.election_id
      where m.account_id = current_account_id() and not ${isConfidential(sql`m.voter_id`)}
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
