export type { Format, FormatProblem } from './format.ts';
export { type FoundFormat, findFormat, listFormats } from './formats.ts';
export {
  type AfterEvents,
  type ImportOutcome,
  type ImportProgress,
  type ImportRequest,
  importFile,
} from './import-file.ts';
export { describeReport, type ImportReport } from './report.ts';
export {
  type ImportId,
  type ImportState,
  isImporting,
  type ListedImport,
  listImports,
} from './store.ts';
