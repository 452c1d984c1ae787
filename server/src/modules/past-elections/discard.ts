import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, formatDate, localDay } from '../../platform/clock.ts';
import { codeOf, type Log, plainText } from '../../platform/log.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import { type Account, type Election, type ElectionId, listElections } from '../accounts/index.ts';
import { firstDayToDiscard, isDue } from './rules.ts';
import { countWaiting, discardBallots, discardElection, listUnfinished } from './store.ts';

/** Ballots in a transaction: a synchronous standby or a disk is kept busy for a moment only. */
const batchSize = 2_000;
const busyPauseMs = 200;
const lockNotAvailable = '55P03';

/** Why an election may not be discarded now; undefined when it may. */
export async function explainRefusal(
  db: Db,
  { timeZone }: Pick<Account, 'timeZone'>,
  election: Election,
  now: Date,
): Promise<string | undefined> {
  const { number, isActive } = election;
  if (isActive)
    return `Election ${number} is active. Make it inactive first: beacon election set … --active false`;
  const today = localDay(now, timeZone);
  const first = firstDayToDiscard(election);
  if (today < first)
    return election.kind === 'municipal' || election.kind === 'local'
      ? `Election ${number} is not over.`
      : `The records of election ${number} must be kept until ${formatDate(first)}: federal law asks for 22 months (52 U.S.C. 20701). One without federal offices has --kind local or municipal.`;
  const waiting = await countWaiting(db, election.electionId);
  if (waiting === 0) return undefined;
  return `Messages about ${waiting.toLocaleString('en-US')} of its ballots wait to be sent or approved. Send, discard or correct them first.`;
}

/**
 * Deletes the rows of an election that was discarded, batch after batch, beside all other work. What another process does of it
 * is waited for.
 *
 * @param onBatch hears how many batches are done
 */
export async function deleteDiscarded(
  db: Db,
  clock: Clock,
  electionId: ElectionId,
  isStopping: () => boolean = () => false,
  onBatch: (done: number) => void = () => {},
): Promise<void> {
  let after = 0;
  for (let done = 1; !isStopping(); done += 1) {
    const at = clock.now();
    const next = await discardBallots(db, electionId, { after, most: batchSize, at }).catch(
      (error: { code?: unknown }) => {
        if (error.code !== lockNotAvailable) throw error;
        return { lastVoter: after, isBusy: true };
      },
    );
    if (next.isBusy) {
      await wait(busyPauseMs);
      continue;
    }
    // From the first voter again, in case a ballot was added to what was read already.
    if (next.lastVoter === null && after === 0) return;
    after = next.lastVoter ?? 0;
    onBatch(done);
  }
}

/** Discards each account's elections whose time is over by its own rule. An office whose election cannot go yet waits a day. */
export async function discardDue(
  database: Database,
  accounts: readonly Account[],
  clock: Clock,
  log: Log,
): Promise<void> {
  for (const account of accounts) {
    const keptDays = account.settings.election_retention_days;
    if (keptDays === null) continue;
    const today = localDay(clock.now(), account.timeZone);
    for (const election of await listElections(database.system, account.accountId)) {
      if (!isDue(election, keptDays, today)) continue;
      const details = { name: election.name, date: election.electionDate, keptDays };
      try {
        await discardElection(database.system, election, {
          ...{ at: clock.now(), actor: 'system', details },
        });
        log.write('election.discarded', {
          account: plainText(account.subdomain),
          election: election.electionId,
        });
      } catch (error) {
        log.write('election.kept', {
          ...{
            account: plainText(account.subdomain),
            election: election.electionId,
            code: codeOf(error),
          },
        });
      }
    }
  }
}

/** Goes on with what a command or an earlier run left. */
export async function deleteAllDiscarded(
  database: Database,
  clock: Clock,
  log: Log,
  isStopping: () => boolean,
): Promise<void> {
  for (const { electionId } of await listUnfinished(database.system)) {
    await deleteDiscarded(database.system, clock, electionId, isStopping);
    if (!isStopping()) log.write('election.deleted', { election: electionId });
  }
}
