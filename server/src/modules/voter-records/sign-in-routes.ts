import type { VoterId } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import type { OfficeApi, SignedInVisit } from '../people/index.ts';
import { endSessions, revokeLetterCode, unlockVoter } from '../sessions/index.ts';
import { requireEntry } from './require-entry.ts';

/** What a clerk does for a voter who cannot sign in, or whose phone was lost. Each deed is on record before it is done. */
export function registerVoterSignInRoutes(
  api: OfficeApi,
  { database, secrets }: { readonly database: Database; readonly secrets: Secrets },
): void {
  const record = async (visit: SignedInVisit, action: string, voterId: VoterId) => {
    await requireEntry(visit, voterId);
    await recordAudit(visit.db, visit.account.accountId, {
      ...{ actor: visit.session.actor, action, target: String(voterId) },
    });
  };

  api.answer('unlockVoter', async (visit, { params }) => {
    const voterId = params.voter_id as VoterId;
    await record(visit, 'voter.unlock', voterId);
    const { wasLocked } = await unlockVoter(database.system, secrets, voterId);
    return { was_locked: wasLocked };
  });

  api.answer('signVoterOut', async (visit, { params }) => {
    const voterId = params.voter_id as VoterId;
    await record(visit, 'session.end', voterId);
    return { sessions: await endSessions(database.system, visit.account.accountId, voterId) };
  });

  api.answer('revokeLetterCode', async (visit, { params }) => {
    const voterId = params.voter_id as VoterId;
    await record(visit, 'letter-code.revoke', voterId);
    return { had_code: await revokeLetterCode(database.system, voterId) };
  });
}
