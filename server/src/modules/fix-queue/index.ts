/** The envelopes that an office's voters still have to fix, as the office's people follow them. */
export { registerFixLinkRoutes } from './link-routes.ts';
export { registerFixQueueRoutes } from './office-routes.ts';
export { countOpenFixes, readFixQueue } from './queue.ts';
export {
  countFixDays,
  fixMeasures,
  hasLetter,
  needsLetter,
  type QueuedFix,
} from './rules.ts';
export { recordLetters } from './store.ts';
