import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../../testing/api.ts';
import { newLastname } from '../../../../testing/new-voter.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let admin: TestPerson;
let adams: AccountId;
let lake: AccountId;
const address = '/api/office/voter-sessions/end';

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  lake = await addOffice(api.test, { subdomain: 'lake' });
  const place = { accountId: adams, host: 'adams.localhost' };
  admin = await addPerson(api, place, 'Ada Park', ['admin']);
});
afterEach(() => api.close());

async function signInAt(accountId: AccountId, host: string): Promise<TestBrowser> {
  const lastname = newLastname();
  await addVoter(api.test, accountId, { lastname });
  const voter = api.browser(host);
  const entered = await voter.post('/api/voter/session', typed({ lastname }));
  expect(entered.statusCode, entered.body).toBe(201);
  return voter;
}

const look = async (voter: TestBrowser) =>
  (await voter.get('/api/voter/information/me')).statusCode;
const count = async () =>
  (await admin.browser.get('/api/office/misuse')).json<{ sessions: number }>().sessions;

test('signs every voter of this office out at once, and nobody else, with the reason in the log', async () => {
  expect(await count()).toBe(0);
  const voters = [
    await signInAt(adams, 'adams.localhost'),
    await signInAt(adams, 'adams.localhost'),
    await signInAt(adams, 'adams.localhost'),
  ];
  const neighbor = await signInAt(lake, 'lake.localhost');
  expect(await count()).toBe(3);
  expect(await Promise.all(voters.map(look))).toEqual([200, 200, 200]);

  const ended = await admin.browser.post(address, { reason: ' Letters were stolen ' });
  expect([ended.statusCode, ended.json()]).toEqual([200, { ended: 3 }]);
  expect(await Promise.all(voters.map(look))).toEqual([403, 403, 403]);
  expect(await look(neighbor)).toBe(200);
  expect(await count()).toBe(0);
  const log = await admin.browser.get('/api/office/log?area=voters');
  expect(log.json<{ entries: object[] }>().entries[0]).toMatchObject({
    ...{ who: 'Ada Park', action: 'session.end', target: 'all' },
    details: [
      { name: 'ended', value: '3' },
      { name: 'reason', value: 'Letters were stolen' },
    ],
  });
  // A voter signs in again at once.
  expect(await look(await signInAt(adams, 'adams.localhost'))).toBe(200);
});

test.each([{}, { reason: '  ' }, { reason: 'x'.repeat(501) }, { reason: 'A', voter: 1 }])(
  'signs nobody out for %j',
  async (body) => {
    const voter = await signInAt(adams, 'adams.localhost');
    expect((await admin.browser.post(address, body)).statusCode).toBe(422);
    expect(await look(voter)).toBe(200);
  },
);

test('counts no session that has ended', async () => {
  const before = await count();
  await signInAt(adams, 'adams.localhost');
  expect(await count()).toBe(before + 1);
  await api.query('update sessions set expires_at = $1', [api.clock.now()]);
  expect(await count()).toBe(0);
});

test('asks for a sign-in of the last five minutes, and counts no session that was idle too long', async () => {
  await signInAt(adams, 'adams.localhost');
  expect(await count()).toBeGreaterThan(0);
  api.clock.advance(29 * 60_000);
  const late = await admin.browser.post(address, { reason: 'Letters were stolen' });
  expect(late.json()).toMatchObject({ status: 403, 'error-code': 7001 });
  expect(await count()).toBe(0);
});
