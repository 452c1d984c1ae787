import type { Outcome } from '../api/client.ts';
import type { Captcha } from './captcha.ts';

/** How often the server may ask one submit for more work before it counts as failed. */
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
