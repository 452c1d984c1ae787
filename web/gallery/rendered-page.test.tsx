import type { Ballot } from '@ballot-beacon/contract/ballot-status-progress';
import type { Screen } from '@ballot-beacon/contract/pages';
import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { beforeAll, describe, expect, test } from 'vitest';
import { ballotWith, fixWith, readTexts } from './fixtures.ts';
import { openDashboard as open, openPage, readDashboard as read, wordsOf } from './read-page.tsx';

let english: Record<string, string>;
// The first look at the page brings all of its sources.
beforeAll(async () => {
  english = await readTexts('english');
  await open([]);
}, 60_000);

const ballot = (status: BallotStatus) => ballotWith(status, english);

describe('the day by which a ballot must be back', () => {
  test.each([
    ['2026-12-07T15:00:00Z', '1 day left', true],
    ['2026-12-08T15:00:00Z', 'today', true],
    ['2026-12-09T15:00:00Z', '', false],
  ])('at %s, %j is left, and it can be put into a calendar: %s', async (at, left, isOffered) => {
    const html = await open([ballot('sent')], { at });
    expect(wordsOf(html).toLowerCase()).toContain(left);
    expect(html.includes('/api/voter/ballot/1/calendar?')).toBe(isOffered);
  });

  test.each<[BallotStatus, boolean]>([
    ['requested', true],
    ['printed', true],
    ['sent', true],
    ['in-transit', true],
    ['delivered', true],
    ['reprinted', true],
    ['returned', false],
    ['undeliverable', false],
    ['cancelled', false],
  ])('is shown of a ballot that is %s: %s', async (status, isShown) => {
    const words = await read([ballot(status)]);
    expect(words.includes('100 Pier Street')).toBe(isShown);
  });

  test('goes into the calendar in the language of the page', async () => {
    const html = await open([ballot('sent')], { language: 'spanish' });
    expect(html).toContain('/calendar?deadline=return&amp;language=spanish"');
  });
});

test.each<[BallotStatus, boolean]>([
  ['sent', false],
  ['accepted', false],
  ['rejected', true],
  ['not-counted', true],
  ['application-incomplete', true],
  ['application-refused', true],
  ['undeliverable', true],
  ['cancelled', true],
])('the card of a ballot that is %s says whom to call: %s', async (status, isCalled) => {
  const html = await open([ballot(status)]);
  expect(html.includes('class="button button-primary ballot-call"')).toBe(isCalled);
});

describe('an envelope to fix', () => {
  const withFix = (state: Parameters<typeof fixWith>[1], deadline: string | null): Ballot => {
    const fix = { ...fixWith(english, state), deadline };
    return { ...ballot('rejected-curable'), fix };
  };

  test('whose deadline nobody knows still says how', async () => {
    const words = await read([withFix('unknown', null)]);
    for (const way of ['online', 'text', 'in-person', 'drop-box', 'provisional'])
      expect(words).toContain(english[`fix.way.${way}`]);
  });

  test('that the office took back means what its status means, also after the deadline', async () => {
    const meaningOf = (html: string) =>
      wordsOf(/<h3 class="ballot-meaning">.*?<\/h3>/.exec(html)?.[0] ?? '').trim();
    const ended = '2026-11-19T22:00:00Z';
    const recorded = meaningOf(await open([withFix('recorded', ended)]));
    expect(recorded).toBe(english['status.rejected-curable.description']);
    const over = await open([withFix('over', ended)]);
    expect(meaningOf(over)).toBe(english['fix.reason.signature-differs']);
    // Nobody is asked to fix it any more, in the full history neither.
    expect(wordsOf(over)).not.toContain(english['status.rejected-curable.description']);
  });
});

describe('the days in which an envelope is expected', () => {
  const expectedOn = (outbound: string | null, inbound: string | null): Ballot => {
    const one = ballot('sent');
    const { current_status } = one.status_summary;
    current_status.outbound_expected_delivery_date = outbound;
    current_status.inbound_expected_delivery_date = inbound;
    return one;
  };

  test.each([
    ['2026-11-18', null, '2026-11-20T23:00:00Z', 'Wed, Nov 18', 'Fri, Nov 20', false],
    ['2026-11-18', null, '2026-11-21T15:00:00Z', '', 'Fri, Nov 20', true],
    ['2026-11-18', '2026-11-24', '2026-11-21T15:00:00Z', 'Tue, Nov 24', 'Thu, Nov 26', false],
  ])('%s and %s, at %s, are %s to %s, and over: %s', async (out, back, at, from, to, isLate) => {
    const html = await open([expectedOn(out, back)], { at });
    const [, said = ''] = /class="ballot-expected"([\s\S]*?)<\/p>/.exec(html) ?? [];
    expect(wordsOf(said)).toContain(from);
    expect(wordsOf(said)).toContain(to);
    expect(said.includes('data-late')).toBe(isLate);
  });
});

