import type { Branding } from '@ballot-beacon/contract/branding';
import type { FlagKey } from '@ballot-beacon/contract/flags';
import { type BallotStatus, ballotStatuses } from '@ballot-beacon/contract/statuses';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import type { ReactNode } from 'react';
import { Button } from '../src/ui/button.tsx';
import { Field } from '../src/ui/field.tsx';
import { Icon, type IconName } from '../src/ui/icons.tsx';
import { Loading } from '../src/ui/loading.tsx';
import { press, see, type as typeInto } from './act.ts';
import type { fixWith, stoppedWith } from './fixtures.ts';
import { pageStates } from './page-states.ts';

/** What the server answers to one call; 'never' leaves the page waiting. */
export type Answer = { readonly status: number; readonly body?: object } | 'never';

export interface State {
  /** Below /voter. */
  readonly path: string;
  readonly search?: Readonly<Record<string, string>>;
  /** The statuses of a signed-in voter's ballots; left out for a visitor. */
  readonly ballots?: readonly BallotStatus[];
  readonly expectedDelivery?: string;
  /** The office reports when a ballot is counted. */
  readonly isCountingReported?: true;
  /** How the first ballot's envelope can be fixed. */
  readonly fix?: Parameters<typeof fixWith>[1];
  /** Why the first ballot's envelope counts as stopped, and what the voter is advised. */
  readonly stopped?: readonly [
    Parameters<typeof stoppedWith>[1],
    Parameters<typeof stoppedWith>[2],
  ];
  readonly voter?: Partial<VoterInformation>;
  readonly branding?: Partial<Branding>;
  readonly flags?: Readonly<Partial<Record<FlagKey, boolean>>>;
  /** By `METHOD /path`; what is not here is answered from the fixtures. */
  readonly answers?: Readonly<Record<string, Answer>>;
  /** What the visitor does once the page is there. */
  readonly act?: () => Promise<unknown>;
  /** A component by itself instead of the app. */
  readonly component?: () => ReactNode;
}

const refusal = (status: number, detail: string, more: object = {}): Answer => ({
  status,
  body: { title: detail, status, detail, ...more },
});
const session = 'POST /api/voter/session';
const own = 'PATCH /api/voter/information/me';
const notes = 'GET /api/voter/release-note';

async function signIn(): Promise<void> {
  await typeInto('firstname', 'Margaret');
  await typeInto('lastname', 'Whitfield');
  await typeInto('zipcode', '34811');
  await typeInto('birthdate', '03-14-1958');
  await press('#login-form button[type="submit"]');
}
const tried = (status: number, detail: string, code?: number): State => ({
  path: '',
  answers: { [session]: refusal(status, detail, code ? { 'error-code': code } : {}) },
  act: async () => {
    await signIn();
    await see('.alert');
  },
});

const contacts: Partial<VoterInformation> = {
  email: 'margaret@mail.example',
  phone_sms: '+18505550177',
  phone_voice: '+18505550178',
  email_opt_in: true,
  sms_opt_in: true,
  voice_opt_in: true,
  sms_status: 'active',
  is_valid_email: true,
};
const preferences: State = {
  path: '/preferences',
  ballots: ['sent'],
  voter: { is_confirmed: false },
};
const savePreferences = async () => {
  await typeInto('email', 'margaret@mail.example');
  await press('#contact-preferences button[type="submit"]');
};
const openFooter = (words: RegExp) => async () => {
  await press('footer a, footer button', words);
  await see('dialog[open] h2');
};

/** All there are: a missing one is a type error. */
const icons: Readonly<Record<IconName, null>> = {
  envelope: null,
  printer: null,
  sent: null,
  returned: null,
  check: null,
  checkCircle: null,
  ballotBox: null,
  caution: null,
  stop: null,
  info: null,
  close: null,
  chevron: null,
  globe: null,
  person: null,
  logOut: null,
  message: null,
  phone: null,
  calendar: null,
  shield: null,
  clock: null,
};

