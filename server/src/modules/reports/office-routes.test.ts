import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let viewer: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  // The last minute of November 25 in New York.
  api.clock.set('2026-11-26T04:59:00Z');
  adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  for (const [accountId, id, isConfidential] of [
    [adams, 'A1', false],
    [adams, 'A2', false],
    [adams, 'A3', true],
    [lake, 'L1', false],
  ] as const) {
    const voter = { registration_id: id, is_confidential: isConfidential };
    await addBallot(api.test, accountId, await addVoter(api.test, accountId, voter), {
      election: 'Winter',
      events: [
        { status: 'sent', on: '2026-11-20' },
        { status: 'rejected-curable', on: '2026-11-22', reason: 'No signature' },
      ],
    });
  }
  viewer = await addPerson(api, { accountId: adams, host: 'adams.localhost' }, 'Vera Long', [
    'viewer',
  ]);
});
afterAll(() => api.close());

const get = (path: string) => viewer.browser.get(`/api/office/${path}`);

test('the table and its file have the office’s ballots by day, without confidential voters', async () => {
  const answer = await get('report?report=status&election=Winter&from=2026-11-20');
  expect(answer.statusCode, answer.body).toBe(200);
  const { elections, columns, rows, count } = answer.json();
  expect(elections).toEqual([{ number: 'Winter', name: expect.any(String) }]);
  expect(columns).toEqual(['election', 'election_name', 'day', 'status', 'entered', 'total']);
  expect(count).toBe(rows.length);
  const [{ name }] = elections;
  expect(rows).toContainEqual(['Winter', name, '2026-11-20', 'sent', 2, 2]);
  expect(rows).toContainEqual(['Winter', name, '2026-11-22', 'rejected-curable', 2, 2]);

  const file = await get('report.csv?report=status&election=Winter&from=2026-11-20');
  expect(file.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="status.csv"',
  });
  expect(file.body.trimEnd().split('\r\n')).toEqual([
    // The mark by which Excel reads it as UTF-8.
    `\uFEFF${columns.join(',')}`,
    ...rows.map((row: unknown[]) => row.join(',')),
  ]);
});

test('a status without a day of its own counts on the day that it was recorded, by the office’s clock', async () => {
  const clark = await addOffice(api.test, { subdomain: 'clark' });
  const there = { accountId: clark, host: 'clark.localhost' };
  const { browser } = await addPerson(api, there, 'Bo Li', ['viewer']);
  const ballotId = await addBallot(api.test, clark, await addVoter(api.test, clark), {
    election: 'Winter',
    events: [],
  });
  // The last minute of November 19 in New York.
  await api.query(
    `insert into ballot_events (account_id, ballot_id, kind, status, raw_status, recorded_at)
     values ($1, $2, 'office', 'sent', 'sent', '2026-11-20T04:59:00Z')`,
    [clark, ballotId],
  );
  const { rows } = (
    await browser.get('/api/office/report?report=status&election=Winter&from=2026-11-18')
  ).json<{ rows: unknown[][] }>();
  expect(rows.filter(([, , , , entered]) => entered === 1)).toEqual([
    ['Winter', expect.any(String), '2026-11-19', 'sent', 1, 1],
  ]);
});

test('only the first rows of a long table are shown, and its file has all', async () => {
  const report = 'report=status&from=2025-11-01';
  const { rows, count } = (await get(`report?${report}`)).json();
  expect(rows).toHaveLength(200);
  expect(count).toBeGreaterThan(200);
  const { body } = await get(`report.csv?${report}`);
  expect(body.trimEnd().split('\r\n')).toHaveLength(count + 1);
});

test.each(['registrations', 'messages', 'fixes'])('%s is a table, too', async (report) => {
  const answer = await get(`report?report=${report}`);
  expect(answer.statusCode, answer.body).toBe(200);
  const { columns, rows } = answer.json();
  expect(columns).toContain('day');
  for (const row of rows) expect(row).toHaveLength(columns.length);
});

test('messages and sign-ups of confidential voters and of other offices are in no table', async () => {
  await api.query(`insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after, state)
    select account_id, 'welcome', voter_id, 'email', registration_id, 'english', 'test', now(), 'sent' from voters where registration_id in ('A1', 'A2', 'A3', 'L1')`);
  await api.query(`insert into consents (account_id, voter_id, channel, address, action, source, wording)
    select account_id, voter_id, 'email', registration_id, 'asked', 'test', 'test' from voters where registration_id in ('A1', 'A2', 'A3', 'L1')`);
  const sum = async (report: string, column: string) => {
    const { columns, rows } = (await get(`report?report=${report}`)).json();
    const place = columns.indexOf(column);
    return rows.reduce((total: number, row: number[]) => total + (row[place] ?? 0), 0);
  };
  expect(await sum('messages', 'messages')).toBe(2);
  expect(await sum('registrations', 'asked')).toBe(2);
});

