import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { problem } from '../../platform/problem.ts';
import { idleTimeoutMs, type Session, type VoterApi } from '../sessions/index.ts';
import { readVoterInformation } from '../voters/index.ts';
import { deliveryTypesOf } from './delivery-types.ts';

/** The signed-in voter, and how that voter wants to be told. */
export function registerPreferenceRoutes(api: VoterApi): void {
  api.answer('checkSession', ({ session }) => readOwn(session));

  api.answer('getVoterInformation', async ({ session }) => ({
    _embedded: { voter_information: [await readOwn(session)] },
  }));

  api.answer('getDeliveryTypes', async ({ session }) => deliveryTypesOf(session.site));
}

/** Gone from the roll since the session was checked is as good as no session. */
export async function readOwn({ site, voterId }: Session): Promise<VoterInformation> {
  const voter = await readVoterInformation(site.db, voterId, idleTimeoutMs);
  if (!voter) throw problem(403, 'Session expired');
  return voter;
}
