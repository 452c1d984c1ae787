/**
 * The texts of every language as files: the rules that a translation must keep, and the exchange with reviewers.
 * The texts module serves them to voters.
 */
export {
  exportLanguage,
  type ImportOutcome,
  importLanguage,
  isWhollyReviewed,
} from './exchange.ts';
export {
  type LanguageFiles,
  listTranslatedLanguages,
  localesFolder,
  readLanguageFiles,
} from './files.ts';
export {
  findBrokenParts,
  findMixedEvents,
  findSharedWords,
  findTextProblems,
  textRules,
} from './rules.ts';
export { type BallotWords, ballotWords } from './words.ts';
export { readXliff, writeXliff, type XliffContent, type XliffUnit } from './xliff.ts';
