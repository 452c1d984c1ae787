import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readConfig } from './config.ts';
import { collectMessages, createHttpServer } from './http.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';

const lines: string[] = [];

function createServer(environment: Record<string, string> = {}) {
  return createHttpServer({
    config: readConfig({ CAPTCHA: 'off', ...environment }),
    log: createLog('debug', { write: (line: string) => void lines.push(line) }),
    metrics: createMetrics(),
  });
}

const app = await createServer();

beforeAll(async () => {
  app.post('/api/echo', async (request) => request.body);
  app.post('/api/callback', { config: { crossSite: true } }, async () => ({ taken: true }));
  app.get('/api/broken', async () => {
    throw new Error('select name from voters where lastname = Rivera');
  });
  app.get('/api/away', async () => {
    throw Object.assign(new Error('connect /run/postgres'), { code: 'ECONNREFUSED' });
  });
  app.get('/api/wrong-answer', { schema: { response: { 200: z.object({ n: z.int() }) } } }, () =>
    Promise.resolve({ n: 'Rivera' as unknown as number }),
  );
  app.get('/public', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=60').send('open'),
  );
  app.get('/public-broken', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=60');
    throw new Error('broken');
  });
  app.patch(
    '/api/preferences',
    { schema: { body: z.strictObject({ email: z.email('not an email') }) } },
    async () => ({}),
  );
  app.get(
    '/api/page/:number',
    { schema: { params: z.object({ number: z.coerce.number() }) } },
    () => Promise.resolve({}),
  );
  await app.ready();
});
afterAll(() => app.close());

function post(headers: Record<string, string>, url = '/api/echo') {
  return app.inject({ method: 'POST', url, headers, payload: { a: 1 } });
}

test('a form on another site cannot act in a voter’s name', async () => {
  const host = 'demo.localhost:8080';
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://lake.localhost:8080' },
    { origin: 'http://demo.localhost:8081' },
    { origin: 'http://demo.localhost:8080.evil.example' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'http://demo.localhost:8080', 'sec-fetch-site': 'cross-site' },
  ];
  for (const headers of foreign) {
    const answer = await post({ host, ...headers });
    expect(answer.statusCode, JSON.stringify(headers)).toBe(403);
  }
  const own = [
    {},
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: 'http://demo.localhost:8080' },
    { origin: 'http://DEMO.localhost:8080', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://demo.localhost:8080', host: 'DEMO.localhost:8080' },
  ];
  for (const headers of own) {
    expect((await post({ host, ...headers })).statusCode, JSON.stringify(headers)).toBe(200);
  }
});

test('behind a proxy that ends TLS the answer asks for https from then on', async () => {
  const proxied = await createServer({ TRUST_PROXY: '192.0.2.1' });
  const ask = (remoteAddress: string) =>
    proxied.inject({ url: '/healthz', remoteAddress, headers: { 'x-forwarded-proto': 'https' } });
  expect((await ask('192.0.2.1')).headers).toHaveProperty('strict-transport-security');
  expect((await ask('203.0.113.7')).headers).not.toHaveProperty('strict-transport-security');
  await proxied.close();
});

