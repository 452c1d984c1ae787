import { calls } from '@ballot-beacon/contract/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi, typed } from '../../../testing/api.ts';

const host = 'adams.localhost';
const me = '/api/voter/information/me';
let api: TestApi;

beforeAll(async () => {
  api = await createTestApi();
  await addVoter(api.test, await addOffice(api.test, { subdomain: 'adams' }));
});
afterAll(() => api.close());

async function signedIn() {
  const browser = api.browser(host);
  await browser.post('/api/voter/session', typed());
  return browser;
}

describe('cross-site requests', () => {
  const changing = Object.entries(calls).filter(([, call]) => call.method !== 'GET');

  test.each(changing)(
    '%s is refused to a page of another site, with cookie and all',
    async (_name, call) => {
      const browser = await signedIn();
      for (const headers of [
        { origin: 'https://evil.test' },
        { origin: 'null' },
        { origin: 'http://adams.localhost.evil.test' },
        { origin: 'http://lake.localhost' },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ]) {
        const answer = await browser.request({
          method: call.method,
          url: call.path,
          headers,
          payload: { email: 'a@example.org' },
        });
        expect(answer.statusCode, JSON.stringify(headers)).toBe(403);
      }
      expect((await browser.get(me)).statusCode).toBe(200);
    },
  );

  test('a form of another site cannot pass for a call', async () => {
    const browser = await signedIn();
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']) {
      const answer = await browser.request({
        method: 'POST',
        url: '/api/voter/session',
        headers: { 'content-type': type },
        payload: JSON.stringify(typed()),
      });
      expect(answer.statusCode, type).toBe(415);
    }
  });

  test('no answer lets another site read it', async () => {
    const browser = api.browser(host, { origin: 'https://evil.test' });
    for (const url of ['/api/voter/branding', me, '/api/voter/information']) {
      const answer = await browser.get(url);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin');
    }
  });
});

