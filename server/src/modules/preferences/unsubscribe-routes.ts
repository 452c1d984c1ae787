import type { UnsubscribeRequest } from '@ballot-beacon/contract/voter-information';
import type { FastifyRequest } from 'fastify';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { unsubscribeByLink } from '../notifications/index.ts';
import type { VoterApi } from '../sessions/index.ts';
import type { Site } from '../sites/index.ts';

/**
 * Unsubscribing an email address by a mailed link: the page posts JSON; a mail program posts RFC 8058's one-click form
 * to the same address, without cookies, from wherever it runs.
 */
export async function registerUnsubscribeRoutes(
  api: VoterApi,
  { secrets }: { readonly secrets: Secrets },
): Promise<void> {
  await api.app.register(async (scope) => {
    scope.addContentTypeParser(
      formType,
      { parseAs: 'string' },
      (_request: FastifyRequest, body: string, done) =>
        done(null, Object.fromEntries(new URLSearchParams(body))),
    );
    api.answer(
      'unsubscribe',
      async ({ request, site, now, translate }, { body }) => {
        const isDone = await remove(secrets, site, body, isForm(request), now);
        if (!isDone) throw problem(400, translate('unsubscribe.error.text'));
        return undefined;
      },
      {
        scope,
        // A mail program has no cookie and no page of ours; the key alone says that it may.
        crossSite: isForm,
        readBody: (request) => (isForm(request) ? readOneClick(request) : request.body),
      },
    );
  });
}

const formType = 'application/x-www-form-urlencoded';

function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() === formType;
}

/** RFC 8058 §3.1: the form says one thing; key and address are in the mailed URL. */
function readOneClick({ body, query }: FastifyRequest): unknown {
  const form = body as Record<string, unknown> | null;
  if (form?.['List-Unsubscribe'] !== 'One-Click')
    throw problem(400, 'The form must say List-Unsubscribe=One-Click.');
  const { key, email } = query as Record<string, unknown>;
  return { key, email };
}

/** @returns false when the key is not the address's own: nothing is changed */
async function remove(
  secrets: Secrets,
  site: Site,
  { key, email }: UnsubscribeRequest,
  isOneClick: boolean,
  now: Date,
): Promise<boolean> {
  if (site.kind !== 'account') return false;
  const { accountId } = site.account;
  return site.db
    .transaction()
    .execute((tx) => unsubscribeByLink(tx, secrets, { accountId, email, key, isOneClick }, now));
}
