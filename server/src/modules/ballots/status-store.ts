import { ballotStatuses, isBallotStatus, statuses } from '@ballot-beacon/contract/statuses';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/postgres.ts';
import {
  analyzeTempTable,
  createTempTable,
  defineTempTable,
  fillTempTable,
  readInBatches,
} from '../../platform/temp-tables.ts';
import type { BallotEvent } from './event-order.ts';
import { isStanding } from './event-store.ts';
import { arrivingMark } from './events-of-ballot-store.ts';
import { deriveBallotStatus } from './rules.ts';

export interface StatusTask {
  /** IANA name of the account's zone, in which an instant becomes a day. */
  readonly timeZone: string;
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly today: string;
}

/** The ballots whose status {@link deriveStatuses} derives, each once. */
export const touchedBallots = defineTempTable('touched_ballots', { ballot_id: 'bigint' });

/** The days of delivery that {@link deriveStatuses} writes along. */
export const expectedDeliveries = defineTempTable('expected_deliveries', {
  ballot_id: 'bigint',
  outbound: 'date',
  inbound: 'date',
});

/** The ballots whose status, deciding event or expected days are others than before; the day is the deciding event's. */
export const derivedStatuses = defineTempTable('derived_statuses', {
  ballot_id: 'bigint',
  election_id: 'bigint',
  event_id: 'bigint',
  occurred_on: 'date',
  old_status: 'text',
  new_status: 'text',
  outbound: 'date',
  inbound: 'date',
});

/**
 * The ballots that an import changed, for the messages to their voters. Status and day are those of the last change that
 * the file reports; a ballot's current status may be further.
 */
export const changedBallots = defineTempTable('changed_ballots', {
  ballot_id: 'bigint',
  event_id: 'bigint',
  old_status: 'text',
  new_status: 'text',
  election_id: 'bigint',
  occurred_on: 'date',
});

const completeStatuses = ballotStatuses.filter((status) => statuses[status].effect === 'complete');

/**
 * SQL of whether another ballot of the same voter and election has ended a ballot, by the rule of `findEndedBallots`. A ballot that is
 * complete itself never counts as ended: two acceptances do not contradict each other.
 *
 * @param ballot the alias of `ballots`
 * @param status SQL of the ballot's status
 */
export function isEnded(ballot: RawBuilder<unknown>, status: RawBuilder<unknown>) {
  // All within, so that the planner may join the ballots that are not ended at once.
  return sql<boolean>`exists (select from ballots other
    where other.voter_id = ${ballot}.voter_id and other.election_id = ${ballot}.election_id
      and other.current_status = any(${completeStatuses}::text[]) and other.ballot_id <> ${ballot}.ballot_id
      and ${status} <> all(${completeStatuses}::text[]))`;
}

/** All that the rules read of a ballot's events, a line each, and the IDs of the events in order of receipt. */
const histories = defineTempTable('event_histories', {
  ballot_id: 'bigint',
  event_ids: 'bigint[]',
  history: 'text',
});

/** The status of each different history, and the place of the event that decided it. */
const verdicts = defineTempTable('history_verdicts', {
  history: 'text',
  status: 'text',
  place: 'integer',
  occurred_on: 'date',
});

/**
 * Derives the status of each of the {@link touchedBallots} from all its events and writes it to `ballots`, in the
 * transaction that added the events. Leaves {@link derivedStatuses}.
 *
 * @param withDeliveries writes the {@link expectedDeliveries} too
 */
