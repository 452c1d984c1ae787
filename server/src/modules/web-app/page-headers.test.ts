import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';
import { changeFlag, defineState } from '../flags/index.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
let api: TestApi;
let adams: AccountId;
beforeAll(async () => {
  await ensurePageIsBuilt();
  const environment = { LANGUAGE_COOKIE_DOMAIN: 'lake.localhost' };
  api = await createTestApi({ pageDirectory: dist, environment });
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake', languages: ['english', 'vietnamese'] });
  await addVoter(api.test, adams);
}, 180_000);
afterAll(() => api.close());

const get = (url: string, headers: Record<string, string> = {}, host = 'adams.localhost') =>
  api.app.inject({ url, headers: { host, ...headers } });

test('a page says on what it depends, and stays in no shared cache', async () => {
  const stranger = await get('/voter/faq');
  expect(stranger.headers).toMatchObject({
    vary: 'cookie, accept-encoding, accept-language',
    'cache-control': 'private, no-cache',
    'beacon-session': 'none',
  });
  const browser = api.browser('adams.localhost');
  await browser.post('/api/voter/session', typed());
  for (const url of ['/voter/faq', '/voter/dashboard'])
    expect((await browser.get(url)).headers).toMatchObject({
      vary: 'cookie, accept-encoding, accept-language',
      'cache-control': 'no-store',
      'beacon-session': 'open',
    });
  const manifest = await get('/voter/manifest.webmanifest');
  expect(manifest.headers['cache-control']).toBe('private, max-age=3600');
});

test('a page has at its first paint what a rule turns on for the voters of one county, and nobody else', async () => {
  const targeting = { if: [{ '==': [{ var: 'county' }, 'Test'] }, 'on', 'off'] };
  const of = { accountId: adams, actor: 'operator:Dana' } as const;
  await api.test.database.transaction((tx) =>
    changeFlag(tx, of, 'tabbedBallots', { ...defineState('off'), targeting }),
  );
  const isOn = (body: string) => /"tabbedBallots":(true|false)/.exec(body)?.[1];
  const browser = api.browser('adams.localhost');
  expect(isOn((await browser.get('/voter/faq')).body)).toBe('false');
  await browser.post('/api/voter/session', typed());
  expect(isOn((await browser.get('/voter/dashboard')).body)).toBe('true');
});

test('a page that leads elsewhere is counted as none', async () => {
  const isCounted = async () => {
    await api.keepHouse();
    return (await api.query("select from page_views where name = 'page:not-found'")).length > 0;
  };
  expect((await get('/voter/dashboard')).statusCode).toBe(302);
  expect(await isCounted()).toBe(false);
  expect((await get('/voter/dashbord')).statusCode).toBe(404);
  expect(await isCounted()).toBe(true);
});

test('a language is remembered where the office offers it, and a page with what somebody typed is kept nowhere', async () => {
  const remembered = async (language: string) =>
    (await get(`/voter?language=${language}`)).cookies.map(({ name, value }) => `${name}=${value}`);
  expect(await remembered('Spanish')).toEqual(['language=spanish']);
  for (const other of ['vietnamese', 'klingon']) expect(await remembered(other)).toEqual([]);
  const typedIn = await api.app.inject({
    ...{ method: 'POST', url: '/voter', payload: 'lastname=Rivera' },
    headers: { host: 'adams.localhost', 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(typedIn.body).toContain('Rivera');
  expect(typedIn.headers['cache-control']).toBe('no-store');
});

test('the address of an office leads to its page with what a link to it asks for', async () => {
  const to = async (url: string) => (await get(url)).headers.location;
  expect(await to('/')).toBe('/voter');
  expect(await to('/?language=spanish')).toBe('/voter?language=spanish');
});

test('the page asks each visitor in the browser’s own language, also where another was asked just before', async () => {
  const ask = async (language: string, host?: string, cookie = '') =>
    (await get('/voter/privacy', { 'accept-language': language, cookie }, host)).body;
  const question = '¿Español?';
  expect(await ask('en')).not.toContain(question);
  expect(await ask('es')).toContain(question);
  expect(await ask('en')).not.toContain(question);
  // An office that does not offer it does not ask.
  expect(await ask('es', 'lake.localhost')).not.toContain(question);
  expect(await ask('vi', 'lake.localhost')).toContain('Tiếng Việt?');
  expect(await ask('vi')).not.toContain('Tiếng Việt?');
  // A visitor who has chosen is not asked again.
  expect(await ask('es', undefined, 'language=english')).not.toContain(question);
  expect(await ask('es', undefined, 'language=vietnamese')).toContain(question);
});

test.each([100, 101])(
  'of a form that was sent before the script, %i letters come back, at most 100',
  async (length) => {
    const { body } = await api.app.inject({
      ...{ method: 'POST', url: '/voter/login', payload: `firstname=${'x'.repeat(length)}` },
      headers: { host: 'adams.localhost', 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(body).toContain('x'.repeat(100));
    expect(body).not.toContain('x'.repeat(101));
  },
);

test('what the office changes on its pages is there with the next request, and only there', async () => {
  const show = async (host: string) => (await get('/voter/accessibility', {}, host)).body;
  const before = await show('lake.localhost');
  await show('adams.localhost');
  await addOffice(api.test, { subdomain: 'adams', name: 'Adams Board of Elections' });
  expect(await show('adams.localhost')).toContain('Adams Board of Elections');
  expect(await show('lake.localhost')).toBe(before);
});

test('a language chosen for all hosts of a domain replaces one chosen for this host before', async () => {
  const { cookies } = await get('/voter?language=vietnamese', {}, 'lake.localhost');
  expect(cookies).toMatchObject([
    { name: 'language', value: '', expires: new Date(0) },
    { name: 'language', value: 'vietnamese', domain: 'lake.localhost' },
  ]);
  expect(cookies[0]).not.toHaveProperty('domain');
});
