import { mayDo } from '@ballot-beacon/contract/office/roles';
import type { VoterId } from '../../platform/ids.ts';
import { problem } from '../../platform/problem.ts';
import type { SignedInVisit } from '../people/index.ts';
import { type RollEntry, readRollEntry } from '../voters/index.ts';

/** What is on the roll about a voter whom the person may see; for everybody else there is no such voter. */
export async function requireEntry(
  { db, session }: SignedInVisit,
  voterId: VoterId,
): Promise<RollEntry> {
  const entry = await readRollEntry(db, voterId);
  if (!entry || (entry.is_confidential && !mayDo(session.roles, 'confidential')))
    throw problem(404, 'This voter is not on the roll of this office.');
  return entry;
}
