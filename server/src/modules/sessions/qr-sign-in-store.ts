import { sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { NamedVoter } from './throttle-rules.ts';

export interface CodeHolder extends NamedVoter {
  readonly voter_id: VoterId;
  /** `YYYY-MM-DD` */
  readonly birthdate: string | null;
  /** Of a letter to a confidential voter; absent for a ballot's code. */
  readonly letter_code_id?: number;
}

/** The voter for whom a ballot's code was printed, while the ballot's election is active. */
export async function findCodeHolder(db: Db, guid: string): Promise<CodeHolder | undefined> {
  const { rows } = await sql<CodeHolder>`
    select v.voter_id, v.birthdate, match_name(v.firstname) as firstname,
      match_name(v.lastname) as lastname, v.zipcode
    from ballot_codes c
    join ballots b using (ballot_id)
    join elections e using (election_id)
    join voters v using (voter_id)
    where c.account_id = current_account_id() and c.guid = ${guid}::uuid
      and e.is_active and v.is_active and not v.is_confidential`.execute(db);
  return rows[0];
}

export async function findCodeAccount(unscoped: Db, guid: string): Promise<AccountId | undefined> {
  const { rows } = await sql<{ account_id: AccountId | null }>`
    select find_code_account(${guid}::uuid) as account_id`.execute(unscoped);
  return rows[0]?.account_id ?? undefined;
}

/** The codes of a voter, for each of which failures are counted. */
export interface LockedCodes {
  readonly guids: readonly string[];
  readonly letter_code_id: number | null;
}

/** The persons that failed sign-ins count against: a voter's names, the QR codes of the voter's ballots, and a letter's. */
export async function readLockedFacts(
  system: Db,
  voterId: VoterId,
): Promise<(NamedVoter & LockedCodes) | undefined> {
  const { rows } = await sql<NamedVoter & LockedCodes>`
    select match_name(v.firstname) as firstname, match_name(v.lastname) as lastname, v.zipcode,
      array(
        select c.guid::text from ballot_codes c join ballots b using (ballot_id)
        where b.voter_id = v.voter_id) as guids,
      (select letter_code_id from letter_codes c where c.voter_id = v.voter_id) as letter_code_id
    from voters v where v.voter_id = ${voterId}`.execute(system);
  return rows[0];
}
