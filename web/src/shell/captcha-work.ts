import type { calls } from '@ballot-beacon/contract/calls';
import type { CaptchaChallenge } from '@ballot-beacon/contract/captcha';
import { type Challenge, type Solution, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/*
 * The proof of work by ALTCHA. The same file is a script of the page and what a worker runs, so it comes over the network
 * once. It needs none of the page's other scripts: on the sign-in page it comes beside the first of them, and begins at
 * the first touch of the form, whether the page reacts already or not.
 */

export interface Solved {
  readonly text: string;
  /** Milliseconds since 1970 after which the server would refuse it. */
  readonly goodUntil: number;
}

/** A challenge about to expire would be refused on arrival, so it is given up this many milliseconds early. */
const margin = 30_000;
const patience = 30_000;
/** Tries that wait for the browser's own threads at the same time. */
const lanes = 4;
const path: (typeof calls)['getCaptchaChallenge']['path'] = '/api/voter/captcha';

/** Begun by the form before the page could ask for it. */
let begun: Promise<Solved | null> | null = null;

if (typeof document === 'undefined') {
  self.onmessage = async ({ data }: MessageEvent<Challenge>) =>
    self.postMessage(await findSolution(data).catch(() => null));
} else watchForm();

/**
 * Fetches a challenge from our own host while a worker starts, and has it solved there.
 *
 * @param level to be asked for by name; without it, the site's usual one.
 * @returns null when no challenge can be fetched, or solved
 */
export function solve(level?: number): Promise<Solved | null> {
  const known = level === undefined && begun;
  if (known) {
    begun = null;
    return known;
  }
  const worker = new Worker(import.meta.url, { type: 'module' });
  return solveIn(worker, level === undefined ? path : `${path}?level=${level}`)
    .catch(() => null)
    .finally(() => worker.terminate());
}

async function solveIn(worker: Worker, address: string): Promise<Solved | null> {
  const answer = await fetch(address, { signal: AbortSignal.timeout(patience) });
  if (!answer.ok) return null;
  const challenge: CaptchaChallenge & Challenge = await answer.json();
  const solution = await new Promise<Solution | null>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Solution | null>) => resolve(data);
    worker.onerror = reject;
    worker.postMessage(challenge);
  });
  if (!solution) return null;
  const { expiresAt } = challenge.parameters;
  return {
    text: btoa(JSON.stringify({ challenge, solution })),
    goodUntil: expiresAt === undefined ? Number.POSITIVE_INFINITY : expiresAt * 1000 - margin,
  };
}

/** A visitor who touches a form with the box will need the proof. A tap on a box does not focus it in every browser. */
function watchForm(): void {
  const begin = (touched: EventTarget | null) => {
    const form = touched instanceof Element ? touched.closest('form') : null;
    if (!form?.querySelector('.captcha')) return;
    removeEventListener('focusin', onTouch);
    removeEventListener('change', onTouch);
    begun = solve();
  };
  const onTouch = ({ target }: Event) => begin(target);
  addEventListener('focusin', onTouch);
  addEventListener('change', onTouch);
  // What was touched before this script came.
  begin(document.querySelector('.captcha :checked') ?? document.activeElement);
}

async function findSolution(challenge: Challenge): Promise<Solution | null> {
  const controller = new AbortController();
  const solution = await Promise.race(
    Array.from({ length: lanes }, (_, counterStart) =>
      solveChallenge({ challenge, deriveKey, controller, counterStart, counterStep: lanes }),
    ),
  );
  controller.abort();
  return solution;
}
