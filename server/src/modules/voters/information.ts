import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import type { Db } from '../../platform/postgres.ts';
import { readVoter } from './store.ts';

/** The signed-in voter as the page shows it (product spec §3, User); undefined when gone from the roll meanwhile. */
export async function readVoterInformation(
  db: Db,
  voterId: number,
  idleTimerMs: number,
): Promise<VoterInformation | undefined> {
  const voter = await readVoter(db, voterId);
  return (
    voter && {
      ...voter,
      provided_voter_id: voter.registration_id,
      created_timestamp: voter.created_timestamp.toISOString(),
      idle_timer: idleTimerMs,
    }
  );
}
