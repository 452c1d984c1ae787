import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import { type Account, listAccounts } from '../accounts/index.ts';
import { listFormats } from '../imports/index.ts';
import { type Feed, listFeedsOf } from './rules.ts';
import { countWaitingImports, readNewestFiles } from './store.ts';

/** The files that an account expects and has received, by format. */
export async function readFeeds(system: Db, account: Account): Promise<Feed[]> {
  return listFeedsOf(account.settings.feeds, await readNewestFiles(system, account.accountId));
}

/** One shared label for an office's own formats that it does not expect, to keep the number of labels small. */
const otherFormats = 'other';

/**
 * Updates the gauges of every account's feeds. A feed that is expected and never came has an
 * infinite age, so that an alert on its age fires too.
 */
export async function publishFeedAges(
  metrics: Metrics,
  database: Database,
  clock: Clock,
): Promise<void> {
  const [accounts, newest, builtIn] = await Promise.all([
    listAccounts(database.system),
    readNewestFiles(database.system),
    listFormats(),
  ]);
  const names = new Set(builtIn.map(({ name }) => name));
  const now = clock.now().getTime();
  metrics.feedAge.reset();
  metrics.feedExpected.reset();
  for (const { accountId, subdomain, settings } of accounts) {
    const received = newest.filter((file) => file.accountId === accountId);
    const ages = new Map<string, number>();
    for (const { format, lastAt, everyHours } of listFeedsOf(settings.feeds, received)) {
      const isNamed = names.has(format) || everyHours !== null;
      const label = isNamed ? format : otherFormats;
      const age = lastAt ? (now - lastAt.getTime()) / 1000 : Number.POSITIVE_INFINITY;
      ages.set(label, Math.min(age, ages.get(label) ?? Number.POSITIVE_INFINITY));
      if (everyHours !== null) {
        metrics.feedExpected.set({ account: subdomain, format: label }, everyHours * 3600);
      }
    }
    for (const [format, age] of ages) metrics.feedAge.set({ account: subdomain, format }, age);
  }
}

/** Updates the gauges of the imports that wait for a second person. */
export async function publishWaitingImports(
  metrics: Metrics,
  database: Database,
  clock: Clock,
): Promise<void> {
  const waiting = await countWaitingImports(database.system);
  metrics.waitingImports.reset();
  metrics.oldestWaitingImport.reset();
  for (const { subdomain: account, state, count, oldestAt } of waiting) {
    const age = (clock.now().getTime() - oldestAt.getTime()) / 1000;
    metrics.waitingImports.set({ account, state }, count);
    metrics.oldestWaitingImport.set({ account, state }, age);
  }
}
