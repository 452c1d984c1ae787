import { type RawBuilder, sql } from 'kysely';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { VoterRow } from './store.ts';
import { listNameReadings, type VoterSearch } from './voter-search.ts';

export type FoundVoter = Pick<
  VoterRow,
  | ('voter_id' | 'registration_id' | 'firstname' | 'middlename' | 'lastname' | 'suffix')
  | ('birthdate' | 'birthyear' | 'city' | 'zipcode' | 'is_active')
>;

interface FoundVoters {
  /** How many match from here on; of a name that thousands have, {@link mostCounted}. */
  readonly matches: number;
  /** More match than were counted. */
  readonly isMore: boolean;
  readonly voters: readonly FoundVoter[];
  /** After which voter the list goes on; null at its end. */
  readonly next: VoterId | null;
}

/** Counting on would read more of the roll than anybody looks through. */
const mostCounted = 100;

const nameOf = sql`roll_name(v.lastname, v.firstname) collate "C"`;

/**
 * An account's voters who match a clerk's search, by name. Confidential voters are never among them: a search by anything but
 * the ID would show who they are.
 *
 * Each way of searching reads by its own index: what few voters share first, and the rest of the search among those.
 *
 * @param db bound to the account, as its console or a command is
 * @param page.after the list goes on after this voter
 */
export async function searchVoters(
  db: Db,
  search: VoterSearch,
  page: { readonly limit: number; readonly after?: VoterId | undefined },
): Promise<FoundVoters> {
  const place = await readPlace(db, page.after);
  const { rows: found } = await sql<{ voter_id: VoterId }>`${matchesOf(search, place)}`.execute(db);
  const listed = found.slice(0, Math.min(page.limit, mostCounted)).map((one) => one.voter_id);
  return {
    matches: Math.min(found.length, mostCounted),
    isMore: found.length > mostCounted,
    voters: await readFound(db, listed),
    next: found.length > listed.length ? (listed.at(-1) ?? null) : null,
  };
}

interface Place {
  readonly name: string;
  readonly voterId: number;
}

/** Where in the list a voter stands. */
async function readPlace(db: Db, voterId: VoterId | undefined): Promise<Place> {
  const start = { name: '', voterId: 0 };
  if (voterId === undefined) return start;
  const { rows } = await sql<Place>`
    select ${nameOf} as name, v.voter_id as "voterId" from voters v
    where v.account_id = current_account_id() and v.voter_id = ${voterId}`.execute(db);
  return rows[0] ?? start;
}

/** The statement that finds the voters' numbers, in the order of the list. */
function matchesOf(search: VoterSearch, place: Place): RawBuilder<unknown> {
  const { nameWords, birthdate, email, phone } = search;
  const readings = listNameReadings(nameWords);
  const names = [
    readings.map(({ lastname }) => lastname),
    readings.map(({ firstname }) => firstname),
    readings.map(({ givenname }) => givenname),
  ] as const;
  const typed = sql.join(names.map((column) => sql`${column}::text[]`));
  if (birthdate === undefined && email === undefined && phone === undefined) {
    return sql`
      select voter_id from find_voters_named(${typed}, ${place.name}, ${place.voterId}, ${mostCounted + 1}::integer)
      order by name, voter_id`;
  }
  const conditions = [
    sql`v.account_id = current_account_id() and not v.is_confidential`,
    ...(birthdate === undefined ? [] : [sql`v.birthdate = ${birthdate}::date`]),
    ...(email === undefined ? [] : [reachedBy(email, sql`find_voters_reached(${email}, null)`)]),
    ...(phone === undefined
      ? []
      : [reachedBy(`+1${phone}`, sql`find_voters_reached(null, ${phone})`)]),
  ];
  // Each name is folded once, typed ones and those of the few voters.
  return sql`
    with typed as materialized (
      select match_name(lastname) || coalesce('!' || match_name(firstname), '') as start, match_name(givenname) as given
      from unnest(${typed}) one(lastname, firstname, givenname) where match_name(lastname) <> ''
    )
    select few.voter_id
    from (
      select v.voter_id, v.firstname, v.middlename, ${nameOf} as name from voters v
      where ${sql.join(conditions, sql` and `)} offset 0
    ) few
    where (few.name, few.voter_id) > (${place.name}::text collate "C", ${place.voterId}::bigint)
      and (${nameWords.length === 0} or exists (
        select from typed where starts_with(few.name, typed.start)
          and (typed.given is null or starts_with(match_name(few.firstname || few.middlename), typed.given))))
    order by few.name, few.voter_id limit ${mostCounted + 1}`;
}

/** The roll has the address, or the voter gave it. */
function reachedBy(address: string, roll: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`v.voter_id in (
    select ${roll}
    union all
    select c.voter_id from contact_channels c
    where c.account_id = current_account_id() and c.address <> '' and lower(c.address) = ${address}
    union all
    select c.voter_id from contact_channels c
    where c.account_id = current_account_id() and c.pending_address <> '' and c.pending_address = ${address})`;
}

async function readFound(db: Db, voterIds: readonly VoterId[]): Promise<FoundVoter[]> {
  if (voterIds.length === 0) return [];
  const { rows } = await sql<FoundVoter>`
    select v.voter_id, v.registration_id, v.firstname, v.middlename, v.lastname, v.suffix, v.birthdate, v.birthyear,
      v.city, v.zipcode, v.is_active
    from unnest(${voterIds}::bigint[]) with ordinality as listed(voter_id, position)
    join voters v on v.voter_id = listed.voter_id
    where v.account_id = current_account_id() and not v.is_confidential
    order by listed.position`.execute(db);
  return rows;
}