/** Every state of the page by GROUP/NAME, for the gallery and for `npm run screens`. */
export const states: Readonly<Record<string, State>> = {
  'controls/buttons': {
    path: '',
    component: () => (
      <>
        <Button look="primary">Primary</Button> <Button>Secondary</Button>{' '}
        <Button look="quiet">Quiet</Button> <Button busy>Busy</Button>
      </>
    ),
  },
  'controls/fields': {
    path: '',
    component: () => (
      <>
        <Field name="plain" label="Label" />
        <Field name="hinted" label="With a hint" hint="What to type" defaultValue="Typed" />
        <Field name="wrong" label="With an error" error="What is wrong with it." />
      </>
    ),
  },
  'controls/icons': {
    path: '',
    component: () =>
      (Object.keys(icons) as IconName[]).map((name) => (
        <p key={name}>
          <Icon name={name} /> {name}
        </p>
      )),
  },
  'controls/loading': {
    path: '',
    component: () => <Loading text="Loading …" slowText="Still loading …" />,
  },

  'login/empty': { path: '' },
  'login/outage': { path: '', flags: { voterOutage: true } },
  'login/errors': {
    path: '',
    act: async () => {
      await press('#login-form button[type="submit"]');
      await see('.field-error');
    },
  },
  'login/nobody': tried(401, 'Invalid credentials', 8888),
  'login/ambiguous': tried(401, 'Ambiguous Credentials', 8889),
  'login/token': tried(401, 'Token required', 8890),
  'login/CAPTCHA refused': tried(401, 'Invalid ReCAPTCHA', 9999),
  'login/too many': tried(429, 'Too Many Requests'),
  'login/server failed': tried(500, 'Internal Server Error'),
  'login/waiting': { path: '', answers: { [session]: 'never' }, act: signIn },

  ...Object.fromEntries(
    ballotStatuses.map((status) => [
      `ballot/${status}`,
      { path: '/dashboard', ballots: [status] } satisfies State,
    ]),
  ),
  'ballot/expected days': {
    path: '/dashboard',
    ballots: ['sent'],
    expectedDelivery: '2026-11-24',
    flags: { voterUiEstimatedDeliveryDate: true },
  },
  'ballot/accepted, not counted yet': {
    path: '/dashboard',
    ballots: ['accepted'],
    isCountingReported: true,
  },
  'ballot/fix-last-day': { path: '/dashboard', ballots: ['rejected-curable'], fix: 'last-day' },
  'ballot/fix-over': { path: '/dashboard', ballots: ['rejected-curable'], fix: 'over' },
  'ballot/fix-unknown': { path: '/dashboard', ballots: ['rejected-curable'], fix: 'unknown' },
  'ballot/fix-recorded': { path: '/dashboard', ballots: ['returned'], fix: 'recorded' },
  'ballot/stopped, not seen': {
    path: '/dashboard',
    ballots: ['sent'],
    stopped: ['not-seen', 'wait'],
  },
  'ballot/stopped, late': {
    path: '/dashboard',
    ballots: ['in-transit'],
    stopped: ['late', 'drop-box'],
  },
  'ballot/stopped, no scan': {
    path: '/dashboard',
    ballots: ['in-transit'],
    stopped: ['no-scan', 'in-person'],
  },
  'ballot/stopped, not received': {
    path: '/dashboard',
    ballots: ['return-in-transit'],
    stopped: ['not-received', 'drop-box'],
  },
  'ballot/stopped, too late': {
    path: '/dashboard',
    ballots: ['return-in-transit'],
    stopped: ['not-received', 'call'],
  },
  'ballot/two': { path: '/dashboard', ballots: ['returned', 'rejected-curable'] },
  'ballot/late': {
    path: '/dashboard',
    ballots: ['in-transit'],
    expectedDelivery: '2026-11-02',
    flags: { voterUiEstimatedDeliveryDate: true },
  },
  'ballot/none': { path: '/dashboard', ballots: [] },
  'ballot/tabs': { path: '/dashboard', ballots: ['sent'], flags: { tabbedBallots: true } },
  'ballot/details': {
    path: '/dashboard',
    ballots: ['reprinted'],
    act: () => press('.timeline summary'),
  },
  'ballot/long name': {
    path: '/dashboard',
    ballots: ['sent'],
    voter: { firstname: 'Wolfeschlegelsteinhausen', lastname: 'Featherstonehaugh-Cholmondeley' },
  },

  'preferences/first time': preferences,
  'preferences/confirmed': { path: '/dashboard', ballots: ['sent'], voter: contacts },
  'preferences/nothing reaches the voter': {
    path: '/dashboard',
    ballots: ['sent'],
    voter: { ...contacts, is_valid_email: false, sms_status: 'opted-out' },
  },
  'preferences/errors': {
    ...preferences,
    act: async () => {
      await typeInto('email', 'margaret@');
      await typeInto('sms', '123');
      await press('#contact-preferences button[type="submit"]');
    },
  },
  'preferences/saving': { ...preferences, answers: { [own]: 'never' }, act: savePreferences },
  'preferences/refused': {
    ...preferences,
    answers: {
      [own]: refusal(422, 'Failed Validation', {
        validation_messages: { email: { invalid: 'This address does not take mail.' } },
      }),
    },
    act: savePreferences,
  },

  'dialogs/FAQ': { path: '', act: openFooter(/FAQ/) },
  'dialogs/privacy': { path: '', act: openFooter(/Privacy/) },
  'dialogs/SMS terms': { path: '', act: openFooter(/SMS/) },
  'dialogs/release notes': { path: '/dashboard', ballots: ['sent'], act: openFooter(/Release/) },
  'dialogs/release notes, failed': {
    path: '/dashboard',
    ballots: ['sent'],
    answers: { [notes]: refusal(500, 'Internal Server Error') },
    act: openFooter(/Release/),
  },
  'dialogs/opting out': {
    path: '/dashboard',
    ballots: ['sent'],
    voter: contacts,
    act: async () => {
      await press('#contact-preferences button', /OPT OUT/);
      await see('dialog[open]');
    },
  },

  'pages/privacy': { path: '/privacy' },
  'pages/FAQ': { path: '/faq' },
  'pages/SMS terms': { path: '/sms-policy' },
  'pages/accessibility': { path: '/accessibility' },
  'pages/not found': { path: '/nowhere' },
  'pages/unsubscribe': { path: '/unsubscribe', search: { key: 'k', email: 'ida@mail.example' } },
  'pages/unsubscribe, done': {
    path: '/unsubscribe',
    search: { key: 'k', email: 'ida@mail.example' },
    act: async () => {
      await press('button', /Unsubscribe/);
      await see('h1', /Successful/);
    },
  },
  'pages/unsubscribe, link cut short': { path: '/unsubscribe' },
  'pages/verify': { path: '/verify' },
  ...pageStates,
  'pages/letter code': { path: '/letter' },
  'pages/QR sign-in': { path: '/qr-login', search: { guid: 'g' } },
};
