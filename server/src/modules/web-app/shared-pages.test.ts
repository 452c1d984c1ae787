import { fileURLToPath } from 'node:url';
import { bootstrapElementId } from '@ballot-beacon/contract/bootstrap-element';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';
import { loadRenderer } from './render.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
let api: TestApi;
beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({ pageDirectory: dist });
  for (const subdomain of ['adams', 'lake']) await addOffice(api.test, { subdomain });
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
