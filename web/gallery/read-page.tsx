import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import type { Bootstrap } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';
import type { Language } from '@ballot-beacon/contract/languages';
import type { Screen } from '@ballot-beacon/contract/pages';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { renderToStaticMarkup } from 'react-dom/server';
import { App } from '../src/app/app.tsx';
import { lazyPartsOf } from '../src/app/pages.ts';
import { bootstrapWith, branding, criticalWith, languageFile, readTexts } from './fixtures.ts';

/** The whole page as the server renders it, in which a voter reads what the browser shows first. */

interface Shown {
  /** The server's time at the answer. */
  readonly at?: string;
  readonly language?: Language;
  readonly voter?: Partial<VoterInformation>;
  /** What the office has otherwise. */
  readonly office?: Partial<Branding>;
  readonly flags?: Bootstrap['flags'];
  /** Whether a native speaker has been through the language. */
  readonly isReviewed?: boolean;
  /** How the office sends messages; otherwise in every way. */
  readonly offered?: readonly ('email' | 'sms' | 'voice')[];
}

/** @param ballots of the voter who is signed in; null for a visitor */
export async function openPage(
  screen: Screen,
  ballots: readonly Ballot[] | null,
  { at = '2026-11-20T15:00:00Z', language = 'english', ...shown }: Shown = {},
): Promise<string> {
  await Promise.all(lazyPartsOf(screen, ballots !== null).map(({ preload }) => preload()));
  const critical = ballots && criticalWith(ballots, shown.voter);
  if (critical) critical.progress.answered_at = at;
  if (critical && shown.offered)
    critical.delivery_types._embedded.delivery_type = shown.offered.map((delivery_type) => ({
      delivery_type,
    }));
  const texts = await readTexts(language);
  const bootstrap = bootstrapWith(language, texts, {
    critical,
    flags: shown.flags ?? {},
    branding: { ...branding, ...shown.office },
    language_file: { ...languageFile(language, texts), is_reviewed: shown.isReviewed ?? true },
  });
  return renderToStaticMarkup(<App bootstrap={bootstrap} url={`/voter/${screen}`} />);
}

export const openDashboard = (ballots: readonly Ballot[], shown?: Shown) =>
  openPage('dashboard', ballots, shown);

/** What a voter reads, with a space where an element ends. */
export const wordsOf = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll(/\s+/g, ' ');

export const readDashboard = async (...page: Parameters<typeof openDashboard>) =>
  wordsOf(await openDashboard(...page));
