import type {} from '@fastify/cookie';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import type { Secrets } from '../../platform/secrets.ts';
import type { SignInTransaction } from './identity-provider.ts';
import { providerSignInLifetimeMs, transactionCookieName } from './rules.ts';
import type { OfficeVisit } from './visits.ts';

const purpose = 'office-sign-in';

const Content = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  startedAt: z.number(),
  isAgain: z.boolean(),
});

interface Parts {
  readonly secrets: Secrets;
}

/** Gives the browser what it must bring back from the provider; nothing of it is stored here. */
export function rememberSignIn(
  { request, account }: OfficeVisit,
  reply: FastifyReply,
  { secrets }: Parts,
  transaction: SignInTransaction,
): void {
  const startedAt = transaction.startedAt.getTime();
  const body = Buffer.from(JSON.stringify({ ...transaction, startedAt })).toString('base64url');
  const signature = secrets.sign(purpose, `${account.accountId}|${body}`).toString('base64url');
  const secure = request.isSecure;
  reply.setCookie(transactionCookieName(secure), `${body}.${signature}`, {
    path: '/',
    httpOnly: true,
    // The console's own page brings it, not the provider's redirect.
    sameSite: 'strict',
    secure,
    maxAge: providerSignInLifetimeMs / 1000,
  });
}

/** The sign-in that this browser began at this office, which can be finished once. @returns undefined without one, or too late */
export function takeSignIn(
  { request, account, now }: OfficeVisit,
  reply: FastifyReply,
  { secrets }: Parts,
): SignInTransaction | undefined {
  const secure = request.isSecure;
  const name = transactionCookieName(secure);
  const [body = '', signature = ''] = (request.cookies[name] ?? '').split('.');
  reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'strict', secure });
  const isOurs = secrets.verify(
    purpose,
    `${account.accountId}|${body}`,
    Buffer.from(signature, 'base64url'),
  );
  if (!isOurs) return undefined;
  const { startedAt, ...content } = Content.parse(
    JSON.parse(Buffer.from(body, 'base64url').toString()),
  );
  const isLate = now.getTime() - startedAt >= providerSignInLifetimeMs;
  return isLate ? undefined : { ...content, startedAt: new Date(startedAt) };
}
