import type { Today } from '@ballot-beacon/contract/office/today';
import type { Db } from '../../platform/postgres.ts';
import { type Account, offeredChannels } from '../accounts/index.ts';
import { followFixes } from '../ballots/index.ts';
import { isBallotFeedLate } from '../notifications/index.ts';
import { byTimeLeft, countTimeLeft, describeFix, type QueuedFix } from './rules.ts';
import { readFixFacts } from './store.ts';

/**
 * The envelopes of an office that needed their voters, least time left first.
 *
 * @param of the active elections where no election is given; with `isOpen` those alone that still need a fix
 */
export async function readFixQueue(
  db: Db,
  account: Account,
  of: { readonly electionId: number | null; readonly isOpen: boolean },
  now: Date,
): Promise<QueuedFix[]> {
  const fixes = await followFixes(db, account, of, now);
  const { accountId, settings } = account;
  const facts = await readFixFacts(
    db,
    accountId,
    fixes.map(({ ballotId }) => ballotId),
    offeredChannels(settings),
  );
  return fixes
    .flatMap((fix) => {
      const known = facts.get(fix.ballotId);
      return known ? [describeFix(fix, known)] : [];
    })
    .sort(byTimeLeft);
}

/**
 * How many envelopes of current elections still need a fix, by the time that is left.
 *
 * @param maySeeConfidential whether the person's own queue lists confidential voters: for others there are none
 */
export async function countOpenFixes(
  db: Db,
  account: Account,
  maySeeConfidential: boolean,
  now: Date,
): Promise<Today['fixes']> {
  const all = await readFixQueue(db, account, { electionId: null, isOpen: true }, now);
  const fixes = all.filter((fix) => maySeeConfidential || !fix.isConfidential);
  const isLate = fixes.length > 0 && (await isBallotFeedLate(db, account, now));
  return { ...countTimeLeft(fixes, now), is_feed_late: isLate };
}
