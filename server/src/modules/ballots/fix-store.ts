import { isBallotStatus } from '@ballot-beacon/contract/statuses';
import { sql } from 'kysely';
import type { BallotId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { ElectionKind, FixElection, OfficeDeadline, SetDeadline } from '../deadlines/index.ts';
import type { BallotEvent } from './event-order.ts';

/** What is on record about one found problem with an envelope. */
export interface FixRecord {
  /** The name of the file's format; empty when there was no file. */
  readonly format: string;
  readonly code: string;
  readonly reason: string;
  readonly election: FixElection;
  /** By defect; those that the office set for this election. */
  readonly officeDeadlines: ReadonlyMap<SetDeadline['defect'], OfficeDeadline>;
}

/** The columns of {@link selectFix}. */
export interface FixRow {
  readonly format: string | null;
  readonly reason_code: string;
  readonly reason: string;
  readonly election_date: string;
  readonly kind: ElectionKind | null;
  readonly certified_on: string | null;
  readonly canvassed_on: string | null;
  readonly own:
    | readonly { defect: SetDeadline['defect']; ends_on: string; ends_at: string }[]
    | null;
}

/** The columns of {@link selectOfficeEvent}. */
export interface OfficeEventRow {
  readonly event_id: number;
  readonly status: string | null;
  readonly occurred_on: string | null;
  readonly recorded_on: string;
  readonly imported_at: Date;
}

/** Of an event `v` and its import `i`: what {@link toOfficeEvent} needs, and when the file with it was imported. */
export const selectOfficeEvent = (timeZone: string) => sql`v.event_id, v.status,
  coalesce((v.occurred_at at time zone ${timeZone})::date, v.occurred_on) as occurred_on,
  (v.recorded_at at time zone ${timeZone})::date as recorded_on,
  coalesce(i.started_at, v.recorded_at) as imported_at`;

/** An office's record of a day, without a clock time. */
export function toOfficeEvent(row: OfficeEventRow): BallotEvent {
  return {
    eventId: row.event_id,
    kind: 'office',
    status: isBallotStatus(row.status) ? row.status : null,
    occurredOn: row.occurred_on,
    occurredAt: null,
    recordedOn: row.recorded_on,
  };
}

/** Of an event `v`, its import `i` and its election `e`: what {@link toFixRecord} needs. */
export const selectFix = sql`i.format, v.reason_code, v.reason, e.election_date, e.kind, e.certified_on, e.canvassed_on,
  (select json_agg(json_build_object('defect', o.defect, 'ends_on', o.ends_on, 'ends_at', o.ends_at))
    from office_deadlines o where o.election_id = e.election_id) as own`;

export function toFixRecord(row: FixRow): FixRecord {
  return {
    format: row.format ?? '',
    code: row.reason_code,
    reason: row.reason,
    election: {
      electionDate: row.election_date,
      kind: row.kind,
      certifiedOn: row.certified_on,
      canvassedOn: row.canvassed_on,
    },
    officeDeadlines: new Map(
      row.own?.map(({ defect, ends_on: endsOn, ends_at: endsAt }) => [defect, { endsOn, endsAt }]),
    ),
  };
}

/** @param event the office's record of the problem */
export async function readFixRecord(
  db: Db,
  event: { readonly ballotId: BallotId; readonly eventId: number },
): Promise<FixRecord | undefined> {
  const { rows } = await sql<FixRow>`
    select ${selectFix}
    from ballot_events v join ballots b using (ballot_id) join elections e using (election_id)
    left join imports i on i.import_id = v.import_id
    where v.ballot_id = ${event.ballotId} and v.event_id = ${event.eventId}
      and v.account_id = current_account_id()`.execute(db);
  return rows[0] && toFixRecord(rows[0]);
}