describe('smuggling in JSON', () => {
  const send = (payload: string, type = 'application/json') =>
    api.app.inject({
      method: 'POST',
      url: '/api/voter/session',
      headers: { host, 'content-type': type },
      payload,
    });

  test.each([
    ['a prototype', 400, '{"__proto__":{"isAdmin":true},"lastname":"x"}'],
    ['a constructor', 400, '{"constructor":{"prototype":{"x":1}}}'],
    ['half a document', 400, '{"lastname":"x"'],
    ['two documents', 400, '{"lastname":"x"}{"lastname":"y"}'],
    ['nothing', 400, ''],
    ['an array', 422, '[]'],
    ['a text', 422, '"x"'],
    ['null', 422, 'null'],
    ['a NUL', 400, JSON.stringify(typed({ lastname: 'Riv\0era' }))],
    ['lists for texts', 422, JSON.stringify(typed({ lastname: ['Rivera'] }))],
    ['objects for texts', 422, JSON.stringify(typed({ zipcode: { $ne: '' } }))],
    ['truth for texts', 422, JSON.stringify(typed({ birthdate: true }))],
    ['deep nesting', 400, `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
  ])('%s is refused, not interpreted', async (_what, status, payload) => {
    const answer = await send(payload);
    expect(answer.statusCode).toBe(status);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });

  test('of two members with one name the checked member is used', async () => {
    const body = JSON.stringify(typed()).replace('"Rivera"', '"Nobody","lastname":"Rivera"');
    const used = await send(body);
    const reversed = JSON.stringify(typed()).replace('"Rivera"', '"Rivera","lastname":"Nobody"');
    expect([used.statusCode, (await send(reversed)).statusCode]).toEqual([201, 401]);
  });

  test('SQL in a field is a name that nobody has', async () => {
    for (const lastname of ["Rivera' or '1'='1", "x'; drop table voters; --", '%', '_', '\\']) {
      const answer = await api.browser(host).post('/api/voter/session', typed({ lastname }));
      expect(answer.statusCode).toBe(401);
    }
  });
});

describe('smuggling in the address', () => {
  test.each([
    ['/api/voter/ballot-status-progress/me?language=english&language=spanish', 400],
    ['/api/voter/ballot-status-progress/me?language[]=english', 200],
    ['/api/voter/archive-ballot?page_size=-1&page_size=5', 400],
    ['/api/voter/archive-ballot?page_size=1e400', 400],
    ['/api/voter/archive-ballot?page_size=abc', 400],
    [`/api/voter/archive-ballot?language=${'x'.repeat(21)}`, 400],
    ['/api/voter/archive-ballot?language=a%00b', 400],
  ])('%s is refused, or means what it says', async (url, status) => {
    const answer = await (await signedIn()).get(url);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toMatch(/zod|node_modules|select /i);
  });

  test('a method in a header or a parameter changes nothing', async () => {
    const browser = await signedIn();
    await browser.request({
      url: '/api/voter/session?_method=DELETE',
      headers: { 'x-http-method-override': 'DELETE' },
    });
    expect((await browser.get(me)).statusCode).toBe(200);
  });

  test.each([
    ['/api/voter/session/', 404],
    ['/API/VOTER/SESSION', 404],
    ['/api//voter/session', 404],
    ['/api/voter/session%2f', 404],
    ['/api/voter/..%2fvoter/session', 404],
  ])('%s is not another way to a call', async (url, status) => {
    const answer = await api.browser(host).post(url, typed());
    expect(answer.statusCode).toBe(status);
  });
});

describe('errors', () => {
  test('say nothing of the inside', async () => {
    const answers = await Promise.all([
      api.browser(host).get('/api/voter/nothing'),
      api.browser(host).get('/api/voter/qr-validate/%F0%28%8C%28'),
      api.browser(host).post('/api/voter/session', { lastname: 1 }),
      api.browser(host).get('/api/voter/release-note?page=-1'),
    ]);
    for (const answer of answers) {
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(answer.body).not.toMatch(/\/work|node:|\.ts|select|postgres|fastify/i);
    }
  });

  test('when the database is away the answer is 503, says when to come back, and is found in the log by its number', async () => {
    const lost = await createTestApi();
    await addOffice(lost.test, { subdomain: 'adams' });
    // Nobody but the superuser may connect any more.
    await lost.query(`alter database ${lost.test.name} connection limit 0`);
    await lost.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [lost.test.name],
    );
    const answer = await lost.browser(host).get('/api/voter/branding');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    const { err_id: errId } = answer.json<{ err_id: string }>();
    expect(errId).toMatch(/^[\w-]{6,}$/);
    expect(lost.logLines.some((line) => line.includes(errId))).toBe(true);
    await lost.app.close();
    await lost.test.drop();
  });
});

test('a session cannot be fixed, guessed or reused: what is no living secret of this host opens nothing', async () => {
  const browser = await signedIn();
  const secret = browser.cookies.get('beacon_session') ?? '';
  const handle = (await browser.post('/api/voter/session', typed())).json<{ session_id: string }>();
  for (const value of [
    handle.session_id,
    `${secret}x`,
    secret.slice(1),
    '',
    'undefined',
    "' or 1=1",
  ]) {
    const other = api.browser(host);
    other.cookies.set('beacon_session', encodeURIComponent(value));
    expect((await other.get(me)).statusCode, value).toBe(403);
  }
});

test('over https the cookie is bound to its host by the browser, and the http one is not believed', async () => {
  const secure = await createTestApi({
    environment: { PUBLIC_URL: 'https://vote.example.gov', BASE_DOMAIN: 'vote.example.gov' },
  });
  await addVoter(secure.test, await addOffice(secure.test, { subdomain: 'adams' }));
  const browser = secure.browser('adams.vote.example.gov');
  const answer = await browser.post('/api/voter/session', typed());
  expect(String(answer.headers['set-cookie'])).toMatch(
    /^__Host-beacon_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
  const other = secure.browser('adams.vote.example.gov');
  other.cookies.set('beacon_session', browser.cookies.get('__Host-beacon_session') ?? '');
  expect((await other.get(me)).statusCode).toBe(403);
  await secure.close();
});
