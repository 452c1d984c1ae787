import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { toContacts } from '../contacts/index.ts';
import { readVoter } from '../voters/index.ts';
import { findCodeAddresses, hideContacts } from './contact-proof.ts';
import { toContactFields } from './wide-shape.ts';

interface Reader {
  readonly idleTimerMs: number;
  /** Whether the session is a confidential voter's. */
  readonly isConfidential: boolean;
  /** The office, to hide where messages go. */
  readonly hide?: Account;
}

/**
 * The signed-in voter as the page shows it (product spec §3, User); undefined when the voter has left the roll meanwhile.
 */
export async function readVoterInformation(
  db: Db,
  voterId: VoterId,
  { idleTimerMs, isConfidential, hide }: Reader,
): Promise<VoterInformation | undefined> {
  const voter = await readVoter(db, voterId, isConfidential);
  if (!voter) return undefined;
  const { contacts: stored, language_preference: rollLanguage, ...roll } = voter;
  const contacts = toContacts(stored);
  const information = {
    ...roll,
    // No screen needs these, so a stranger who gets into a session does not learn them.
    birthdate: null,
    precinct: '',
    phone: '',
    ...toContactFields(contacts),
    language_preference: contacts.language ?? rollLanguage ?? '',
    provided_voter_id: voter.registration_id,
    created_timestamp: voter.created_timestamp.toISOString(),
    idle_timer: idleTimerMs,
  };
  if (!hide) return information;
  return hideContacts(information, [...(await findCodeAddresses(db, hide, contacts)).keys()]);
}
