import type { Clock } from '../../../platform/clock.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { listOpenFixes, type OpenFix } from '../../ballots/index.ts';
import type { Office } from '../office/store.ts';
import { isBallotFeedLate } from '../reminders/remind.ts';
import { causeOf, isFollowed, isPastItsMoment, type ReminderPoint } from '../reminders/rules.ts';
import { readMadeReminders } from '../reminders/store.ts';
import type { ClaimedMessage } from './store.ts';

/** The envelope that a message asks its voter to fix, as it stands now. */
export interface FixOfMessage {
  readonly defect: OpenFix['defect'];
  /** ISO 8601 with an offset. */
  readonly deadline: string;
  readonly timeZone: string;
  readonly isFeedLate: boolean;
  /** Of a reminder: it was made for a problem that was fixed before this one was found. */
  readonly isOfEarlierProblem: boolean;
  /** Of a reminder: the next one of this problem is due, or was made. */
  readonly isOfEarlierMoment: boolean;
}

export interface FixParts {
  readonly db: Db;
  readonly clock: Clock;
  office(accountId: AccountId): Promise<Office>;
}

/** By message, for those whose envelope still waits and whose deadline is known. */
export async function readFixes(
  parts: FixParts,
  claimed: readonly ClaimedMessage[],
): Promise<ReadonlyMap<number, FixOfMessage>> {
  const about = claimed.filter(({ status }) => status === 'rejected-curable');
  const found = new Map<number, FixOfMessage>();
  for (const [accountId, messages] of Map.groupBy(about, (one) => one.account_id)) {
    const { account } = await parts.office(accountId);
    const ballotIds = messages.flatMap(({ ballot_id: id }) => (id === null ? [] : [id]));
    const fixes = new Map(
      (await listOpenFixes(parts.db, account, ballotIds)).map((fix) => [fix.ballotId, fix]),
    );
    const isFeedLate = await isBallotFeedLate(parts.db, account, parts.clock.now());
    const points = account.settings.envelope_fix.reminders as readonly ReminderPoint[];
    const now = parts.clock.now().getTime();
    const reminded = messages.filter(({ kind }) => kind === 'fix-reminder');
    const made = await readMadeReminders(
      parts.db,
      reminded.flatMap(({ ballot_id: id }) => (id === null ? [] : [id])),
    );
    for (const { message_id: id, ballot_id: ballotId, kind, cause } of messages) {
      const fix = ballotId === null ? undefined : fixes.get(ballotId);
      if (!fix?.deadline) continue;
      const { defect, deadline, timeZone } = fix;
      const time = { since: fix.since.getTime(), deadline: Date.parse(deadline), timeZone };
      const reminder = kind === 'fix-reminder' ? cause : null;
      found.set(id, {
        ...{ defect, deadline, timeZone, isFeedLate },
        isOfEarlierProblem: reminder !== null && !reminder.startsWith(causeOf(fix)),
        isOfEarlierMoment:
          reminder !== null &&
          (isPastItsMoment(reminder, time, points, now) ||
            isFollowed(reminder, made.get(`${fix.ballotId}:${fix.problemId}`) ?? [])),
      });
    }
  }
  return found;
}
