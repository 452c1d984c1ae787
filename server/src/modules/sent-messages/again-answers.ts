import type { AgainAnswer } from '@ballot-beacon/contract/own-messages';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { judgeAgain, ledgerStart } from './again.ts';
import { readLedger } from './own-store.ts';

/** Whether each message of a voter can be sent once more, by its id; those too old to be asked for are not there. */
export async function readAgainAnswers(
  db: Db,
  account: Account,
  voterId: VoterId,
  now: Date,
): Promise<ReadonlyMap<number, AgainAnswer>> {
  const messages = await readLedger(db, voterId, ledgerStart(now), null);
  const again = await judgeAgain(db, account, messages, now);
  return new Map(messages.map((one) => [one.message_id, again(one)]));
}
