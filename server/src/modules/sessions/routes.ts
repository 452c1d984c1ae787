import { errorCodes } from '@ballot-beacon/contract/problem';
import type { Metrics } from '../../platform/metrics.ts';
import { type ProblemError, problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import { createAltchaChallenge } from './captcha.ts';
import { type SignInParts, signIn } from './sign-in.ts';
import { deleteSession } from './store.ts';
import type { SessionCookies, VoterApi } from './visits.ts';

export interface SessionRoutesParts extends SignInParts {
  readonly metrics: Metrics;
  readonly cookies: SessionCookies;
}

/** Signing in and out, and the challenge that comes before. */
export function registerSessionRoutes(api: VoterApi, parts: SessionRoutesParts): void {
  const { secrets, metrics, cookies } = parts;

  api.answer('createSession', async ({ request, site, session, now }, { body, reply }) => {
    const outcome = await signIn(parts, { site, credentials: body, address: request.ip });
    metrics.logins.inc({ outcome: outcome.kind });
    if (outcome.kind === 'throttled') throw tooManyAttempts(outcome.until, now);
    if (outcome.kind !== 'signed-in') throw refusals[outcome.kind]();
    const previous = cookies.readHash(request);
    if (session && previous) await deleteSession(session.site.db, previous);
    cookies.set(reply, request, outcome.secret);
    return { session_id: outcome.sessionId };
  });

  api.answer('deleteSession', async ({ request, session }, { reply }) => {
    const hash = cookies.readHash(request);
    if (session && hash) {
      const { db, account } = session.site;
      await deleteSession(db, hash);
      await recordAudit(db, account.accountId, {
        actor: `voter:${session.voterId}`,
        action: 'session.delete',
      });
    }
    cookies.clear(reply, request);
    return undefined;
  });

  api.answer('getCaptchaChallenge', async ({ site, now }) => {
    if (site.branding.captcha.kind !== 'altcha') {
      throw problem(404, 'This site asks for no proof of work.');
    }
    return createAltchaChallenge(secrets.keys('captcha')[0], now);
  });
}

const refusals = {
  'no-match': () =>
    problem(401, 'Invalid credentials', { errorCode: errorCodes.invalidCredentials }),
  ambiguous: () =>
    problem(401, 'Ambiguous Credentials', { errorCode: errorCodes.ambiguousCredentials }),
  'token-required': () => problem(401, 'Token Required', { errorCode: errorCodes.tokenRequired }),
  'invalid-captcha': () =>
    problem(401, 'Invalid ReCAPTCHA', { errorCode: errorCodes.invalidRecaptcha }),
} satisfies Record<string, () => ProblemError>;

export function tooManyAttempts(until: Date, now: Date): ProblemError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return problem(429, 'Too Many Attempts', { headers: { 'retry-after': String(seconds) } });
}
