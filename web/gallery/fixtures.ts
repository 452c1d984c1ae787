import type {
  Ballot,
  BallotFix,
  NoBallotStatus,
  PastBallot,
  StoppedBallot,
} from '@ballot-beacon/contract/ballot-status-progress';
import type { Bootstrap, CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';
import { type Language, languageNames, languages } from '@ballot-beacon/contract/languages';
import {
  type BallotStatus,
  standardFlow,
  statuses,
  totalSteps,
} from '@ballot-beacon/contract/statuses';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { buildVoterInformation } from '../../testing/voter-information.ts';

/** An invented county, its voter and ballots, in the shapes of the contract. */

const locales = import.meta.glob<Record<string, string>>('../../locales/*/main.json', {
  import: 'default',
});

export async function readTexts(language: Language): Promise<Record<string, string>> {
  return (await locales[`../../locales/${language}/main.json`]?.()) ?? {};
}

export const branding: Branding = {
  account_id: 1,
  name: 'Harbor County Supervisor of Elections',
  county: 'Harbor County',
  state: 'FL',
  logo_url: null,
  bg_url: '/img/white.gif',
  url: null,
  contact_phone: '+18505550100',
  contact_email: 'ballots@harbor-county.example',
  phone_hours: [{ from: 1, to: 5, open: '08:00', close: '17:00' }],
  languages: languageNames.map((language) => ({ language })),
  from_voice: '+18505550142',
  has_subdomain: true,
  is_voter_authenticated: false,
  is_ballot_status_dates_visible: true,
  time_zone: 'America/New_York',
  accent_color: { light: '#0f5e7c', dark: '#7cc7e6' },
  short_code: '41575',
  captcha: { kind: 'off', site_key: null },
  has_release_notes: true,
  locator_url: 'https://locator.example',
  availability_url: 'https://availability.example',
};

const voter = buildVoterInformation({
  registration_id: '990141001',
  provided_voter_id: '',
  firstname: 'Margaret',
  middlename: 'Ruth',
  lastname: 'Whitfield',
  birthyear: 1958,
  address: '214 Harbor View Drive',
  city: 'Port Addison',
  zipcode: '34811',
  county: 'Harbor',
  precinct: '12',
  is_confirmed: true,
});

/** An office can refuse only an envelope that it has. */
const impliesReturn: ReadonlySet<BallotStatus> = new Set([
  'rejected',
  'not-counted',
  'rejected-curable',
]);

/** A ballot whose newest event is this status, in the page's words. */
export function ballotWith(
  status: BallotStatus,
  texts: Readonly<Record<string, string>>,
  ballot_id = 1,
): Ballot {
  const { step, effect } = statuses[status];
  const reached = step ?? (impliesReturn.has(status) ? statuses.returned.step : statuses.sent.step);
  const stepOf = (code: BallotStatus, at: number, isReached: boolean) => ({
    status: code,
    display_name: texts[`status.${code}.name`] ?? code,
    display_description: texts[`status.${code}.description`] ?? '',
    datetime: isReached ? `2026-11-${String(6 + 4 * at).padStart(2, '0')}` : null,
    is_standard_flow: statuses[code].isStandardFlow,
    is_reached: isReached,
    kind: isReached ? ('office' as const) : null,
  });
  const flow = standardFlow.map((code, index) => stepOf(code, index, index < reached));
  return {
    ballot_id,
    election: {
      election_name: 'Harbor County Special Election',
      election_date: '2026-12-08',
      election_is_active: true,
      return_deadline: {
        rule: 'received',
        date: '2026-12-08',
        time: '19:00',
        place: 'Elections Office, 100 Pier Street, Port Addison',
      },
    },
    status_summary: {
      status: effect === 'complete' ? 'complete' : effect === 'halt' ? 'halted' : 'in-progress',
      current_step: reached,
      total_steps: totalSteps,
      current_status: {
        status,
        display_name: texts[`status.${status}.name`] ?? status,
        display_description: texts[`status.${status}.description`] ?? '',
        display_reason: reasonWith(status, texts),
        display_next_step: texts[`status.${status}.next`] ?? '',
        datetime: '2026-11-18',
        outbound_expected_delivery_date: null,
        inbound_expected_delivery_date: null,
      },
    },
    status_history: statuses[status].isStandardFlow
      ? flow
      : flow.toSpliced(reached, 0, stepOf(status, 3, true)),
    fix: status === 'rejected-curable' ? fixWith(texts, 'open') : null,
    stopped: null,
  };
}

/** The office's reason, where it gives one. */
function reasonWith(status: BallotStatus, texts: Readonly<Record<string, string>>): string {
  const isExplained = /^(application-(incomplete|refused)|not-counted)$/.test(status);
  const words = texts['dashboard.reason'] ?? '';
  return isExplained ? words.replace('{{reason}}', 'The signature is missing') : '';
}

/** How to fix an envelope: with four days left, on the last day, when it is too late, without a known deadline, or after the fix. */
export function fixWith(
  texts: Readonly<Record<string, string>>,
  state: 'open' | 'last-day' | 'over' | 'unknown' | 'recorded',
): BallotFix {
  const days = { open: 4, 'last-day': 0.1, over: -1, unknown: 4, recorded: 4 }[state];
  const until = new Date(Date.now() + days * 86_400_000).toISOString();
  const way = (name: BallotFix['ways'][number]['way'], more: object = {}) => ({
    ...{ way: name, url: null, place: '', hours: [], until: state === 'unknown' ? null : until },
    ...more,
  });
  return {
    state: state === 'recorded' ? 'recorded' : 'open',
    defect: 'signature-differs',
    display_reason: texts['fix.reason.signature-differs'] ?? '',
    deadline: state === 'unknown' ? null : until,
    time_zone: 'America/New_York',
    ways: [
      way('online', { url: 'https://elections.harbor-county.example/fix' }),
      way('text', { place: 'FIX → 555-0142' }),
      way('in-person', {
        place: 'Elections Office, 100 Pier Street, Port Addison',
        hours: [{ from: 1, to: 5, open: '08:00', close: '17:00' }],
      }),
      way('drop-box', { place: '100 Pier Street' }),
      way('provisional'),
    ],
    form_url: 'https://elections.harbor-county.example/form.pdf',
    not_returned_url: 'https://elections.harbor-county.example/not-mine',
  };
}

/** An envelope that stopped in the mail, with a replacement as long as one can still come. */
export function stoppedWith(
  texts: Readonly<Record<string, string>>,
  reason: StoppedBallot['reason'],
  advice: StoppedBallot['advice'],
): StoppedBallot {
  const way = reason === 'not-received' ? 'inbound' : 'outbound';
  const until = advice === 'wait' || advice === 'drop-box' ? '2026-11-27' : null;
  const steps = [texts[`stopped.do.${advice === 'drop-box' ? `${advice}-${way}` : advice}`] ?? ''];
  if (until) steps.push((texts['stopped.do.replacement'] ?? '').replace('{{date}}', 'Fri, Nov 27'));
  return {
    reason,
    advice,
    replacement_until: until,
    display_known: texts[`stopped.${reason}`] ?? '',
    display_steps: steps,
  };
}

const noBallot: NoBallotStatus = {
  language: 'english',
  title: 'No Current Mail Ballot Status',
  description: 'You have no mail ballot in an election that is on.',
};

export function criticalWith(
  ballots: readonly Ballot[],
  more: Partial<VoterInformation> = {},
): CriticalData {
  return {
    voter: { ...voter, ...more },
    progress: {
      ballots: [...ballots],
      as_of: '2026-11-20T23:15:00Z',
      answered_at: new Date().toISOString(),
    },
    no_ballot_status: ballots.length > 0 ? null : noBallot,
    delivery_types: {
      _embedded: {
        delivery_type: (['email', 'sms', 'voice'] as const).map((delivery_type) => ({
          delivery_type,
        })),
      },
    },
  };
}

export const pastBallots: readonly PastBallot[] = [
  ['General Election', 'accepted'],
  ['Primary Election', 'rejected'],
  ['Town Election', 'sent'],
].map(([election_name = '', status = ''], index) => ({
  ballot_id: 100 + index,
  election_name,
  display_name: status,
  status,
  datetime: '2026-03-18',
}));

export function bootstrapWith(
  language: Language,
  texts: Record<string, string>,
  more: Partial<Bootstrap>,
): Bootstrap {
  return {
    branding,
    language,
    language_file: languageFile(language, texts),
    flags: {},
    critical: null,
    faq: '<h2>What is Ballot Beacon?</h2><p>It shows where your mail ballot is.</p>',
    ...more,
  };
}

export function languageFile(language: Language, texts: Record<string, string>) {
  return {
    language,
    locale: languages[language].locale,
    section: 'main' as const,
    is_voter_authenticated: false,
    is_reviewed: true,
    texts,
  };
}
