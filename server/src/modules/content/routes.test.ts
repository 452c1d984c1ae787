import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ReleaseNoteAnswer } from '@ballot-beacon/contract/content';
import type { LanguageFile } from '@ballot-beacon/contract/language-file';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';
import { saveOverride } from '../texts/index.ts';
import { addReleaseNote, saveOfficePage } from './index.ts';

const host = 'adams.localhost';
const evil = [
  '<p onclick="alert(1)">Call <b>us</b><script>alert(1)</script></p>',
  '<a href="javascript:alert(1)">x</a><a href="https://county.example">site</a>',
  '<img src=x onerror=alert(1)><iframe src="https://evil.test"></iframe><svg onload=alert(1)>',
  '<style>*{display:none}</style><p style="position:fixed">y</p><form action="https://evil.test"><input></form>',
].join('');
const forbidden = /script|onclick|onerror|onload|<img|<iframe|<svg|<style|style=|<form|<input/i;
let api: TestApi;
let adams: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  await addVoter(api.test, adams);
});
afterAll(() => api.close());

const system = () => api.test.database.system;
const read = (url: string, headers: Record<string, string> = {}, at = host) =>
  api.browser(at, headers).get(url);

describe('what an office writes as HTML', () => {
  test('reaches voters without anything that runs, loads, styles or sends', async () => {
    await saveOfficePage(system(), adams, { page: 'faq', language: 'english', html: evil });
    await saveOfficePage(system(), adams, {
      page: 'county-information',
      language: 'english',
      html: evil,
    });
    await addReleaseNote(system(), adams, { html: evil, publishedAt: new Date() });
    await saveOverride(system(), adams, {
      language: 'spanish',
      section: 'main',
      key: 'profile.countyInfo.html',
      value: evil,
    });
    for (const url of [
      '/api/voter/faq?language=english',
      '/api/voter/release-note',
      '/api/voter/language-file?section=main&language=en_US',
      '/api/voter/language-file?section=main&language=es_US',
    ]) {
      const { body } = await read(url);
      expect(body, url).toContain('<b>us</b>');
      expect(body, url).toContain('https://county.example');
      const html = body.slice(
        body.indexOf('Call <b>us</b>') - 10,
        body.indexOf('Call <b>us</b>') + 700,
      );
      expect(html, url).not.toMatch(forbidden);
    }
  });

  test('falls back to the office’s English text, which says that it is English, and other offices do not have it', async () => {
    const english = (await read('/api/voter/faq?language=english')).json<{ content: string }>();
    const spanish = (await read('/api/voter/faq?language=spanish')).json<{ content: string }>();
    expect(spanish.content).toBe(`<section lang="en" dir="ltr">${english.content}</section>`);
    const other = await read('/api/voter/faq?language=english', {}, 'lake.localhost');
    expect(other.json<{ content: string }>().content).not.toContain('county.example');
  });
});

describe('release notes', () => {
  test('come newest first, page by page, with links to the pages', async () => {
    const lake = await addOffice(api.test, { subdomain: 'notes' });
    for (let day = 1; day <= 7; day += 1) {
      // Of two of one moment the later added is the newer.
      const publishedAt = new Date(`2026-10-0${Math.min(day, 6)}T12:00:00Z`);
      await addReleaseNote(system(), lake, { html: `<p>Note ${day}</p>`, publishedAt });
    }
    const page = async (query: string) =>
      (
        await read(`/api/voter/release-note${query}`, {}, 'notes.localhost')
      ).json<ReleaseNoteAnswer>();
    const first = await page('?page_size=3');
    expect(first._embedded.release_note.map((note) => note.release_note)).toEqual([
      '<p>Note 7</p>',
      '<p>Note 6</p>',
      '<p>Note 5</p>',
    ]);
    expect(first).toMatchObject({ page: 1, page_count: 3, page_size: 3, total_items: 7 });
    expect(Object.keys(first._links).sort()).toEqual(['first', 'last', 'next']);
    const last = await page('?page=3&page_size=3');
    expect(last._embedded.release_note).toHaveLength(1);
    expect(last._links).toEqual({
      first: { href: '/api/voter/release-note?page=1&page_size=3' },
      last: { href: '/api/voter/release-note?page=3&page_size=3' },
      prev: { href: '/api/voter/release-note?page=2&page_size=3' },
    });
    expect(await page('')).toMatchObject({ page_count: 1, page_size: 10 });
    expect(await page('?page_size=100')).toMatchObject({ page_count: 1, page_size: 100 });
    const beyond = await page('?page=9&page_size=3');
    expect(beyond._embedded.release_note).toEqual([]);
    expect(beyond._links.prev).toEqual(first._links.last);
    expect(beyond._links.next).toBeUndefined();
    const none = await read('/api/voter/release-note', {}, 'lake.localhost');
    expect(none.json()).toMatchObject({
      ...{ total_items: 0, page_count: 1, _embedded: { release_note: [] } },
    });
  });

  test.each(['?page=0', '?page=x', '?page_size=101', '?page=1&page=2', '?page=1e9'])(
    'refuse %s',
    async (query) => {
      expect((await read(`/api/voter/release-note${query}`)).statusCode).toBe(400);
    },
  );
});

