import { isLanguage } from '@ballot-beacon/contract/languages';
import { problem } from '../../platform/problem.ts';
import type { VoterApi } from '../sessions/index.ts';
import { readArchive, readBallotProgress, readNoBallotStatus } from './read-progress.ts';

/** Where the voter's ballots are, and were. */
export function registerBallotRoutes(api: VoterApi): void {
  // An open page asks by itself; it reports what its voter does in another way.
  api.answer(
    'getBallotStatusProgress',
    ({ session, language }) => readBallotProgress(session.site, session.voterId, language),
    { isActivity: false },
  );

  api.answer('getArchiveBallots', ({ session, language }, { query }) =>
    readArchive(session.site, session.voterId, language, query.page_size ?? -1),
  );

  api.answer('getNoBallotStatus', async ({ site }, { params }) => {
    const language = params.language.toLowerCase();
    if (!isLanguage(language) || !site.languages.includes(language)) {
      throw problem(404, 'This language is not available here. Ask for english.');
    }
    return readNoBallotStatus(site, language);
  });
}
