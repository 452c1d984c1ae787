import { call } from '../api/client.ts';
import { discard, recall, remember } from '../shell/tab-memory.ts';

const retryEvery = 10_000;

/**
 * Ends the session on the server. Where the server cannot be reached the wish is kept, also over a reload, and tried
 * until it knows: on a shared computer the next person must not find the session active.
 *
 * @param onDelayed called once when the first try fails.
 */
export async function endSession(onDelayed: () => void): Promise<void> {
  remember('ending', '1');
  for (let isFirst = true; recall('ending') !== null; isFirst = false) {
    const outcome = await call('deleteSession', {});
    const isEnded =
      outcome.kind === 'answered' || (outcome.kind === 'refused' && outcome.problem.status < 500);
    if (isEnded) return discard('ending');
    if (isFirst) onDelayed();
    await new Promise<void>((resolve) => {
      window.addEventListener('online', () => resolve(), { once: true });
      setTimeout(resolve, retryEvery);
    });
  }
}

/** Whether a log-out still has to reach the server: the page then must not show what the session would. */
export const isEnding = () => recall('ending') !== null;

/** Someone has signed in since: what was to be ended is gone. */
export const stopEnding = () => discard('ending');
