import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { problem } from '../../platform/problem.ts';
import { idleTimeoutMs, type OwnView } from '../sessions/index.ts';
import { withoutDetails } from './confidential.ts';
import { isUnproven } from './contact-proof.ts';
import { readVoterInformation } from './information.ts';

/**
 * The voter of a session as the voter sees it, addresses hidden where the office wants a proof first. A voter who left
 * the roll after the session was checked counts as signed out.
 */
export async function readOwn(view: OwnView): Promise<VoterInformation> {
  const { site, voterId, isConfidential } = view;
  const hide = isUnproven(view) ? site.account : undefined;
  const voter = await readVoterInformation(site.db, voterId, {
    idleTimerMs: idleTimeoutMs,
    isConfidential,
    ...(hide && { hide }),
  });
  if (!voter) throw problem(403, 'Session expired');
  return isConfidential ? withoutDetails(voter, site.account) : voter;
}
