import { errorCodes } from '@ballot-beacon/contract/problem';
import type { FastifyReply } from 'fastify';
import type { Metrics } from '../../platform/metrics.ts';
import { type ProblemError, problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/index.ts';
import { createAltchaChallenge } from './captcha.ts';
import { type SignedIn, type SignInParts, type SignInRefusal, signIn } from './sign-in.ts';
import { deleteSession } from './store.ts';
import type { WorkLevel } from './throttle-rules.ts';
import type { SessionCookies, Visit, VoterApi } from './visits.ts';

export interface SessionRoutesParts extends SignInParts {
  readonly metrics: Metrics;
  readonly cookies: SessionCookies;
}

/** Signing in and out, and the challenge that comes before. */
export function registerSessionRoutes(api: VoterApi, parts: SessionRoutesParts): void {
  const { secrets, metrics, cookies } = parts;

  api.app.addHook('onSend', async (request, reply) => cookies.sendDevice(reply, request));

  api.answer('createSession', async ({ request, site, session, now }, { body, reply }) => {
    const outcome = await signIn(parts, {
      site,
      credentials: body,
      address: request.ip,
      device: cookies.readDevice(request),
      leavePlace: () => request.leavePlace(),
    });
    metrics.logins.inc({ outcome: outcome.kind });
    if (outcome.kind !== 'signed-in') throw explainRefusal(outcome, now);
    await replaceSession(cookies, { request, session }, reply, outcome);
    return { session_id: outcome.sessionId };
  });

  api.answer('deleteSession', async (visit, { reply }) => {
    await logOut(cookies, visit, reply);
    return undefined;
  });

  api.answer('getCaptchaChallenge', async ({ site, now }, { query: { level } }) => {
    const { kind } = site.branding.captcha;
    // Where the office chose another CAPTCHA, work is asked for after many failures and for QR codes alone.
    if (kind === 'off' || (kind === 'recaptcha' && level === undefined)) {
      throw problem(404, 'This site asks for no proof of work.');
    }
    return createAltchaChallenge(secrets.keys('captcha')[0], now, (level ?? 0) as WorkLevel);
  });
}

/** Ends the visitor's session, if there is one, and takes its cookie back. */
export async function logOut(
  cookies: SessionCookies,
  { request, session }: Pick<Visit, 'request' | 'session'>,
  reply: FastifyReply,
): Promise<void> {
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
}

/** Ends the browser's earlier session and hands out the cookie of the new one. */
export async function replaceSession(
  cookies: SessionCookies,
  { request, session }: Pick<Visit, 'request' | 'session'>,
  reply: FastifyReply,
  { secret }: SignedIn,
): Promise<void> {
  const previous = cookies.readHash(request);
  if (session && previous) await deleteSession(session.site.db, previous);
  cookies.set(reply, request, secret);
}

export function explainRefusal(refusal: SignInRefusal, now: Date): ProblemError {
  switch (refusal.kind) {
    case 'no-match':
      return problem(401, 'Invalid credentials', { errorCode: errorCodes.invalidCredentials });
    case 'ambiguous':
      return problem(401, 'Ambiguous Credentials', { errorCode: errorCodes.ambiguousCredentials });
    case 'token-required':
      return problem(401, 'Token Required', { errorCode: errorCodes.tokenRequired });
    case 'proof-required':
      return problem(401, 'Another Proof Required', { errorCode: errorCodes.proofRequired });
    case 'more-work':
      return problem(401, 'More Work Required', {
        errorCode: errorCodes.moreWork,
        workLevel: refusal.level,
      });
    case 'invalid-captcha':
      return problem(401, 'Invalid ReCAPTCHA', { errorCode: errorCodes.invalidRecaptcha });
    case 'throttled':
      return explainWait(refusal.until, now);
  }
}

/** The answer to a visitor who made too many attempts. */
export function explainWait(until: Date, now: Date): ProblemError {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  const headers = { 'retry-after': String(Math.max(1, seconds)) };
  return problem(429, 'Too Many Attempts', { headers });
}
