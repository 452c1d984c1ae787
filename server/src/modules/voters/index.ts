export { findVoters, type TypedVoter } from './find-voter.ts';
export { readVoterInformation } from './information.ts';
export { findVoterId, type RollEntry, readRollEntry } from './roll-store.ts';
export type { Candidate } from './store.ts';
