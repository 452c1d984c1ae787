import { type RawBuilder, sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { type StoredContacts, selectContacts } from '../contacts/index.ts';
import type { MatchName } from './rules.ts';

/** Whether the voter of this ID is confidential: such voters are in no export and no report. */
export function isConfidential(voterId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`exists (select from voters c where c.is_confidential
    and c.account_id = current_account_id() and c.voter_id = ${voterId})`;
}

/** A voter whose last name, ZIP and birth date were typed; names as match_name() writes them. */
export interface Candidate {
  readonly account_id: AccountId;
  readonly voter_id: VoterId;
  readonly registration_id: string;
  readonly firstname: MatchName;
  readonly middlename: MatchName;
  readonly token_hash: string | null;
}

export interface TypedIdentity {
  readonly lastname: MatchName;
  readonly zipcode: string;
  /** `YYYY-MM-DD` */
  readonly birthdate: string;
}

/** The account's voters who could be the one; with an unscoped `db`, every account's. */
export async function findCandidates(
  db: Db,
  typed: TypedIdentity,
  isAcrossAccounts: boolean,
): Promise<Candidate[]> {
  const { birthdate, zipcode, lastname } = typed;
  if (isAcrossAccounts) {
    const { rows } = await sql<Candidate>`
      select * from find_login_candidates(${birthdate}::date, ${zipcode}, ${lastname})`.execute(db);
    return rows;
  }
  const { rows } = await sql<Candidate>`
    select account_id, voter_id, registration_id,
      match_name(firstname) as firstname, match_name(middlename) as middlename, token_hash
    from voters
    where account_id = current_account_id()
      and birthdate = ${birthdate}::date and zipcode = ${zipcode}
      and match_name(lastname) = ${lastname}
      and is_active and not is_confidential`.execute(db);
  return rows;
}

/** Each word as match_name() writes it, in order. */
export async function matchNames(db: Db, words: readonly string[]): Promise<MatchName[]> {
  const { rows } = await sql<{ word: string }>`
    select match_name(word) as word
    from unnest(${words}::text[]) with ordinality as typed(word, position)
    order by position`.execute(db);
  return rows.map((row) => row.word);
}

/** A voter of the roll, with what the voter chose here. */
export interface VoterRow {
  readonly voter_id: VoterId;
  readonly registration_id: string;
  readonly firstname: string;
  readonly middlename: string;
  readonly lastname: string;
  readonly suffix: string;
  readonly birthdate: string | null;
  readonly birthyear: number | null;
  readonly address: string;
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
  readonly county: string;
  readonly precinct: string;
  readonly phone: string;
  readonly is_active: boolean;
  readonly created_timestamp: Date;
  readonly language_preference: string | null;
  /** What the voter chose here; null before the first save. */
  readonly contacts: StoredContacts | null;
}

/**
 * State and county are the office's own where the roll has none: they say for whom a flag is asked.
 *
 * @param admitsConfidential whether the voter proved by a letter's code to be one of the confidential voters
 * @returns undefined when the voter is gone from the roll, inactive or confidential: then there is no such voter to
 * show
 */
export async function readVoter(
  db: Db,
  voterId: VoterId,
  admitsConfidential: boolean,
): Promise<VoterRow | undefined> {
  const { rows } = await sql<VoterRow>`
    select v.voter_id, v.registration_id, v.firstname, v.middlename, v.lastname, v.suffix,
      v.birthdate, coalesce(v.birthyear, extract(year from v.birthdate)::smallint) as birthyear,
      v.address, v.city, coalesce(nullif(v.state, ''), a.state) as state, v.zipcode,
      coalesce(nullif(v.county, ''), a.county) as county, v.precinct, v.phone, v.is_active, v.created_timestamp,
      v.language_preference, ${selectContacts(sql.ref('v.voter_id'))} as contacts
    from voters v join accounts a using (account_id)
    where v.account_id = current_account_id() and v.voter_id = ${voterId}
      and v.is_active and (${admitsConfidential} or not v.is_confidential)`.execute(db);
  return rows[0];
}
