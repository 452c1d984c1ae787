import { Readable } from 'node:stream';
import { isLanguage } from '@ballot-beacon/contract/languages';
import { attachAs } from '../../platform/attach.ts';
import { problem } from '../../platform/problem.ts';
import type { VoterApi } from '../sessions/index.ts';
import { findFixEntry, findReturnEntry, writeCalendar } from './calendar-entry.ts';
import { readArchive, readBallotProgress, readNoBallotStatus } from './read-progress.ts';

/** Where the voter's ballots are, and were. */
export function registerBallotRoutes(api: VoterApi): void {
  api.answer('getBallotStatusProgress', ({ session, language, now }) =>
    readBallotProgress(session.site, session.voterId, language, now),
  );

  api.answer('getArchiveBallots', ({ session, language, now }, { query }) =>
    readArchive(session.site, session.voterId, language, { pageSize: query.page_size ?? -1, now }),
  );

  api.answer('getBallotCalendar', async (visit, { params, query, reply }) => {
    const { session, language, translate, now } = visit;
    const { site, voterId } = session;
    const { ballots } = await readBallotProgress(site, voterId, language, now);
    const ballot = ballots.find(({ ballot_id: id }) => String(id) === params.ballot_id);
    const { subdomain: office, timeZone } = site.account;
    const find = query.deadline === 'fix' ? findFixEntry : findReturnEntry;
    const entry = ballot && find(ballot, { translate, language, timeZone, office, now });
    if (!entry) throw problem(404, 'This ballot has no such deadline ahead.');
    attachAs(reply, 'ballot.ics');
    return Readable.from([await writeCalendar(entry, now)]);
  });

  api.answer('getNoBallotStatus', async ({ site }, { params }) => {
    const language = params.language.toLowerCase();
    if (!isLanguage(language) || !site.languages.includes(language)) {
      throw problem(404, 'This language is not available here. Ask for english.');
    }
    return readNoBallotStatus(site, language);
  });
}
