import type { Bootstrap, CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Language } from '@ballot-beacon/contract/languages';
import { readBallotProgress, readNoBallotStatus } from '../ballots/index.ts';
import { brandingOf, languageFileOf } from '../content/index.ts';
import { anonymousContext, contextOfVoter } from '../flags/index.ts';
import { deliveryTypesOf, readOwn } from '../preferences/index.ts';
import type { Session, Visit } from '../sessions/index.ts';

/** Everything the first paint needs, for this visitor. */
export async function readBootstrap(visit: Visit): Promise<Bootstrap> {
  const { site, session, language } = visit;
  const critical = session ? await readCriticalData(session, language) : null;
  const context = critical ? contextOfVoter(critical.voter) : anonymousContext;
  return {
    branding: brandingOf(visit),
    language,
    language_file: languageFileOf(visit, language, 'main'),
    flags: { ...site.flags.evaluateAll(context) },
    critical,
  };
}

async function readCriticalData(session: Session, language: Language): Promise<CriticalData> {
  const { site, voterId } = session;
  const [voter, progress] = await Promise.all([
    readOwn(session),
    readBallotProgress(site, voterId, language),
  ]);
  return {
    voter,
    progress,
    no_ballot_status: progress.ballots.length === 0 ? readNoBallotStatus(site, language) : null,
    delivery_types: deliveryTypesOf(site),
  };
}
