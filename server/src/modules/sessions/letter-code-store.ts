import { sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import { createLetterCode, hashLetterCode, readLetterCode } from './letter-codes.ts';
import type { CodeHolder } from './qr-sign-in-store.ts';

/** The voter of a letter's code, until the code expires or its election ends. @param db bound to the account */
export async function findLetterHolder(
  db: Db,
  hash: Buffer,
  now: Date,
): Promise<CodeHolder | undefined> {
  const { rows } = await sql<CodeHolder>`
    select v.voter_id, v.birthdate, match_name(v.firstname) as firstname,
      match_name(v.lastname) as lastname, v.zipcode, c.letter_code_id
    from letter_codes c join elections e using (election_id) join voters v using (voter_id)
    where c.account_id = current_account_id() and c.code_hash = ${hash} and c.expires_at > ${now}
      and e.is_active and v.is_active`.execute(db);
  return rows[0];
}

export async function findLetterAccount(
  unscoped: Db,
  hash: Buffer,
): Promise<AccountId | undefined> {
  const { rows } = await sql<{ account_id: AccountId | null }>`
    select find_letter_account(${hash}) as account_id`.execute(unscoped);
  return rows[0]?.account_id ?? undefined;
}

/** What the office's letter says. */
export interface LetterCode {
  readonly registration_id: string;
  /** `K7QD-93MX-2HPT-W4RN` */
  readonly code: string;
}

export interface LetterRequest {
  readonly accountId: AccountId;
  readonly electionId: number;
  /** Only this voter, whose present code is replaced; undefined for everybody. */
  readonly registrationId: string | undefined;
  /** Replaces everybody's code. */
  readonly isRenewal: boolean;
  readonly now: Date;
  readonly expiresAt: Date;
}

/**
 * Creates codes for an office's confidential voters who have none that works in this election. They are returned once:
 * the database has only their hashes.
 *
 * @returns also how many confidential voters have no birth date on the roll, with which a code could not sign in
 */
export async function drawLetterCodes(
  tx: Tx,
  request: LetterRequest,
): Promise<{ readonly codes: LetterCode[]; readonly withoutBirthdate: number }> {
  const { accountId, electionId, registrationId = null, now, expiresAt } = request;
  const isAnew = request.isRenewal || registrationId !== null;
  const { rows: voters } = await sql<{
    voter_id: VoterId;
    registration_id: string;
    has_birthdate: boolean;
  }>`
    select v.voter_id, v.registration_id, v.birthdate is not null as has_birthdate
    from voters v left join letter_codes c using (voter_id)
    where v.account_id = ${accountId} and v.is_confidential and v.is_active
      and (${registrationId}::text is null or v.registration_id = ${registrationId})
      and (${isAnew} or c.letter_code_id is null or c.election_id <> ${electionId} or c.expires_at <= ${now})
    order by v.registration_id
    -- sequential scan: an operator's command reads the whole roll once`.execute(tx);
  const drawn = voters
    .filter((voter) => voter.has_birthdate)
    .map((voter) => ({ ...voter, code: createLetterCode() }));
  const ids = drawn.map((one) => one.voter_id);
  const hashes = drawn.map(({ code }) => hashLetterCode(readLetterCode(code) ?? ''));
  await sql`delete from letter_codes where voter_id = any(${ids}::bigint[])`.execute(tx);
  await sql`
    insert into letter_codes (account_id, voter_id, election_id, code_hash, created_at, expires_at)
    select ${accountId}, voter_id, ${electionId}, code_hash, ${now}, ${expiresAt}
    from unnest(${ids}::bigint[], ${hashes}::bytea[]) as drawn(voter_id, code_hash)`.execute(tx);
  return {
    codes: drawn.map(({ registration_id, code }) => ({ registration_id, code })),
    withoutBirthdate: voters.length - drawn.length,
  };
}

/** Revokes a voter's letter code and ends the sessions that it started. @returns whether there was one */
export async function revokeLetterCode(system: Db, voterId: VoterId): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from letter_codes where voter_id = ${voterId}`.execute(system);
  return Number(numAffectedRows ?? 0) > 0;
}
