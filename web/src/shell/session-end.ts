import { call, type Outcome } from '../api/client.ts';
import { discard, recall, remember } from './tab-memory.ts';

const retryEvery = 10_000;

/**
 * Ends the session on the server. Where the server cannot be reached the wish is kept, also over a reload, and tried
 * until it knows: on a shared computer the next person must not find the session active.
 *
 * @param voterId whose session it is; null where that is not known yet
 * @param onDelayed called once when the first try fails.
 */
export async function endSession(voterId: number | null, onDelayed: () => void): Promise<void> {
  remember('ending', String(voterId));
  for (let isFirst = true; ; isFirst = false) {
    if (await inTurn(tryToEnd)) return;
    if (isFirst) onDelayed();
    await new Promise<void>((resolve) => {
      window.addEventListener('online', () => resolve(), { once: true });
      setTimeout(resolve, retryEvery);
    });
  }
}

/** @returns whether there is nothing left to end */
async function tryToEnd(): Promise<boolean> {
  if (recall('ending') === null) return true;
  const outcome = await call('deleteSession', {});
  const isEnded =
    outcome.kind === 'answered' || (outcome.kind === 'refused' && outcome.problem.status < 500);
  if (isEnded) discard('ending');
  return isEnded;
}

/** Whether this voter's log-out still has to reach the server: the page then must not show what the session would. */
export function isEnding(voterId: number): boolean {
  const ending = recall('ending');
  return ending === String(voterId) || ending === String(null);
}

/** Makes a call that signs a voter in. The session that was still to be ended is gone then. */
export function beginSession<T>(signIn: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  return inTurn(async () => {
    const outcome = await signIn();
    if (outcome.kind === 'answered') discard('ending');
    return outcome;
  });
}

/**
 * Sign-ins and log-outs come one after the other, in all tabs: the answer to a log-out takes the browser's cookie away, also
 * that of a session that began meanwhile. Browsers have no locks for a page that came over plain HTTP.
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request('beacon-session', work) : work();
}
