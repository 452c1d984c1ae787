import { mayDo } from '@ballot-beacon/contract/office/roles';
import { localDay } from '../../platform/clock.ts';
import { recordAudit } from '../audit/index.ts';
import { isBallotFeedLate } from '../notifications/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { readFixQueue } from './queue.ts';
import { countFixDays, groupFixDays, hasLetter, needsLetter } from './rules.ts';

const shownFixes = 500;

/** The queue of envelopes to fix for clerks, and its counts for everybody in the office. */
export function registerFixQueueRoutes(api: OfficeApi): void {
  api.answer('listFixes', async ({ db, account, session, now }, { query: { state, defect } }) => {
    const of = { electionId: null, isOpen: state === 'open' };
    const maySeeConfidential = mayDo(session.roles, 'confidential');
    const matching = (await readFixQueue(db, account, of, now)).filter(
      (fix) =>
        fix.state === state &&
        (defect === undefined || fix.defect === defect) &&
        (maySeeConfidential || !fix.isConfidential),
    );
    // Recorded before anything is shown.
    await recordAudit(db, account.accountId, {
      actor: session.actor,
      action: 'fixes.list',
      details: { state, defect: defect ?? 'all', count: matching.length },
    });
    return {
      is_feed_late: await isBallotFeedLate(db, account, now),
      count: matching.length,
      fixes: matching.slice(0, shownFixes).map((fix) => ({
        voter_id: fix.voterId,
        registration_id: fix.registrationId,
        name: fix.name,
        is_confidential: fix.isConfidential,
        election: fix.electionNumber,
        defect: fix.defect,
        state: fix.state,
        deadline: fix.deadline,
        notices: fix.notices.map(({ how, at }) => ({ how, at: at.toISOString() })),
        opened_at: fix.openedAt?.toISOString() ?? null,
        needs_letter: needsLetter(fix) && !hasLetter(fix),
      })),
    };
  });

  api.answer('getFixReport', async ({ db, account, now }, { query }) => {
    const fixes = await readFixQueue(db, account, { electionId: null, isOpen: false }, now);
    const dayOf = (at: Date) => localDay(at, account.timeZone);
    const days = countFixDays(fixes, { dayOf, from: null, to: null });
    return { rows: groupFixDays(days, query.by) };
  });
}