test('over https the same host without TLS is another site', async () => {
  const secure = await createServer({ PUBLIC_URL: 'https://vote.example.gov' });
  secure.post('/api/echo', async () => ({}));
  const from = (origin: string) =>
    secure.inject({
      method: 'POST',
      url: '/api/echo',
      headers: { host: 'vote.example.gov', origin },
      payload: {},
    });
  expect((await from('http://vote.example.gov')).statusCode).toBe(403);
  const own = await from('https://vote.example.gov');
  expect(own.statusCode).toBe(200);
  expect(own.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
  const unreadable = await secure.inject({ url: '/api/%zz' });
  expect(unreadable.statusCode).toBe(400);
  expect(unreadable.headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
  await secure.close();
});

test('a provider’s callback is exempt from the same-site rule', async () => {
  const answer = await post({ origin: 'https://provider.example' }, '/api/callback');
  expect(answer.json()).toEqual({ taken: true });
});

test('the message of a bug stays inside, and its err_id finds the log line', async () => {
  for (const url of ['/api/broken', '/api/wrong-answer']) {
    lines.length = 0;
    const answer = await app.inject({ url });
    expect(answer.statusCode).toBe(500);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(answer.body).not.toMatch(/select|Rivera|http\.test/);
    const { err_id: errId } = answer.json<{ err_id: string }>();
    const line = lines.find((text) => text.includes(errId));
    expect(line).toContain('request.failed');
    expect(line).not.toContain('Rivera');
  }
});

test('while the database is away a visitor is asked to come back, and when', async () => {
  const answer = await app.inject({ url: '/api/away' });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBe('5');
  expect(answer.json()).toMatchObject({ title: 'Service Unavailable', err_id: expect.any(String) });
});

test('what cannot be read gets a clear problem, never a crash', async () => {
  const send = (payload: string, type = 'application/json') =>
    app.inject({ method: 'POST', url: '/api/echo', headers: { 'content-type': type }, payload });
  const requests: [Promise<{ json(): unknown }>, number][] = [
    [send('{"a":'), 400],
    [send(''), 400],
    [send('{"__proto__":{"x":1}}'), 400],
    [send('{"constructor":{"prototype":{"x":1}}}'), 400],
    [send('<a/>', 'text/xml'), 415],
    [send('a=1', 'application/x-www-form-urlencoded'), 415],
    [send('hello', 'text/plain'), 415],
    [send(JSON.stringify('x'.repeat(70_000))), 413],
    [app.inject({ url: '/api/page/%zz' }), 400],
    [app.inject({ url: `/api/page/${'9'.repeat(300)}` }), 414],
    [app.inject({ url: '/api/nothing' }), 404],
    [app.inject({ url: '/../../etc/passwd' }), 404],
    [app.inject({ method: 'DELETE', url: '/api/echo' }), 404],
  ];
  for (const [request, status] of requests) {
    const problem = (await request).json();
    expect(problem).toEqual({ status, title: expect.any(String), detail: expect.any(String) });
    expect(JSON.stringify(problem)).not.toMatch(/zz|passwd|FST_|node_modules/);
  }
});

test('a refused body names each field and the rule it broke, and takes no unknown field', async () => {
  const patch = (payload: object) =>
    app.inject({ method: 'PATCH', url: '/api/preferences', payload });
  const wrong = await patch({ email: 'x' });
  expect(wrong.statusCode).toBe(422);
  expect(wrong.json()).toMatchObject({
    detail: 'Failed Validation',
    validation_messages: { email: { invalid_format: 'not an email' } },
  });
  const unknown = await patch({ email: 'a@example.com', is_admin: true });
  expect(unknown.statusCode).toBe(422);
  expect(unknown.json()).toMatchObject({
    validation_messages: { request: { unrecognized_keys: expect.any(String) } },
  });
  expect(
    collectMessages([
      { path: 'email', rule: 'too_big', message: 'too long' },
      { path: 'email', rule: 'invalid_format', message: 'not an email' },
      { path: 'phone', rule: 'invalid_format', message: 'not a phone' },
    ]),
  ).toEqual({
    email: { too_big: 'too long', invalid_format: 'not an email' },
    phone: { invalid_format: 'not a phone' },
  });
  expect((await app.inject({ url: '/api/page/x' })).statusCode).toBe(400);
});

test('every answer carries the protective headers, and nothing is stored unless it says so', async () => {
  const requests: InjectOptions[] = [
    { url: '/healthz' },
    { url: '/api/broken' },
    { url: '/public-broken' },
    { url: '/api/nothing' },
    { url: '/api/page/%zz' },
    { method: 'POST', url: '/api/echo', headers: { origin: 'https://evil.example' } },
    {
      method: 'POST',
      url: '/api/echo',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    },
  ];
  for (const request of requests) {
    const { headers } = await app.inject(request);
    expect(headers, JSON.stringify(request)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
  }
  expect((await app.inject({ url: '/public' })).headers['cache-control']).toBe(
    'public, max-age=60',
  );
});

test('the log of a request names its route, never its address or its query', async () => {
  lines.length = 0;
  await app.inject({ url: '/api/page/123?lastname=Rivera', remoteAddress: '203.0.113.7' });
  await app.inject({ url: '/api/nothing/Rivera' });
  expect(lines.join('')).toContain('"route":"/api/page/:number"');
  expect(lines.join('')).not.toMatch(/Rivera|203\.0\.113\.7|\/123/);
});

test('metrics have the seconds that a request took, as its log line has the milliseconds', async () => {
  const other = await createServer();
  lines.length = 0;
  await other.inject({ url: '/healthz' });
  const logged = lines.find((line) => line.includes('"route":"/healthz"')) ?? '{}';
  const { milliseconds } = JSON.parse(logged) as { milliseconds: number };
  const { body } = await other.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  const sum = /^beacon_request_seconds_sum\{[^}]*route="\/healthz"[^}]*\} ([\d.e-]+)$/m.exec(body);
  expect(Math.abs(Number(sum?.[1]) * 1000 - milliseconds)).toBeLessThan(50);
  await other.close();
});

test('metrics are for this machine, or for callers with the token', async () => {
  const read = (remoteAddress: string, headers = {}) =>
    app.inject({ url: '/metrics', remoteAddress, headers });
  await app.inject({ url: '/api/page/1' });
  const local = await read('127.0.0.1');
  expect(local.body).toContain('beacon_request_seconds_bucket');
  expect(local.body).toContain('route="/api/page/:number"');
  expect((await read('203.0.113.7')).statusCode).toBe(404);
  expect((await read('127.0.0.1', { 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(404);

  const production = await createServer({ NODE_ENV: 'production', CAPTCHA: 'altcha' });
  const inProduction = await production.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  expect(inProduction.statusCode).toBe(404);
  await production.close();

  const guarded = await createServer({ METRICS_TOKEN: 'a-token-of-the-scraper' });
  const ask = (authorization?: string) =>
    guarded.inject({ url: '/metrics', ...(authorization && { headers: { authorization } }) });
  expect((await ask()).statusCode).toBe(404);
  expect((await ask('Bearer a-token-of-the-scrapes')).statusCode).toBe(404);
  expect((await ask('Bearer a-token-of-the-scraper')).statusCode).toBe(200);
  await guarded.close();
});

test('a process that cannot reach its database takes no visitors', async () => {
  let isReady = true;
  const unready = await createHttpServer({
    config: readConfig({}),
    log: createLog('silent'),
    metrics: createMetrics(),
    isReady: async () => {
      if (!isReady) throw new Error('away');
      return true;
    },
  });
  expect((await unready.inject({ url: '/readyz' })).statusCode).toBe(200);
  isReady = false;
  expect((await unready.inject({ url: '/readyz' })).statusCode).toBe(503);
  expect((await unready.inject({ url: '/healthz' })).statusCode).toBe(200);
  await unready.close();
});

test('a load balancer hears within a second that a database is silent', async () => {
  const silent = await createHttpServer({
    config: readConfig({}),
    log: createLog('silent'),
    metrics: createMetrics(),
    isReady: () => new Promise(() => {}),
  });
  const answer = await Promise.race([
    silent.inject({ url: '/readyz' }).then(({ statusCode }) => statusCode),
    new Promise((resolve) => setTimeout(resolve, 3_000, 'no answer')),
  ]);
  expect(answer).toBe(503);
  await silent.close();
});
