import { sql } from 'kysely';
import type { AccountId, ImportId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { selectContacts } from '../contacts/index.ts';
import type { VoterRow } from './store.ts';
import { listIdForms } from './voter-search.ts';

/**
 * The voter of this ID on an account's roll, active or not.
 *
 * @param registrationId as a person read it off a card: case and spaces do not count where the ID as given is nobody's and has digits that are not a date's
 */
export async function findVoterId(
  system: Db,
  accountId: AccountId,
  registrationId: string,
): Promise<VoterId | undefined> {
  const { rows: exact } = await sql<{ voter_id: VoterId }>`
    select voter_id from voters
    where account_id = ${accountId} and registration_id = ${registrationId}`.execute(system);
  // A name or a birth date is no ID, and must not read the whole roll.
  const isPossible = /\d/.test(registrationId.replaceAll(/\d+[/-]\d+[/-]\d+/g, ''));
  if (exact.length > 0 || !isPossible) return exact[0]?.voter_id;
  const plain = registrationId.replaceAll(/\s/gu, '').toUpperCase();
  // An index has those that are not written plainly, and nearly every roll has none.
  const { rows: similar } = await sql<{ voter_id: VoterId }>`
    select voter_id from voters where account_id = ${accountId}
      and registration_id in (${registrationId.toUpperCase()}, ${registrationId.toLowerCase()}, ${plain})
    union
    select voter_id from voters where account_id = ${accountId} and registration_id ~ '[[:lower:]\\s]'
      and upper(regexp_replace(registration_id, '\\s', '', 'g')) collate "C" = ${plain}
    limit 2`.execute(system);
  return similar.length === 1 ? similar[0]?.voter_id : undefined;
}

/** The only voter whose ID differs from this ID at most by leading zeros, which spreadsheets drop. */
export async function findVoterIdByDigits(
  system: Db,
  accountId: AccountId,
  registrationId: string,
): Promise<VoterId | undefined> {
  const { rows } = await sql<{ voter_id: VoterId }>`
    select voter_id from voters
    where account_id = ${accountId} and registration_id = any (${listIdForms(registrationId.trim())}::text[])
    limit 2`.execute(system);
  return rows.length === 1 ? rows[0]?.voter_id : undefined;
}

/** A voter as the office's clerks may see one: the entry of the roll, and what the voter chose here. */
export interface RollEntry extends Omit<VoterRow, 'voter_id'> {
  readonly email: string;
  readonly is_confidential: boolean;
  readonly has_security_token: boolean;
  /** The import that last changed it. */
  readonly last_import_id: ImportId | null;
}

/** @param db bound to the voter's account */
export async function readRollEntry(db: Db, voterId: VoterId): Promise<RollEntry | undefined> {
  const { rows } = await sql<RollEntry>`
    select v.registration_id, v.firstname, v.middlename, v.lastname, v.suffix, v.birthdate, v.birthyear,
      v.address, v.city, v.state, v.zipcode, v.county, v.precinct, v.phone, v.email, v.language_preference,
      v.is_active, v.is_confidential, v.token_hash is not null as has_security_token, v.created_timestamp,
      v.last_import_id,
      ${selectContacts(sql.ref('v.voter_id'))} as contacts
    from voters v
    where v.account_id = current_account_id() and v.voter_id = ${voterId}`.execute(db);
  return rows[0];
}

export interface RollContacts {
  readonly email: string;
  readonly phone: string;
  /** Name of a language; null where the roll has none. */
  readonly language: string | null;
}

/** How the office itself would reach a voter, as the roll writes it. @param db bound to the account */
export async function readRollContacts(db: Db, voterId: VoterId): Promise<RollContacts> {
  const { rows } = await sql<RollContacts>`
    select email, phone, language_preference as language from voters
    where account_id = current_account_id() and voter_id = ${voterId}`.execute(db);
  return rows[0] ?? { email: '', phone: '', language: null };
}
