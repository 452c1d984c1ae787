/** The envelopes that an office's voters still have to fix, as the office's people follow them. */
export { printLetters } from './letters.ts';
export { registerFixLinkRoutes } from './link-routes.ts';
export { registerFixQueueRoutes } from './office-routes.ts';
export { countOpenFixes, readFixQueue } from './queue.ts';
export {
  chooseLetters,
  countFixDays,
  fixMeasures,
  type QueuedFix,
} from './rules.ts';
export { lockLetters } from './store.ts';
