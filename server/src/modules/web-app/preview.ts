import type { Bootstrap, CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Flags } from '@ballot-beacon/contract/flags';
import { type Language, languages } from '@ballot-beacon/contract/languages';
import type { PreviewScreen } from '@ballot-beacon/contract/office/words';
import { base } from '@ballot-beacon/contract/pages';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { readNoBallotStatus } from '../ballots/index.ts';
import { anonymousContext, contextOfVoter } from '../flags/index.ts';
import { readOwn } from '../preferences/index.ts';
import type { OwnView } from '../sessions/index.ts';
import type { AccountSite } from '../sites/index.ts';
import { readCriticalData } from './bootstrap.ts';
import type { RenderPage } from './render.ts';

/** A page of voters for the people of an office to look at. Nothing in it runs, and its policy lets it send nothing. */
export interface StillPage {
  readonly html: string;
  readonly policy: string;
}

/**
 * Renders a page as an invented voter without a ballot would see it first, with words that nobody has published yet.
 *
 * @param site with the draft laid over its texts
 * @param faq the questions and answers, as sanitized HTML
 */
export function renderPreview(
  render: RenderPage,
  given: {
    readonly site: AccountSite;
    readonly language: Language;
    readonly screen: PreviewScreen;
    readonly faq: string;
    readonly now: Date;
  },
): Promise<StillPage> {
  const { site, language, screen, faq } = given;
  const isSignedIn = screen === 'dashboard' || screen === 'preferences';
  return renderStill(render, {
    ...{ site, language, screen },
    critical: isSignedIn ? inventVisit(site, language, given.now) : null,
    flags: site.flags.evaluateAll(anonymousContext),
    ...(screen === 'faq' && { faq }),
  });
}

/** Renders a voter's dashboard as the voter would see it now, in the voter's language where the office offers it. */
export async function renderDashboard(
  render: RenderPage,
  view: OwnView,
  now: Date,
): Promise<StillPage> {
  const { site } = view;
  const voter = await readOwn(view);
  const language = site.languages.find((one) => one === voter.language_preference) ?? 'english';
  const critical = await readCriticalData(view, { language, now }, voter);
  return renderStill(render, {
    ...{ site, language, screen: 'dashboard', critical },
    flags: site.flags.evaluateAll(contextOfVoter(voter)),
  });
}

async function renderStill(
  render: RenderPage,
  given: {
    readonly site: AccountSite;
    readonly language: Language;
    readonly screen: PreviewScreen;
    readonly critical: CriticalData | null;
    readonly flags: Readonly<Flags>;
    readonly faq?: string;
  },
): Promise<StillPage> {
  const { site, language, screen, critical, flags, faq } = given;
  const isSignedIn = critical !== null;
  const bootstrap: Bootstrap = {
    branding: { ...site.branding, analytics: null, is_voter_authenticated: isSignedIn },
    language,
    language_file: {
      language,
      locale: languages[language].locale,
      section: 'main',
      is_voter_authenticated: isSignedIn,
      is_reviewed: site.texts.isReviewed(language),
      texts: { ...site.texts.texts(language, 'main') },
    },
    flags: { ...flags },
    critical,
    ...(faq !== undefined && { faq }),
  };
  const page = await render({ bootstrap, url: `${base}/${screen}` });
  return {
    html: page.html.replaceAll(
      /<script\b[\s\S]*?<\/script>|<noscript>[\s\S]*?<\/noscript>|<link rel="(?:modulepreload|manifest)"[^>]*>/g,
      '',
    ),
    policy: [
      "default-src 'none'",
      `style-src 'self' ${page.styleHashes.join(' ')}`,
      "img-src 'self' data:",
      "font-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      // Of this host, so that its fonts load; nothing in it runs.
      'sandbox allow-same-origin',
    ].join('; '),
  };
}

function inventVisit(site: AccountSite, language: Language, now: Date): CriticalData {
  const { county, state } = site.account;
  return {
    voter: { ...inventedVoter, county, state, language_preference: language },
    progress: { ballots: [], as_of: null, answered_at: now.toISOString() },
    no_ballot_status: readNoBallotStatus(site, language),
    delivery_types: { _embedded: { delivery_type: [{ delivery_type: 'email' }] } },
  };
}

const inventedVoter: VoterInformation = {
  voter_id: 1,
  registration_id: '000000001',
  provided_voter_id: '000000001',
  firstname: 'Ida',
  middlename: '',
  lastname: 'Example',
  suffix: '',
  birthdate: null,
  birthyear: null,
  address: '12 Invented Street',
  city: 'Sampleton',
  state: '',
  zipcode: '00000',
  county: '',
  precinct: '',
  phone: '',
  is_active: true,
  created_timestamp: '2026-01-01T00:00:00Z',
  email: '',
  phone_sms: '',
  phone_voice: '',
  pending_voice: '',
  email_opt_in: false,
  sms_opt_in: false,
  voice_opt_in: false,
  email_do_not_contact_before: null,
  email_do_not_contact_after: null,
  sms_do_not_contact_before: null,
  sms_do_not_contact_after: null,
  voice_do_not_contact_before: null,
  voice_do_not_contact_after: null,
  language_preference: 'english',
  is_confirmed: true,
  is_valid_email: null,
  sms_status: 'none',
  idle_timer: 1_440_000,
};
