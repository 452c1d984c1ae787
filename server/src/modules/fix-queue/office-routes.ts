import { Readable } from 'node:stream';
import { mayDo } from '@ballot-beacon/contract/office/roles';
import { attachAs } from '../../platform/attach.ts';
import { localDay } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { problem } from '../../platform/problem.ts';
import { listElections } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import { isBallotFeedLate } from '../notifications/index.ts';
import type { OfficeApi } from '../people/index.ts';
import { printLetters } from './letters.ts';
import { readFixQueue } from './queue.ts';
import {
  chooseLetters,
  countFixDays,
  groupFixDays,
  hasLetter,
  needsLetter,
  type QueuedFix,
  sortFixes,
} from './rules.ts';
import { lockLetters } from './store.ts';

const shownFixes = 500;

/** The queue of envelopes to fix for clerks, and its counts for everybody in the office. */
export function registerFixQueueRoutes(
  api: OfficeApi,
  { config }: { readonly config: Config },
): void {
  api.answer('listFixes', async ({ db, account, session, now }, { query }) => {
    const { state, defect, sort, direction } = query;
    const of = { electionId: null, isOpen: state === 'open' };
    const maySeeConfidential = mayDo(session.roles, 'confidential');
    const all = await readFixQueue(db, account, of, now);
    const matching = all.filter(
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
    const elections = await listElections(db, account.accountId);
    const names = new Map(elections.map(({ number, name }) => [number, name]));
    const sorted = sortFixes(matching, sort, direction);
    return {
      is_feed_late: await isBallotFeedLate(db, account, now),
      count: matching.length,
      fixes: sorted.slice(0, shownFixes).map((fix) => ({
        voter_id: fix.voterId,
        registration_id: fix.registrationId,
        name: fix.name,
        is_confidential: fix.isConfidential,
        election: names.get(fix.electionNumber) ?? fix.electionNumber,
        defect: fix.defect,
        state: fix.state,
        deadline: fix.deadline,
        notices: fix.notices.map(({ how, at }) => ({ how, at: at.toISOString() })),
        opened_at: fix.openedAt?.toISOString() ?? null,
        needs_letter: needsLetter(fix) && !hasLetter(fix),
      })),
      letters: countLetters(all, maySeeConfidential),
    };
  });

  api.answer('createFixLetters', async ({ db, account, session, now }, { body, reply }) => {
    if (account.settings.contact_phone === '')
      throw problem(409, 'A letter names your phone number. Add it under Settings.');
    const by = { account, actor: session.actor, now };
    const html = await db.transaction().execute(async (tx) => {
      await lockLetters(tx, account.accountId);
      const fixes = await readFixQueue(tx, account, { electionId: null, isOpen: true }, now);
      const { letters } = chooseLetters(fixes, body.again);
      if (letters.length === 0) throw problem(409, 'No letter is needed.');
      return printLetters(tx, config, by, letters);
    });
    attachAs(reply, `letters-${localDay(now, account.timeZone)}.html`);
    return Readable.from([html]);
  });

  api.answer('getFixReport', async ({ db, account, now }, { query }) => {
    const fixes = await readFixQueue(db, account, { electionId: null, isOpen: false }, now);
    const dayOf = (at: Date) => localDay(at, account.timeZone);
    const days = countFixDays(fixes, { dayOf, from: null, to: null });
    return { rows: groupFixDays(days, query.by) };
  });
}

function countLetters(fixes: readonly QueuedFix[], maySeeConfidential: boolean) {
  const needed = chooseLetters(fixes, false);
  const { letters, withoutAddress, confidential } = chooseLetters(fixes, true);
  return {
    needed: needed.letters.length,
    printed: letters.length - needed.letters.length,
    without_address: [...withoutAddress],
    confidential: maySeeConfidential ? confidential : 0,
  };
}
