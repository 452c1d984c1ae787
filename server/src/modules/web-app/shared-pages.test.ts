import { fileURLToPath } from 'node:url';
import { bootstrapElementId } from '@ballot-beacon/contract/bootstrap-element';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';
import { loadRenderer } from './render.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
let api: TestApi;
let adams: AccountId;
beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({ pageDirectory: dist });
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
}, 180_000);
afterAll(() => api.close());

async function countRenders(): Promise<number> {
  const { body } = await api.app.inject({ url: '/metrics' });
  return Number(/^beacon_page_renders_total (\d+)$/m.exec(body)?.[1]);
}

const get = (host: string, url: string) =>
  api.app.inject({ url, headers: { host: `${host}.localhost` } });
const random = () => Math.random().toString(36).slice(2);

test('a thousand addresses that somebody makes up cause a handful of renders', async () => {
  const paths = ['', '/login', '/privacy', '/faq', '/qr-login', '/dashboard'];
  const before = await countRenders();
  const statuses = new Set<number>();
  for (let batch = 0; batch < 10; batch += 1) {
    const answers = Array.from({ length: 100 }, (_, at) => {
      const known = paths[at % paths.length];
      const path = at % 2 === 0 ? known : `/${random()}/${random()}`;
      const guid = at % 3 === 0 ? `&guid=${random()}` : '';
      return get(at % 5 === 0 ? 'lake' : 'adams', `/voter${path}?${random()}=${random()}${guid}`);
    });
    for (const { statusCode } of await Promise.all(answers)) statuses.add(statusCode);
  }
  expect([...statuses].sort()).toEqual([200, 302, 404]);
  // Each office has its page for each of the paths, with and without a ballot, and one for all paths that lead nowhere.
  expect((await countRenders()) - before).toBeLessThanOrEqual(2 * (paths.length + 2));
});

test('many who ask for a page at the same moment cause one render', async () => {
  const before = await countRenders();
  await Promise.all(Array.from({ length: 50 }, () => get('adams', '/voter/accessibility')));
  expect((await countRenders()) - before).toBe(1);
});

// A browser goes on from the server's page by its own address: both must make the same of it.
test.each([
  '/voter?code=abc',
  '/voter/?utm_source=mail',
  '/voter/login?firstname=Ann',
  '/voter/made-up/%3Cb%3E?x=1',
  '/voter/qr-login?guid=0b6a4c3e-7b0f-4f4e-9d55-1f1f7f6b7a10&x=1',
  '/voter/unsubscribe?x=1',
  '/voter/faq/?x=1',
])('%s has the page that it would have had alone', async (url) => {
  const { body, statusCode } = await get('adams', url);
  const element = new RegExp(`id="${bootstrapElementId}">(.*?)</script>`, 's');
  const { bootstrap } = JSON.parse(element.exec(body)?.[1] ?? 'null');
  const alone = await (await loadRenderer(dist))({ bootstrap, url });
  expect({ body, statusCode }).toEqual({ body: alone.html, statusCode: alone.status });
});

test('what a link brings for one visitor is shown to no other', async () => {
  const link = (email: string) => `/voter/unsubscribe?key=k&email=${encodeURIComponent(email)}`;
  expect((await get('adams', link('ann@example.test'))).body).toContain('ann@example.test');
  expect((await get('adams', link('bob@example.test'))).body).not.toContain('ann@example.test');
  expect((await get('adams', '/voter/unsubscribe')).body).not.toContain('@example.test');
  const { headers } = await get('adams', '/voter/confirm-email?code=one');
  expect(headers.location).toBe('/voter?code=one');
  expect((await get('adams', '/voter/confirm-email?code=two')).headers.location).toBe(
    '/voter?code=two',
  );
});

describe('a page that is rendered for one visitor', () => {
  // Each test has a minute of its own.
  beforeEach(() => api.clock.advance(60_000));
  const unsubscribe = (remoteAddress: string) =>
    api.app.inject({
      url: `/voter/unsubscribe?key=${random()}&email=ann@example.test`,
      remoteAddress,
      headers: { host: 'adams.localhost' },
    });
  const post = (remoteAddress: string) =>
    api.app.inject({
      method: 'POST',
      url: '/voter/login',
      remoteAddress,
      payload: `firstname=${random()}`,
      headers: { host: 'adams.localhost', 'content-type': 'application/x-www-form-urlencoded' },
    });
  const count = async (ask: (at: number) => Promise<{ statusCode: number }>, times: number) => {
    const before = await countRenders();
    const statuses = new Set<number>();
    for (let at = 0; at < times; at += 100) {
      const batch = Array.from({ length: Math.min(100, times - at) }, (_, index) =>
        ask(at + index),
      );
      for (const { statusCode } of await Promise.all(batch)) statuses.add(statusCode);
    }
    return { renders: (await countRenders()) - before, statuses: [...statuses].sort() };
  };

  test('is rendered sixty times a minute for one network, then the visitor must wait; others need not', async () => {
    const [one, other] = ['10.7.0.1', '10.7.0.2'];
    const half = (at: number) => (at % 2 === 0 ? unsubscribe(one) : post(one));
    expect(await count(half, 200)).toEqual({ renders: 60, statuses: [200, 429] });
    const { headers, body } = await unsubscribe(one);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(body).toContain('in a minute');
    expect(await count(() => unsubscribe(other), 2)).toEqual({ renders: 2, statuses: [200] });
    expect(
      await count(
        () =>
          api.app.inject({
            url: '/voter/login',
            remoteAddress: one,
            headers: { host: 'adams.localhost' },
          }),
        2,
      ),
    ).toMatchObject({ statuses: [200] });
    api.clock.advance(60_000);
    expect(await count(() => post(one), 1)).toEqual({ renders: 1, statuses: [200] });
  });

  test('is rendered twelve hundred times a minute for all networks together', async () => {
    const { renders, statuses } = await count((at) => unsubscribe(`10.8.${at % 150}.1`), 1_300);
    expect(renders).toBe(1_200);
    expect(statuses).toEqual([200, 503]);
  });

  test('is rendered two hundred and forty times a minute for many networks of one provider', async () => {
    const wide = await count((at) => post(`2001:db8:1:${at.toString(16)}::1`), 400);
    expect(wide).toEqual({ renders: 240, statuses: [200, 429] });
  });

  test('is rendered a hundred and twenty times a minute for one session', async () => {
    await addVoter(api.test, adams, { lastname: 'Renderson' });
    const browser = api.browser('adams.localhost');
    expect(
      (await browser.post('/api/voter/session', typed({ lastname: 'Renderson' }))).statusCode,
    ).toBe(201);
    expect(await count(() => browser.get('/voter/dashboard'), 300)).toEqual({
      renders: 120,
      statuses: [200, 429],
    });
  });
});
