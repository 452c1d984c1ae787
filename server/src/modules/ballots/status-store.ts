import { isBallotStatus } from '@ballot-beacon/contract/statuses';
import type pg from 'pg';
import { type BallotEvent, deriveBallotStatus } from './rules.ts';
import { arrivingMark } from './store.ts';

export interface StatusTask {
  /** IANA name of the account's zone, in which an instant becomes a day. */
  readonly timeZone: string;
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly today: string;
}

interface EventRow {
  ballot_id: number;
  event_id: number | null;
  kind: BallotEvent['kind'];
  status: string | null;
  occurred_on: string | null;
  occurred_at: string | null;
  recorded_on: string;
}

const batchSize = 1_000;

/**
 * Derives the status of each ballot in the temporary table `touched_ballots (ballot_id)` from all its events and
 * writes it to `ballots`, in the transaction of whoever added events.
 *
 * Leaves table `derived_statuses` (ballot_id, event_id, old_status, new_status) of those whose status, deciding
 * event or expected days became others.
 *
 * @param expected the temporary table (ballot_id, outbound, inbound) of days of delivery that are written along
 */
export async function deriveStatuses(
  connection: pg.PoolClient,
  { timeZone, today }: StatusTask,
  expected?: 'expected_deliveries',
): Promise<void> {
  await connection.query(
    'create temp table derived (ballot_id bigint, status text, event_id bigint) on commit drop',
  );
  await connection.query(
    `declare touched_events no scroll cursor for
    select t.ballot_id, v.event_id, v.kind, v.status,
      coalesce((v.occurred_at at time zone $1)::date, v.occurred_on) as occurred_on,
      to_char(v.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as occurred_at,
      (v.recorded_at at time zone $1)::date as recorded_on
    from touched_ballots t left join ballot_events v on v.ballot_id = t.ballot_id
      and not (v.kind = 'estimate' and v.raw_status = $2 and v.occurred_on >= $3::date)
    order by t.ballot_id`,
    [timeZone, arrivingMark, today],
  );
  let ballotId: number | undefined;
  let events: BallotEvent[] = [];
  let found: { ballotId: number; status: string; eventId: number | null }[] = [];
  const derive = () => {
    if (ballotId === undefined) return;
    const { status, eventId } = deriveBallotStatus(events);
    found.push({ ballotId, status, eventId });
    events = [];
  };
  const fetch = () => connection.query<EventRow>(`fetch ${batchSize} from touched_events`);
  let { rows } = await fetch();
  for (;;) {
    const isLast = rows.length < batchSize;
    // The next are on their way while these are judged.
    const next = isLast ? null : fetch();
    for (const row of rows) {
      if (row.ballot_id !== ballotId) derive();
      ballotId = row.ballot_id;
      if (row.event_id !== null) events.push(toEvent(row, row.event_id));
    }
    if (isLast) derive();
    rows = (await next)?.rows ?? [];
    await connection.query(
      'insert into derived select * from unnest($1::bigint[], $2::text[], $3::bigint[])',
      [
        found.map((one) => one.ballotId),
        found.map((one) => one.status),
        found.map((one) => one.eventId),
      ],
    );
    found = [];
    if (isLast) break;
  }
  await connection.query('close touched_events');
  await connection.query('analyze derived');
  await connection.query(
    `create temp table derived_statuses on commit drop as
    select d.ballot_id, d.event_id, b.current_status as old_status, d.status as new_status,
      case when x.ballot_id is null then b.outbound_expected_delivery_date else x.outbound end as outbound,
      case when x.ballot_id is null then b.inbound_expected_delivery_date else x.inbound end as inbound
    from derived d
    join ballots b on b.ballot_id = d.ballot_id
    left join ${expected ?? noneExpected} x on x.ballot_id = d.ballot_id
    where b.current_status is distinct from d.status or b.current_event_id is distinct from d.event_id
      or x.ballot_id is not null
        and (b.outbound_expected_delivery_date, b.inbound_expected_delivery_date) is distinct from (x.outbound, x.inbound)`,
  );
  await connection.query(
    `update ballots b set current_status = d.new_status, current_event_id = d.event_id,
      outbound_expected_delivery_date = d.outbound, inbound_expected_delivery_date = d.inbound
    from derived_statuses d where b.ballot_id = d.ballot_id`,
  );
  await connection.query('drop table derived');
}

const noneExpected =
  '(select null::bigint as ballot_id, null::date as outbound, null::date as inbound where false)';

function toEvent(row: EventRow, eventId: number): BallotEvent {
  return {
    eventId,
    kind: row.kind,
    status: isBallotStatus(row.status) ? row.status : null,
    occurredOn: row.occurred_on,
    occurredAt: row.occurred_at,
    recordedOn: row.recorded_on,
  };
}
