import type { Failure, Outcome, Refusal } from './outcome.ts';

/** What went wrong, for a log (product spec §8, Generic API errors). */
export function describeFailure(failed: Refusal | Failure): string {
  if (failed.kind === 'failed') return failed.reason;
  const { status, title, detail } = failed.problem;
  if (status === 400) return 'BadRequest';
  if (status === 404) return 'NotFound';
  return `Application Error: ${status}: ${title} - ${detail}`;
}

/** For developers who read the console; the page shows its own message. */
export function logFailure(name: string, outcome: Outcome<unknown>): void {
  if (outcome.kind !== 'answered') console.info(`${name}: ${describeFailure(outcome)}`);
}
