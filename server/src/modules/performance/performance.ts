import type { Performance, PerformancePeriod } from '@ballot-beacon/contract/performance';
import type { Clock } from '../../platform/clock.ts';
import type { AccountId } from '../../platform/ids.ts';
import { readLastImport } from '../ballots/index.ts';
import type { AccountSite } from '../sites/index.ts';
import { availabilityOf, oldestDataHours, periodsInDays, summarizeMessages } from './rules.ts';
import {
  countMessages,
  inWholeDays,
  readAnsweredMinutes,
  readImportTimes,
  readSpans,
  type Span,
} from './store.ts';

/** How long figures are shown before they are counted again: anybody may ask, and late receipts change little. */
const countedForMs = 60 * 60_000;

/** The figures of offices, each counted once an hour by this process, however many visitors ask. */
export function createPerformance(clock: Clock): (site: AccountSite) => Promise<Performance> {
  const known = new Map<
    AccountId,
    { readonly at: number; readonly figures: Promise<Performance> }
  >();
  return (site) => {
    const { accountId } = site.account;
    const now = clock.now();
    const counted = known.get(accountId);
    if (counted && now.getTime() - counted.at < countedForMs) return counted.figures;
    const figures = countPerformance(site, now);
    known.set(accountId, { at: now.getTime(), figures });
    figures.catch(() => known.delete(accountId));
    return figures;
  };
}

async function countPerformance({ db, account }: AccountSite, now: Date): Promise<Performance> {
  const { through, spans } = await readSpans(db, account.timeZone, periodsInDays, now);
  const updated = await readLastImport(db);
  const periods: PerformancePeriod[] = [];
  // One after another: two counts of a county's messages at once would take the connections of its voters.
  for (const { days, ...span } of spans) periods.push({ days, ...(await countPeriod(db, span)) });
  return { through, data_updated_at: updated?.toISOString() ?? null, periods };
}

async function countPeriod(
  db: AccountSite['db'],
  span: Span,
): Promise<Omit<PerformancePeriod, 'days'>> {
  return {
    ...summarizeMessages(await countMessages(db, span)),
    oldest_data_hours: oldestDataHours(await readImportTimes(db, span), span),
    availability: availabilityOf(await readAnsweredMinutes(db, span), inWholeDays(span)),
  };
}
