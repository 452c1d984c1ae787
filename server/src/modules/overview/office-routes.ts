import { outcomeOf } from '@ballot-beacon/contract/office/messages';
import { mayDo } from '@ballot-beacon/contract/office/roles';
import type { Today } from '@ballot-beacon/contract/office/today';
import { localDay } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres.ts';
import { isLate, readFeeds } from '../feeds/index.ts';
import { countOpenFixes } from '../fix-queue/index.ts';
import { countWaiting } from '../imports/index.ts';
import { listIncidents } from '../notifications/index.ts';
import type { OfficeApi, SignedInVisit } from '../people/index.ts';
import { countReady } from '../uploads/index.ts';
import {
  countBallots,
  countMessages,
  countSignIns,
  countWaitingRequests,
  findTrouble,
  readAttacks,
} from './store.ts';

const dayMs = 24 * 60 * 60_000;
const weekMs = 7 * dayMs;

/** What an office's people look at first. */
export function registerOverviewRoutes(
  api: OfficeApi,
  { database }: { readonly database: Database },
): void {
  const readToday = async ({ db, account, session, now }: SignedInVisit): Promise<Today> => {
    const feeds = await readFeeds(database.system, account);
    const yesterday = new Date(now.getTime() - dayMs);
    const used = account.settings.delivery_types;
    const { timeZone } = account;
    const from = localDay(new Date(now.getTime() - weekMs), timeZone);
    return {
      waiting: {
        ...(await countWaiting(db)),
        uploads: await countReady(db),
        requests: await countWaitingRequests(db),
      },
      attacks: (await readAttacks(db, yesterday)).map(({ kind, lastAt }) => ({
        kind,
        last_at: lastAt.toISOString(),
      })),
      feeds: feeds.map((feed) => ({
        format: feed.format,
        last_at: feed.lastAt?.toISOString() ?? null,
        every_hours: feed.everyHours,
        is_late: isLate(feed, now),
      })),
      elections: (await countBallots(db)).map((one) => ({ ...one, ballots: [...one.ballots] })),
      fixes: await countOpenFixes(db, account, mayDo(session.roles, 'confidential'), now),
      stopped: (await listIncidents(db)).map(({ facility, day, envelopes, zips }) => ({
        facility,
        day,
        envelopes,
        zips: [...zips],
      })),
      trouble: (await findTrouble(db, now)).filter((channel) => used.includes(channel)),
      sign_ins: await countSignIns(db, yesterday),
      messages_from: from,
      messages: byOutcome(await countMessages(db, { from, timeZone })),
    };
  };
  api.answer('getToday', readToday);
}

/** As the list of messages is filtered, which a count leads to. */
function byOutcome(counted: Awaited<ReturnType<typeof countMessages>>): Today['messages'] {
  const all = new Map<string, Today['messages'][number]>();
  for (const { channel, state, count } of counted) {
    const outcome = outcomeOf(state);
    const before = all.get(`${channel} ${outcome}`)?.count ?? 0;
    all.set(`${channel} ${outcome}`, { channel, outcome, count: before + count });
  }
  return [...all.values()];
}
