import type { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import { sql } from 'kysely';
import type { BallotId, VoterId } from '../../platform/ids.ts';
import { isInEffect, newestNumbers } from '../../platform/import-state-store.ts';
import type { Db } from '../../platform/postgres.ts';
import type { BallotEvent } from './event-order.ts';
import { type EventRow, selectEvents, toEvent } from './events-of-ballot-store.ts';
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
  events: readonly EventRow[] | null;
}

export interface BallotsOfVoter {
  readonly voterId: VoterId;
  readonly isElectionActive: boolean;
  /** The account's, in which an instant becomes a day. */
  readonly timeZone: string;
}

/** SQL of a voter's ballots, each with all its events: in one statement, because a page waits for it. */
function selectBallots({ voterId, isElectionActive, timeZone }: BallotsOfVoter) {
  return sql`
    select b.ballot_id, b.election_id, e.name, e.election_date, e.is_active, e.return_deadline,
      coalesce(b.outbound_expected_delivery_date, b.office_expected_on) as outbound_expected_delivery_date,
      b.inbound_expected_delivery_date, b.office_record is not null as has_record, ${selectEvents(sql`b`, timeZone)} as events
    from ballots b join elections e using (election_id)
    where b.account_id = current_account_id() and b.voter_id = ${voterId} and e.is_active = ${isElectionActive}`;
}

/** A voter's ballots with all their events, newest election first. */
export async function readBallots(db: Db, of: BallotsOfVoter): Promise<BallotRecord[]> {
  return joinApplications(await readBallotsApart(db, of));
}

/** The same, with applications apart from the ballots that followed them. */
export async function readBallotsApart(db: Db, of: BallotsOfVoter): Promise<BallotRecord[]> {
  const { rows } = await sql<BallotRow>`
    ${selectBallots(of)} order by e.election_date desc, b.ballot_id desc`.execute(db);
  return toRecords(rows);
}

/** The same, and {@link readLastImport}. */
export async function readBallotsAndLastImport(
  db: Db,
  of: BallotsOfVoter,
): Promise<{ records: BallotRecord[]; lastImport: Date | undefined }> {
  const { rows } = await sql<(BallotRow | { ballot_id: null }) & { finished_at: Date | null }>`
    select last.finished_at, ballot.*
    from (values (true)) one left join (${selectLastImport}) last on true left join (${selectBallots(of)}) ballot on true
    order by ballot.election_date desc, ballot.ballot_id desc`.execute(db);
  return {
    records: joinApplications(toRecords(rows.filter((row) => row.ballot_id !== null))),
    lastImport: rows[0]?.finished_at ?? undefined,
  };
}

function toRecords(rows: readonly BallotRow[]): BallotRecord[] {
  const events = rows.flatMap((row) => row.events ?? []);
  const reasons = new Map(events.map(({ event_id, reason }) => [event_id, reason]));
  return (
    rows
      // A ballot of which nothing counts any more was only in a file that was put back.
      .filter(({ has_record, events }) => has_record || events !== null)
      .map((row) => ({
        ballotId: row.ballot_id,
        electionId: row.election_id,
        electionName: row.name,
        electionDate: row.election_date,
        isElectionActive: row.is_active,
        returnDeadline: row.return_deadline,
        outboundExpectedDeliveryDate: row.outbound_expected_delivery_date,
        inboundExpectedDeliveryDate: row.inbound_expected_delivery_date,
        events: (row.events ?? []).map(toEvent),
        reasons,
      }))
  );
}

const selectLastImport = sql<{ finished_at: Date }>`
  select finished_at from (
    select finished_at from imports
    where account_id = current_account_id() and ${isInEffect}
      and report->>'holds' in ('ballots', 'scans')
    order by import_id desc limit ${newestNumbers}
  ) newest order by finished_at desc limit 1`;

/** When the last file of ballots or scans was loaded; undefined before the first. Voter rolls do not count, nor what was put back. */
export async function readLastImport(db: Db): Promise<Date | undefined> {
  const { rows } = await selectLastImport.execute(db);
  return rows[0]?.finished_at;
}
