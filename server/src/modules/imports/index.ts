export type { ImportId } from '../../platform/ids.ts';
export { discardImport } from './discard-import.ts';
export { createImportsCleanup } from './expire-imports.ts';
export { checkFormat, type FormatCheck } from './formats/check-format.ts';
export { describeFormat } from './formats/describe-format.ts';
export { type FoundFormat, findFormat, listFormats } from './formats/find-format.ts';
export { type Format, type FormatProblem, isDateField } from './formats/format.ts';
export { importFile } from './import-file.ts';
export type { ImportProgress } from './kinds/kind.ts';
export { createEstimateSettler } from './kinds/scans/estimates-store.ts';
export { type PutBackImport, putBackImport } from './put-back.ts';
export { openSourceFile } from './read/open-source.ts';
export { type Recognition, recognizeFormat } from './read/recognize.ts';
export { FileRefused, FileTorn, type SourceFile } from './read/source-file.ts';
export type { StoredFile } from './read/stored-file.ts';
export {
  type ImportState,
  isImporting,
  type ListedImport,
  listImports,
  listPushedDays,
  markCorrected,
  markReleased,
  OtherImportRunning,
  pushName,
  takeTurn,
  tryBeginImport,
} from './run/import-store.ts';
export { ImportInterrupted } from './run/interruption.ts';
export { countWaiting, findImport, findImporter, pageImports } from './run/listing-store.ts';
export type { RejectsList } from './run/rejects.ts';
export { adviseOnWrongFile, describeReport, type ImportReport } from './run/report.ts';
export { viewReport } from './run/report-view.ts';
export type { AfterEvents, ImportOutcome, ImportRequest } from './run/request.ts';
export { readSampleChanges, type SampleChange } from './run/sample-store.ts';
export { explainDecided } from './run/state-words.ts';
export type { KeptCopy } from './run/waiting-files.ts';
export { findWaitingImport, type WaitingImport } from './run/waiting-store.ts';
