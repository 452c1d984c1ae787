/**
 * The texts of every language as files: the rules a translation keeps, and the exchange with reviewers.
 * Serving texts to voters is the translations module's.
 */
export { type Allowance, allowedSame, isAllowed } from './allowances.ts';
export {
  type ExportOptions,
  exportLanguage,
  type ImportOptions,
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
export type { Review, StringReview } from './review.ts';
export {
  expectedKeys,
  findSharedWords,
  findTextProblems,
  pluralForms,
  type TextProblem,
  type TextRule,
  textRules,
} from './rules.ts';
export { type BallotWords, ballotWords } from './words.ts';
