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

/** A ballot whose voter can fix the envelope, with what its file and its election say. */
export interface FixableBallot {
  readonly ballotId: BallotId;
  readonly voterId: VoterId;
  readonly electionNumber: string;
  readonly events: readonly BallotEvent[];
  readonly record: FixRecord;
  /** When the file with each event was imported. */
  readonly importedAt: ReadonlyMap<number, Date>;
}

interface Row extends FixRow, OfficeEventRow {
  readonly ballot_id: BallotId;
  readonly voter_id: VoterId;
  readonly number: string;
}

/**
 * The ballots of an office's active elections that wait for their voters, of voters who may get messages. Those of a file whose messages
 * wait for approval, or that was corrected, are left out.
 *
 * @param only these, where they are given
 */
export async function readFixableBallots(
  db: Db,
  account: { readonly accountId: AccountId; readonly timeZone: string },
  only?: readonly BallotId[],
): Promise<FixableBallot[]> {
  const { accountId, timeZone } = account;
  const { rows } = await sql<Row>`
    select b.ballot_id, b.voter_id, e.number, ${selectFix},
      ${selectOfficeEvent(timeZone)}
    from ballots b
    join elections e on e.election_id = b.election_id and e.is_active
    join voters r on r.voter_id = b.voter_id and r.is_active and not r.is_confidential
    join ballot_events v on v.ballot_id = b.ballot_id and v.kind = 'office' and ${isStanding(sql`v`)}
    left join imports i on i.import_id = v.import_id
    where b.account_id = ${accountId} and b.current_status = 'rejected-curable'
      and (${only ?? null}::bigint[] is null or b.ballot_id = any(${only ?? null}::bigint[]))
      and not ${isEnded(sql`b`, sql`b.current_status`)}
      and not exists (select from ballot_events w join imports x on x.import_id = w.import_id
        where w.ballot_id = b.ballot_id and w.event_id = b.current_event_id and x.state in ('messages-held', 'corrected'))
    order by b.ballot_id, v.event_id`.execute(db);
  return [...Map.groupBy(rows, (row) => row.ballot_id).values()].flatMap((ofBallot) => {
    const found = ofBallot.findLast(({ status }) => status === 'rejected-curable');
    if (!found) return [];
    return [
      {
        ballotId: found.ballot_id,
        voterId: found.voter_id,
        electionNumber: found.number,
        importedAt: new Map(ofBallot.map((row) => [row.event_id, row.imported_at])),
        events: ofBallot.map(toOfficeEvent),
        record: toFixRecord(found),
      },
    ];
  });
}
