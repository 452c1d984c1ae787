export { findVoters, readTypedNames } from './find-voter.ts';
export { readVoterInformation } from './information.ts';
export { findVoterId, type RollEntry, readRollEntry } from './roll-store.ts';
export {
  isFirstNameAsRegistered,
  possibleFirstNames,
  splitWords,
  type TypedNames,
} from './rules.ts';
export type { Candidate } from './store.ts';
