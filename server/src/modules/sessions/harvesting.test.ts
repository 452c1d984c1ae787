import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
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
    for (let n = 0; n < 30; n += 1) {
      expect((await signIn('Harvest1', '10.0.0.1')).statusCode).toBe(201);
    }
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

  test('those who failed do not count as voters of the network', async () => {
    for (let n = 1; n <= 19; n += 1) await signIn(`Nobody${n}`, '10.0.0.3');
    const [row] = await api.query<{ count: number }>(
      'select count(*)::integer from network_voters',
    );
    const before = row?.count ?? 0;
    await signIn('Nobody99', '10.0.0.4');
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

test('a session shows neither the full birth date nor the precinct nor the roll’s phone', async () => {
  const browser = api.browser(host);
  await browser.post('/api/voter/session', typed({ lastname: 'Harvest7' }));
  for (const url of ['/api/voter/information', '/api/voter/information/me']) {
    const { body } = await browser.get(url);
    for (const secret of ['1970-02-03', 'P-77', '3525550142']) expect(body).not.toContain(secret);
    expect(body).toContain('"birthyear":1970');
  }
});

/** Every four hours; in the long run every hour. */
const stepsOfDay = Math.min(24, runs(6));

describe('forty-five days of guessing one voter’s birth date', () => {
  test.each([
    ['one address', 1],
    ['ten thousand addresses', 10_000],
  ])(
    'from %s finds it in fewer than 1 of 100 cases, and the voter always has a way in',
    async (_what, addresses) => {
      const lastname = `Besieged${addresses}`;
      await addVoter(api.test, adams, { lastname });
      const home = api.browser(host);
      await home.post('/api/voter/session', typed({ lastname }));
      await home.delete('/api/voter/session');
      // Eighty years of birthdays; the right one is never among those tried here.
      const possible = 80 * 365;
      let guesses = 0;
      for (let nth = 0; nth < 45 * stepsOfDay; nth += 1) {
        const answer = await api.app.inject({
          method: 'POST',
          url: '/api/voter/session',
          headers: { host },
          remoteAddress:
            addresses === 1 ? '10.1.0.1' : `10.2.${Math.floor(nth / 250)}.${nth % 250}`,
          payload: typed({
            lastname,
            birthdate: `05-${1 + (nth % 28)}-${1930 + Math.floor(nth / 28)}`,
          }),
        });
        if (answer.json<{ detail: string }>().detail === 'Invalid credentials') guesses += 1;
        const again = await home.post('/api/voter/session', typed({ lastname }));
        expect(again.statusCode, `try ${nth}`).toBe(201);
        await home.delete('/api/voter/session');
        api.clock.advance((24 / stepsOfDay) * 60 * 60_000);
      }
      expect(guesses).toBe(100);
      expect(guesses / possible).toBeLessThan(1 / 100);
    },
    timeFor(60_000),
  );
});