describe('texts', () => {
  const url = '/api/voter/language-file?section=main&language=es_US';

  test('are in the language, with the office’s own texts instead of the product’s', async () => {
    const before = (await read(url)).json<LanguageFile>();
    expect(before).toMatchObject({
      language: 'spanish',
      locale: 'es_US',
      is_voter_authenticated: false,
      is_reviewed: false,
    });
    await saveOverride(system(), adams, {
      language: 'spanish',
      section: 'main',
      key: 'noBallot.title',
      value: 'Nada por ahora',
    });
    const after = (await read(url)).json<LanguageFile>();
    expect(after.texts).toEqual({ ...before.texts, 'noBallot.title': 'Nada por ahora' });
    expect((await read('/api/voter/no-ballot-status/spanish')).json()).toMatchObject({
      title: 'Nada por ahora',
    });
    expect((await read(url, {}, 'lake.localhost')).json<LanguageFile>().texts).not.toMatchObject({
      'noBallot.title': 'Nada por ahora',
    });
  });

  test('come compressed where the browser takes that, each office’s and each language’s own', async () => {
    await saveOverride(system(), adams, {
      language: 'english',
      section: 'main',
      key: 'noBallot.title',
      value: 'Nothing yet',
    });
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
    for (const host of [undefined, 'lake.localhost'])
      for (const locale of ['en_US', 'es_US']) {
        const address = `/api/voter/language-file?section=main&language=${locale}`;
        const plain = await read(address, {}, host);
        expect(plain.headers['content-encoding']).toBeUndefined();
        for (const encoding of ['br', 'gzip'] as const) {
          const packed = await read(address, { 'accept-encoding': encoding }, host);
          expect(packed.headers).toMatchObject({
            'content-encoding': encoding,
            vary: 'Cookie, Accept-Encoding',
          });
          expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3);
          expect(unpack[encoding](packed.rawPayload).toString()).toBe(plain.body);
        }
      }
  });

  test('have the office’s notice in the visitor’s language, or else in English and marked as such', async () => {
    const notice = async () => (await read(url)).json<LanguageFile>().texts['alert.office.html'];
    const set = (language: 'english' | 'spanish', value: string) =>
      saveOverride(system(), adams, { language, section: 'main', key: 'alert.office.html', value });
    expect(await notice()).toBe('');
    await set('english', `<p>Closed today.</p>${evil}`);
    expect(await notice()).toContain('<section lang="en" dir="ltr"><p>Closed today.</p>');
    expect(await notice()).not.toMatch(forbidden);
    await set('spanish', '<p>Cerrado hoy.</p>');
    expect(await notice()).toBe('<p>Cerrado hoy.</p>');
  });

  test('that an office takes back are the product’s again at once', async () => {
    const set = (value: string | null) =>
      saveOverride(system(), adams, {
        ...{ language: 'spanish', section: 'main', key: 'noBallot.description', value },
      });
    const text = async () => (await read(url)).json<LanguageFile>().texts['noBallot.description'];
    await set(null);
    const shipped = await text();
    await set('Nada');
    expect(await text()).toBe('Nada');
    await set(null);
    expect(await text()).toBe(shipped);
  });

  test.each([
    ['/api/voter/branding', 'Cookie'],
    [url, 'Cookie, Accept-Encoding'],
    ['/api/voter/faq', 'Cookie'],
  ])('%s is not sent again while the browser’s copy is good', async (address, vary) => {
    const first = await read(address);
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^"[\w-]+"$/);
    const again = await read(address, { 'if-none-match': etag });
    expect(again.statusCode).toBe(304);
    // A browser keeps it by itself alone, and apart for those who are signed in.
    for (const { headers } of [first, again])
      expect(headers).toMatchObject({ vary, 'cache-control': 'private, no-cache' });
    expect(again.body).toBe('');
    for (const tags of [`W/${etag}`, `"other", ${etag}`, `"other",W/${etag}`])
      expect((await read(address, { 'if-none-match': tags })).statusCode).toBe(304);
    for (const tags of ['"other"', etag.slice(1, -1), `x${etag}`])
      expect((await read(address, { 'if-none-match': tags })).statusCode).toBe(200);
    await saveOverride(system(), adams, {
      language: 'spanish',
      section: 'main',
      key: 'app.loading',
      value: String(Math.random()),
    });
    await saveOfficePage(system(), adams, {
      page: 'faq',
      language: 'english',
      html: `<p>${Math.random()}</p>`,
    });
    expect((await read(address, { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('signing in changes the answer of branding and texts', async () => {
    const browser = api.browser(host);
    const addresses = [url, '/api/voter/branding'];
    const readAll = () => Promise.all(addresses.map((address) => browser.get(address)));
    const before = await readAll();
    await browser.post('/api/voter/session', typed());
    const after = await readAll();
    for (const [place, answer] of after.entries()) {
      expect(answer.headers.etag).not.toBe(before[place]?.headers.etag);
      expect(answer.body).toContain('"is_voter_authenticated":true');
    }
  });

  test.each(['xx_XX', 'english', 'th_TH', '../../etc'])(
    '%s is no language of the office',
    async (locale) => {
      const answer = await read(
        `/api/voter/language-file?section=main&language=${encodeURIComponent(locale)}`,
      );
      expect(answer.statusCode).toBe(404);
    },
  );
});
