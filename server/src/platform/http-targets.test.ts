import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { createHttpServer } from './http.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';

let app: FastifyInstance;
afterEach(() => app.close());

async function listen(
  environment: Record<string, string> = {},
  isReady?: () => Promise<boolean>,
): Promise<(target: string, host: string) => Promise<string>> {
  app = await createHttpServer({
    config: readConfig(environment),
    log: createLog('silent'),
    metrics: createMetrics(),
    ...(isReady && { isReady }),
  });
  app.get('/', async ({ url }) => `first page of ${url}`);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return (target, host) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };
}

test('a target that names another host than the Host header is refused, and a target that names the same host is answered', async () => {
  const ask = await listen();
  expect(await ask('http://other.example/healthz', 'localhost')).toMatch(/^HTTP\/1.1 400 /);
  expect(await ask('https://localhost.other.example/healthz', 'localhost')).toMatch(
    /^HTTP\/1.1 400 /,
  );
  expect(await ask('http://LOCALHOST/healthz', 'localhost')).toMatch(/^HTTP\/1.1 200 /);
  expect(await ask('/healthz', 'localhost')).toMatch(/^HTTP\/1.1 200 /);
  // A host alone is its first page.
  expect(await ask('http://localhost', 'localhost')).toMatch(/\r\nfirst page of \/$/);
  expect(await ask('http://localhost?a=1', 'localhost')).toMatch(/\r\nfirst page of \/\?a=1$/);
});

test('many readiness checks at once cost the database one query', async () => {
  let asked = 0;
  await listen({}, async () => {
    asked += 1;
    return true;
  });
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.inject('/readyz')));
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(asked).toBeLessThan(5);
});

test('a researcher who finds a weakness learns where to report it, when the operator says so', async () => {
  await listen();
  expect((await app.inject('/.well-known/security.txt')).statusCode).toBe(404);
  await app.close();
  await listen({ SECURITY_CONTACT: 'mailto:security@example.gov' });
  const { body } = await app.inject('/.well-known/security.txt');
  expect(body).toMatch(/^Contact: mailto:security@example.gov\nExpires: 20/);
  // Good for half a year: a researcher trusts none that has expired (RFC 9116).
  const [, expires = ''] = /^Expires: (.*)$/m.exec(body) ?? [];
  const days = (Date.parse(expires) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(179);
  expect(days).toBeLessThan(181);
});
