import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';
import { addReleaseNote, saveOfficePage } from '../content/index.ts';

/**
 * The field names that the pages and other clients use. They are listed here once more, letter by letter,
 * so that a field that is renamed or removed on both sides of the contract is still noticed.
 */
const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;
let browser: TestBrowser;
let ballotId: number;
let pastBallotId: number;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, {
    subdomain: 'adams',
    name: 'Adams Elections',
    county: 'Adams',
    contact_phone: '+13525550123',
    contact_email: 'help@adams.example',
    from_voice: '+13525550124',
    url: 'https://adams.example',
  });
  const voterId = await addVoter(api.test, adams, { registration_id: 'V-1' });
  ballotId = await addBallot(api.test, adams, voterId, {
    events: [{ status: 'sent', on: '2026-11-02' }],
  });
  pastBallotId = await addBallot(api.test, adams, voterId, {
    election: 'Primary Election',
    isActive: false,
    events: [{ status: 'accepted', on: '2026-08-10' }],
  });
  const { system } = api.test.database;
  const publishedAt = new Date('2026-10-01T12:00:00Z');
  await addReleaseNote(system, adams, { html: '<p>New</p>', publishedAt });
  await saveOfficePage(system, adams, { page: 'faq', language: 'english', html: '<p>Ask</p>' });
  browser = api.browser(host);
  await browser.post('/api/voter/session', typed());
});
afterAll(() => api.close());

