import { type RawBuilder, sql } from 'kysely';
import type { AccountId, BallotId, ImportId, VoterId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import type { EventSource } from './event-store.ts';
import { keepReplacedBallots } from './put-back-store.ts';

/** SQL of the ID of a ballot, or an event, that is about to be added. */
export const nextBallotId = sql<number>`nextval('ballots_ballot_id_seq')`;
export const nextEventId = sql<number>`nextval('ballot_events_event_id_seq')`;

export interface NewBallot {
  readonly ballot_id: BallotId;
  readonly voter_id: VoterId;
  readonly election_id: number;
  readonly ballot_number: string;
  readonly office_record: string;
  readonly current_status: string;
  readonly current_event_id: number | null;
  /** `YYYY-MM-DD`: when the office expects it at its voter. */
  readonly office_expected_on: string | null;
}

/** Adds ballots, set-wise. @returns how many */
export async function addBallots(
  tx: Tx,
  accountId: AccountId,
  rows: RawBuilder<NewBallot>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into ballots (account_id, ballot_id, voter_id, election_id, ballot_number, office_record, current_status, current_event_id,
      office_expected_on)
    overriding system value
    select ${accountId}, r.ballot_id, r.voter_id, r.election_id, r.ballot_number, r.office_record, r.current_status,
      r.current_event_id, r.office_expected_on
    from (${rows}) r`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export interface BallotUpdate {
  readonly ballot_id: BallotId;
  readonly office_record: string;
  readonly current_status: string;
  /** Null leaves the deciding event as it is. */
  readonly current_event_id: number | null;
  readonly office_expected_on: string | null;
}

/** Writes what the office now says of ballots, set-wise. @returns how many */
export async function updateBallots(
  tx: Tx,
  source: EventSource,
  rows: RawBuilder<BallotUpdate>,
): Promise<number> {
  await keepReplacedBallots(tx, source, rows);
  const { numAffectedRows } = await sql`
    update ballots b set office_record = r.office_record, current_status = r.current_status,
      current_event_id = coalesce(r.current_event_id, b.current_event_id), office_expected_on = r.office_expected_on
    from (${rows}) r where r.ballot_id = b.ballot_id`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

export interface RenumberedBallot {
  readonly ballot_id: BallotId;
  readonly ballot_number: string;
  /** Null leaves the known record. */
  readonly office_record: string | null;
}

/** Gives ballots other numbers, set-wise. */
export async function renumberBallots(
  tx: Tx,
  source: EventSource,
  rows: RawBuilder<RenumberedBallot>,
): Promise<void> {
  await keepReplacedBallots(tx, source, rows);
  await sql`
    update ballots b set ballot_number = r.ballot_number, office_record = coalesce(r.office_record, b.office_record)
    from (${rows}) r where r.ballot_id = b.ballot_id`.execute(tx);
}

export interface NewEvent {
  /** Of {@link nextEventId}, drawn before; null for the next. */
  readonly event_id: number | null;
  readonly ballot_id: BallotId;
  readonly kind: string;
  readonly status: string | null;
  readonly raw_status: string | null;
  /** `YYYY-MM-DD` */
  readonly occurred_on: string | null;
  readonly occurred_at: Date | null;
  readonly reason_code: string | null;
  readonly reason: string | null;
  readonly scan_id: number | null;
  readonly source_line: number | null;
  /** The import that brought the scan; null: this one. */
  readonly import_id: ImportId | null;
  /** The import that tied the scan's barcode to the ballot; null for no scan. */
  readonly piece_import_id: ImportId | null;
}

/** SQL of what {@link addEvents} wants to know of a scan, for events of none. */
export const ofNoScan = sql`null::bigint as scan_id, null::bigint as import_id, null::bigint as piece_import_id`;

/** Adds events, set-wise and in the order of the rows. @returns how many */
export async function addEvents(
  tx: Tx,
  { accountId, importId }: EventSource,
  rows: RawBuilder<NewEvent>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into ballot_events (account_id, event_id, ballot_id, kind, status, raw_status, occurred_on, occurred_at,
      reason_code, reason, import_id, piece_import_id, scan_id, source_line)
    overriding system value
    select ${accountId}, coalesce(r.event_id, ${nextEventId}), r.ballot_id, r.kind::event_kind, r.status,
      coalesce(r.raw_status, ''), r.occurred_on, r.occurred_at, coalesce(r.reason_code, ''), coalesce(r.reason, ''),
      coalesce(r.import_id, ${importId}), r.piece_import_id, r.scan_id, r.source_line
    from (${rows}) r`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
