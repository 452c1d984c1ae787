import type { Connection } from '../../run/import-store.ts';
import { milestones, partOfRecord } from './rows.ts';

type Part = Parameters<typeof partOfRecord>[1];

/**
 * What can become of a record, in the order in which it happens: the status, its day, whether it is due, and whether
 * it is the last that the record tells.
 */
const steps = [
  ["'requested'", 'requested_on', 'asks', 'is_told and not (prints or sends or returns)'],
  ["'printed'", 'printed_on', 'prints', 'is_told and not (sends or returns)'],
  // A replacement is told as such; that it was sent goes without saying.
  ["'reprinted'", 'sent_on', 'reprints', 'is_told and not returns'],
  ["'sent'", 'sent_on', 'sends and not reprints', 'is_told and not returns'],
  ["'returned'", 'returned_on', 'returns', 'is_told'],
  ['status', 'status_on', 'not is_told', 'true'],
] as const;

/**
 * Tables `plans` of each different pair in table `changes` of a record and the one before it ('' for none), and
 * `plan_events` of what became different from one to the other: `place` from 1 in the order in which it happened, the
 * status as it is now last. They are five at most, for a reprint goes without being sent. Of a plan `deciding`, `status`
 * and `occurred_on` are of the last with a known status. A file of a million ballots has some hundred different pairs,
 * unless it gives reasons in words.
 */
export async function planEvents(connection: Connection): Promise<void> {
  await connection.query(
    `create temp table pairs on commit drop as
    select row_number() over () as plan_id, record_id, record, previous
    from (select distinct record_id, coalesce(previous, '') as previous from changes where problem is null) different
    join records using (record_id)`,
  );
  const now = (part: Part) => partOfRecord('record', part);
  const before = (part: Part) => partOfRecord('previous', part);
  const planned = steps.map(
    ([status, day, isDue, isLast], ordinal) =>
      `select plan_id, ${ordinal} as ordinal, ${status} as status, ${day} as occurred_on,
        case when ${isLast} then raw else '' end as raw_status,
        case when ${isLast} then reason_code else '' end as reason_code,
        case when ${isLast} then reason else '' end as reason
      from told where ${isDue}`,
  );
  await connection.query(
    `create temp table plan_events on commit drop as
    with parted as materialized (
      select plan_id, ${now('status')} as status, coalesce(${now('raw')}, '') as raw,
        coalesce(${now('reason_code')}, '') as reason_code, coalesce(${now('reason')}, '') as reason,
        ${now('status_on')}::date as status_on,
        ${milestones.map((day) => `${now(day)}::date as ${day}, ${before(day)}::date as was_${day}`).join(', ')}
      from pairs
    ), different as (
      select *, requested_on is distinct from was_requested_on and requested_on is not null as asks,
        printed_on is distinct from was_printed_on and printed_on is not null as prints,
        coalesce(sent_on > was_sent_on, false) as reprints,
        sent_on is distinct from was_sent_on and sent_on is not null as sends,
        returned_on is not null
          and (returned_on is distinct from was_returned_on or coalesce(sent_on > was_sent_on, false)) as returns
      from parted
    ), told as materialized (
      select *, status is not null and status = case when returns then 'returned' when sends then 'sent'
        when prints then 'printed' when asks then 'requested' else '' end as is_told
      from different
    )
    select plan_id, row_number() over (partition by plan_id order by ordinal) as place, status, occurred_on, raw_status,
      reason_code, reason
    from (${planned.join(' union all ')}) planned`,
  );
  await connection.query(
    `create temp table plans on commit drop as
    select p.plan_id, p.record_id, p.record, p.previous, e.deciding, d.status, d.occurred_on
    from pairs p
    join (
      select plan_id, max(place) filter (where status is not null) as deciding
      from plan_events group by plan_id
    ) e on e.plan_id = p.plan_id
    left join plan_events d on d.plan_id = p.plan_id and d.place = e.deciding`,
  );
  await connection.query('analyze plans');
  await connection.query('analyze plan_events');
}
