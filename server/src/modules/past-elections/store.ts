import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import type { AccountId, Election, ElectionId } from '../accounts/index.ts';
import type { Actor } from '../audit/index.ts';

/** What an election has, and what goes with it, by noun. */
export interface ElectionCounts {
  readonly ballots: number;
  readonly events: number;
  readonly envelopes: number;
  readonly scans: number;
  readonly messages: number;
}

/** @param db of the office's login */
export async function countRows(
  db: Db,
  accountId: AccountId,
  { electionId }: Pick<Election, 'electionId'>,
): Promise<ElectionCounts> {
  const { rows } = await sql<ElectionCounts>`
    -- sequential scan: counts all rows of an election, before it is discarded
    with leaving as materialized (
      select ballot_id from ballots where account_id = ${accountId} and election_id = ${electionId}
    ), codes as materialized (
      select p.tracking_code from mail_pieces p where p.account_id = ${accountId}
      group by p.tracking_code
      having bool_and(p.ballot_id in (select ballot_id from leaving))
    )
    select (select count(*) from leaving) as ballots,
      (select count(*) from ballot_events where ballot_id in (select ballot_id from leaving)) as events,
      (select count(*) from mail_pieces where ballot_id in (select ballot_id from leaving)) as envelopes,
      (select count(*) from mail_scans s where s.account_id = ${accountId}
        and s.tracking_code in (select tracking_code from codes)) as scans,
      (select count(*) from messages where ballot_id in (select ballot_id from leaving)) as messages`.execute(
    db,
  );
  const [counts] = rows;
  if (!counts) throw new Error('An election could not be counted.');
  return counts;
}

/** Messages about an election that have not left, and those whose outcome is awaited. */
export async function countWaiting(db: Db, electionId: ElectionId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ballots b where b.election_id = ${electionId} and b.ballot_id in (
      select ballot_id from messages where state in ('created', 'held') and ballot_id is not null
      union all select ballot_id from messages where state = 'sending')`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Takes an election from everybody's sight, with its record. The database itself refuses an election that is not over. */
export async function discardElection(
  db: Db,
  { electionId }: Pick<Election, 'electionId'>,
  of: { readonly at: Date; readonly actor: Actor; readonly details: object },
): Promise<void> {
  const { at, actor, details } = of;
  await sql`select discard_election(${electionId}, ${at}, ${actor}, ${JSON.stringify(details)}::jsonb)`.execute(
    db,
  );
}

/** Deletes the next ballots of a discarded election, each batch in a transaction of its own. */
export async function discardBallots(
  db: Db,
  electionId: ElectionId,
  { after, most, at }: { readonly after: number; readonly most: number; readonly at: Date },
): Promise<{ lastVoter: number | null; isBusy: boolean }> {
  const { rows } = await sql<{ last_voter: number | null; is_busy: boolean }>`
    select last_voter, is_busy from discard_ballots(${electionId}, ${after}, ${most}, ${at})`.execute(
    db,
  );
  const { last_voter: lastVoter = null, is_busy: isBusy = false } = rows[0] ?? {};
  return { lastVoter, isBusy };
}

export interface DiscardedElection {
  readonly electionId: ElectionId;
  readonly number: string;
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly electionDate: string;
  readonly discardedAt: Date;
  /** Null while rows of it are left. */
  readonly finishedAt: Date | null;
  /** Rows deleted so far, by table. */
  readonly deleted: Readonly<Record<string, number>>;
}

const columns = sql`election_id as "electionId", number, name, election_date as "electionDate",
  discarded_at as "discardedAt", finished_at as "finishedAt", deleted`;

/** Newest first. */
export async function listDiscarded(db: Db, accountId: AccountId): Promise<DiscardedElection[]> {
  const { rows } = await sql<DiscardedElection>`
    select ${columns} from discarded_elections
    where account_id = ${accountId} order by election_date desc, number`.execute(db);
  return rows;
}

/** Of all accounts, those of which rows are left. */
export async function listUnfinished(db: Db): Promise<DiscardedElection[]> {
  const { rows } = await sql<DiscardedElection>`
    select ${columns} from discarded_elections where finished_at is null order by election_id`.execute(
    db,
  );
  return rows;
}
