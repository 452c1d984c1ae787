export { DatabaseAwayError } from './faults.ts';
export { publishFeedAges, publishWaitingImports, readFeeds } from './feeds.ts';
export type { FileResult } from './file-report.ts';
export { FolderTaken } from './folder.ts';
export { NotAFolder } from './guarded-files.ts';
export { describeAge, type Feed, isLate } from './rules.ts';
export { type FiledFile, type Office, watchFolder } from './watch.ts';
export { watchOffices } from './watch-offices.ts';
