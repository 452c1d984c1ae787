import type { ViewCounter } from '../analytics/index.ts';
import type { VoterApi } from '../sessions/index.ts';

/** Pages that the browser goes to by itself. */
export function registerViewRoutes(api: VoterApi, views: ViewCounter): void {
  api.answer(
    'countView',
    async ({ request, site }, { body }) => {
      if (site.kind === 'account') views.count(request, site.account.accountId, body.name);
      return undefined;
    },
    { isActivity: false },
  );
}