test.each<[BallotStatus, string]>([
  ['sent', 'you are here'],
  ['accepted', 'you are here'],
  ['delivered', 'you are here'],
  ['rejected', 'stopped'],
  ['cancelled', 'stopped'],
  ['rejected-curable', 'needs your attention'],
])('of a ballot that is %s the present stop is called %j, dated or not', async (status, called) => {
  const one = ballot(status);
  const present = async () => {
    const [stop = ''] = /<li [^>]*aria-current="step"[\s\S]*?<\/li>/.exec(await open([one])) ?? [];
    return wordsOf(stop).trim();
  };
  expect(await present()).toMatch(new RegExp(`\\d\\d ${called}$`));
  for (const step of one.status_history) step.datetime = null;
  expect(await present()).toMatch(new RegExp(`${called}$`));
});

test('each ballot of an election that is on, and no other, has a line that leads to its card', async () => {
  const ballots = [1, 2, 3].map((id) => ballotWith('sent', english, id));
  const over = ballotWith('sent', english, 4);
  over.election.election_is_active = false;
  const shownIn = (html: string) => ({
    lines: [...html.matchAll(/href="#card-(\d+)"/g)].map(([, id]) => id),
    cards: [...html.matchAll(/ id="card-(\d+)"/g)].map(([, id]) => id),
  });
  const ids = ['1', '2', '3'];
  expect(shownIn(await open([...ballots, over]))).toEqual({ lines: ids, cards: ids });
  expect(shownIn(await open([...ballots.slice(0, 1), over]))).toEqual({ lines: [], cards: ['1'] });
});

test('before the first step no step is counted', async () => {
  expect(await read([ballot('requested')])).not.toMatch(/Step \d/);
  expect(await read([ballot('sent')])).toContain('Step 2 of 4');
});

test('what the office dates by a day has no time among the details', async () => {
  const timeline = (html: string) => /<details class="timeline"[\s\S]*?<\/details>/.exec(html)?.[0];
  const one = ballot('sent');
  expect(wordsOf(timeline(await open([one])) ?? '')).not.toMatch(/\d:\d\d/);
  const [first] = one.status_history;
  if (first) first.datetime = '2026-11-10T18:30:00Z';
  expect(wordsOf(timeline(await open([one])) ?? '')).toContain('1:30 PM');
});

test.each<[Partial<VoterInformation>, boolean]>([
  [{ is_confidential: true }, false],
  [{}, true],
])('a voter who %j is offered to keep the status on the device: %s', async (voter, isOffered) => {
  const words = await read([ballot('sent')], { voter });
  expect(words.includes(english['remember.label'] ?? '')).toBe(isOffered);
});

const none = { email_opt_in: false, sms_opt_in: false, voice_opt_in: false };
test.each([
  [none, true],
  [{ ...none, email_opt_in: true }, false],
  [{ ...none, sms_opt_in: true }, false],
  [{ ...none, voice_opt_in: true }, false],
])('a voter with %j is led to the alerts: %s', async (voter, isLed) => {
  const html = await open([ballot('sent')], { voter });
  expect(html.includes('href="#contact-preferences"')).toBe(isLed);
});

const signedOut = [
  'login',
  'privacy',
  'faq',
  'sms-policy',
  'accessibility',
  'unsubscribe',
] as const;
const alone = ['verify', 'performance', 'qr-login', 'letter'] as const;
const signedIn = ['dashboard', 'preferences', 'messages'] as const;
test.each<[Screen, boolean]>([
  ...[...signedOut, ...alone].map((screen) => [screen, false] as [Screen, boolean]),
  ...signedIn.map((screen) => [screen, true] as [Screen, boolean]),
])('every text on the %s page has what it names', async (screen, isSignedIn) => {
  const html = await openPage(screen, isSignedIn ? [ballot('sent')] : null);
  expect(html).toContain('<h1');
  expect(html).not.toContain('{{');
});

test('each field of the login says to browsers and screen readers what it takes', async () => {
  const html = await openPage('login', null);
  const traits = ['autoComplete', 'inputMode', 'dir', 'required', 'aria-describedby'];
  const fields = [...html.matchAll(/<input [^>]*id="field-[^>]*>/g)].map(([tag]) =>
    ['name', ...traits].map((trait) => new RegExp(` ${trait}="([^"]*)"`).exec(tag)?.[1] ?? null),
  );
  expect(fields).toEqual([
    ['firstname', 'given-name', null, null, null, 'field-firstname-hint'],
    ['lastname', 'family-name', null, null, '', null],
    ['zipcode', 'postal-code', 'numeric', 'ltr', '', 'field-zipcode-hint'],
    ['birthdate', 'bday', 'numeric', 'ltr', '', 'field-birthdate-hint'],
    ['provided_voter_id', 'off', null, 'ltr', null, 'field-provided_voter_id-hint'],
    ['token', 'one-time-code', null, 'ltr', null, 'field-token-hint'],
  ]);
});
