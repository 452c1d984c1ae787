/**
 * The texts of every language as files: the rules a translation keeps, and the exchange with reviewers.
 * Serving texts to voters is the translations module's.
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
export { findSharedWords, findTextProblems, textRules } from './rules.ts';
export { type BallotWords, ballotWords } from './words.ts';
