import type { SmsStatus } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import type { MatchName } from './rules.ts';

/** A voter whose last name, ZIP and birth date were typed; names as match_name() writes them. */
export interface Candidate {
  readonly account_id: number;
  readonly voter_id: number;
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

/** The voter and contact preferences, as one row of `VoterInformation`'s fields. */
export interface VoterRow {
  readonly voter_id: number;
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
  readonly email: string;
  readonly phone_sms: string;
  readonly phone_voice: string;
  readonly pending_voice: string;
  readonly email_opt_in: boolean;
  readonly sms_opt_in: boolean;
  readonly voice_opt_in: boolean;
  readonly email_do_not_contact_before: string | null;
  readonly email_do_not_contact_after: string | null;
  readonly sms_do_not_contact_before: string | null;
  readonly sms_do_not_contact_after: string | null;
  readonly voice_do_not_contact_before: string | null;
  readonly voice_do_not_contact_after: string | null;
  readonly language_preference: string;
  readonly is_confirmed: boolean;
  readonly is_valid_email: boolean | null;
  readonly sms_status: SmsStatus;
}

/**
 * State and county are the office's own where the roll has none: they tell of whom a flag is asked.
 *
 * @returns undefined when the voter is gone from the roll, inactive or confidential: then there is no such voter to
 * show
 */
export async function readVoter(db: Db, voterId: number): Promise<VoterRow | undefined> {
  const { rows } = await sql<VoterRow>`
    select v.voter_id, v.registration_id, v.firstname, v.middlename, v.lastname, v.suffix,
      v.birthdate, coalesce(v.birthyear, extract(year from v.birthdate)::smallint) as birthyear,
      v.address, v.city, coalesce(nullif(v.state, ''), a.state) as state, v.zipcode,
      coalesce(nullif(v.county, ''), a.county) as county, v.precinct, v.phone, v.is_active, v.created_timestamp,
      coalesce(p.email, '') as email,
      coalesce(p.phone_sms, '') as phone_sms,
      coalesce(p.phone_voice, '') as phone_voice,
      coalesce(p.pending_voice, '') as pending_voice,
      coalesce(p.email_opt_in, false) as email_opt_in,
      coalesce(p.sms_opt_in, false) as sms_opt_in,
      coalesce(p.voice_opt_in, false) as voice_opt_in,
      to_char(p.email_do_not_contact_before, 'HH24:MI') as email_do_not_contact_before,
      to_char(p.email_do_not_contact_after, 'HH24:MI') as email_do_not_contact_after,
      to_char(p.sms_do_not_contact_before, 'HH24:MI') as sms_do_not_contact_before,
      to_char(p.sms_do_not_contact_after, 'HH24:MI') as sms_do_not_contact_after,
      to_char(p.voice_do_not_contact_before, 'HH24:MI') as voice_do_not_contact_before,
      to_char(p.voice_do_not_contact_after, 'HH24:MI') as voice_do_not_contact_after,
      coalesce(p.language_preference, v.language_preference, '') as language_preference,
      coalesce(p.is_confirmed, false) as is_confirmed,
      p.is_valid_email,
      coalesce(p.sms_status, 'none') as sms_status
    from voters v join accounts a using (account_id) left join contact_preferences p using (voter_id)
    where v.account_id = current_account_id() and v.voter_id = ${voterId}
      and v.is_active and not v.is_confidential`.execute(db);
  return rows[0];
}
