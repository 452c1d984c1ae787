import type { CaptchaChallenge } from '@ballot-beacon/contract/captcha';
import { call, type Outcome } from '../api/client.ts';

/** What answers the question of being no robot. One answer is good for one try (decisions, Login). */
export interface Captcha {
  /** Begins the work ahead of time; safe to call often. */
  prepare(): void;
  /** The text for the field `recaptcha`: the same until {@link reset}; null when none can be had. */
  answer(): Promise<string | null>;
  /** Discards the answer, which was used. */
  reset(): void;
  /** Discards the answer. The next one is a proof of work of this level, whatever the site's CAPTCHA is. */
  demand(level: number): void;
}

/** For `CAPTCHA=off`: the field may hold anything. */
export const noCaptcha: Captcha = {
  prepare() {},
  answer: async () => 'off',
  reset() {},
  demand() {},
};

/** For reCAPTCHA: its box puts the answer into the form's field by itself. */
export function createBoxedCaptcha(): Captcha {
  let work: Captcha | null = null;
  return {
    prepare() {},
    answer: async () => (work ? work.answer() : null),
    reset() {
      work = null;
    },
    demand(level) {
      work = createAltcha(level);
    },
  };
}

/** As often as one submit may be asked for more work, before it counts as failed. */
const mostRounds = 3;

/**
 * Makes a call with an answer of the CAPTCHA, and again with harder ones while the server asks for more work.
 *
 * @param onMoreWork called when it begins to take longer.
 */
export async function callWithCaptcha<T>(
  captcha: Captcha,
  attempt: (answer: string | null) => Promise<Outcome<T>>,
  onMoreWork: () => void,
): Promise<Outcome<T>> {
  for (let round = 1; ; round += 1) {
    const outcome = await attempt(await captcha.answer());
    const level = outcome.kind === 'refused' ? outcome.problem.work_level : undefined;
    if (level === undefined || round === mostRounds) return outcome;
    onMoreWork();
    captcha.demand(level);
  }
}

interface Solved {
  readonly text: string;
  /** Milliseconds since 1970 after which the server would refuse it. */
  readonly goodUntil: number;
}

/** A challenge about to expire would be refused on arrival, so it is given up this many milliseconds early. */
const margin = 30_000;

/**
 * The proof of work by ALTCHA: fetched from our own host, solved in a worker in some 0.2 s.
 *
 * @param level to be asked for by name; without it, the site's usual one.
 */
export function createAltcha(level?: number): Captcha {
  let current: Promise<Solved | null> | null = null;
  let wanted = level;

  const begin = () => {
    const work = solve(wanted);
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
    demand(next) {
      current = null;
      wanted = next;
    },
  };
}

async function solve(level: number | undefined): Promise<Solved | null> {
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
