import type { Bootstrap, CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Language } from '@ballot-beacon/contract/languages';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { readBallotProgress, readNoBallotStatus } from '../ballots/index.ts';
import { brandingOf, languageFileOf, readFaq } from '../content/index.ts';
import { anonymousContext, contextOfVoter } from '../flags/index.ts';
import { deliveryTypesOf, readOwn } from '../preferences/index.ts';
import type { OwnView, Visit } from '../sessions/index.ts';
import type { Catalog } from '../texts/index.ts';

/** The one page whose text is the office's own. */
const faqPath = /^\/voter\/faq\/?$/;

/** Everything that this visitor's first paint needs. @param pathname of the requested page */
export async function readBootstrap(
  visit: Visit,
  pathname: string,
  catalog: Catalog,
): Promise<Bootstrap> {
  const { site, session, language, now } = visit;
  const critical = session ? await readCriticalData(session, { language, now }) : null;
  const context = critical ? contextOfVoter(critical.voter) : anonymousContext;
  return {
    branding: brandingOf(visit),
    language,
    language_file: languageFileOf(visit, language, 'main'),
    flags: { ...site.flags.evaluateAll(context) },
    critical,
    ...(faqPath.test(pathname) && { faq: await readFaq(site, language, catalog) }),
  };
}

/** What a signed-in voter's first screen shows. @param known the voter, where that was read before the language was known */
export async function readCriticalData(
  view: OwnView,
  { language, now }: { readonly language: Language; readonly now: Date },
  known?: VoterInformation,
): Promise<CriticalData> {
  const { site, voterId } = view;
  const [voter, progress] = await Promise.all([
    known ?? readOwn(view),
    readBallotProgress(site, voterId, language, now),
  ]);
  return {
    voter,
    progress,
    no_ballot_status: progress.ballots.length === 0 ? readNoBallotStatus(site, language) : null,
    delivery_types: deliveryTypesOf(view),
  };
}
