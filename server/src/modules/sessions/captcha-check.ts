import { codeOf, type Log } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Site } from '../sites/index.ts';
import { readAltchaSolution, verifyAltchaSolution } from './captcha.ts';
import type { WorkLevel } from './throttle-rules.ts';

export type CaptchaOutcome =
  | { readonly kind: 'off' | 'refused' }
  | { readonly kind: 'solved'; readonly solution: CaptchaSolution };

export interface CaptchaSolution {
  /** This is what is spent: one solution works once. */
  readonly hash: Buffer;
  readonly expiresAt: Date;
  readonly level: WorkLevel;
  /** Proof of work where the office chose another CAPTCHA: accepted only when more work was asked for. */
  readonly isInstead: boolean;
}

export interface CaptchaTry {
  readonly site: Site;
  /** What came as `recaptcha`. */
  readonly text: string;
  readonly address: string;
  readonly now: Date;
  /** Whether proof of work is the only CAPTCHA of this call, whatever the office chose for its form. */
  readonly isAlwaysWork?: boolean;
  /** The level of a solution that already led to a further question. It is valid once more, for the answer to that question. */
  readonly findKept: (hash: Buffer) => Promise<WorkLevel | undefined>;
}
export type CaptchaCheck = (attempt: CaptchaTry) => Promise<CaptchaOutcome>;

/** Asks Google whether a reCAPTCHA answer is good; throws when Google does not answer. */
export type AskRecaptcha = (
  secretKey: string,
  response: string,
  address: string,
) => Promise<boolean>;

/** Google lets an answer be checked for two minutes; we remember it for longer. */
const recaptchaMemoryMs = 60 * 60_000;

/**
 * Checks a solution by the kind of CAPTCHA that the site's branding shows. It throws when Google cannot be asked:
 * nobody signs in unchecked.
 */
export function createCaptchaCheck(
  secrets: Secrets,
  askRecaptcha: AskRecaptcha,
  log: Log,
): CaptchaCheck {
  const ask: AskRecaptcha = (...question) =>
    askRecaptcha(...question).catch((error: unknown) => {
      log.write('captcha.unavailable', { code: codeOf(error) });
      throw error;
    });

  return async ({ site, text, address, now, isAlwaysWork = false, findKept }) => {
    const { kind } = site.branding.captcha;
    if (kind === 'off') return { kind: 'off' };
    const isInstead = kind === 'recaptcha' && !isAlwaysWork;
    const work = readAltchaSolution(text);
    if (work) {
      const hash = secrets.sign('captcha.spent', work.nonce);
      const kept = await findKept(hash);
      const good =
        kept === undefined
          ? await verifyAltchaSolution(secrets.keys('captcha'), work, now)
          : { expiresAt: now, level: kept };
      return good
        ? { kind: 'solved', solution: { hash, ...good, isInstead } }
        : { kind: 'refused' };
    }
    const secretKey = site.kind === 'account' ? site.account.settings.recaptcha?.secret_key : '';
    if (!isInstead || !secretKey) return { kind: 'refused' };
    const hash = secrets.sign('captcha.spent', text);
    const expiresAt = new Date(now.getTime() + recaptchaMemoryMs);
    const isGood = (await findKept(hash)) !== undefined || (await ask(secretKey, text, address));
    if (!isGood) return { kind: 'refused' };
    return { kind: 'solved', solution: { hash, expiresAt, level: 0, isInstead: false } };
  };
}

/** Errors of our request rather than of the visitor's answer, such as an office's mistyped key. */
const faults = /^(missing|invalid)-input-secret$|^bad-request$/;

/**
 * Makes the question to a verifying service.
 *
 * @param patienceMs how long it may take.
 * @see https://developers.google.com/recaptcha/docs/verify
 */
export function askAt(url: string, patienceMs = 5_000): AskRecaptcha {
  return async (secretKey, response, address) => {
    const answer = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ secret: secretKey, response, remoteip: address }),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    });
    const body = (await answer.json()) as { success?: unknown; 'error-codes'?: unknown };
    const codes = Array.isArray(body['error-codes']) ? body['error-codes'].map(String) : [];
    const fault = answer.ok ? codes.find((code) => faults.test(code)) : `http_${answer.status}`;
    if (fault !== undefined) {
      const code = fault.replaceAll('-', '_');
      throw Object.assign(new Error(`reCAPTCHA could not be asked: ${code}`), { code });
    }
    return body.success === true;
  };
}

export const askGoogle = askAt('https://www.google.com/recaptcha/api/siteverify');
