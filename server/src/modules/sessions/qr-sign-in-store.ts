import { sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { NamedVoter } from './throttle-rules.ts';

export interface CodeHolder extends NamedVoter {
  readonly voter_id: VoterId;
  /** `YYYY-MM-DD` */
  readonly birthdate: string | null;
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

/** The persons that failed sign-ins count against: a voter's names, and the QR codes of the voter's ballots. */
export async function readLockedFacts(
  db: Db,
  voterId: VoterId,
): Promise<(NamedVoter & { readonly guids: readonly string[] }) | undefined> {
  const { rows } = await sql<NamedVoter & { guids: string[] }>`
    select match_name(v.firstname) as firstname, match_name(v.lastname) as lastname, v.zipcode,
      array(
        select c.guid::text from ballot_codes c join ballots b using (ballot_id)
        where b.voter_id = v.voter_id) as guids
    from voters v
    where v.account_id = current_account_id() and v.voter_id = ${voterId}`.execute(db);
  return rows[0];
}
