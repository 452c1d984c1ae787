import type { BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { arrivingMark } from './events-of-ballot-store.ts';

let api: TestApi;
let adams: AccountId;
let quiet: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  quiet = await addOffice(api.test, { subdomain: 'quiet', is_ballot_status_dates_visible: false });
  for (const account of [adams, quiet]) {
    const ann = await addVoter(api.test, account);
    await addBallot(api.test, account, ann, {
      events: [
        { status: 'sent', on: '2026-11-02' },
        { status: 'in-transit', kind: 'scan', at: '2026-11-04T03:30:00Z' },
      ],
    });
    await addBallot(api.test, account, ann, {
      election: 'Primary Election',
      isActive: false,
      date: '2026-08-18',
      events: [{ status: 'accepted', on: '2026-08-10' }],
    });
    await addVoter(api.test, account, { firstname: 'Empty' });
  }
});
afterAll(() => api.close());

async function signedIn(host: string, more: Record<string, unknown> = {}) {
  const browser = api.browser(host);
  await browser.post('/api/voter/session', typed(more));
  return browser;
}

describe('the ballots of a signed-in voter', () => {
  test('are those of active elections, with names, step and history', async () => {
    const browser = await signedIn('adams.localhost');
    const answer = await browser.get('/api/voter/ballot-status-progress/me?language=english');
    expect(answer.statusCode).toBe(200);
    const { ballots } = answer.json<BallotStatusProgress>();
    expect(ballots).toHaveLength(1);
    expect(ballots[0]).toMatchObject({
      election: { election_name: 'General Election', election_is_active: true },
      status_summary: {
        status: 'in-progress',
        current_step: 2,
        total_steps: 4,
        current_status: {
          status: 'in-transit',
          display_name: 'In the mail',
          datetime: '2026-11-04T03:30:00.000Z',
        },
      },
    });
    expect(ballots[0]?.status_history.map((step) => [step.status, step.datetime])).toEqual([
      ['printed', null],
      ['sent', '2026-11-02'],
      ['in-transit', '2026-11-04T03:30:00.000Z'],
      ['returned', null],
      ['accepted', null],
    ]);
  });

  test('are listed with the next election’s first, whichever ballot came last', async () => {
    const voterId = await addVoter(api.test, adams, { firstname: 'Several' });
    const dates = {
      'May Runoff': '2027-05-04',
      'June Runoff': '2027-06-08',
      'April Runoff': '2027-04-06',
    };
    for (const [election, date] of Object.entries(dates))
      await addBallot(api.test, adams, voterId, { election, date, events: [{ status: 'sent' }] });
    const browser = await signedIn('adams.localhost', { firstname: 'Several' });
    const answer = await browser.get('/api/voter/ballot-status-progress/me?language=english');
    const names = answer
      .json<BallotStatusProgress>()
      .ballots.map(({ election }) => election.election_name);
    expect(names).toEqual(['June Runoff', 'May Runoff', 'April Runoff']);
  });

  test('have the day on which the office expects them, until USPS names one', async () => {
    const voterId = await addVoter(api.test, adams, { firstname: 'Patient' });
    await addBallot(api.test, adams, voterId, {
      election: 'Special Election',
      isActive: true,
      date: '2026-12-08',
      events: [{ status: 'sent', on: '2026-11-02' }],
    });
    const browser = await signedIn('adams.localhost', { firstname: 'Patient' });
    const keep = (column: string, day: string) =>
      sql`update ballots set ${sql.ref(column)} = ${day} where voter_id = ${voterId}`.execute(
        api.test.database.system,
      );
    const current = async () =>
      (await browser.get('/api/voter/ballot-status-progress/me')).json<BallotStatusProgress>()
        .ballots[0]?.status_summary.current_status;
    const read = async () => (await current())?.outbound_expected_delivery_date;
    expect(await read()).toBeNull();
    await keep('office_expected_on', '2026-11-06');
    expect(await read()).toBe('2026-11-06');
    await keep('outbound_expected_delivery_date', '2026-11-09');
    expect(await read()).toBe('2026-11-09');
    // A day before the one on which the office mailed it is of an earlier envelope.
    await keep('outbound_expected_delivery_date', '2026-11-02');
    expect(await read()).toBe('2026-11-02');
    await keep('outbound_expected_delivery_date', '2026-11-01');
    expect(await read()).toBeNull();

    await keep('inbound_expected_delivery_date', '2026-11-20');
    expect((await current())?.inbound_expected_delivery_date).toBeNull();
    await sql`insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_at)
      select account_id, ballot_id, 'scan', 'return-in-transit', 'scan', '2026-11-18T10:00:00Z' from ballots
      where voter_id = ${voterId}`.execute(api.test.database.system);
    expect(await current()).toMatchObject({
      outbound_expected_delivery_date: null,
      inbound_expected_delivery_date: '2026-11-20',
    });
  });

  // At any hour it is another day than in London in one of them.
  test.each([
    ['isles', 'Pacific/Kiritimati'],
    ['reef', 'Pacific/Pago_Pago'],
  ])(
    'were likely delivered from the day after the one on which they were to arrive, in %s',
    async (subdomain, zone) => {
      const account = await addOffice(api.test, { subdomain, time_zone: zone });
      const voterId = await addVoter(api.test, account, { firstname: 'Expectant' });
      await addBallot(api.test, account, voterId, { events: [{ status: 'sent' }] });
      const browser = await signedIn(`${subdomain}.localhost`, { firstname: 'Expectant' });
      const arrive = (daysAgo: number) =>
        sql`insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_on)
        select account_id, ballot_id, 'estimate', 'delivered', ${arrivingMark},
          (now() at time zone ${zone})::date - ${daysAgo}::integer
        from ballots where voter_id = ${voterId}`.execute(api.test.database.system);
      const read = async () =>
        (await browser.get('/api/voter/ballot-status-progress/me')).json<BallotStatusProgress>()
          .ballots[0]?.status_summary.current_status.status;
      await arrive(0);
      expect(await read()).toBe('sent');
      await arrive(1);
      expect(await read()).toBe('delivered');
    },
  );

  test('are shown in the requested language, or else in the cookie’s language', async () => {
    const browser = await signedIn('adams.localhost');
    const nameIn = async (url: string) =>
      (await browser.get(url)).json<BallotStatusProgress>().ballots[0]?.status_summary
        .current_status.display_name;
    const path = '/api/voter/ballot-status-progress/me';
    const spanish = await nameIn(`${path}?language=Spanish`);
    expect(spanish).not.toBe('In the mail');
    browser.cookies.set('language', 'spanish');
    expect(await nameIn(path)).toBe(spanish);
    expect(await nameIn(`${path}?language=klingon`)).toBe(spanish);
    expect(await nameIn(`${path}?language=english`)).toBe('In the mail');
  });

  test('have no date at all where the office hides dates', async () => {
    const browser = await signedIn('quiet.localhost');
    const answer = await browser.get('/api/voter/ballot-status-progress/me');
    const archive = await browser.get('/api/voter/archive-ballot?page_size=-1');
    for (const { body } of [answer, archive]) {
      expect(body).not.toMatch(/2026-11-0|2026-08-10/);
    }
    const { ballots } = answer.json<BallotStatusProgress>();
    expect(ballots[0]?.status_history[1]).toMatchObject({ status: 'sent', is_reached: true });
  });

  test('move to the archive when the election is over', async () => {
    const browser = await signedIn('adams.localhost');
    const answer = await browser.get('/api/voter/archive-ballot?page_size=-1&language=english');
    expect(answer.json()).toMatchObject({
      _embedded: {
        ballot: [
          { election_name: 'Primary Election', display_name: 'Accepted', status: 'accepted' },
        ],
      },
      total_items: 1,
    });
  });

  test('of an election that is over ask nobody to fix an envelope', async () => {
    const voterId = await addVoter(api.test, adams, { firstname: 'Late' });
    await addBallot(api.test, adams, voterId, {
      ...{ election: 'Old Election', date: '2024-11-05', isActive: false },
      events: [{ status: 'rejected-curable', on: '2024-11-01' }],
    });
    const browser = await signedIn('adams.localhost', { firstname: 'Late' });
    const read = async (language: string) => {
      const answer = await browser.get(`/api/voter/archive-ballot?language=${language}`);
      return answer.json()._embedded.ballot[0].display_name;
    };
    expect(await read('english')).toBe(
      'The election office found a problem with your return envelope.',
    );
    expect(await read('spanish')).toBe(
      'La oficina electoral encontró un problema con su sobre de devolución.',
    );
  });

  test('come from the last election to the first, and of two in one election the newer first, also in the archive', async () => {
    const voterId = await addVoter(api.test, adams, { firstname: 'Twice' });
    const add = (election: string, date: string, number: string, status: string) =>
      addBallot(api.test, adams, voterId, { election, date, number, events: [{ status }] });
    await add('Second Runoff', '2027-02-02', '1', 'requested');
    await add('First Runoff', '2027-01-12', '2', 'sent');
    await add('First Runoff', '2027-01-12', '3', 'printed');
    const browser = await signedIn('adams.localhost', { firstname: 'Twice' });
    const present = await browser.get('/api/voter/ballot-status-progress/me?language=english');
    expect(
      present
        .json<BallotStatusProgress>()
        .ballots.map(({ status_summary: { current_status } }) => current_status.status),
    ).toEqual(['requested', 'printed', 'sent']);
    await api.query(`update elections set is_active = false where name like '% Runoff'`);
    const past = await browser.get('/api/voter/archive-ballot?page_size=-1&language=english');
    expect(past.json()._embedded.ballot.map(({ status }: { status: string }) => status)).toEqual([
      'requested',
      'printed',
      'sent',
    ]);
  });

  test('come from the archive all at once, or page by page', async () => {
    const voterId = await addVoter(api.test, adams, { firstname: 'Faithful' });
    for (let year = 1990; year < 2026; year += 1)
      await addBallot(api.test, adams, voterId, {
        election: `Election of ${year}`,
        isActive: false,
        date: `${year}-11-03`,
        events: [{ status: 'accepted', on: `${year}-11-01` }],
      });
    const browser = await signedIn('adams.localhost', { firstname: 'Faithful' });
    const read = async (pageSize: number) =>
      (await browser.get(`/api/voter/archive-ballot?page_size=${pageSize}`)).json<{
        _embedded: { ballot: { election_name: string }[] };
        total_items: number;
      }>();
    const all = await read(-1);
    expect(all._embedded.ballot).toHaveLength(36);
    expect(all._embedded.ballot[0]).toMatchObject({ election_name: 'Election of 2025' });
    const some = await read(2);
    expect(some._embedded.ballot).toEqual(all._embedded.ballot.slice(0, 2));
    expect(some.total_items).toBe(36);
  });

  test('have the time of the answer, by which a page counts down', async () => {
    const browser = await signedIn('adams.localhost');
    const answer = await browser.get('/api/voter/ballot-status-progress/me');
    expect(answer.json<BallotStatusProgress>().answered_at).toBe(api.clock.now().toISOString());
  });

  test('have the time of the newest imported file of ballots or scans, not of voters', async () => {
    const browser = await signedIn('adams.localhost');
    const read = async () =>
      (await browser.get('/api/voter/ballot-status-progress/me')).json<BallotStatusProgress>()
        .as_of;
    expect(await read()).toBeNull();
    for (const [state, content, at, asOf] of [
      ['done', 'voters', '2026-11-19T10:00:00Z', null],
      ['done', 'ballots', '2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
      ['refused', 'ballots', '2026-11-21T10:00:00Z', '2026-11-20T10:00:00.000Z'],
      ['done', 'mailpieces', '2026-11-21T11:00:00Z', '2026-11-20T10:00:00.000Z'],
      ['done', 'voters', '2026-11-22T10:00:00Z', '2026-11-20T10:00:00.000Z'],
      ['done', 'scans', '2026-11-23T10:00:00Z', '2026-11-23T10:00:00.000Z'],
      ['messages-held', 'ballots', '2026-11-24T10:00:00Z', '2026-11-24T10:00:00.000Z'],
      // Waiting for approval as a whole: nothing in it is loaded.
      ['file-held', 'ballots', '2026-11-25T10:00:00Z', '2026-11-24T10:00:00.000Z'],
      ['discarded', 'ballots', '2026-11-26T10:00:00Z', '2026-11-24T10:00:00.000Z'],
      // What the page shows is as it was before this one.
      ['corrected', 'ballots', '2026-11-27T10:00:00Z', '2026-11-24T10:00:00.000Z'],
    ] as const) {
      await api.query(
        `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
           rows_read, rows_refused, report)
         values ($1, 'f', 'f.csv', '\\x00', $2, 'o', $3, $3, 1, 0, $4)`,
        [adams, state, at, { holds: content }],
      );
      expect(await read()).toBe(asOf);
    }
  });

  test('are an empty list for a voter without ballots', async () => {
    const browser = await signedIn('adams.localhost', { firstname: 'Empty' });
    const answer = await browser.get('/api/voter/ballot-status-progress/me');
    expect(answer.json()).toMatchObject({ ballots: [] });
  });

  test('are shown to nobody without a session', async () => {
    const browser = api.browser('adams.localhost');
    for (const path of [
      'ballot-status-progress/me',
      'archive-ballot',
      'information/me',
      'information',
    ]) {
      const answer = await browser.get(`/api/voter/${path}`);
      expect(answer.statusCode, path).toBe(403);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    }
  });
});

describe('the words for a voter without a current ballot', () => {
  const read = (language: string, host = 'adams.localhost') =>
    api.browser(host).get(`/api/voter/no-ballot-status/${language}`);

  test('are the product’s, in the languages of the office', async () => {
    expect((await read('english')).json()).toMatchObject({
      language: 'english',
      title: 'No Current Mail Ballot Status',
    });
    expect((await read('spanish')).statusCode).toBe(200);
  });

  test.each(['klingon', 'thai', '../english', '%00'])('are not found in %s', async (language) => {
    expect((await read(encodeURIComponent(language))).statusCode).toBe(404);
  });

  test('are the office’s own text if it wrote one', async () => {
    await api.query(
      `insert into no_ballot_messages (account_id, language, title, description)
       values ($1, 'spanish', 'Nada', 'Llámenos.')`,
      [quiet],
    );
    expect((await read('spanish', 'quiet.localhost')).json()).toEqual({
      language: 'spanish',
      title: 'Nada',
      description: 'Llámenos.',
    });
    expect((await read('spanish')).json()).not.toMatchObject({ title: 'Nada' });
  });
});
