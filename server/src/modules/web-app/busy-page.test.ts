import { fileURLToPath } from 'node:url';
import { languageNames, languages } from '@ballot-beacon/contract/languages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
let api: TestApi;
beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({
    pageDirectory: dist,
    environment: { BASE_DOMAIN: 'beacon.test', SUPPORT_EMAIL: 'help@county.example' },
    // Nobody's turn ever comes.
    limits: { requestsAtOnce: 0, strangerWaitMs: 1 },
  });
  await addOffice(api.test, { subdomain: 'adams' });
}, 180_000);
afterAll(() => api.close());

const read = (url: string, headers: Record<string, string> = {}) =>
  api.app.inject({ url, headers: { host: 'adams.beacon.test', ...headers } });

test('a site that is too busy says so in the voter’s language, on a small page that loads nothing more, and when to come back', async () => {
  const wishes = [
    { url: '/voter?language=Spanish', headers: { cookie: 'language=german' }, language: 'spanish' },
    { url: '/voter/dashboard', headers: { cookie: 'a=b; language=arabic' }, language: 'arabic' },
    { url: '/voter', headers: { 'accept-language': 'vi,en;q=0.5' }, language: 'vietnamese' },
    { url: '/voter?language=klingon', headers: {}, language: 'english' },
  ] as const;
  for (const { url, headers, language } of wishes) {
    const answer = await read(url, headers);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    const { tag, dir } = languages[language];
    expect(answer.body).toContain(`<html lang="${tag}" dir="${dir}">`);
    expect(answer.body).toContain('help@county.example');
    expect(answer.body).not.toMatch(/<(script|link|style|img)/);
    expect(Buffer.byteLength(answer.body)).toBeLessThan(1_500);
  }
});

test('every language has its own words for it', async () => {
  const bodies = await Promise.all(
    languageNames.map(async (language) => (await read(`/voter?language=${language}`)).body),
  );
  const texts = bodies.map((body) => /<p>(.*?)<\/p>/.exec(body)?.[1]);
  expect(new Set(texts).size).toBe(languageNames.length);
});

test('a call that is refused keeps its JSON, and the page’s own files are served', async () => {
  const call = await read('/api/branding');
  expect([call.statusCode, call.json()]).toMatchObject([503, { status: 503 }]);
  const missing = await read('/voter/assets/nothing.js');
  expect(missing.statusCode).toBe(404);
});
