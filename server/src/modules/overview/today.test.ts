import type { Today } from '@ballot-beacon/contract/office/today';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { newLastname } from '../../../../testing/new-voter.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

const hourMs = 60 * 60_000;
let api: TestApi;
let adams: AccountId;
let lake: AccountId;
let viewer: TestPerson;
let neighbor: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', delivery_types: ['email', 'sms'] });
  lake = await addOffice(api.test, { subdomain: 'lake', delivery_types: ['email'] });
  const host = 'adams.localhost';
  viewer = await addPerson(api, { accountId: adams, host }, 'Vic Lane', ['viewer']);
  const there = { accountId: lake, host: 'lake.localhost' };
  neighbor = await addPerson(api, there, 'Bo Li', ['viewer']);
});
afterAll(() => api.close());
beforeEach(async () => {
  await viewer.signIn();
  await neighbor.signIn();
});

const read = async ({ browser } = viewer): Promise<Today> =>
  (await browser.get('/api/office/today')).json();

test('sign-ins of the last day are counted by what became of them, of this office alone', async () => {
  const lastname = newLastname();
  await addVoter(api.test, adams, { lastname });
  const signIn = (n: number, birthdate?: string) =>
    api.app.inject({
      method: 'POST',
      url: '/api/voter/session',
      headers: { host: 'adams.localhost' },
      remoteAddress: `10.78.0.${n}`,
      payload: typed({ lastname, ...(birthdate && { birthdate }) }),
    });
  expect((await signIn(0)).statusCode).toBe(201);
  expect((await read()).sign_ins).toEqual({ signed_in: 1, refused: 0, locked: 0 });
  for (let n = 1; n <= 100; n += 1)
    await signIn(n, `06-${1 + (n % 28)}-${1930 + Math.floor(n / 28)}`);
  expect((await read()).sign_ins).toEqual({ signed_in: 1, refused: 99, locked: 1 });
  expect((await read(neighbor)).sign_ins).toEqual({ signed_in: 0, refused: 0, locked: 0 });

  for (const hours of [23, 25])
    await api.query(
      `insert into audit_log (account_id, actor, action, at) values ($1, 'voter:0', 'session.create', $2)`,
      [adams, new Date(api.clock.now().getTime() - hours * hourMs)],
    );
  expect((await read()).sign_ins).toMatchObject({ signed_in: 2 });
});

test('a provider’s trouble is said to the offices that use its channel, for as long as it has any', async () => {
  expect((await read()).trouble).toEqual([]);
  const soon = new Date(api.clock.now().getTime() + hourMs);
  await api.query(
    `insert into providers (provider, channel, weight, resting_weight, changed_at, paused_until) values
      ('well', 'email', 100, 100, now(), null), ('failing', 'sms', 80, 100, now(), null),
      ('patient', 'voice', 100, 100, now(), $1)`,
    [soon],
  );
  expect((await read()).trouble).toEqual(['sms']);
  expect((await read(neighbor)).trouble).toEqual([]);

  await api.query(`update providers set paused_until = $1 where provider = 'well'`, [soon]);
  expect((await read()).trouble).toEqual(['email', 'sms']);
  expect((await read(neighbor)).trouble).toEqual(['email']);
  await api.query(`update providers set weight = 100 where provider = 'failing'`);
  api.clock.advance(2 * hourMs);
  await viewer.signIn();
  expect((await read()).trouble).toEqual([]);
});

test('ballots, messages and what waits are counted of this office alone, without confidential voters', async () => {
  const now = api.clock.now().getTime();
  const daysAgo = (days: number) => new Date(now - days * 24 * hourMs);
  const send = (account: AccountId, voter: number, state: string, days: number, error?: string) =>
    api.query(
      `insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after, created_at, state, error_code)
       values ($1, 'welcome', $2, 'email', 'a@mail.example', 'english', gen_random_uuid(), $3, $3, $4, $5)`,
      [account, voter, daysAgo(days), state, error ?? null],
    );
  const hold = (account: AccountId, state: string) =>
    api.query(
      `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
       values ($1, 'x', 'x.csv', '', $2, 'tester', now(), now(), 1, 0, '{}')`,
      [account, state],
    );
  for (const [account, isConfidential] of [
    [adams, false],
    [adams, false],
    [adams, true],
    [lake, false],
  ] as const) {
    const voterId = await addVoter(api.test, account, { is_confidential: isConfidential });
    for (const [election, date, isActive] of [
      ['Winter', '2026-12-08', true],
      ['Fall', '2026-11-03', true],
      ['Spring', '2026-04-07', false],
    ] as const)
      await addBallot(api.test, account, voterId, { election, date, isActive, events: [] });
    await send(account, voterId, 'delivered', 6.9);
    await send(account, voterId, 'delivered', 8.1);
    await send(account, voterId, 'sent', 2);
  }
  await api.query(`update ballots set current_status = 'sent'`);
  const reader = await addVoter(api.test, adams);
  await send(adams, reader, 'held', 1, 'gate');
  await send(adams, reader, 'held', 1, 'daily-limit');
  // What the office has discarded waits no more.
  await send(adams, reader, 'withdrawn', 1, 'daily-limit');
  for (const state of ['file-held', 'file-held', 'messages-held', 'done', 'refused'])
    await hold(adams, state);
  await hold(lake, 'file-held');

  const ballots = [{ status: 'sent', count: 2 }];
  expect(await read()).toMatchObject({
    elections: [
      { number: 'Fall', date: '2026-11-03', ballots },
      { number: 'Winter', date: '2026-12-08', ballots },
    ],
    messages: [
      { channel: 'email', outcome: 'delivered', count: 2 },
      { channel: 'email', outcome: 'waiting', count: 2 },
      { channel: 'email', outcome: 'sent', count: 2 },
      { channel: 'email', outcome: 'unsent', count: 1 },
    ],
    waiting: { files: 2, messages: 1, uploads: 0, requests: 1 },
  });
  expect((await read(neighbor)).waiting).toMatchObject({ files: 1, messages: 0, requests: 0 });
});

test('each count of messages is of as many as its list has, at every hour', async () => {
  const host = 'west.localhost';
  const time_zone = 'Pacific/Honolulu';
  const west = await addOffice(api.test, { subdomain: 'west', time_zone });
  const clerk = await addPerson(api, { accountId: west, host }, 'Kai Lund', ['clerk']);
  const voter = await addVoter(api.test, west);
  const states = ['created', 'held', 'sent', 'withdrawn', 'expired', 'outcome-unknown'];
  for (const state of states)
    for (const hours of [1, 7 * 24 - 1, 7 * 24 + 1, 7 * 24 + 11, 7 * 24 + 23])
      await api.query(
        `insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after, created_at, state)
         values ($1, 'welcome', $2, 'email', 'a@mail.example', 'english', gen_random_uuid(), $3, $3, $4)`,
        [west, voter, new Date(api.clock.now().getTime() - hours * hourMs), state],
      );
  for (let hour = 0; hour < 24; hour += 4) {
    await clerk.signIn();
    const { messages, messages_from: from } = await read(clerk);
    expect(messages.map(({ outcome }) => outcome)).toHaveLength(4);
    for (const { channel, outcome, count } of messages) {
      const query = new URLSearchParams({ channel, outcome, from });
      const list = await clerk.browser.get(`/api/office/messages?${query}`);
      expect(list.json().messages, `${outcome} after ${hour} hours`).toHaveLength(count);
    }
    api.clock.advance(4 * hourMs);
  }
});
