/**
 * Ids of rows, each of its own type, so that one is never passed where another is meant. A number becomes an id where
 * it leaves the database, and nowhere else.
 */
type Branded<Name extends string> = number & { readonly brand: Name };

export type AccountId = Branded<'AccountId'>;
export type VoterId = Branded<'VoterId'>;
export type BallotId = Branded<'BallotId'>;
export type ImportId = Branded<'ImportId'>;
export type PersonId = Branded<'PersonId'>;
