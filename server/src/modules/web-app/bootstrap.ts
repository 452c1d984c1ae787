import type { Bootstrap, CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Language } from '@ballot-beacon/contract/languages';
import { base, findScreen } from '@ballot-beacon/contract/pages';
import { pickSignInTexts } from '@ballot-beacon/contract/sign-in-texts';
import type { Texts } from '@ballot-beacon/contract/translate';
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
    ...textsFor(visit, pathname),
    flags: { ...site.flags.evaluateAll(context) },
    critical,
    ...(faqPath.test(pathname) && { faq: await readFaq(site, language, catalog) }),
  };
}

const signInTexts = new WeakMap<Texts, Record<string, string>>();

/** All texts, or a visitor's of the sign-in page: one object for as long as the office's texts are. */
function textsFor(
  visit: Visit,
  pathname: string,
): Pick<Bootstrap, 'language_file' | 'has_more_texts'> {
  const file = languageFileOf(visit, visit.language, 'main');
  if (visit.session || findScreen(pathname.slice(base.length) || '/') !== 'login')
    return { language_file: file };
  const texts = signInTexts.get(file.texts) ?? pickSignInTexts(file.texts);
  signInTexts.set(file.texts, texts);
  return { language_file: { ...file, texts }, has_more_texts: true };
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
