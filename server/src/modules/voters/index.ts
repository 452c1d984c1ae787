export { findVoters, type TypedVoter } from './find-voter.ts';
export { readVoterInformation } from './information.ts';
export type { Candidate } from './store.ts';
