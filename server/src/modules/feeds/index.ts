export { publishFeedAges, readFeeds } from './feeds.ts';
export { FolderTaken } from './folder.ts';
export { describeAge, type Feed, isLate } from './rules.ts';
export { DatabaseAwayError, type FiledFile, type Taken, watchFolder } from './watch.ts';
