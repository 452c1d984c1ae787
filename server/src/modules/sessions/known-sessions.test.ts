import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';

import { createKnownSessions } from './known-sessions.ts';
import { createSessionSecret, hashSessionSecret, sessionCookieName } from './rules.ts';

const host = 'adams.localhost:8080';
let api: TestApi;
beforeAll(async () => {
  // One request at a time, and a stranger waits for nobody.
  api = await createTestApi({ limits: { requestsAtOnce: 1, strangerWaitMs: 1 } });
  await addVoter(api.test, await addOffice(api.test, { subdomain: 'adams' }));
});
afterAll(() => api.close());

async function signIn() {
  const voter = api.browser(host);
  expect((await voter.post('/api/voter/session', typed())).statusCode).toBe(201);
  return voter;
}

test('under load a voter who is signed in is answered, and a cookie that somebody made up brings nobody forward', async () => {
  const voter = await signIn();
  const stranger = api.browser(host);
  stranger.cookies.set('beacon_session', 'x'.repeat(43));
  const ask = ({ get }: typeof voter) => get('/api/voter/information/me');
  expect((await ask(voter)).statusCode).toBe(200);

  const [voters, strangers] = await Promise.all(
    [voter, stranger].map((browser) =>
      Promise.all(Array.from({ length: 20 }, async () => (await ask(browser)).statusCode)),
    ),
  );
  expect(voters).toEqual(Array.from({ length: 20 }, () => 200));
  expect(strangers).toContain(503);
  expect(strangers).not.toContain(200);
});

test('a session is known by its cookie of either scheme, wherever that stands among others', () => {
  const known = createKnownSessions();
  const secret = createSessionSecret();
  known.add(hashSessionSecret(secret), new Date());
  for (const isHttps of [true, false]) {
    const cookie = `${sessionCookieName(isHttps)}=${secret}`;
    for (const header of [cookie, `a=1; ${cookie}`, `${cookie}; b=2`, `a=1; ${cookie}; b=2`])
      expect(known.hasOneOf(header), header).toBe(true);
    for (const header of [`not_${cookie}`, `${cookie}x`, cookie.slice(0, -1), `a=${cookie}`])
      expect(known.hasOneOf(header), header).toBe(false);
  }
  expect(known.hasOneOf(undefined)).toBe(false);
});

test('activity is noted when the last noted one is long enough ago, and not for what a page asks by itself', async () => {
  const voter = await signIn();
  const readNoted = async () => {
    const [row] = await api.query<{ at: Date }>(
      'select max(last_active_at) as at from sessions where created_at = (select max(created_at) from sessions)',
    );
    return row?.at.getTime() ?? 0;
  };
  const signedInAt = await readNoted();
  const noted: number[] = [];
  const ask = async (seconds: number, path = 'information/me') => {
    api.clock.advance(seconds * 1000);
    expect((await voter.get(`/api/voter/${path}`)).statusCode).toBe(200);
    noted.push(((await readNoted()) - signedInAt) / 1000);
  };
  await ask(10);
  await ask(6);
  await ask(10);
  await ask(30, 'ballot-status-progress/me');
  await ask(1);
  expect(noted).toEqual([0, 16, 16, 16, 57]);
});

test('activity that another process has noted counts as much', async () => {
  const voter = await signIn();
  const ask = () => voter.get('/api/voter/information/me');
  api.clock.advance(20_000);
  await ask();
  await api.query('update sessions set last_active_at = $1', [
    new Date(api.clock.now().getTime() + 10_000),
  ]);
  api.clock.advance(20_000);
  await ask();
  api.clock.advance(6_000);
  await ask();
  const rows = await api.query<{ at: Date }>(
    'select last_active_at as at from sessions order by created_at desc limit 1',
  );
  expect(rows[0]?.at).toEqual(api.clock.now());
});

test('a voter whose details change on the roll is remembered anew, however often the device was seen', async () => {
  const voter = await signIn();
  const ask = async () => {
    const { cookies } = await voter.get('/api/voter/information/me');
    return (cookies as { name: string }[]).map(({ name }) => name);
  };
  expect([await ask(), await ask(), await ask()]).toEqual([['beacon_device'], [], []]);
  for (const change of [`zipcode = '99999'`, `birthdate = '1950-02-01'`]) {
    await api.query(`update voters set ${change}`);
    expect([await ask(), await ask(), await ask()], change).toEqual([['beacon_device'], [], []]);
  }
});