test('messages and sign-ups count on the days of the office’s clock, of which the first and the last are included', async () => {
  const benton = await addOffice(api.test, { subdomain: 'benton' });
  const there = { accountId: benton, host: 'benton.localhost' };
  const { browser } = await addPerson(api, there, 'Bo Li', ['viewer']);
  const voterId = await addVoter(api.test, benton);
  // Of November 18 to 21 in New York: the first minute and the last one of a day.
  const instants = ['19T04:59', '19T05:00', '21T04:59', '21T05:00'].map(
    (time) => `2026-11-${time}:00Z`,
  );
  for (const at of instants) {
    await api.query(
      `insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after, created_at, state)
       values ($1, 'welcome', $2, 'sms', '', 'english', $3, $4, $4, 'sent')`,
      [benton, voterId, `at ${at}`, at],
    );
    await api.query(
      `insert into consents (account_id, voter_id, channel, address, action, source, wording, at)
       values ($1, $2, 'sms', '', 'asked', 'test', 'test', $3)`,
      [benton, voterId, at],
    );
  }
  const days = async (report: string) => {
    const period = 'from=2026-11-19&to=2026-11-20';
    const { columns, rows } = (
      await browser.get(`/api/office/report?report=${report}&${period}`)
    ).json();
    return rows.map((row: unknown[]) => row[columns.indexOf('day')]);
  };
  for (const report of ['messages', 'registrations'])
    expect(await days(report), report).toEqual(['2026-11-19', '2026-11-20']);
});

test('messages, sign-ups and fixes of one election are those of its own voters alone', async () => {
  const dade = await addOffice(api.test, { subdomain: 'dade' });
  const there = { accountId: dade, host: 'dade.localhost' };
  const { browser } = await addPerson(api, there, 'Di Roe', ['viewer']);
  for (const election of ['Fall', 'Winter']) {
    const voterId = await addVoter(api.test, dade);
    const events = [{ status: 'rejected-curable', on: '2026-11-22', reason: 'No signature' }];
    const ballotId = await addBallot(api.test, dade, voterId, { election, events });
    await api.query(
      `insert into messages (account_id, kind, voter_id, ballot_id, channel, address, language, cause, deliver_after, state)
       values ($1, 'status', $2, $3, 'email', $4, 'english', $4, now(), 'sent')`,
      [dade, voterId, ballotId, election],
    );
    await api.query(
      `insert into consents (account_id, voter_id, channel, address, action, source, wording)
       values ($1, $2, $3, '', 'asked', 'test', 'test')`,
      [dade, voterId, election === 'Fall' ? 'email' : 'sms'],
    );
  }
  const read = async (report: string, column: string) => {
    const path = `/api/office/report?report=${report}&election=Winter`;
    const { columns, rows } = (await browser.get(path)).json();
    return rows.map((row: unknown[]) => row[columns.indexOf(column)]);
  };
  expect(await read('messages', 'election')).toEqual(['Winter']);
  expect(await read('registrations', 'channel')).toEqual(['sms']);
  expect(await read('fixes', 'election')).toEqual(['Winter']);
});

test.each([
  ['2025-10-22', '2026-11-25', 200],
  ['2025-10-21', '2026-11-25', 422],
  ['2025-10-22', undefined, 200],
  ['2025-10-21', undefined, 422],
  ['2026-11-25', '2026-11-25', 200],
  ['2026-11-26', '2026-11-25', 422],
  ['2026-11-26', undefined, 422],
])('a report from %s to %s, of 400 days at most, is answered %i', async (from, to, status) => {
  const path = `report?report=status&from=${from}${to === undefined ? '' : `&to=${to}`}`;
  expect((await get(path)).statusCode).toBe(status);
});

test('the days of an earlier election come before those of a later one', async () => {
  const clay = await addOffice(api.test, { subdomain: 'clay' });
  const there = { accountId: clay, host: 'clay.localhost' };
  const { browser } = await addPerson(api, there, 'Cy Poe', ['viewer']);
  const voterId = await addVoter(api.test, clay);
  const events = [{ status: 'sent', on: '2026-11-20' }];
  await addBallot(api.test, clay, voterId, { election: 'Winter', events });
  const earlier = { election: 'Fall', date: '2026-11-03', events };
  await addBallot(api.test, clay, voterId, earlier);
  const period = 'from=2026-11-20&to=2026-11-20';
  const { rows } = (await browser.get(`/api/office/report?report=status&${period}`)).json();
  const elections: string[] = rows.map(([election]: [string]) => election);
  expect([...new Set(elections)]).toEqual(['Fall', 'Winter']);
});

test('an election’s ballots are a picture in three formats', async () => {
  const of = 'election=Winter';
  const svg = await get(`chart.svg?${of}`);
  expect(svg.headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(svg.body).toMatch(/^<svg .*Signature problem \(can be fixed\)/s);
  const png = await get(`chart.png?${of}`);
  expect(png.headers['content-type']).toBe('image/png');
  expect(png.rawPayload.subarray(1, 4).toString('latin1')).toBe('PNG');
  const pdf = await get(`chart.pdf?${of}`);
  expect(pdf.headers['content-type']).toBe('application/pdf');
  expect(pdf.rawPayload.subarray(0, 5).toString('latin1')).toBe('%PDF-');
});

test('wrong days, an unknown election and days without ballots are refused', async () => {
  const refused = {
    'report?report=status&from=2026-11-02&to=2026-11-01': 422,
    'report?report=status&from=2020-01-01': 422,
    'report?report=voters': 400,
    'report?report=status&election=Spring': 404,
    'chart.svg': 400,
    'chart.svg?election=Spring': 404,
  };
  for (const [path, status] of Object.entries(refused)) {
    const answer = await get(path);
    expect(answer.statusCode, `${path}: ${answer.body}`).toBe(status);
  }
});
