import { sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  defineTempTable,
  fillTempTable,
} from '../../../../platform/temp-tables.ts';
import { milestones, partOfRecord, recordOf, recordParts, stagedBallots } from './rows.ts';

type Part = Parameters<typeof partOfRecord>[1];

/** The different records among the staged rows. */
export const ballotRecords = defineTempTable('ballot_records', {
  record_id: 'integer',
  record: 'text',
});

/** Each different pair of a record and the one before it, '' for none. */
const recordPairs = defineTempTable('record_pairs', {
  plan_id: 'bigint',
  record_id: 'integer',
  record: 'text',
  previous: 'text',
});

/** The events by which a record became the next: `place` from 1 in the order in which they happened, the present status last. */
export const plannedEvents = defineTempTable('planned_events', {
  plan_id: 'bigint',
  place: 'integer',
  status: 'text',
  occurred_on: 'date',
  raw_status: 'text',
  reason_code: 'text',
  reason: 'text',
});

/** What becomes of a ballot whose record `previous` is now `record`. `status` and `occurred_on` are of the last event with a known status, the `deciding` one. */
export const eventPlans = defineTempTable('event_plans', {
  plan_id: 'bigint',
  record_id: 'integer',
  record: 'text',
  previous: 'text',
  deciding: 'integer',
  status: 'text',
  occurred_on: 'date',
  /** The day of mailing, where it is no later than the one known before, or that one was empty, and the ballot is said to be sent again. */
  sent_again_on: 'date',
});

/** Fills {@link ballotRecords}. */
export async function gatherRecords(tx: Tx): Promise<void> {
  const records = sql`select record_id, record from ${stagedBallots} where record is not null`;
  await fillTempTable(tx, ballotRecords, records);
  await analyzeTempTable(tx, ballotRecords);
}

/** How many rows of the file have each record, by election: without ballots that have left a list of open cases. */
export const listedRecords = defineTempTable('listed_records', {
  election_id: 'bigint',
  record_id: 'integer',
  count: 'bigint',
});

/** Fills {@link listedRecords}, from which the gate reads what it asks of all rows. */
export async function countListedRecords(tx: Tx): Promise<void> {
  await fillTempTable(
    tx,
    listedRecords,
    sql`select election_id, record_id, count(*) as count from ${stagedBallots} where line is not null group by 1, 2`,
  );
}

/**
 * What can become of a record, in the order in which it happens: the status, its day, whether it is due, and whether
 * it is the last that the record reports.
 */
const steps = [
  ["'requested'", 'requested_on', 'asks', 'is_reported and not (prints or sends or returns)'],
  ["'printed'", 'printed_on', 'prints', 'is_reported and not (sends or returns)'],
  // A replacement is reported as such; that it was sent goes without saying.
  ["'reprinted'", 'sent_on', 'reprints', 'is_reported and not returns'],
  ["'sent'", 'sent_on', 'sends and not reprints', 'is_reported and not returns'],
  ["'returned'", 'returned_on', 'returns', 'is_reported'],
  ['status', 'status_on', 'not is_reported', 'true'],
] as const;

const planned = steps.map(
  ([status, day, isDue, isLast], ordinal) =>
    `select plan_id, ${ordinal} as ordinal, ${status} as status, ${day} as occurred_on,
      case when ${isLast} then raw else '' end as raw_status,
      case when ${isLast} then reason_code else '' end as reason_code,
      case when ${isLast} then reason else '' end as reason
    from reported where ${isDue}`,
);

/**
 * Fills {@link plannedEvents} and {@link eventPlans} for the pairs of records given. Events are five at most, for a reprint
 * goes without being sent. A file of a million ballots has some hundred different pairs, unless it gives reasons in words.
 *
 * @param changes SQL of the rows whose `record_id` and `previous` are paired
 */
export async function planEvents(tx: Tx, changes: ReturnType<typeof sql>): Promise<void> {
  await fillTempTable(
    tx,
    recordPairs,
    sql`
    select row_number() over () as plan_id, record_id, record, previous
    from (select distinct record_id, coalesce(previous, '') as previous from (${changes}) c) different
    join ${ballotRecords} using (record_id)`,
  );
  const now = (part: Part) => sql.raw(partOfRecord('record', part));
  const [sentOn, wasSentOn] = ['p.record', 'p.previous'].map(
    (record) => sql`${sql.raw(partOfRecord(record, 'sent_on'))}::date`,
  );
  const wasSent = sql.raw(`${partOfRecord('p.previous', 'status')} = 'sent'`);
  const days = milestones.map(
    (day) =>
      `${partOfRecord('record', day)}::date as ${day}, ${partOfRecord('previous', day)}::date as was_${day}`,
  );
  await fillTempTable(
    tx,
    plannedEvents,
    sql`
    with parted as materialized (
      select plan_id, ${now('status')} as status, coalesce(${now('raw')}, '') as raw,
        coalesce(${now('reason_code')}, '') as reason_code, coalesce(${now('reason')}, '') as reason,
        ${now('status_on')}::date as status_on, ${sql.raw(days.join(', '))}
      from ${recordPairs}
    ), different as (
      select *, requested_on is distinct from was_requested_on and requested_on is not null as asks,
        printed_on is distinct from was_printed_on and printed_on is not null as prints,
        coalesce(sent_on > was_sent_on, false) as reprints,
        sent_on is distinct from was_sent_on and sent_on is not null as sends,
        returned_on is not null
          and (returned_on is distinct from was_returned_on or coalesce(sent_on > was_sent_on, false)) as returns
      from parted
    ), reported as materialized (
      select *, status is not null and status = case when returns then 'returned' when sends then 'sent'
        when prints then 'printed' when asks then 'requested' else '' end as is_reported
      from different
    )
    select plan_id, row_number() over (partition by plan_id order by ordinal) as place, status, occurred_on, raw_status,
      reason_code, reason
    from (${sql.raw(planned.join(' union all '))}) planned`,
  );
  await fillTempTable(
    tx,
    eventPlans,
    sql`
    select p.plan_id, p.record_id, p.record, p.previous, e.deciding, d.status, d.occurred_on,
      case when d.status = 'sent' and (${sentOn} <= ${wasSentOn} or ${wasSentOn} is null and ${wasSent})
        then ${sentOn} end as sent_again_on
    from ${recordPairs} p
    join (
      select plan_id, max(place) filter (where status is not null) as deciding
      from ${plannedEvents} group by plan_id
    ) e on e.plan_id = p.plan_id
    left join ${plannedEvents} d on d.plan_id = p.plan_id and d.place = e.deciding`,
  );
  await analyzeTempTable(tx, eventPlans);
  await analyzeTempTable(tx, plannedEvents);
}

/** What one format's files may say of a ballot, and another's may not. */
export const saidParts = [...milestones, 'raw', 'reason_code', 'reason'] as const;

/**
 * Leaves out of the records before what this format's files never say. Another format's may, of the same ballots, and then this one's take
 * nothing away. @param parts which
 */
export async function leaveOut(
  tx: Tx,
  parts: readonly (typeof saidParts)[number][],
): Promise<void> {
  if (parts.length === 0) return;
  const said = recordParts.filter((part) => !parts.some((one) => one === part));
  const rest = recordOf(
    Object.fromEntries(said.map((part) => [part, partOfRecord('previous', part)])),
  );
  const isThere = parts.map((part) => `${partOfRecord('previous', part)} is not null`).join(' or ');
  await sql`update ${eventPlans} set previous = ${sql.raw(rest)} where ${sql.raw(isThere)}`.execute(
    tx,
  );
}
