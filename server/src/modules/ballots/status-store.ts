import { isBallotStatus } from '@ballot-beacon/contract/statuses';
import type pg from 'pg';
import type { BallotEvent } from './event-order.ts';
import { deriveBallotStatus } from './rules.ts';
import { arrivingMark } from './store.ts';

export interface StatusTask {
  /** IANA name of the account's zone, in which an instant becomes a day. */
  readonly timeZone: string;
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly today: string;
}

/**
 * Derives the status of each ballot in the temporary table `touched_ballots (ballot_id)` from all its events and
 * writes it to `ballots`, in the transaction of whoever added events.
 *
 * Leaves table `derived_statuses` (ballot_id, election_id, event_id, occurred_on, old_status, new_status) of those
 * whose status, deciding event or expected days became others; the day is the deciding event's.
 *
 * @param expected the temporary table (ballot_id, outbound, inbound) of days of delivery that are written along
 */
export async function deriveStatuses(
  connection: pg.PoolClient,
  task: StatusTask,
  expected?: 'expected_deliveries',
): Promise<void> {
  await tellStories(connection, task);
  await judgeStories(connection);
  await connection.query(
    `create temp table derived_statuses on commit drop as
    select s.ballot_id, b.election_id, s.event_ids[v.place] as event_id, v.occurred_on,
      b.current_status as old_status, v.status as new_status,
      case when x.ballot_id is null then b.outbound_expected_delivery_date else x.outbound end as outbound,
      case when x.ballot_id is null then b.inbound_expected_delivery_date else x.inbound end as inbound
    from stories s
    join verdicts v on v.story = s.story
    join ballots b on b.ballot_id = s.ballot_id
    left join ${expected ?? noneExpected} x on x.ballot_id = s.ballot_id
    where b.current_status is distinct from v.status or b.current_event_id is distinct from s.event_ids[v.place]
      or x.ballot_id is not null
        and (b.outbound_expected_delivery_date, b.inbound_expected_delivery_date) is distinct from (x.outbound, x.inbound)`,
  );
  await connection.query(
    `update ballots b set current_status = d.new_status, current_event_id = d.event_id,
      outbound_expected_delivery_date = d.outbound, inbound_expected_delivery_date = d.inbound
    from derived_statuses d where b.ballot_id = d.ballot_id`,
  );
}

const noneExpected =
  '(select null::bigint as ballot_id, null::date as outbound, null::date as inbound where false)';

/**
 * Table `stories`: of each touched ballot the IDs of its events in the order of receipt, and all that the rules read of
 * them, a line each. Of an instant they read its day and which came first, so its place among the ballot's instants
 * stands for it: then many thousand ballots have the same few stories.
 */
async function tellStories(
  connection: pg.PoolClient,
  { timeZone, today }: StatusTask,
): Promise<void> {
  await connection.query(
    `create temp table stories on commit drop as
    select ballot_id, array_agg(event_id) as event_ids, coalesce(string_agg(line, E'\\n'), '') as story
    from (
      select ballot_id, event_id,
        kind || E'\\t' || coalesce(status, '') || E'\\t' || coalesce(day::text, '') || E'\\t' || coalesce(instant::text, '') || E'\\t' || recorded_on as line
      from (
        select t.ballot_id, v.event_id, v.kind, v.status,
          coalesce((v.occurred_at at time zone $1)::date, v.occurred_on) as day,
          case when v.occurred_at is not null then rank() over (partition by t.ballot_id order by v.occurred_at) end as instant,
          (v.recorded_at at time zone $1)::date as recorded_on
        from touched_ballots t left join ballot_events v on v.ballot_id = t.ballot_id
          and not (v.kind = 'estimate' and v.raw_status = $2 and v.occurred_on >= $3::date)
      ) known
      order by ballot_id, event_id
    ) ordered group by ballot_id`,
    [timeZone, arrivingMark, today],
  );
}

const batchSize = 1_000;

/** Table `verdicts` (story, status, place, occurred_on): each different story judged, and which event decided when. */
async function judgeStories(connection: pg.PoolClient): Promise<void> {
  await connection.query(
    'create temp table verdicts (story text, status text, place integer, occurred_on date) on commit drop',
  );
  await connection.query(
    'declare different_stories no scroll cursor for select distinct story from stories',
  );
  for (;;) {
    const { rows } = await connection.query<{ story: string }>(
      `fetch ${batchSize} from different_stories`,
    );
    const verdicts = rows.map(({ story }) => judge(story));
    await connection.query(
      'insert into verdicts select * from unnest($1::text[], $2::text[], $3::integer[], $4::date[])',
      [
        verdicts.map((one) => one.story),
        verdicts.map((one) => one.status),
        verdicts.map((one) => one.place),
        verdicts.map((one) => one.occurredOn),
      ],
    );
    if (rows.length < batchSize) break;
  }
  await connection.query('close different_stories');
  await connection.query('analyze verdicts');
}

function judge(story: string) {
  const events = story === '' ? [] : story.split('\n').map(readEvent);
  const { status, eventId } = deriveBallotStatus(events);
  const deciding = eventId === null ? undefined : events[eventId - 1];
  return { story, status, place: eventId, occurredOn: deciding?.occurredOn ?? null };
}

/** The event's place stands for its ID. */
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
