import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { createHttpServer, subdomainOf } from './http.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';

const lines: string[] = [];
const config = readConfig({ CAPTCHA: 'off' });
const app = await createHttpServer({
  config,
  log: createLog('debug', { write: (line: string) => void lines.push(line) }),
  metrics: createMetrics(),
});

beforeAll(async () => {
  app.post('/api/echo', async (request) => request.body);
  app.post('/api/callback', { config: { crossSite: true } }, async () => ({ taken: true }));
  app.get('/api/broken', async () => {
    throw new Error('select name from voters where lastname = Rivera');
  });
  await app.ready();
});
afterAll(() => app.close());

test('a form on another site cannot act in a voter’s name', async () => {
  const post = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/api/echo', headers, payload: { a: 1 } });
  expect((await post({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  expect((await post({ 'sec-fetch-site': 'same-site' })).statusCode).toBe(403);
  expect((await post({ origin: 'https://evil.example', host: 'demo.localhost' })).statusCode).toBe(
    403,
  );
  expect((await post({ origin: 'null' })).statusCode).toBe(403);
  expect((await post({ 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  expect(
    (await post({ origin: 'http://demo.localhost:8080', host: 'demo.localhost:8080' })).statusCode,
  ).toBe(200);
  expect((await post({})).statusCode).toBe(200);
});

test('a provider’s callback is not held to the same-site rule', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/callback',
    headers: { origin: 'https://provider.example' },
    payload: {},
  });
  expect(answer.json()).toEqual({ taken: true });
});

test('a bug’s words stay inside, and its err_id finds the log line', async () => {
  lines.length = 0;
  const answer = await app.inject({ url: '/api/broken' });
  expect(answer.statusCode).toBe(500);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(answer.body).not.toMatch(/select|Rivera|http\.test/);
  const { err_id: errId } = answer.json<{ err_id: string }>();
  const line = lines.find((text) => text.includes(errId));
  expect(line).toContain('request.failed');
  expect(line).not.toContain('Rivera');
});

test('what cannot be read gets a clear problem, never a crash', async () => {
  const post = (payload: string, type = 'application/json') =>
    app.inject({ method: 'POST', url: '/api/echo', headers: { 'content-type': type }, payload });
  expect((await post('{"a":')).json()).toMatchObject({ status: 400, title: 'Bad Request' });
  expect((await post('<a/>', 'text/xml')).json()).toMatchObject({ status: 415 });
  expect((await post(JSON.stringify('x'.repeat(70_000)))).json()).toMatchObject({ status: 413 });
  expect((await post('{"__proto__":{"x":1}}')).json()).toMatchObject({ status: 400 });
});

test('every answer carries the protective headers, and personal answers are not stored', async () => {
  const { headers } = await app.inject({ url: '/healthz' });
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

test('a host names its account, or none', () => {
  expect(subdomainOf('adams.localhost:8080', 'localhost')).toBe('adams');
  expect(subdomainOf('LOCALHOST:8080', 'localhost')).toBe('');
  expect(subdomainOf('127.0.0.1:8080', 'ballots.example.gov')).toBe('');
  expect(subdomainOf('evil.example', 'ballots.example.gov')).toBeNull();
  expect(subdomainOf('xballots.example.gov', 'ballots.example.gov')).toBeNull();
});
