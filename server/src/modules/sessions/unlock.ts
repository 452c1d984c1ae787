import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type LockedCodes, readLockedFacts } from './qr-sign-in-store.ts';
import {
  codeKeyOfLetter,
  createThrottle,
  identityOf,
  type NamedVoter,
  type Throttle,
} from './throttle-rules.ts';
import { deleteThrottles, hasLocked } from './throttle-store.ts';

/**
 * Whether so many sign-ins failed that the voter's details, token or code alone no longer do.
 *
 * @param voterId of the office that asks: the caller has found it there
 */
export async function isVoterLocked(
  system: Db,
  secrets: Secrets,
  voterId: VoterId,
): Promise<boolean> {
  const facts = await readLockedFacts(system, voterId);
  return facts !== undefined && hasLocked(system, throttlesOf(secrets, facts));
}

/**
 * Sets a voter's failed sign-ins back to none: by details, by token, by the QR codes of the voter's ballots
 * and by a letter's code.
 *
 * @param voterId of the office that asks: the caller has found it there
 * @returns how many counters there were, and whether one of them had locked the voter
 */
export async function unlockVoter(
  system: Db,
  secrets: Secrets,
  voterId: VoterId,
): Promise<{ readonly counters: number; readonly wasLocked: boolean }> {
  const facts = await readLockedFacts(system, voterId);
  if (!facts) return { counters: 0, wasLocked: false };
  const throttles = throttlesOf(secrets, facts);
  const wasLocked = await hasLocked(system, throttles);
  return { counters: await deleteThrottles(system, throttles), wasLocked };
}

function throttlesOf({ sign }: Secrets, facts: NamedVoter & LockedCodes): Throttle[] {
  const identity = identityOf(facts);
  const codes = [
    ...facts.guids,
    ...(facts.letter_code_id === null ? [] : [codeKeyOfLetter(facts.letter_code_id)]),
  ];
  return [
    createThrottle(sign, 'person', identity),
    createThrottle(sign, 'token', identity),
    ...codes.map((code) => createThrottle(sign, 'code', code)),
  ];
}
