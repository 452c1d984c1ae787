import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { readLockedFacts } from './qr-sign-in-store.ts';
import { codeKeyOfLetter, createThrottle, identityOf } from './throttle-rules.ts';
import { deleteThrottles } from './throttle-store.ts';

/**
 * Sets a voter's failed sign-ins back to none: by details, by token, by the QR codes of the voter's ballots
 * and by a letter's code.
 *
 * @param voterId of the office that asks: the caller has found it there
 * @returns how many counters there were
 */
export async function unlockVoter(system: Db, secrets: Secrets, voterId: VoterId): Promise<number> {
  const facts = await readLockedFacts(system, voterId);
  if (!facts) return 0;
  const identity = identityOf(facts);
  return deleteThrottles(system, [
    createThrottle(secrets.sign, 'person', identity),
    createThrottle(secrets.sign, 'token', identity),
    ...facts.guids.map((guid) => createThrottle(secrets.sign, 'code', guid)),
    ...(facts.letter_code_id === null
      ? []
      : [createThrottle(secrets.sign, 'code', codeKeyOfLetter(facts.letter_code_id))]),
  ]);
}
