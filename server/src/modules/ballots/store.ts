import type { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import { isBallotStatus } from '@ballot-beacon/contract/statuses';
import { sql } from 'kysely';
import type { BallotId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { BallotEvent } from './event-order.ts';
import { isStanding } from './event-store.ts';
import { joinApplications } from './rivals.ts';

export interface BallotRecord {
  readonly ballotId: BallotId;
  readonly electionId: number;
  readonly electionName: string;
  /** `YYYY-MM-DD` */
  readonly electionDate: string;
  readonly isElectionActive: boolean;
  readonly returnDeadline: ReturnDeadline | null;
  readonly outboundExpectedDeliveryDate: string | null;
  readonly inboundExpectedDeliveryDate: string | null;
  readonly events: readonly BallotEvent[];
  /** The office's reasons, by event. */
  readonly reasons: ReadonlyMap<number, string>;
}

interface BallotRow {
  ballot_id: BallotId;
  election_id: number;
  name: string;
  election_date: string;
  is_active: boolean;
  return_deadline: ReturnDeadline | null;
  outbound_expected_delivery_date: string | null;
  inbound_expected_delivery_date: string | null;
  has_record: boolean;
}

interface EventRow {
  ballot_id: BallotId;
  event_id: number;
  kind: BallotEvent['kind'];
  status: string | null;
  occurred_on: string | null;
  occurred_at: Date | null;
  recorded_on: string;
  reason: string;
}

/**
 * `raw_status` of an estimated arrival on a day. Until the day is over it is shown as the expected day of
 * delivery; afterwards it counts.
 */
export const arrivingMark = 'arriving';

/**
 * A voter's ballots with all their events, newest election first.
 *
 * @param timeZone the account's, in which an instant becomes a day
 */
export async function readBallots(
  db: Db,
  voterId: VoterId,
  isElectionActive: boolean,
  timeZone: string,
): Promise<BallotRecord[]> {
  const [ballots, events] = await Promise.all([
    sql<BallotRow>`
      select b.ballot_id, b.election_id, e.name, e.election_date, e.is_active, e.return_deadline,
        b.outbound_expected_delivery_date, b.inbound_expected_delivery_date, b.office_record is not null as has_record
      from ballots b join elections e using (election_id)
      where b.account_id = current_account_id() and b.voter_id = ${voterId} and e.is_active = ${isElectionActive}
      order by e.election_date desc, b.ballot_id desc`.execute(db),
    sql<EventRow>`
      select v.ballot_id, v.event_id, v.kind, v.status,
        coalesce((v.occurred_at at time zone ${timeZone})::date, v.occurred_on) as occurred_on, v.occurred_at,
        (v.recorded_at at time zone ${timeZone})::date as recorded_on, v.reason
      from ballot_events v join ballots b using (ballot_id) join elections e using (election_id)
      where b.account_id = current_account_id() and b.voter_id = ${voterId} and e.is_active = ${isElectionActive}
        and ${isStanding(sql`v`)}
        and not (v.kind = 'estimate' and v.raw_status = ${arrivingMark}
          and v.occurred_on >= (now() at time zone ${timeZone})::date)
      order by v.event_id`.execute(db),
  ]);
  // A ballot of which nothing counts any more was only in a file that was put back.
  const isKnown = ({ has_record, ballot_id }: BallotRow) =>
    has_record || events.rows.some((event) => event.ballot_id === ballot_id);
  const reasons = new Map(events.rows.map(({ event_id, reason }) => [event_id, reason]));
  const records = ballots.rows.filter(isKnown).map((row) => ({
    ballotId: row.ballot_id,
    electionId: row.election_id,
    electionName: row.name,
    electionDate: row.election_date,
    isElectionActive: row.is_active,
    returnDeadline: row.return_deadline,
    outboundExpectedDeliveryDate: row.outbound_expected_delivery_date,
    inboundExpectedDeliveryDate: row.inbound_expected_delivery_date,
    events: events.rows.filter((event) => event.ballot_id === row.ballot_id).map(toEvent),
    reasons,
  }));
  return joinApplications(records);
}

function toEvent(row: EventRow): BallotEvent {
  return {
    eventId: row.event_id,
    kind: row.kind,
    status: isBallotStatus(row.status) ? row.status : null,
    occurredOn: row.occurred_on,
    occurredAt: row.occurred_at?.toISOString() ?? null,
    recordedOn: row.recorded_on,
  };
}

/** When the newest file of ballots or scans was imported; undefined before the first. Voter rolls do not count. */
export async function readLastImport(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ finished_at: Date }>`
    select finished_at from imports
    where account_id = current_account_id() and state not in ('refused', 'file-held', 'discarded')
      and report->>'holds' in ('ballots', 'scans')
    order by import_id desc limit 1`.execute(db);
  return rows[0]?.finished_at;
}
