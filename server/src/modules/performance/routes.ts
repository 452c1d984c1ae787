import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { VoterApi } from '../sessions/index.ts';
import { createAvailabilityMeter } from './availability.ts';
import { createPerformance } from './performance.ts';

/** Twice in each minute, so that a late timer misses none. */
const measuredEveryMs = 30_000;

/** "How we are doing", for anybody; while the server listens, it measures whether it answers. */
export function registerPerformanceRoutes(
  api: VoterApi,
  { database, clock }: { readonly database: Database; readonly clock: Clock },
): void {
  const readPerformance = createPerformance(clock);
  api.answer('getPerformance', async ({ site }) => {
    if (site.kind !== 'account') throw problem(404, 'This address is of no election office.');
    return readPerformance(site);
  });

  const { app } = api;
  const measure = createAvailabilityMeter({ database, clock }, app.server);
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onListen', async () => {
    timer = setInterval(() => void measure(), measuredEveryMs);
  });
  app.addHook('preClose', async () => clearInterval(timer));
}
