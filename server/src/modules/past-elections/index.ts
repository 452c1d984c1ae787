/** Elections that are over: their archive, and the end of their records. */
export { archiveElection, ElectionChanging } from './archive.ts';
export { deleteAllDiscarded, deleteDiscarded, discardDue, explainRefusal } from './discard.ts';
export { countRows, type DiscardedElection, discardElection, listDiscarded } from './store.ts';
