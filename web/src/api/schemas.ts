/** What {@link import('./client.ts')} checks answers with; fetched apart from it. */
export { calls } from '@ballot-beacon/contract/calls';
export { Problem, problemContentType } from '@ballot-beacon/contract/problem';
export { logFailure } from './failure.ts';
