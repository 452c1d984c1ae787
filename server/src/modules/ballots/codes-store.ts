import { sql } from 'kysely';
import type { AccountId, BallotId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { isBallot } from './event-store.ts';

export interface BallotCode {
  readonly ballot_id: BallotId;
  /** The office's own voter ID and ballot key, which its print shop uses to merge. */
  readonly registration_id: string;
  readonly ballot_number: string;
  readonly guid: string;
}

/** Nothing else could have a code printed on it. */
const isPrinted = isBallot(sql`b`);

/**
 * Creates a code for each ballot of the election that has none yet; existing codes never change. A confidential voter's
 * ballot gets none: the letter's code is the only way in.
 */
export async function drawMissingCodes(
  system: Db,
  accountId: AccountId,
  electionId: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into ballot_codes (account_id, ballot_id)
    select b.account_id, b.ballot_id from ballots b join voters v using (voter_id)
    where b.account_id = ${accountId} and b.election_id = ${electionId} and not v.is_confidential and ${isPrinted}
    on conflict (ballot_id) do nothing`.execute(system);
  return Number(numAffectedRows ?? 0);
}

const rowsAtOnce = 5_000;

/** The codes of an election's ballots, without confidential voters', in order, a few thousand at a time. */
export async function* readCodes(
  system: Db,
  accountId: AccountId,
  electionId: number,
  registrationId?: string,
): AsyncGenerator<BallotCode> {
  let after = 0;
  for (;;) {
    const { rows } = await sql<BallotCode>`
      select c.ballot_id, v.registration_id, b.ballot_number, c.guid
      ${fromCodes(accountId, electionId, registrationId)} and c.ballot_id > ${after}
      order by c.ballot_id limit ${rowsAtOnce}`.execute(system);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = last.ballot_id;
  }
}

/** How many codes `readCodes` reads. */
export async function countCodes(
  db: Db,
  accountId: AccountId,
  electionId: number,
  registrationId?: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count ${fromCodes(accountId, electionId, registrationId)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function fromCodes(accountId: AccountId, electionId: number, registrationId?: string) {
  const onlyVoter = registrationId ? sql`and v.registration_id = ${registrationId}` : sql``;
  return sql`from ballot_codes c join ballots b using (ballot_id) join voters v using (voter_id)
    where b.account_id = ${accountId} and b.election_id = ${electionId} and not v.is_confidential and ${isPrinted} ${onlyVoter}`;
}
