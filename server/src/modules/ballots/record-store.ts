import { sql } from 'kysely';
import type { BallotId, ImportId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { BallotEvent } from './event-order.ts';
import { isStanding } from './event-store.ts';
import { findEndedBallots, joinApplications } from './rivals.ts';
import { type DerivedStatus, deriveBallotStatus } from './rules.ts';
import { readBallotsApart } from './store.ts';

/** Everything on record about a ballot, for the office's clerks. */
export interface FullBallotRecord {
  readonly ballot_id: BallotId;
  readonly registration_id: string;
  readonly election_number: string;
  readonly election_name: string;
  /** `YYYY-MM-DD` */
  readonly election_date: string;
  readonly election_is_active: boolean;
  /** The office's own ballot number; empty when there is none. */
  readonly ballot_number: string;
  readonly outbound_expected_delivery_date: string | null;
  readonly inbound_expected_delivery_date: string | null;
  /** What the voter's page shows, unless it `is_ended`; null for a ballot that only a file had that was put back. */
  readonly shown: Pick<DerivedStatus, 'status' | 'kind' | 'summary' | 'step' | 'when'> | null;
  /** Another ballot of the voter's in the same election is complete: the page shows that one alone. */
  readonly is_ended: boolean;
  /** In order of receipt. */
  readonly events: readonly RecordedEvent[];
}

export interface RecordedEvent {
  readonly event_id: number;
  readonly kind: BallotEvent['kind'];
  /** Null when the source's value is unknown. */
  readonly status: string | null;
  /** The source's own value. */
  readonly raw_status: string;
  /** `YYYY-MM-DD` when the source gives a day, an instant when it gives a time; null when neither. */
  readonly occurred_on: string | null;
  readonly occurred_at: Date | null;
  readonly recorded_at: Date;
  readonly reason_code: string;
  readonly reason: string;
  readonly import_id: ImportId | null;
  /** Its import was corrected, so the event no longer counts. */
  readonly is_withdrawn: boolean;
  readonly file_name: string | null;
  readonly source_line: number | null;
  readonly scan: { readonly op_code: string; readonly place: string } | null;
}

/**
 * @param db bound to the account
 * @param of a voter's ballots, newest election first, or one ballot
 * @param timeZone the account's
 */
export async function readFullRecords(
  db: Db,
  of: { readonly voterId: VoterId } | { readonly ballotId: BallotId },
  timeZone: string,
): Promise<FullBallotRecord[]> {
  const condition =
    'voterId' in of
      ? sql`b.voter_id = ${of.voterId}`
      : // A confidential voter is found by voter ID alone.
        sql`b.ballot_id = ${of.ballotId} and not v.is_confidential`;
  const { rows: ballots } = await sql<
    Omit<FullBallotRecord, 'shown' | 'is_ended' | 'events'> & { voter_id: VoterId }
  >`
    select b.ballot_id, b.voter_id, v.registration_id, e.number as election_number, e.name as election_name,
      e.election_date, e.is_active as election_is_active, b.ballot_number,
      coalesce(b.outbound_expected_delivery_date, b.office_expected_on) as outbound_expected_delivery_date,
      b.inbound_expected_delivery_date
    from ballots b join voters v using (voter_id) join elections e on e.election_id = b.election_id
    where b.account_id = current_account_id() and ${condition}
    order by e.election_date desc, b.ballot_id desc`.execute(db);
  const [first] = ballots;
  if (!first) return [];
  const { rows: events } = await sql<RecordedEvent & { ballot_id: BallotId }>`
    select v.ballot_id, v.event_id, v.kind, v.status, v.raw_status, v.occurred_on, v.occurred_at, v.recorded_at,
      v.reason_code, v.reason, v.import_id, i.file_name, v.source_line, not ${isStanding(sql`v`)} as is_withdrawn,
      case when s.scan_id is not null then json_build_object('op_code', s.op_code,
        'place', concat_ws(' ', nullif(s.facility_city, ''), nullif(s.facility_state, ''), nullif(s.facility_zip, '')))
      end as scan
    from ballot_events v
    left join imports i on i.import_id = v.import_id
    left join mail_scans s on s.scan_id = v.scan_id
    where v.account_id = current_account_id() and v.ballot_id = any(${ballots.map((one) => one.ballot_id)}::bigint[])
    order by v.event_id`.execute(db);
  // Uses the same function as the page, so that the clerk sees what the voter sees.
  const apart = (
    await Promise.all(
      [true, false].map((isElectionActive) =>
        readBallotsApart(db, { voterId: first.voter_id, isElectionActive, timeZone }),
      ),
    )
  ).flat();
  const shown = joinApplications(apart);
  const ended = findEndedBallots(shown);
  return ballots.map(({ voter_id, ...ballot }) => {
    // An application is part of its ballot on the page, and has an end of its own.
    const own = [...shown, ...apart].find(({ ballotId }) => ballotId === ballot.ballot_id);
    return {
      ...ballot,
      shown: own ? showStatus(own.events) : null,
      is_ended: ended.has(ballot.ballot_id),
      events: events
        .filter((event) => event.ballot_id === ballot.ballot_id)
        .map(({ ballot_id, ...event }) => event),
    };
  });
}

function showStatus(of: readonly BallotEvent[]): FullBallotRecord['shown'] {
  const { status, kind, summary, step, when } = deriveBallotStatus(of);
  return { status, kind, summary, step, when };
}
