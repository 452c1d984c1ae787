import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { newLastname, printCode } from '../../../../testing/new-voter.ts';
import { runs, timeFor } from '../../../../testing/runs.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await api.query(
    `insert into voters (account_id, registration_id, firstname, lastname, zipcode, birthdate, precinct, phone)
     select $1, 'H' || n, 'Ann', 'Harvest' || n, '34811', '1970-02-03', 'P-77', '+13525550142'
     from generate_series(1, 400) as n`,
    [adams],
  );
});
afterAll(() => api.close());
beforeEach(() => api.clock.advance(2 * 24 * 60 * 60_000));

const signIn = (lastname: string, remoteAddress: string, headers: Record<string, string> = {}) =>
  api.app.inject({
    method: 'POST',
    url: '/api/voter/session',
    headers: { host, ...headers },
    remoteAddress,
    payload: typed({ lastname }),
  });
const kinds = async () =>
  (await api.query<{ text: string }>('select audit_log::text as text from audit_log')).map(
    ({ text }) => text,
  );

describe('signing in as many voters from one address', () => {
  test('a nursing home with sixty voters in an hour is served', async () => {
    for (let n = 1; n <= 60; n += 1) {
      expect((await signIn(`Harvest${n}`, '10.0.0.1')).statusCode).toBe(201);
    }
    // And each of them as often as they like.
    for (let n = 0; n < 70; n += 1) {
      expect((await signIn('Harvest1', '10.0.0.1')).statusCode).toBe(201);
    }
  });

  test('of whom a network signed in as nothing is left after an hour', async () => {
    // What other days left is gone.
    await api.keepHouse();
    expect((await signIn('Harvest1', '10.0.0.9')).statusCode).toBe(201);
    await signIn('Nobody1', '10.0.0.9');
    const left = () => api.query('select from network_voters');
    const counted = () => api.query('select from throttles');
    const [voters, failures] = [await left(), await counted()];
    await api.keepHouse();
    expect(await left()).toEqual(voters);
    expect(await counted()).toEqual(failures);
    expect([voters.length > 0, failures.length > 0]).toEqual([true, true]);
    api.clock.advance(60 * 60_000);
    await api.keepHouse();
    expect(await left()).toEqual([]);
  });

  test('a visitor who signs in as one voter after another must wait, also when many try at the same instant', async () => {
    const answers: Awaited<ReturnType<typeof signIn>>[] = [];
    for (let n = 1; n <= 130; n += 1) answers.push(await signIn(`Harvest${n}`, '10.0.0.2'));
    const together = Array.from({ length: 119 }, (_, index) =>
      signIn(`Harvest${index + 131}`, '10.0.0.2'),
    );
    answers.push(...(await Promise.all(together)));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 201)).toHaveLength(120);
    expect(statuses.filter((status) => status === 429)).toHaveLength(129);
    expect(Number(answers.find((one) => one.statusCode === 429)?.headers['retry-after'])).toBe(
      3600,
    );
    await api.keepHouse();
    expect((await kinds()).join('\n')).toContain('spraying');
    api.clock.advance(60 * 60_000);
    expect((await signIn('Harvest300', '10.0.0.2')).statusCode).toBe(201);
  });

  test('a sign-in takes back its own attempt and none of those that failed', async () => {
    const enter = async (lastname: string) => (await signIn(lastname, '10.0.0.20')).statusCode;
    for (let n = 1; n <= 19; n += 1) expect(await enter(`Nobody${n}`)).toBe(401);
    for (const n of [310, 311]) expect(await enter(`Harvest${n}`)).toBe(201);
    expect(await enter('Nobody20')).toBe(401);
    expect(await enter('Harvest312')).toBe(429);
  });

  test('those who failed do not count as voters of the network', async () => {
    for (let n = 1; n <= 19; n += 1) await signIn(`Nobody${n}`, '10.0.0.3');
    // Voters who signed in stay, although a visitor beside them fails.
    for (const n of [301, 302])
      expect((await signIn(`Harvest${n}`, '10.0.0.4')).statusCode).toBe(201);
    const [row] = await api.query<{ count: number }>(
      'select count(*)::integer from network_voters',
    );
    const before = row?.count ?? 0;
    await signIn('Nobody99', '10.0.0.4');
    // Nor does one of two voters alike, who is asked for more.
    const twin = newLastname();
    for (const _ of ['one', 'other']) await addVoter(api.test, adams, { lastname: twin });
    expect((await signIn(twin, '10.0.0.4')).json()).toMatchObject({ 'error-code': 8889 });
    const [after] = await api.query<{ count: number }>(
      'select count(*)::integer from network_voters',
    );
    expect(after?.count).toBe(before);
  });
});

