export { publishFeedAges, readFeeds } from './feeds.ts';
export { describeAge, type Feed, isLate } from './rules.ts';
