import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { VoterRow } from './store.ts';
import type { VoterSearch } from './voter-search.ts';

export type FoundVoter = Pick<
  VoterRow,
  | ('voter_id' | 'registration_id' | 'firstname' | 'middlename' | 'lastname' | 'suffix')
  | ('birthdate' | 'birthyear' | 'city' | 'zipcode' | 'is_active')
>;

/**
 * An account's voters who match a clerk's search, by name. Confidential voters are never among them: a search by anything but
 * the ID would show who they are.
 *
 * @returns how many there are, and the first of them
 */
export async function searchVoters(
  system: Db,
  accountId: AccountId,
  search: VoterSearch,
  limit: number,
): Promise<{ readonly matches: number; readonly voters: readonly FoundVoter[] }> {
  const { nameWords, birthdate, email, phone } = search;
  const gave = (address: string) => sql`v.voter_id in (
    select c.voter_id from contact_channels c where c.account_id = ${accountId}
      and (lower(c.address) = ${address} or c.pending_address = ${address}))`;
  const conditions = [
    sql`v.account_id = ${accountId} and not v.is_confidential`,
    ...(birthdate === undefined ? [] : [sql`v.birthdate = ${birthdate}::date`]),
    ...(email === undefined ? [] : [sql`(lower(v.email) = ${email} or ${gave(email)})`]),
    ...(phone === undefined
      ? []
      : [
          sql`(right(regexp_replace(v.phone, '\\D', '', 'g'), 10) = ${phone} or ${gave(`+1${phone}`)})`,
        ]),
    ...(nameWords.length === 0
      ? []
      : [
          sql`match_name(${nameWords.join(' ')}) = any (array[
            match_name(v.lastname), match_name(v.firstname),
            match_name(v.firstname || v.lastname), match_name(v.lastname || v.firstname),
            match_name(v.firstname || v.middlename || v.lastname),
            match_name(v.lastname || v.firstname || v.middlename)])`,
        ]),
  ];
  const { rows } = await sql<FoundVoter & { matches: number }>`
    -- sequential scan: a clerk searches a few times an hour, and indexes for it would slow every import
    select count(*) over ()::int as matches, v.voter_id, v.registration_id, v.firstname, v.middlename, v.lastname,
      v.suffix, v.birthdate, v.birthyear, v.city, v.zipcode, v.is_active
    from voters v where ${sql.join(conditions, sql` and `)}
    order by v.lastname, v.registration_id limit ${limit}`.execute(system);
  return {
    matches: rows[0]?.matches ?? 0,
    voters: rows.map(({ matches, ...voter }) => voter),
  };
}