const read = async (url: string) => {
  const answer = await browser.get(url);
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

test('the voter’s own answer has every field that a voter may see, opt-ins as booleans, and no null for a text', async () => {
  const { _embedded } = await read('/api/voter/information');
  const [voter, ...others] = _embedded.voter_information;
  expect(others).toEqual([]);
  expect(Object.keys(voter)).toEqual(
    expect.arrayContaining([
      ...['address', 'birthdate', 'birthyear', 'city', 'county', 'created_timestamp', 'email'],
      ...['email_do_not_contact_after', 'email_do_not_contact_before', 'email_opt_in'],
      ...['firstname', 'middlename', 'lastname', 'suffix', 'is_active', 'language_preference'],
      ...['phone', 'phone_sms', 'phone_voice', 'pending_voice', 'precinct', 'provided_voter_id'],
      ...['registration_id', 'sms_do_not_contact_after', 'sms_do_not_contact_before'],
      ...['sms_opt_in', 'state', 'voice_do_not_contact_after', 'voice_do_not_contact_before'],
      ...['voice_opt_in', 'voter_id', 'zipcode', 'is_confirmed', 'is_valid_email', 'sms_status'],
      'idle_timer',
    ]),
  );
  expect(voter).toMatchObject({
    voter_id: expect.any(Number),
    registration_id: 'V-1',
    // The roll has neither.
    address: '',
    city: '',
    email_opt_in: false,
    sms_opt_in: false,
    voice_opt_in: false,
    is_confirmed: false,
    is_valid_email: null,
    idle_timer: 1_440_000,
  });
});

test('an office’s branding has every field', async () => {
  expect(await read('/api/voter/branding')).toMatchObject({
    _embedded: {
      branding: [
        {
          account_id: expect.any(Number),
          name: 'Adams Elections',
          county: 'Adams',
          logo_url: null,
          bg_url: '/img/white.gif',
          url: 'https://adams.example',
          contact_phone: '+13525550123',
          contact_email: 'help@adams.example',
          languages: [{ language: 'english' }, { language: 'spanish' }],
          from_voice: '+13525550124',
          has_subdomain: true,
          is_voter_authenticated: true,
          is_ballot_status_dates_visible: true,
        },
      ],
    },
  });
});

describe('signing in answers', () => {
  const signIn = (more: object = {}) =>
    api.browser(host).post('/api/voter/session', typed({ ...more }));

  test('with the session’s handle, or with the error: code, detail, messages and support number', async () => {
    expect((await signIn()).json()).toEqual({ session_id: expect.any(String) });

    expect((await signIn({ lastname: 'Nobody' })).json()).toEqual({
      title: expect.any(String),
      status: 401,
      'error-code': 8888,
      detail: 'Invalid credentials',
    });

    expect((await signIn({ zipcode: '1' })).json()).toMatchObject({
      'error-code': 8888,
      detail: 'Failed Validation',
      validation_messages: { zipcode: { invalid: 'Zip code must be 5 digits.' } },
    });

    api.expectFailures(/"code":"42P01"/);
    await api.query('alter table throttles rename to throttles_out_of_reach');
    const broken = await signIn();
    await api.query('alter table throttles_out_of_reach rename to throttles');
    expect(broken.statusCode).toBe(500);
    expect(broken.json()).toMatchObject({
      detail: expect.any(String),
      err_id: expect.stringMatching(/./),
    });
  });
});

test('a current ballot has its number, election, summary and steps', async () => {
  const { ballots } = await read('/api/voter/ballot-status-progress/me?language=english');
  expect(ballots).toHaveLength(1);
  expect(ballots[0]).toMatchObject({
    ballot_id: ballotId,
    election: { election_name: 'General Election', election_is_active: true },
    status_summary: {
      status: 'in-progress',
      current_step: 2,
      total_steps: 4,
      current_status: {
        status: 'sent',
        display_name: 'Sent',
        display_description: expect.stringMatching(/\w/),
        datetime: '2026-11-02',
        outbound_expected_delivery_date: null,
        inbound_expected_delivery_date: null,
      },
    },
  });
  const [, sent, ...later] = ballots[0].status_history;
  expect(sent).toMatchObject({
    display_name: 'Sent',
    datetime: '2026-11-02',
    display_description: expect.stringMatching(/\w/),
    is_standard_flow: true,
    status: 'sent',
  });
  expect(later.map((step: { datetime: unknown }) => step.datetime)).toEqual([null, null]);
});

test('the current status carries the day on which the ballot is expected, there and then back', async () => {
  const voterId = await addVoter(api.test, adams, { firstname: 'Awaited' });
  const awaited = await addBallot(api.test, adams, voterId, {
    events: [{ status: 'sent', on: '2026-11-02' }],
  });
  await api.query(
    `update ballots set outbound_expected_delivery_date = '2026-11-09',
      inbound_expected_delivery_date = '2026-11-19' where ballot_id = $1`,
    [awaited],
  );
  const own = api.browser(host);
  await own.post('/api/voter/session', typed({ firstname: 'Awaited' }));
  const current = async () => {
    const answer = await own.get('/api/voter/ballot-status-progress/me?language=english');
    return answer.json().ballots[0].status_summary.current_status;
  };
  expect(await current()).toMatchObject({
    status: 'sent',
    outbound_expected_delivery_date: '2026-11-09',
    inbound_expected_delivery_date: null,
  });
  await api.query(
    `insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_at)
      values ($1, $2, 'scan', 'return-in-transit', '?', '2026-11-17T12:00:00Z')`,
    [adams, awaited],
  );
  expect(await current()).toMatchObject({
    status: 'return-in-transit',
    outbound_expected_delivery_date: null,
    inbound_expected_delivery_date: '2026-11-19',
  });
});

test('a past ballot has its number, its election’s name and its final status', async () => {
  expect(await read('/api/voter/archive-ballot?page_size=-1&language=english')).toMatchObject({
    _embedded: {
      ballot: [
        {
          ballot_id: pastBallotId,
          election_name: 'Primary Election',
          display_name: 'Accepted',
          status: 'accepted',
        },
      ],
    },
  });
});

test('the text for a voter without a ballot, the questions and the release notes have all their fields', async () => {
  expect(await read('/api/voter/no-ballot-status/english')).toEqual({
    language: 'english',
    title: 'No Current Mail Ballot Status',
    description: expect.stringMatching(/\w/),
  });
  expect(await read('/api/voter/faq?language=english')).toEqual({ content: '<p>Ask</p>' });
  const { _embedded, _links, ...paging } = await read('/api/voter/release-note');
  expect(_embedded.release_note).toEqual([
    {
      release_note_id: expect.any(Number),
      release_note: '<p>New</p>',
      published_datetime: '2026-10-01T12:00:00.000Z',
    },
  ]);
  expect(_links).toHaveProperty('first');
  expect(paging).toEqual({ page: 1, page_count: 1, page_size: expect.any(Number), total_items: 1 });
});
