import type { UnsubscribeRequest } from '@ballot-beacon/contract/pages';
import type { FastifyRequest } from 'fastify';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { unsubscribeByLink } from '../notifications/index.ts';
import type { VoterApi } from '../sessions/index.ts';
import type { Site } from '../sites/index.ts';

/**
 * Taking an email address off by a mailed link: the page posts JSON; a mail program posts RFC 8058's one-click form
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
      async ({ request, site, now }, { body }) => {
        await remove(secrets, site, body, isForm(request), now);
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
  if (form?.['List-Unsubscribe'] !== 'One-Click') throw wrongLink();
  const { key, email } = query as Record<string, unknown>;
  return { key, email };
}

async function remove(
  secrets: Secrets,
  site: Site,
  { key, email }: UnsubscribeRequest,
  isOneClick: boolean,
  now: Date,
): Promise<void> {
  if (site.kind !== 'account') throw wrongLink();
  const { accountId } = site.account;
  const isDone = await site.db
    .transaction()
    .execute((tx) => unsubscribeByLink(tx, secrets, { accountId, email, key, isOneClick }, now));
  if (!isDone) throw wrongLink();
}

function wrongLink() {
  return problem(
    400,
    'There was an error removing your email. Please click the link in your email to unsubscribe.',
  );
}
