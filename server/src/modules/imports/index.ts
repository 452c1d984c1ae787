export { checkFormat, type FormatCheck } from './check-format.ts';
export type { Format, FormatProblem } from './format.ts';
export { describeFormat } from './format-page.ts';
export { type FoundFormat, findFormat, listFormats } from './formats.ts';
export {
  type AfterEvents,
  type ImportOutcome,
  type ImportRequest,
  importFile,
} from './import-file.ts';
export type { ImportProgress } from './import-run.ts';
export { ImportInterrupted } from './interruption.ts';
export { openSourceFile } from './open-source.ts';
export { type Recognition, recognizeFormat } from './recognize.ts';
export { describeReport, type ImportReport } from './report.ts';
export { createEstimateSettler } from './settle-estimates.ts';
export { FileRefused, type SourceFile } from './source-file.ts';
export {
  findHeldImport,
  type HeldImport,
  type ImportId,
  type ImportState,
  isImporting,
  type ListedImport,
  listImports,
  listPushedDays,
  OtherImportRunning,
  pushName,
} from './store.ts';
