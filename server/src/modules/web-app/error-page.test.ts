import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { ensurePageIsBuilt } from '../../platform/page-build.ts';

const dist = fileURLToPath(new URL('../../../../web/dist', import.meta.url));
let api: TestApi;
beforeAll(async () => {
  await ensurePageIsBuilt();
  api = await createTestApi({ pageDirectory: dist, environment: { BASE_DOMAIN: 'beacon.test' } });
  await addOffice(api.test, { subdomain: 'adams' });
}, 180_000);
afterAll(() => api.close());

const read = (host: string, url: string) =>
  api.app.inject({ url, headers: { host, accept: 'text/html' } });

test('the plain page of a mistyped address says how to know an official site', async () => {
  const { statusCode, body } = await read('adams.beacon.test', '/voters');
  expect(statusCode).toBe(404);
  expect(body).toContain('<h1>Page Not Found</h1>');
  expect(body).toContain('Official ballot tracker of your election office. How to know');
  expect(body).toContain('We never ask for money');
});

test('the plain page of a host that is not served does not call itself official', async () => {
  const { statusCode, body } = await read('elsewhere.example', '/voter');
  expect(statusCode).toBe(421);
  expect(body).toContain('<h1>');
  expect(body).not.toContain('Official');
});
