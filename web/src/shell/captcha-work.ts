import type { CaptchaChallenge } from '@ballot-beacon/contract/captcha';
import { call } from '../api/client.ts';

export interface Solved {
  readonly text: string;
  /** Milliseconds since 1970 after which the server would refuse it. */
  readonly goodUntil: number;
}

/** A challenge about to expire would be refused on arrival, so it is given up this many milliseconds early. */
const margin = 30_000;

/**
 * Fetches a challenge from our own host and solves it in a worker.
 *
 * @param level to be asked for by name; without it, the site's usual one.
 * @returns null when no challenge can be fetched, or solved
 */
export async function solve(level: number | undefined): Promise<Solved | null> {
  const outcome = await call(
    'getCaptchaChallenge',
    level === undefined ? {} : { query: { level } },
  );
  if (outcome.kind !== 'answered') return null;
  const challenge = outcome.answer;
  const solution = await solveInWorker(challenge);
  if (solution === null) return null;
  const { expiresAt } = challenge.parameters;
  return {
    text: btoa(JSON.stringify({ challenge, solution })),
    goodUntil: typeof expiresAt === 'number' ? expiresAt * 1000 - margin : Number.POSITIVE_INFINITY,
  };
}

function solveInWorker(challenge: CaptchaChallenge): Promise<object | null> {
  const worker = new Worker(new URL('./captcha.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<object | null>((resolve) => {
    worker.onmessage = ({ data }: MessageEvent<object | null>) => resolve(data);
    worker.onerror = () => resolve(null);
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
