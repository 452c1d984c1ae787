import { type FlagKey, type Flags, isFlagKey } from '@ballot-beacon/contract/flags';
import { abortAfter } from '../api/abort-after.ts';
import type { FlagContext, FlagSource } from './flag-source.ts';

/** How often the flags are asked for anew, in milliseconds; and whenever the tab comes back into sight. */
const pollEvery = 60_000;
/** An answer that takes longer than this, in milliseconds, is not waited for. */
const patience = 15_000;
const address = '/ofrep/v1/evaluate/flags';

/**
 * Follows the flags by the bulk evaluation of the OpenFeature Remote Evaluation Protocol
 * (https://github.com/open-feature/protocol), from the app's own host. Whatever goes wrong leaves the flags as they are.
 */
export function followOfrep(
  context: FlagContext,
  onFlags: (flags: Partial<Flags>) => void,
): FlagSource {
  let current = context;
  let etag: string | null = null;
  let notBefore = 0;
  let asked = new AbortController();

  const ask = async () => {
    if (document.visibilityState === 'hidden' || Date.now() < notBefore) return;
    asked.abort();
    const mine = new AbortController();
    asked = mine;
    try {
      const response = await fetch(address, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(etag !== null && { 'if-none-match': etag }),
        },
        body: JSON.stringify({ context: current }),
        // The server knows a signed-in voter's county from the session, and does not count the call as activity.
        credentials: 'same-origin',
        signal: abortAfter(patience, mine.signal),
      });
      if (response.status === 429) notBefore = Date.now() + secondsToWait(response) * 1000;
      if (response.status !== 200) return;
      const flags = readAnswer(await response.json());
      if (mine.signal.aborted) return;
      etag = response.headers.get('etag');
      onFlags(flags);
    } catch {
      // Down, cut short or overtaken: the next round asks again.
    }
  };

  const timer = setInterval(ask, pollEvery);
  document.addEventListener('visibilitychange', ask);
  void ask();
  return {
    setContext(next) {
      current = next;
      etag = null;
      void ask();
    },
    stop() {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
      asked.abort();
    },
  };
}

function secondsToWait(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) ? seconds : 0;
}

/** The flags of the answer that are known here and have a value; one in error keeps the value it has. */
export function readAnswer(answer: unknown): Partial<Flags> {
  const { flags } = (answer ?? {}) as { flags?: unknown };
  if (!Array.isArray(flags)) return {};
  const values: Partial<Record<FlagKey, boolean>> = {};
  for (const flag of flags as { key?: unknown; value?: unknown }[])
    if (isFlagKey(flag?.key) && typeof flag.value === 'boolean') values[flag.key] = flag.value;
  return values;
}
