import type { BallotStatus } from '../../contract/src/statuses.ts';

/** What a voter sees of one ballot after the office's files are loaded. */
export interface ExpectedBallot {
  /** The office's number of the election, as in `elections.json`. */
  readonly election: string;
  readonly status: BallotStatus;
  /** False: among the previous ballots, because the election is over. */
  readonly isCurrent: boolean;
}

/** A demo voter to sign in as. Every one is invented, as is everyone else under `demo/`. */
export interface CastMember {
  readonly account: 'demo' | 'lake';
  /** What this voter demonstrates, for the README. */
  readonly shows: string;
  readonly registrationId: string;
  /** The entries for the login form. `birthdate` is MM-DD-YYYY. */
  readonly typed: {
    readonly firstname: string;
    readonly lastname: string;
    readonly zipcode: string;
    readonly birthdate: string;
  };
  /** True: the form asks for the voter ID, because another voter matches too. */
  readonly isAmbiguous?: true;
  /** The security token in plain text, if the account requires one. */
  readonly token?: string;
  /** False: the answer is the same as for an unknown voter. */
  readonly signsIn: boolean;
  /** Newest election first. */
  readonly ballots: readonly ExpectedBallot[];
}
