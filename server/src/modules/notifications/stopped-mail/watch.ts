import { channels } from '@ballot-beacon/contract/messages';
import { type Clock, localDay } from '../../../platform/clock.ts';
import type { BallotId } from '../../../platform/ids.ts';
import type { Log } from '../../../platform/log.ts';
import type { Database, Db } from '../../../platform/postgres.ts';
import { type Account, findAccount, offeredChannels } from '../../accounts/index.ts';
import {
  type BallotInMail,
  findStoppedMail,
  planStop,
  readBallotsInMail,
  type StoppedMail,
} from '../../ballots/index.ts';
import { groupStops, readScansUntil, type StoppedEnvelope } from '../../stopped-mail/index.ts';
import { firstAllowed, wakeWorker } from '../enqueue/store.ts';
import { isBallotFeedLate } from '../reminders/remind.ts';
import { channelOrder, chooseChannel } from '../reminders/rules.ts';
import { readReachableChannels } from '../reminders/store.ts';
import { isTooMany, writeStop } from './rules.ts';
import {
  addStopMessages,
  type MadeStopMessage,
  type NewStopMessage,
  readAccountsWithMail,
  readMadeStopMessages,
  recordIncidents,
} from './store.ts';

/** Ballots that are read at once. */
const batch = 5_000;

/** Without a newer scan than that, nobody knows whether an envelope has moved. A weekend with a holiday has no scans. */
const scansFreshDays = 4;

/** A ballot whose envelope has stopped, and where it was seen last. */
interface Stopped extends StoppedEnvelope {
  readonly ballot: BallotInMail;
  readonly found: StoppedMail;
}

/**
 * Looks for envelopes that stopped in the mail, of every office: many at one facility are put on record for the office, and voters of
 * the others get a message where the office has switched that on. Repeating it makes nothing twice.
 */
export async function watchMail(database: Database, clock: Clock, log: Log): Promise<void> {
  const db = database.system;
  for (const accountId of await readAccountsWithMail(db)) {
    const account = await findAccount(db, accountId);
    if (!account) continue;
    const { incidents, messages } = await watchMailOf(db, account, clock.now());
    if (incidents > 0) log.write('stopped-mail.noticed', { account: accountId, count: incidents });
    if (messages > 0) log.write('stopped-mail.messages', { account: accountId, count: messages });
  }
}

async function watchMailOf(
  db: Db,
  account: Account,
  now: Date,
): Promise<{ readonly incidents: number; readonly messages: number }> {
  const { accountId } = account;
  const { stopped, inMail } = await findStopped(db, account, now);
  const { incidents, single } = groupStops(stopped);
  const settings = account.settings.stopped_mail;
  const wanted = settings.messages ? single.filter(({ ballot }) => ballot.mayGetMessages) : [];
  const due = await listDue(db, account, wanted, now);
  const isWaiting = isTooMany(countBallots(due), inMail, settings.messages_limit_percent);
  const today = localDay(now, account.timeZone);
  const zips = [...new Set(due.map(({ zip }) => zip).filter(Boolean))].sort();
  const many = { facility: '', day: today, envelopes: countBallots(due), zips };
  const found = isWaiting ? [...incidents, many] : incidents;
  const fresh = await recordIncidents(db, accountId, found, now);
  if (isWaiting || due.length === 0) return { incidents: fresh, messages: 0 };
  const made = await addStopMessages(db, accountId, due, now);
  if (made > 0) for (const channel of channels) await wakeWorker(db, channel);
  return { incidents: fresh, messages: made };
}

/** All stopped envelopes of an office, and how many ballots are in the mail. */
async function findStopped(
  db: Db,
  account: Account,
  now: Date,
): Promise<{ readonly stopped: readonly Stopped[]; readonly inMail: number }> {
  const stopped: Stopped[] = [];
  let inMail = 0;
  let after = 0 as BallotId;
  for (;;) {
    const ballots = await readBallotsInMail(db, account, { after, limit: batch });
    inMail += ballots.length;
    const found = await findStoppedMail(db, account, ballots, now);
    for (const ballot of ballots) {
      const one = found.get(ballot.ballotId);
      if (!one) continue;
      const { facility, lastSeenOn, zip } = one.trace;
      stopped.push({ ballot, found: one, stop: one.stop, facility, lastSeenOn, zip });
    }
    const last = ballots.at(-1);
    if (!last || ballots.length < batch) return { stopped, inMail };
    after = last.ballotId;
  }
}

/** Messages that are to be made now: one for each envelope, on the next channel where one failed. */
async function listDue(
  db: Db,
  account: Account,
  stopped: readonly Stopped[],
  now: Date,
): Promise<(NewStopMessage & { readonly zip: string })[]> {
  if (stopped.length === 0 || (await areNewsLate(db, account, now))) return [];
  const { accountId, settings, timeZone } = account;
  const made = Map.groupBy(
    await readMadeStopMessages(
      db,
      stopped.map(({ ballot }) => ballot.ballotId),
    ),
    ({ cause }: MadeStopMessage) => cause,
  );
  const reachable = Map.groupBy(
    await readReachableChannels(
      db,
      accountId,
      stopped.map(({ ballot }) => ballot.voterId),
    ),
    ({ voterId }) => voterId,
  );
  const ofOffice = offeredChannels(settings);
  return stopped.flatMap(({ ballot, found, zip }) => {
    const plan = planStop(account, ballot, found, now);
    if (!plan || !writeStop(plan)) return [];
    const ways = reachable.get(ballot.voterId) ?? [];
    const cause = `stop:${ballot.ballotId}:${found.trace.trackingCode}`;
    const offered = channelOrder.filter(
      (channel) => ofOffice.includes(channel) && ways.some((way) => way.channel === channel),
    );
    const channel = chooseChannel(made.get(cause) ?? [], offered);
    const way = ways.find((one) => one.channel === channel);
    if (!way) return [];
    const { start, end, ...to } = way;
    const rules = { quietHours: settings.quiet_hours, timeZone };
    const deliverAfter = firstAllowed(way.channel, { start, end }, rules, now);
    return [{ ...to, ballotId: ballot.ballotId, cause, deliverAfter, zip }];
  });
}

/** Whether the office's ballot file or its scans are too old to know that an envelope has not moved or arrived. */
export async function areNewsLate(db: Db, account: Account, now: Date): Promise<boolean> {
  if (await isBallotFeedLate(db, account, now)) return true;
  const until = await readScansUntil(db, account.accountId);
  if (until === null) return true;
  return now.getTime() - Date.parse(until) > (scansFreshDays + 1) * 86_400_000;
}

function countBallots(messages: readonly NewStopMessage[]): number {
  return new Set(messages.map(({ ballotId }) => ballotId)).size;
}