export async function deriveStatuses(
  tx: Tx,
  task: StatusTask,
  { withDeliveries = false }: { readonly withDeliveries?: boolean } = {},
): Promise<void> {
  await gatherHistories(tx, task);
  await judgeHistories(tx);
  await fillTempTable(
    tx,
    derivedStatuses,
    sql`
    select h.ballot_id, b.election_id, h.event_ids[v.place] as event_id, v.occurred_on,
      b.current_status as old_status, v.status as new_status,
      case when x.ballot_id is null then b.outbound_expected_delivery_date else x.outbound end as outbound,
      case when x.ballot_id is null then b.inbound_expected_delivery_date else x.inbound end as inbound
    from ${histories} h
    join ${verdicts} v on v.history = h.history
    join ballots b on b.ballot_id = h.ballot_id
    left join ${withDeliveries ? expectedDeliveries : noDeliveries} x on x.ballot_id = h.ballot_id
    where b.current_status is distinct from v.status or b.current_event_id is distinct from h.event_ids[v.place]
      or x.ballot_id is not null
        and (b.outbound_expected_delivery_date, b.inbound_expected_delivery_date) is distinct from (x.outbound, x.inbound)`,
  );
  await sql`
    update ballots b set current_status = d.new_status, current_event_id = d.event_id,
      outbound_expected_delivery_date = d.outbound, inbound_expected_delivery_date = d.inbound
    from ${derivedStatuses} d where b.ballot_id = d.ballot_id`.execute(tx);
}

const noDeliveries = sql`(select null::bigint as ballot_id, null::date as outbound, null::date as inbound where false)`;

/**
 * Fills {@link histories}. Of an instant the rules read its day and which came first, so its place among the ballot's
 * instants stands for it: then many thousand ballots have the same few histories.
 */
async function gatherHistories(tx: Tx, { timeZone, today }: StatusTask): Promise<void> {
  await fillTempTable(
    tx,
    histories,
    sql`
    select ballot_id, array_agg(event_id) as event_ids, coalesce(string_agg(line, E'\\n'), '') as history
    from (
      select ballot_id, event_id,
        kind || E'\\t' || coalesce(status, '') || E'\\t' || coalesce(day::text, '') || E'\\t' || coalesce(instant::text, '') || E'\\t' || recorded_on as line
      from (
        select t.ballot_id, v.event_id, v.kind, v.status,
          coalesce((v.occurred_at at time zone ${timeZone})::date, v.occurred_on) as day,
          case when v.occurred_at is not null then rank() over (partition by t.ballot_id order by v.occurred_at) end as instant,
          (v.recorded_at at time zone ${timeZone})::date as recorded_on
        from ${touchedBallots} t left join ballot_events v on v.ballot_id = t.ballot_id
          and ${isStanding(sql`v`)}
          and not (v.kind = 'estimate' and v.raw_status = ${arrivingMark} and v.occurred_on >= ${today}::date)
      ) known
      order by ballot_id, event_id
    ) ordered group by ballot_id`,
  );
}

const historiesPerBatch = 1_000;

async function judgeHistories(tx: Tx): Promise<void> {
  await createTempTable(tx, verdicts);
  const different = sql<{ history: string }>`select distinct history from ${histories}`;
  for await (const batch of readInBatches(tx, different, historiesPerBatch)) {
    const judged = batch.map(({ history }) => judge(history));
    await sql`insert into ${verdicts} select * from unnest(${judged.map((one) => one.history)}::text[],
      ${judged.map((one) => one.status)}::text[], ${judged.map((one) => one.place)}::integer[],
      ${judged.map((one) => one.occurredOn)}::date[])`.execute(tx);
  }
  await analyzeTempTable(tx, verdicts);
}

function judge(history: string) {
  const events = history === '' ? [] : history.split('\n').map(readEvent);
  const { status, eventId } = deriveBallotStatus(events);
  const deciding = eventId === null ? undefined : events[eventId - 1];
  return { history, status, place: eventId, occurredOn: deciding?.occurredOn ?? null };
}

/** Uses the event's place as its ID. */
function readEvent(line: string, index: number): BallotEvent {
  const [kind, status, day, instant, recordedOn = ''] = line.split('\t');
  return {
    eventId: index + 1,
    kind: kind as BallotEvent['kind'],
    status: isBallotStatus(status) ? status : null,
    occurredOn: day || null,
    occurredAt: instant ? new Date(Number(instant)).toISOString() : null,
    recordedOn,
  };
}
