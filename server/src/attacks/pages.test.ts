import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../testing/api.ts';
import { saveOverride } from '../modules/texts/index.ts';
import { ensurePageIsBuilt } from '../platform/page-build.ts';

const host = 'adams.localhost';
let api: TestApi;

beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({
    pageDirectory: fileURLToPath(new URL('../../../web/dist', import.meta.url)),
  });
  const adams = await addOffice(api.test, { subdomain: 'adams' });
  for (const [firstname, status] of [
    ['Ann', 'accepted'],
    ['Bob', 'rejected'],
  ] as const) {
    const voterId = await addVoter(api.test, adams, {
      firstname,
      registration_id: `ID-${firstname}`,
    });
    await addBallot(api.test, adams, voterId, { events: [{ status, on: '2026-11-02' }] });
  }
}, 180_000);
afterAll(() => api.close());

describe('path tricks under /voter', () => {
  test.each([
    ['/voter/../package.json', 404],
    ['/voter/..%2fpackage.json', 404],
    ['/voter/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/voter/assets/../../server/entry-server.js', 404],
    ['/voter/assets/..%2f..%2f..%2fserver%2fentry-server.js', 404],
    ['/voter/..\\..\\package.json', 404],
    ['/voter/..%5c..%5cpackage.json', 404],
    ['/voter/.vite/manifest.json', 404],
    ['/voter/%00', 404],
    ['/voter/assets/', 404],
    ['/voter/assets/entry-browser.js.br', 404],
    ['/voter/%c0%ae%c0%ae/etc/passwd', 400],
    ['/voter/__proto__', 404],
    ['/voter/constructor', 404],
  ])('%s leads to no file', async (url, status) => {
    const answer = await api.browser(host).get(url);
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toMatch(/"workspaces"|root:x:|renderToPipeableStream|createRoot/);
  });

  test('a strange path comes back as text, never as markup', async () => {
    const answer = await api
      .browser(host)
      .get('/voter/%3Cscript%3Ealert(1)%3C/script%3E?x=%3C/script%3E%3Cscript%3Ealert(2)');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('<script>alert');
  });

  test('an asset is served as what it is, for ever, and to its own site alone', async () => {
    const page = (await api.browser(host).get('/voter')).body;
    const script = /src="(\/voter\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
    const answer = await api.browser(host, { 'accept-encoding': 'br' }).get(script);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
  });
});

describe('open redirects', () => {
  test.each([
    ['/', 302, '/voter'],
    ['//evil.test', 404, undefined],
    ['/voter?next=https://evil.test', 200, undefined],
    ['/voter//evil.test', 404, undefined],
    ['/voter/%2f%2fevil.test', 404, undefined],
    ['/voter/dashboard?redirect=//evil.test', 302, '/voter'],
    ['/voter/qr-login?return=https://evil.test', 302, '/voter'],
    ['/voter/confirmCheck?code=https://evil.test', 302, '/voter'],
    ['/favicon.ico', 302, '/voter/favicon.svg'],
  ])('%s leads nowhere but to our own pages', async (url, status, expected) => {
    const answer = await api.browser(host, { 'x-forwarded-host': 'evil.test' }).get(url);
    expect([answer.statusCode, answer.headers.location]).toEqual([status, expected]);
  });
});

describe('the page', () => {
  test('runs nothing inline, and its style sheet is known by its hash', async () => {
    const answer = await api.browser(host).get('/voter');
    expect(String(answer.headers['content-security-policy'])).not.toMatch(/unsafe/);
    expect(answer.body).not.toMatch(/<script(?![^>]*(?:src=|type="application\/json"))[^>]*>/);
    expect(answer.body).not.toMatch(/\son\w+="/);
    expect(answer.body).not.toMatch(/\sstyle="/);
  });

  test('of one voter is never shown to another on the same browser', async () => {
    const browser = api.browser(host);
    const stranger = (await browser.get('/voter')).headers;
    expect(stranger['cache-control']).toBe('private, no-cache');

    await browser.post('/api/voter/session', typed());
    const ann = await browser.get('/voter/dashboard');
    expect(ann.body).toContain('ID-Ann');
    expect(ann.headers['cache-control']).toBe('no-store');
    const tag = String((await browser.get('/api/voter/branding')).headers.etag);
    await browser.delete('/api/voter/session');

    const between = await browser.get('/voter/dashboard');
    expect(between.body).not.toMatch(/ID-Ann|Rivera/);
    expect((await browser.get('/voter')).body).not.toMatch(/ID-Ann|Rivera/);
    const asked = await browser.request({
      url: '/api/voter/branding',
      headers: { 'if-none-match': tag },
    });
    expect(asked.statusCode).toBe(200);

    await browser.post('/api/voter/session', typed({ firstname: 'Bob' }));
    const bob = await browser.get('/voter/dashboard');
    expect(bob.body).toContain('ID-Bob');
    expect(bob.body).not.toContain('ID-Ann');
    for (const url of [
      '/api/voter/information',
      '/api/voter/ballot-status-progress/me',
      '/api/voter/archive-ballot',
      '/api/voter/information/me',
      '/api/voter/delivery-type',
    ]) {
      expect((await browser.get(url)).headers['cache-control'], url).toBe('no-store');
    }
  });

  test('keeps an office’s words from ending the attribute, element or script they stand in', async () => {
    const words = 'Ours"><b>x</b></title></script><!-- & on';
    const bay = await addOffice(api.test, { subdomain: 'bay', name: words });
    for (const key of ['title.login', 'login.hero.text', 'app.noScript.title', 'app.noScript.text'])
      await saveOverride(api.test.database.system, bay, {
        ...{ language: 'english', section: 'main', key, value: words },
      });
    const { body } = await api.browser('bay.localhost').get('/voter');
    const json =
      /<script type="application\/json" id="bootstrap">([\s\S]*?)<\/script>/.exec(body)?.[1] ?? '';
    expect(json).not.toMatch(/<\/|<!--/);
    expect(JSON.parse(json)).toMatchObject({
      bootstrap: {
        branding: { name: words },
        language_file: { texts: { 'login.hero.text': words } },
      },
    });
    const page = body.replace(json, '');
    expect(page).not.toMatch(/"><b>|<b>x/);
    expect(page).toMatch(/<title>Ours&quot;&gt;&lt;b&gt;/);
    expect(page).toMatch(
      /<meta name="description" content="Ours&quot;&gt;&lt;b&gt;[^"]+&amp; on">/,
    );
    expect(page.split('&lt;b&gt;x').length).toBeGreaterThan(4);
  });

  test('sent as a form before its script was there signs nobody in and loses nothing', async () => {
    const browser = api.browser(host);
    const answer = await browser.request({
      method: 'POST',
      url: '/voter/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        firstname: 'Ann"><b>',
        lastname: 'Rivera',
        zipcode: '34811',
        birthdate: '02-03-1970',
      }).toString(),
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.body).toContain('Rivera');
    expect(answer.body).not.toContain('"><b>');
    expect((await browser.get('/voter')).body).not.toContain('Rivera');
  });

  test('is in the language asked for, and remembers it', async () => {
    const browser = api.browser(host);
    const answer = await browser.get('/voter?language=SPANISH');
    expect(answer.body).toContain('<html lang="es-US" dir="ltr">');
    expect(browser.cookies.get('language')).toBe('spanish');
    expect((await browser.get('/voter')).body).toContain('<html lang="es-US"');
    expect((await browser.get('/voter?language=klingon')).body).toContain('<html lang="es-US"');
  });
});
