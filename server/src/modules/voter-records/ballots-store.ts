import { type BallotsQuery, noStatus } from '@ballot-beacon/contract/office/ballots';
import { sql } from 'kysely';
import type { BallotId, VoterId } from '../../platform/ids.ts';
import { inOrder, withinPage } from '../../platform/list-page.ts';
import type { Db } from '../../platform/postgres.ts';
import { isJoined, isWithdrawn } from '../ballots/index.ts';

export interface ListedBallot {
  readonly ballot_id: BallotId;
  readonly ballot_number: string;
  readonly status: string | null;
  /** `YYYY-MM-DD` */
  readonly since: string | null;
  readonly voter_id: VoterId;
  readonly registration_id: string;
  readonly name: string;
}

/** Ballots and applications of an election by the status that voters see, without those of confidential voters. @param db bound to the account */
export async function pageBallots(
  db: Db,
  { election, status, ...page }: BallotsQuery,
  limit: number,
): Promise<ListedBallot[]> {
  const key = sql`b.ballot_id`;
  const conditions = [
    sql`b.account_id = current_account_id()`,
    sql`b.election_id = (
      select election_id from elections where account_id = current_account_id() and number = ${election})`,
    sql`not v.is_confidential`,
    sql`not ${isWithdrawn(sql`b`)}`,
    sql`not ${isJoined(sql`b`)}`,
    ...(status === undefined
      ? []
      : [sql`b.current_status is not distinct from ${status === noStatus ? null : status}`]),
    ...withinPage(key, page),
  ];
  const { rows } = await sql<ListedBallot>`
    select b.ballot_id, b.ballot_number, b.current_status as status, b.voter_id, v.registration_id,
      concat_ws(' ', nullif(v.firstname, ''), nullif(v.lastname, ''), nullif(v.suffix, '')) as name,
      (select e.occurred_on from ballot_events e where e.ballot_id = b.ballot_id and e.event_id = b.current_event_id) as since
    from ballots b join voters v using (voter_id)
    where ${sql.join(conditions, sql` and `)}
    order by ${inOrder(key, page)} limit ${sql.lit(limit)}
    -- sequential scan: by a status that few ballots have; clerks look a few times an hour, and an index would slow each import`.execute(
    db,
  );
  return rows;
}
