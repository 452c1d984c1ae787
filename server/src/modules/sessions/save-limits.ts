import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { networksOf } from './networks.ts';
import {
  createThrottle,
  isAlarming,
  type Sign,
  throttlesOfChangers,
  waitOf,
} from './throttle-rules.ts';
import { countAttempt } from './throttle-store.ts';

interface Saver {
  readonly address: string;
  readonly voterId: VoterId;
  readonly now: Date;
}

/**
 * Counts a save of contact preferences. By voter and network, so that a stranger who saves too often does not lock the
 * voter out.
 *
 * @returns until when this network must wait; undefined when the save may go on
 */
export async function countSave(
  db: Db,
  sign: Sign,
  { address, voterId, now }: Saver,
): Promise<Date | undefined> {
  const throttle = createThrottle(sign, 'saves', `${voterId}|${networksOf(address)[0]}`);
  return waitOf(await countAttempt(db, [throttle], now));
}

/**
 * Counts a message that goes to an address once more: several voters may have it.
 *
 * @returns until when none may; undefined when it may go
 */
export async function countResend(
  db: Db,
  sign: Sign,
  { accountId, address, now }: { accountId: AccountId; address: string; now: Date },
): Promise<Date | undefined> {
  const throttle = createThrottle(sign, 'resends', `${accountId}|${address}`);
  return waitOf(await countAttempt(db, [throttle], now));
}

/** Counts a typed contact code, by voter and network as a save. @returns until when this network must wait */
export async function countContactCodeTry(
  db: Db,
  sign: Sign,
  { address, voterId, now }: Saver,
): Promise<Date | undefined> {
  const throttle = createThrottle(sign, 'contactCodes', `${voterId}|${networksOf(address)[0]}`);
  return waitOf(await countAttempt(db, [throttle], now));
}

/**
 * Counts a voter whose messages go elsewhere from now on at each network of the address.
 *
 * @returns whether one network has just changed that for so many voters that the office must know
 */
export async function countMovedVoter(
  db: Db,
  sign: Sign,
  { address, voterId, now }: Saver,
): Promise<boolean> {
  const voter = sign('moved-voter', String(voterId));
  const visitor = { networks: throttlesOfChangers(sign, address), person: voter };
  return isAlarming(await countAttempt(db, [], now, visitor));
}
