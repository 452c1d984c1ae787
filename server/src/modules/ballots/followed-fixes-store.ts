import { sql } from 'kysely';
import type { AccountId, BallotId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { BallotEvent } from './event-order.ts';
import { isStanding } from './event-store.ts';
import {
  type FixRecord,
  type FixRow,
  type OfficeEventRow,
  selectFix,
  selectOfficeEvent,
  toFixRecord,
  toOfficeEvent,
} from './fix-store.ts';
import { isEnded } from './status-store.ts';

/** A ballot that ever had a problem with its envelope. */
export interface BallotWithFix {
  readonly ballotId: BallotId;
  readonly voterId: VoterId;
  readonly electionNumber: string;
  readonly isConfidential: boolean;
  /** Another ballot of the voter in the same election is complete. */
  readonly isEnded: boolean;
  /** The office's records, in order of receipt. */
  readonly events: readonly BallotEvent[];
  /** Of each record of a problem, by event. */
  readonly records: ReadonlyMap<number, FixRecord>;
  /** When the file with each event was imported. */
  readonly importedAt: ReadonlyMap<number, Date>;
}

interface Row extends FixRow, OfficeEventRow {
  readonly ballot_id: BallotId;
  readonly voter_id: VoterId;
  readonly number: string;
  readonly is_confidential: boolean;
  readonly is_ended: boolean;
}

/**
 * Each ballot of which any standing record ever said that its envelope needs a fix, with all of the office's records.
 *
 * @param of the active elections without an election; with `isOpen` those alone that still wait for their voters
 */
export async function readBallotsWithFix(
  db: Db,
  account: { readonly accountId: AccountId; readonly timeZone: string },
  of: { readonly electionId: number | null; readonly isOpen: boolean },
): Promise<BallotWithFix[]> {
  const { accountId, timeZone } = account;
  const chosen = of.isOpen
    ? sql`b.current_status = 'rejected-curable'`
    : sql`exists (select from ballot_events p where p.account_id = ${accountId} and p.ballot_id = b.ballot_id
        and p.status = 'rejected-curable' and ${isStanding(sql`p`)})`;
  const { rows } = await sql<Row>`
    select b.ballot_id, b.voter_id, e.number, r.is_confidential,
      ${isEnded(sql`b`, sql`coalesce(b.current_status, '')`)} as is_ended, ${selectFix},
      ${selectOfficeEvent(timeZone)}
    from ballots b
    join elections e on e.election_id = b.election_id
      and (e.election_id = ${of.electionId} or (${of.electionId}::bigint is null and e.is_active))
    join voters r on r.voter_id = b.voter_id
    join ballot_events v on v.ballot_id = b.ballot_id and v.kind = 'office' and ${isStanding(sql`v`)}
    left join imports i on i.import_id = v.import_id
    where b.account_id = ${accountId} and ${chosen}
    order by b.ballot_id, v.event_id`.execute(db);
  return [...Map.groupBy(rows, (row) => row.ballot_id).values()].flatMap((ofBallot) => {
    const [first] = ofBallot;
    if (!first) return [];
    return [
      {
        ballotId: first.ballot_id,
        voterId: first.voter_id,
        electionNumber: first.number,
        isConfidential: first.is_confidential,
        isEnded: first.is_ended,
        events: ofBallot.map(toOfficeEvent),
        records: new Map(ofBallot.map((row) => [row.event_id, toFixRecord(row)])),
        importedAt: new Map(ofBallot.map((row) => [row.event_id, row.imported_at])),
      },
    ];
  });
}
