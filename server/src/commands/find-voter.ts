import type { Account } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import { listedVoters } from '../modules/voter-records/index.ts';
import {
  type FoundVoter,
  findVoterId,
  findVoterIdByDigits,
  readVoterSearch,
  searchVoters,
} from '../modules/voters/index.ts';
import { formatDate } from '../platform/clock.ts';
import type { VoterId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { type CommandContext, CommandError } from './context.ts';

/** Of a birth date with too few digits for the year. */
const looksLikeDate = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2}$/;

export interface Matches {
  readonly matches: number;
  /** Even more match than were counted. */
  readonly isMore: boolean;
  readonly voters: readonly FoundVoter[];
}

/** The voter with this ID, also without its leading zeros. @throws {CommandError} when there is none */
export async function requireVoterId(
  database: Database,
  { accountId, subdomain }: Account,
  registrationId: string,
): Promise<VoterId> {
  const found =
    (await findVoterId(database.system, accountId, registrationId)) ??
    (await findVoterIdByDigits(database.system, accountId, registrationId));
  if (found !== undefined) return found;
  throw new CommandError(
    `Account ${subdomain} has no voter with ID ${registrationId}. Did Excel drop the leading zeros?`,
  );
}

/**
 * The voter whom a clerk's search finds, or the list of those who match. A search by anything but the ID is recorded.
 *
 * @param typed an ID, a name, a birth date, a phone number, an email address, or several of these
 * @throws {CommandError} when nobody matches
 */
export async function findVoterOrMatches(
  context: CommandContext,
  database: Database,
  account: Account,
  typed: string,
): Promise<VoterId | Matches> {
  const { accountId, subdomain } = account;
  const search = readVoterSearch(typed);
  const { nameWords, ...others } = search;
  const by = [
    ...(nameWords.length > 0 ? ['name'] : []),
    ...Object.entries(others).flatMap(([field, value]) => (value === undefined ? [] : [field])),
  ];
  const isId =
    by.length === 1 && nameWords.length === 1 && /\d/.test(typed) && !looksLikeDate.test(typed);
  if (isId) return requireVoterId(database, account, typed);
  const known = await findVoterId(database.system, accountId, typed);
  if (known !== undefined) return known;
  const { matches, isMore, voters } = await searchVoters(database.forOffice(accountId), search, {
    limit: listedVoters,
  });
  const found = { matches, isMore, voters };
  const [first, ...more] = voters;
  // Recorded before anything is shown.
  await recordAudit(database.system, accountId, {
    actor: context.operator,
    action: 'voter.search',
    target: found.voters.map(({ voter_id }) => voter_id).join(' '),
    details: { matches, ...(isMore && { more: true }), by },
  });
  if (!first)
    throw new CommandError(
      `No voter of account ${subdomain} matches. Try the voter ID, the full last name, a birth date such as 2/1/1950, a phone number or an email address. Confidential voters are found by voter ID only.`,
    );
  return more.length === 0 ? first.voter_id : found;
}

export function describeMatches({ matches, isMore, voters }: Matches, account: string): string {
  const lines = voters.map((one) => {
    const name = [one.firstname, one.middlename, one.lastname, one.suffix].filter(Boolean);
    const born = one.birthdate ? formatDate(one.birthdate) : String(one.birthyear ?? '');
    const place = [one.city, one.zipcode].filter(Boolean).join(' ');
    const parts = [
      one.registration_id,
      name.join(' '),
      born,
      place,
      one.is_active ? '' : 'inactive',
    ];
    return `  ${parts.filter(Boolean).join('  ')}`;
  });
  const count = `${isMore ? 'More than ' : ''}${matches.toLocaleString('en-US')}`;
  const some = matches > voters.length ? `, the first ${voters.length} of them here` : '';
  return [
    `${count} voters match${some}. Show one of them: beacon voter show VOTER_ID --account ${account}`,
    ...lines,
  ].join('\n');
}
