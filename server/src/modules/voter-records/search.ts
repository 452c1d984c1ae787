import type { VoterMatches } from '@ballot-beacon/contract/office/voters';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import {
  type FoundVoter,
  findVoterId,
  findVoterIdByDigits,
  readVoterSearch,
  searchVoters,
} from '../voters/index.ts';
import { listedVoters } from './lengths.ts';
import { findVoterOfBallot, type RollName, readRollName } from './store.ts';

/** What a clerk typed, and after which voter the list goes on. */
interface Asked {
  readonly text: string;
  readonly after?: number | undefined;
}

/** Who searches. */
export interface Searcher {
  readonly actor: Actor;
  /** Everybody else finds a confidential voter as little as a voter who does not exist. */
  readonly mayFindConfidential: boolean;
}

/**
 * Finds voters by what a clerk typed, and records the search before anything is shown; never the text itself.
 *
 * @param db bound to the account
 */
export async function findForClerk(
  db: Db,
  accountId: AccountId,
  { text: given, after }: Asked,
  { actor, mayFindConfidential }: Searcher,
): Promise<VoterMatches> {
  const text = asTyped(given);
  const search = readVoterSearch(text);
  const { nameWords, ...others } = search;
  const by = [
    ...(nameWords.length > 0 ? ['name'] : []),
    ...Object.entries(others).flatMap(([field, value]) => (value === undefined ? [] : [field])),
  ];
  const isNumber = by.length === 1 && nameWords.length === 1 && /\d/.test(text);
  const findByNumber = async () =>
    (await findVoterIdByDigits(db, accountId, text)) ?? (await findVoterOfBallot(db, text));
  const readShown = async (id: VoterId | undefined) => {
    const shown = id === undefined ? undefined : await readRollName(db, id);
    return shown && (mayFindConfidential || !shown.isConfidential) ? shown : undefined;
  };
  let one = await readShown(
    (await findVoterId(db, accountId, text)) ?? (isNumber ? await findByNumber() : undefined),
  );
  let found = one ? showOne(one) : await searchRoll(db, search, after as VoterId | undefined);
  // Ten digits are read as a phone number, and may be that of a ballot.
  if (found.matches === 0 && search.phone !== undefined && /^\d+$/.test(text)) {
    one = await readShown(await findByNumber());
    if (one) found = showOne(one);
  }
  await recordAudit(db, accountId, {
    actor,
    action: 'voter.search',
    target: found.voters.map((one) => one.voter_id).join(' '),
    details: {
      matches: found.matches,
      ...(found.is_more && { more: true }),
      by: one ? ['number'] : by,
      ...(one?.isConfidential && { confidential: true }),
    },
  });
  return found;
}

const unseen = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** What was pasted, as a keyboard writes it: messages and tables put marks that nobody sees around it, and dashes for hyphens. */
function asTyped(text: string): string {
  return text
    .replaceAll(unseen, '')
    .replaceAll(/[\p{Pd}\u2212]/gu, '-')
    .replaceAll(/\s/gu, ' ')
    .trim();
}

async function searchRoll(
  db: Db,
  search: Parameters<typeof searchVoters>[1],
  after: VoterId | undefined,
): Promise<VoterMatches> {
  const found = await searchVoters(db, search, { limit: listedVoters, after });
  const { matches, isMore: is_more, voters, next } = found;
  return { matches, is_more, voters: voters.map(listVoter), next };
}

function listVoter(one: FoundVoter) {
  return {
    voter_id: one.voter_id,
    registration_id: one.registration_id,
    name: [one.firstname, one.middlename, one.lastname, one.suffix].filter(Boolean).join(' '),
    born: one.birthdate ?? (one.birthyear === null ? null : String(one.birthyear)),
    place: [one.city, one.zipcode].filter(Boolean).join(' '),
    is_active: one.is_active,
  };
}

function showOne(one: RollName): VoterMatches {
  const { voterId: voter_id, registrationId: registration_id, name, born, place, isActive } = one;
  const voter = { voter_id, registration_id, name, born, place, is_active: isActive };
  return { matches: 1, is_more: false, voters: [voter], next: null };
}
