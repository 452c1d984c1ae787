import type { CaptchaChallenge } from '@ballot-beacon/contract/captcha';
import { call } from '../api/client.ts';

/** What answers the question of being no robot. One answer is good for one try (decisions, Login). */
export interface Captcha {
  /** Begins the work ahead of time; safe to call often. */
  prepare(): void;
  /** The text for the field `recaptcha`: the same until {@link reset}; null when none can be had. */
  answer(): Promise<string | null>;
  reset(): void;
}

/** For `CAPTCHA=off`: the field may hold anything. */
export const noCaptcha: Captcha = { prepare() {}, answer: async () => 'off', reset() {} };

/** For reCAPTCHA: its box puts the answer into the form's field by itself. */
export const boxedCaptcha: Captcha = { prepare() {}, answer: async () => null, reset() {} };

interface Solved {
  readonly text: string;
  /** Milliseconds since 1970 after which the server would refuse it. */
  readonly goodUntil: number;
}

/** A challenge about to expire would be refused on arrival, so it is given up this many milliseconds early. */
const margin = 30_000;

/** The proof of work by ALTCHA: fetched from our own host, solved in a worker in some 0.2 s. */
export function createAltcha(): Captcha {
  let current: Promise<Solved | null> | null = null;

  const begin = () => {
    const work = solve();
    current = work;
    // What failed is tried anew at the next wish.
    work.then((solved) => {
      if (!solved && current === work) current = null;
    });
    return work;
  };

  return {
    prepare() {
      if (!current) begin();
    },
    async answer() {
      const solved = await (current ?? begin());
      if (solved && Date.now() < solved.goodUntil) return solved.text;
      return (await begin())?.text ?? null;
    },
    reset() {
      current = null;
    },
  };
}

async function solve(): Promise<Solved | null> {
  const outcome = await call('getCaptchaChallenge', {});
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