test('a forwarded request from an unlisted proxy is reported in the log, the audit and the metrics', async () => {
  api.logLines.length = 0;
  await signIn('Nobody', '10.0.0.9', { 'x-forwarded-for': '203.0.113.7' });
  await api.keepHouse();
  const log = api.logLines.join('');
  expect(log).toContain('"kind":"proxy-not-trusted"');
  expect(log).not.toContain('203.0.113.7');
  const metrics = await api.app.inject({ url: '/metrics', headers: { host } });
  expect(metrics.body).toMatch(/beacon_untrusted_proxy_requests_total [1-9]/);
});

test('a forwarded request from a listed proxy is not reported, and one from another is, with either header', async () => {
  const trusting = await createTestApi({ environment: { TRUST_PROXY: '10.0.0.9' } });
  const counted = async (remoteAddress: string, headers: Record<string, string>) => {
    await trusting.app.inject({ url: '/healthz', headers: { host, ...headers }, remoteAddress });
    const { body } = await trusting.app.inject({ url: '/metrics', headers: { host } });
    return /^beacon_untrusted_proxy_requests_total (\d+)/m.exec(body)?.[1];
  };
  expect(await counted('10.0.0.9', { 'x-forwarded-for': '203.0.113.7' })).toBe('0');
  expect(await counted('10.0.0.9', {})).toBe('0');
  expect(await counted('10.0.0.8', { 'x-forwarded-for': '203.0.113.7' })).toBe('1');
  expect(await counted('10.0.0.8', { forwarded: 'for=203.0.113.7' })).toBe('2');
  await trusting.close();
});

test.each([
  ['an IPv4 address with its port', (port: number) => `203.0.113.7:${port}`],
  ['an IPv6 address with its port', (port: number) => `[2001:db8::7]:${port}`],
  ['what is no address', (port: number) => `_hidden${port}`],
])('%s, as some proxies forward it, is one visitor whatever the connection', async (_, forward) => {
  const trusting = await createTestApi({ environment: { TRUST_PROXY: '10.0.0.9' } });
  await addOffice(trusting.test, { subdomain: 'adams' });
  const statuses: number[] = [];
  for (let attempt = 0; attempt <= 20; attempt += 1) {
    const answer = await trusting.app.inject({
      ...{ method: 'POST', url: '/api/voter/session', remoteAddress: '10.0.0.9' },
      headers: { host, 'x-forwarded-for': forward(50_000 + attempt) },
      payload: typed({ lastname: `${newLastname()}port` }),
    });
    statuses.push(answer.statusCode);
  }
  expect(statuses).toEqual([...Array(20).fill(401), 429]);
  await trusting.close();
});

test('visitors behind two listed proxies that forward ports are counted each by themselves', async () => {
  const trusting = await createTestApi({ environment: { TRUST_PROXY: '10.0.0.0/24' } });
  await addOffice(trusting.test, { subdomain: 'adams' });
  const enter = async (visitor: string) => {
    const answer = await trusting.app.inject({
      ...{ method: 'POST', url: '/api/voter/session', remoteAddress: '10.0.0.9' },
      headers: { host, 'x-forwarded-for': `${visitor}, 10.0.0.8:40112` },
      payload: typed({ lastname: `${newLastname()}port` }),
    });
    return answer.statusCode;
  };
  for (let n = 1; n <= 20; n += 1) expect(await enter('203.0.113.7:50001')).toBe(401);
  expect(await enter('203.0.113.7')).toBe(429);
  expect(await enter('203.0.113.8:50001')).toBe(401);
  await trusting.close();
});

