import type { Db } from '../../platform/postgres.ts';
import { isFirstNameAsRegistered, isSameVoterId, splitWords } from './rules.ts';
import { type Candidate, findCandidates, matchNames, type TypedIdentity } from './store.ts';

export interface TypedVoter extends TypedIdentity {
  readonly firstname: string;
  /** The office's own voter ID, where it was asked for. */
  readonly voterId: string | undefined;
}

/**
 * The active voters who are the one that was typed (decisions, Login): none, one, or several who differ only by
 * voter ID. Takes the same questions to the database whoever was typed.
 *
 * @param scope one account's rows, or every account's where the host has none
 */
export async function findVoters(
  scope: { readonly db: Db; readonly isAcrossAccounts: boolean },
  typed: TypedVoter,
): Promise<Candidate[]> {
  const [candidates, words] = await Promise.all([
    findCandidates(scope.db, typed, scope.isAcrossAccounts),
    matchNames(scope.db, splitWords(typed.firstname)),
  ]);
  const { voterId } = typed;
  return candidates.filter(
    (candidate) =>
      isFirstNameAsRegistered(words, candidate) &&
      (voterId === undefined || isSameVoterId(voterId, candidate.registration_id)),
  );
}
