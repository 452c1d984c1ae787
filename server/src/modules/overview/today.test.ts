import type { Today } from '@ballot-beacon/contract/office/today';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
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
let viewer: TestPerson;
let neighbor: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', delivery_types: ['email', 'sms'] });
  const lake = await addOffice(api.test, { subdomain: 'lake', delivery_types: ['email'] });
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
