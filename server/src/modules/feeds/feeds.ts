import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import { type Account, listAccounts } from '../accounts/index.ts';
import { listFormats } from '../imports/index.ts';
import { type Feed, listFeedsOf } from './rules.ts';
import { readNewestFiles } from './store.ts';

/** What an account expects to be sent and what it was sent, by format. */
export async function readFeeds(system: Db, account: Account): Promise<Feed[]> {
  return listFeedsOf(account.settings.feeds, await readNewestFiles(system, account.accountId));
}

/** The one label of all formats that an office wrote itself and does not expect: labels stay few. */
const otherFormats = 'other';

/**
 * Sets the gauges of every account's feeds as they are now. A feed that is expected and was never sent has an
 * infinite age, so that a rule on age against expectation finds it too.
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
    const taken = newest.filter((file) => file.accountId === accountId);
    const ages = new Map<string, number>();
    for (const { format, lastAt, everyHours } of listFeedsOf(settings.feeds, taken)) {
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
