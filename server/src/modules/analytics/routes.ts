import type { VoterApi } from '../sessions/index.ts';
import type { ViewCounter } from './counter.ts';

/** Counts the views of pages that the browser opens without asking the server. */
export function registerViewRoutes(api: VoterApi, views: ViewCounter): void {
  api.answer('countView', async ({ request, site }, { body }) => {
    if (site.kind === 'account') views.count(request, site.account.accountId, body.name);
    return undefined;
  });
}
