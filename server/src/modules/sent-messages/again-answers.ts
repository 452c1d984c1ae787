import type { AgainAnswer } from '@ballot-beacon/contract/own-messages';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { ledgerStart } from './again.ts';
import { readLedger } from './own-store.ts';
import { againOf } from './rules.ts';

/** Whether each message of a voter can be sent once more, by its id; those too old to be asked for are not there. */
export async function readAgainAnswers(
  db: Db,
  voterId: VoterId,
  now: Date,
): Promise<ReadonlyMap<number, AgainAnswer>> {
  const messages = await readLedger(db, voterId, ledgerStart(now), null);
  return new Map(messages.map((one) => [one.message_id, againOf(one)]));
}
