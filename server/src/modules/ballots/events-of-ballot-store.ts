import { isBallotStatus } from '@ballot-beacon/contract/statuses';
import { type RawBuilder, sql } from 'kysely';
import type { BallotEvent } from './event-order.ts';
import { isStanding } from './event-store.ts';

/** An element of {@link selectEvents}, as JSON gives it. */
export interface EventRow {
  readonly event_id: number;
  readonly kind: BallotEvent['kind'];
  readonly status: string | null;
  readonly occurred_on: string | null;
  readonly occurred_at: string | null;
  readonly recorded_on: string;
  /** The office's. */
  readonly reason: string;
}

/**
 * `raw_status` of an estimated arrival on a day. Until the day is over it is shown as the expected day of
 * delivery; afterwards it counts.
 */
export const arrivingMark = 'arriving';

/**
 * SQL of all events of a ballot that count by now, as a JSON array of {@link EventRow}; null without any.
 *
 * @param ballot the alias of a row with `ballot_id`
 * @param timeZone the account's, in which an instant becomes a day
 */
export function selectEvents(ballot: RawBuilder<unknown>, timeZone: string) {
  return sql`(select json_agg(json_build_object('event_id', v.event_id, 'kind', v.kind, 'status', v.status,
          'occurred_on', coalesce((v.occurred_at at time zone ${timeZone})::date, v.occurred_on),
          'occurred_at', v.occurred_at, 'recorded_on', (v.recorded_at at time zone ${timeZone})::date,
          'reason', v.reason) order by v.event_id)
        from ballot_events v
        where v.ballot_id = ${ballot}.ballot_id and ${isStanding(sql`v`)}
          and not (v.kind = 'estimate' and v.raw_status = ${arrivingMark}
            and v.occurred_on >= (now() at time zone ${timeZone})::date))`;
}

export function toEvent(row: EventRow): BallotEvent {
  return {
    eventId: row.event_id,
    kind: row.kind,
    status: isBallotStatus(row.status) ? row.status : null,
    occurredOn: row.occurred_on,
    occurredAt: row.occurred_at === null ? null : new Date(row.occurred_at).toISOString(),
    recordedOn: row.recorded_on,
  };
}
