export { findVoters, readTypedNames } from './find-voter.ts';
export {
  findVoterId,
  findVoterIdByDigits,
  type RollContacts,
  type RollEntry,
  readRollContacts,
  readRollEntry,
} from './roll-store.ts';
export {
  isFirstNameAsRegistered,
  possibleFirstNames,
  splitWords,
  type TypedNames,
} from './rules.ts';
export { type FoundVoter, searchVoters } from './search-store.ts';
export { type Candidate, isConfidential, readVoter, type VoterRow } from './store.ts';
export { strengthenToken, strengthenTokens } from './strengthen-store.ts';
export type { Strengthener } from './strengthener.ts';
export { findTokenWeakness } from './token.ts';
export {
  createTokenKeys,
  strengthenTokenHash,
  type TokenCheck,
  type TokenKeys,
} from './token-hash.ts';
export { readVoterSearch } from './voter-search.ts';
export {
  addVoters,
  analyzeRoll,
  deactivateOtherVoters,
  keepReplaced,
  openRollCopy,
  type PutBack,
  putBackRoll,
  updateVoters,
} from './write-store.ts';
