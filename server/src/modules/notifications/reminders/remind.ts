import { channels } from '@ballot-beacon/contract/messages';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Database, Db } from '../../../platform/postgres.ts';
import { type Account, findAccount, offeredChannels } from '../../accounts/index.ts';
import { listOpenFixes, type OpenFix } from '../../ballots/index.ts';
import { firstAllowed, wakeWorker } from '../enqueue/store.ts';
import { causeOf, channelOrder, decideReminder, type ReminderPoint } from './rules.ts';
import {
  addReminders,
  type NewReminder,
  type ReachableChannel,
  readAccountsWithFixes,
  readMadeReminders,
  readNewestBallotFile,
  readReachableChannels,
} from './store.ts';

/** Without an expected rhythm of its files, an office's newest one is too old after a long weekend, in hours. */
const usualFeedHours = 96;

/** Whether the office's newest file of ballots is too old to know which voters have fixed their envelopes. */
export async function isBallotFeedLate(db: Db, account: Account, now: Date): Promise<boolean> {
  const newest = await readNewestBallotFile(db, account.accountId);
  if (newest === null) return false;
  const expected = Object.values(account.settings.feeds).map(({ every_hours: hours }) => hours);
  const hours = expected.length > 0 ? Math.max(...expected) : usualFeedHours;
  return now.getTime() - newest.getTime() > hours * 3_600_000;
}

/**
 * Makes the reminders that are due, of every office. Repeating it makes none twice.
 *
 * @returns how many were made, and of how many offices reminders wait for a newer file
 */
export async function remindVoters(database: Database, clock: Clock, log: Log): Promise<void> {
  const db = database.system;
  for (const accountId of await readAccountsWithFixes(db)) {
    const account = await findAccount(db, accountId);
    if (!account) continue;
    const { made, waiting } = await remindVotersOf(db, account, clock.now());
    if (made > 0) log.write('reminders.made', { account: accountId, count: made });
    if (waiting > 0) log.write('reminders.waiting', { account: accountId, count: waiting });
  }
}

async function remindVotersOf(
  db: Db,
  account: Account,
  now: Date,
): Promise<{ readonly made: number; readonly waiting: number }> {
  const points = account.settings.envelope_fix.reminders as readonly ReminderPoint[];
  const fixes = await listOpenFixes(db, account);
  if (points.length === 0 || fixes.length === 0) return { made: 0, waiting: 0 };
  const facts = {
    isFeedLate: await isBallotFeedLate(db, account, now),
    made: await readMadeReminders(
      db,
      fixes.map(({ ballotId }) => ballotId),
    ),
    reachable: Map.groupBy(
      await readReachableChannels(
        db,
        account.accountId,
        fixes.map(({ voterId }) => voterId),
      ),
      ({ voterId }) => voterId,
    ),
  };
  let waiting = 0;
  const due = fixes.flatMap((fix): NewReminder[] => {
    const ways = facts.reachable.get(fix.voterId) ?? [];
    const decided = decideFor(
      fix,
      points,
      ways,
      facts.made.get(`${fix.ballotId}:${fix.problemId}`) ?? [],
      facts.isFeedLate,
      account,
      now,
    );
    if (decided?.action === 'wait') waiting += 1;
    if (decided?.action !== 'remind') return [];
    const way = ways.find(({ channel }) => channel === decided.channel);
    if (!way) return [];
    const { start, end, ...to } = way;
    const deliverAfter = firstAllowed(way.channel, { start, end }, rulesOf(account), now);
    return [{ ...to, ballotId: fix.ballotId, cause: causeOf(fix, decided.point), deliverAfter }];
  });
  const made = await addReminders(db, account.accountId, due, now);
  if (made > 0) for (const channel of channels) await wakeWorker(db, channel);
  return { made, waiting };
}

function decideFor(
  fix: OpenFix,
  points: readonly ReminderPoint[],
  ways: readonly ReachableChannel[],
  made: Parameters<typeof decideReminder>[0]['made'],
  isFeedLate: boolean,
  account: Account,
  now: Date,
) {
  if (fix.deadline === null) return null;
  const deadline = Date.parse(fix.deadline);
  const ofOffice = offeredChannels(account.settings);
  const offered = channelOrder.filter(
    (channel) =>
      ofOffice.includes(channel) &&
      ways.some(
        // A text that waits for its voter's hours may come too late, and mail does not wait.
        (way) =>
          way.channel === channel &&
          firstAllowed(channel, way, rulesOf(account), now).getTime() < deadline,
      ),
  );
  return decideReminder(
    {
      since: fix.since.getTime(),
      deadline,
      timeZone: account.timeZone,
      points,
      isFeedLate,
      made,
      channels: offered,
    },
    now.getTime(),
  );
}

const rulesOf = ({ settings, timeZone }: Account) => ({
  quietHours: settings.quiet_hours,
  timeZone,
});
