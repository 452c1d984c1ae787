import type { Solved } from './captcha-work.ts';

/** Proves that the visitor is not a robot. One answer is valid for one attempt (decisions, Login). */
export interface Captcha {
  /** Begins the work ahead of time; safe to call often. */
  prepare(): void;
  /** The text for the field `recaptcha`: the same until {@link reset}; null when there is none. */
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

/**
 * The proof of work by ALTCHA: fetched from our own host, solved in a worker in some 0.2 s (decision 200).
 *
 * @param level to be asked for by name; without it, the site's usual one.
 */
export function createAltcha(level?: number): Captcha {
  let current: Promise<Solved | null> | null = null;
  let wanted = level;

  const begin = () => {
    const level = wanted;
    // Fetched at the first use: nobody who only reads the page needs it.
    const work = import('./captcha-work.ts').then(
      ({ solve }) => solve(level),
      () => null,
    );
    current = work;
    // After a failure the next call tries again.
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
