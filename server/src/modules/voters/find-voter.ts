import type { Db } from '../../platform/postgres.ts';
import { isFirstNameAsRegistered, isSameVoterId, splitWords, type TypedNames } from './rules.ts';
import { type Candidate, findCandidates, matchNames } from './store.ts';

export interface TypedVoter {
  readonly names: TypedNames;
  readonly zipcode: string;
  /** `YYYY-MM-DD` */
  readonly birthdate: string;
  /** The office's own voter ID, where it was asked for. */
  readonly voterId: string | undefined;
}

/** Reads typed names by the database's own match_name(), which also reads the roll's. */
export async function readTypedNames(
  db: Db,
  typed: { readonly firstname: string; readonly lastname: string },
): Promise<TypedNames> {
  const [lastname = '', ...words] = await matchNames(db, [
    typed.lastname,
    ...splitWords(typed.firstname),
  ]);
  return { lastname, firstWords: words.filter((word) => word !== '') };
}

/**
 * The active voters who match the typed details: none, one, or several who differ only by
 * voter ID. Sends the same queries to the database for every input.
 *
 * @param scope one account's rows, or every account's where the host has none
 */
export async function findVoters(
  scope: { readonly db: Db; readonly isAcrossAccounts: boolean },
  typed: TypedVoter,
): Promise<Candidate[]> {
  const { names, zipcode, birthdate, voterId } = typed;
  const candidates = await findCandidates(
    scope.db,
    { lastname: names.lastname, zipcode, birthdate },
    scope.isAcrossAccounts,
  );
  return candidates.filter(
    (candidate) =>
      isFirstNameAsRegistered(names.firstWords, candidate) &&
      (voterId === undefined || isSameVoterId(voterId, candidate.registration_id)),
  );
}
