import type { Secrets } from '../../platform/secrets.ts';
import { fixLinkPath, readMessageCode } from '../notifications/index.ts';
import { allowCode, countCode, type VoterApi } from '../sessions/index.ts';
import { recordLinkOpen } from './store.ts';

/**
 * The link of a message about an envelope to fix. It leads to the office's own page and nowhere else, whatever its code, so that it
 * says nothing about a code and nobody can be sent astray. That it was opened is all that is recorded.
 */
export function registerFixLinkRoutes(
  api: VoterApi,
  { secrets }: { readonly secrets: Secrets },
): void {
  api.app.get<{ Params: { code: string } }>(`${fixLinkPath}/:code`, async (request, reply) => {
    const { site, now } = await api.visit(request);
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    // Mail programs ask for the head of a link before anybody opens it.
    if (site.kind === 'account' && request.method === 'GET') {
      const { db, account } = site;
      const counted = await countCode(db, secrets.sign, { address: request.ip, now });
      const ids = readMessageCode(secrets, account.accountId, request.params.code);
      if (!counted.until && ids.length > 0 && (await recordLinkOpen(db, ids, now)))
        await allowCode(db, counted);
    }
    return reply.redirect('/voter', 302);
  });
}