test('a session shows neither the full birth date nor the precinct nor the roll’s phone', async () => {
  const browser = api.browser(host);
  await browser.post('/api/voter/session', typed({ lastname: 'Harvest7' }));
  for (const url of ['/api/voter/information', '/api/voter/information/me']) {
    const { body } = await browser.get(url);
    for (const secret of ['1970-02-03', 'P-77', '3525550142']) expect(body).not.toContain(secret);
    expect(body).toContain('"birthyear":1970');
  }
});

/** Every four hours; in the long run every hour, with ten guesses each: one for each of ten thousand addresses. */
const stepsOfDay = Math.min(24, runs(6));
const guessesOfStep = Math.min(10, runs(1));

describe('forty-five days of guessing one voter’s birth date', () => {
  test.each([
    ['one address', { addresses: 1, isHarassedAtHome: false, most: 100 }],
    ['ten thousand addresses', { addresses: 10_000, isHarassedAtHome: false, most: 100 }],
    // Three of the voter's own failures are taken back there each day, and so are three of the guesses.
    ['the voter’s own address', { addresses: 1, isHarassedAtHome: true, most: 100 + 3 * 45 }],
  ])(
    'from %s finds it in fewer than 1 of 100 cases, and the voter always has a way in',
    async (_what, { addresses, isHarassedAtHome, most }) => {
      const home = isHarassedAtHome ? '10.2.0.0' : '10.9.9.9';
      const [lastname, token] = [newLastname(), 'K7QM-3XPD'];
      const voterId = await addVoter(api.test, adams, { lastname, token });
      const ballot_guid = await printCode(api, adams, voterId);
      const request = (remoteAddress: string, at: string, url: string, payload: object) =>
        api.browser(at).request({ method: 'POST', url, remoteAddress, payload });
      const signIn = (more: object) =>
        request(home, host, '/api/voter/session', typed({ lastname, ...more }));
      const known = api.browser(host);
      const signInAgain = () =>
        known.request({
          method: 'POST',
          url: '/api/voter/session',
          remoteAddress: home,
          payload: typed({ lastname }),
        });
      await signInAgain();
      await known.get('/api/voter/information/me');
      const byLetter = { ballot_guid, date_of_birth: '02-03-1970' };
      const enter = (step: number) => {
        if (isHarassedAtHome || step % 2 === 0) return signInAgain();
        // A token costs a quarter of a second.
        return step % 31 === 0
          ? signIn({ token })
          : request(home, host, '/api/voter/ballot-login', byLetter);
      };

      // Eighty years of birthdays; the right one is never among those tried here.
      const possible = 80 * 365;
      let made = 0;
      let guesses = 0;
      const guess = async () => {
        const birthdate = `05-${1 + (made % 28)}-${1930 + (Math.floor(made / 28) % 80)}`;
        const at = made % addresses;
        // The bare host serves every office, and counts with them.
        const answer = await request(
          `10.2.${at >> 8}.${at & 255}`,
          made % 2 === 0 ? host : 'localhost',
          '/api/voter/session',
          typed({ lastname, birthdate }),
        );
        made += 1;
        if (answer.json<{ detail: string }>().detail === 'Invalid credentials') guesses += 1;
      };
      const later = addresses === 1 ? 1 : guessesOfStep;
      let byDetails = 0;
      for (let step = 0; step < 45 * stepsOfDay; step += 1) {
        // At first as many as one address may.
        for (let nth = 0; nth < (step < 8 ? 25 : later); nth += 1) await guess();
        if ((await signIn({})).statusCode === 201) byDetails += 1;
        else expect((await enter(step)).statusCode, `step ${step}`).toBe(201);
        api.clock.advance((24 / stepsOfDay) * 60 * 60_000);
      }
      // In a new browser; at home the attacker makes all of them wait.
      expect(byDetails > 0).toBe(!isHarassedAtHome);
      expect(guesses).toBeGreaterThanOrEqual(100);
      expect(guesses).toBeLessThanOrEqual(most);
      expect(guesses / possible).toBeLessThan(1 / 100);
    },
    timeFor(60_000),
  );
});
