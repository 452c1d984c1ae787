import { connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { createHttpServer, type HttpLimits } from './http.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';

interface Door {
  /** Answers every visitor who waits in /api/slow. */
  open(): void;
  /** Resolves when so many are waiting. */
  waiting(count: number): Promise<void>;
}

const servers: FastifyInstance[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((app) => app.close()));
});

/** No limits but the given: a machine that is busy with other tests is no reason to turn a visitor away. */
async function listen(limits: Partial<HttpLimits> = {}) {
  const metrics = createMetrics();
  const poolWait = { ms: 0 };
  const app = await createHttpServer({
    config: readConfig({}),
    log: createLog('silent'),
    metrics,
    limits: { voterWaitMs: 0, strangerWaitMs: 0, eventLoopDelayMs: 0, ...limits },
    isVoter: ({ headers }) => headers['x-voter'] === 'yes',
    poolWaitMs: () => poolWait.ms,
  });
  servers.push(app);
  const waiting: (() => void)[] = [];
  const door: Door = {
    open: () => {
      for (const release of waiting.splice(0)) release();
    },
    async waiting(count) {
      while (waiting.length < count) await turn();
    },
  };
  app.get('/api/slow', () => new Promise((resolve) => waiting.push(() => resolve({ late: true }))));
  app.get('/api/quick', async () => ({ quick: true }));
  app.post('/api/echo', async (request) => request.body);
  const addresses: unknown[] = [];
  app.get('/api/address', async (request) => {
    await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    addresses.push(request.ip);
    return {};
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return { addresses, app, door, metrics, poolWait, port, url: `http://127.0.0.1:${port}` };
}

function countConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}

/** Everything the server says on a raw connection until it hangs up. */
function converse(port: number, ...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let heard = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      heard += text;
    });
    socket.on('close', () => resolve(heard));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    for (const word of words) socket.write(word);
  });
}

test('visitors who would wait too long are asked to come back, and the others are served', async () => {
  const { door, metrics, url } = await listen({ requestsAtOnce: 2, strangerWaitMs: 100 });
  const patient = [fetch(`${url}/api/slow`), fetch(`${url}/api/slow`)];
  await door.waiting(2);

  const refused = await fetch(`${url}/api/quick`);
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toMatchObject({ title: 'Service Unavailable' });
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(await metrics.registry.metrics()).toContain('beacon_shed_requests_total 1');

  door.open();
  for (const answer of await Promise.all(patient)) expect(answer.status).toBe(200);
  expect((await fetch(`${url}/api/quick`)).status).toBe(200);
});

test('under load voters who are signed in are served before strangers, and strangers now and then', async () => {
  const { app, door, url } = await listen({ requestsAtOnce: 1 });
  const first = fetch(`${url}/api/slow`);
  await door.waiting(1);
  const served: string[] = [];
  const ask = async (visitor: 'voter' | 'stranger') => {
    const headers = { 'x-voter': visitor === 'voter' ? 'yes' : 'no' };
    await app.inject({ url: '/api/quick', headers });
    served.push(visitor);
  };
  const everyone = [
    ...Array.from({ length: 3 }, () => ask('stranger')),
    ...Array.from({ length: 6 }, () => ask('voter')),
  ];
  await turn();
  door.open();
  await Promise.all([first, ...everyone]);
  expect(served).toEqual([
    ...['voter', 'voter', 'voter', 'stranger'],
    ...['voter', 'voter', 'voter', 'stranger', 'stranger'],
  ]);
});

test('a visitor who waits for a connection to the database for too long keeps newcomers out, strangers first', async () => {
  const { app, poolWait } = await listen({ strangerWaitMs: 250, voterWaitMs: 500 });
  const ask = async () => {
    const answers = await Promise.all(
      ['no', 'yes'].map((voter) =>
        app.inject({ url: '/api/quick', headers: { 'x-voter': voter } }),
      ),
    );
    return answers.map(({ statusCode }) => statusCode);
  };
  poolWait.ms = 200;
  expect(await ask()).toEqual([200, 200]);
  poolWait.ms = 300;
  expect(await ask()).toEqual([503, 200]);
  poolWait.ms = 600;
  expect(await ask()).toEqual([503, 503]);
  poolWait.ms = 0;
  expect(await ask()).toEqual([200, 200]);
});

test('a visitor who sends a request slowly takes nobody’s place', async () => {
  const { app, port } = await listen({ requestsAtOnce: 1 });
  const slow = connect(port, '127.0.0.1');
  sockets.push(slow);
  slow.write(
    'POST /api/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
  );
  await expect.poll(() => countConnections(app)).toBe(1);
  expect((await app.inject({ url: '/api/quick' })).statusCode).toBe(200);
});

test('visitors who hang up make room', async () => {
  const { app, door, url } = await listen({ requestsAtOnce: 1 });
  const impatience = new AbortController();
  const gone = fetch(`${url}/api/slow`, { signal: impatience.signal });
  await door.waiting(1);
  impatience.abort();
  await expect(gone).rejects.toThrow();
  await expect
    .poll(async () => (await app.inject({ url: '/api/quick' })).statusCode, { timeout: 5_000 })
    .toBe(200);
});

test('a request that trickles in is cut off', async () => {
  const { port } = await listen({ headersMs: 200, requestMs: 400 });
  const [headers, body] = await Promise.all([
    converse(port, 'GET /api/quick HTTP/1.1\r\nhost: localhost\r\nx-slow: '),
    converse(
      port,
      'POST /api/echo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"a":',
    ),
  ]);
  expect(headers).toMatch(/^HTTP\/1\.1 408 /);
  expect(body).toMatch(/^HTTP\/1\.1 408 /);
  expect(body).toContain('application/problem+json');
  expect(body).toContain('\r\ncache-control: no-store\r\n');
});

test('headers that trickle in are cut off before a body has its time', async () => {
  const { port } = await listen({ headersMs: 200, requestMs: 20_000 });
  const startedAt = performance.now();
  const heard = await converse(port, 'GET /api/quick HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
  expect(heard).toMatch(/^HTTP\/1\.1 408 /);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('headers and bodies beyond any real browser’s are refused without reading on', async () => {
  const { port } = await listen({ headerBytes: 4_096, bodyBytes: 1_000 });
  const huge = 'x'.repeat(5_000);
  expect(
    await converse(port, `GET /api/quick HTTP/1.1\r\nhost: localhost\r\nx-huge: ${huge}\r\n\r\n`),
  ).toMatch(/^HTTP\/1\.1 431 .*"status":431/s);
  expect(
    await converse(
      port,
      'POST /api/echo HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\n',
      'content-length: 999999999\r\n\r\n{',
    ),
  ).toMatch(/^HTTP\/1\.1 413 /);
});

test('what is not HTTP, or two lengths of one body, is refused', async () => {
  const { port } = await listen();
  expect(await converse(port, 'HELO there\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*problem\+json/s);
  const smuggled = await converse(
    port,
    'POST /api/echo HTTP/1.1\r\nhost: localhost\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n',
    '0\r\n\r\nGET /metrics HTTP/1.1\r\nhost: localhost\r\n\r\n',
  );
  expect(smuggled).toMatch(/^HTTP\/1\.1 400 /);
  expect(smuggled).not.toContain('beacon_request_seconds');
  expect(
    await converse(
      port,
      'GET /api/quick HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n',
    ),
  ).toMatch(/^HTTP\/1\.1 400 /);
  // A header that only says the word is no second host.
  expect(
    await converse(
      port,
      'GET /api/quick HTTP/1.1\r\nhost: a\r\nx-forwarded-by: host\r\nconnection: close\r\n\r\n',
    ),
  ).toMatch(/^HTTP\/1\.1 200 /);
});

test('a stop finishes what was accepted, accepts nothing more, and is quick', async () => {
  const { app, door, url } = await listen();
  await (await fetch(`${url}/api/quick`)).json(); // leaves an idle connection
  const accepted = fetch(`${url}/api/slow`);
  await door.waiting(1);

  const startedAt = performance.now();
  const closing = app.close();
  await expect
    .poll(() =>
      fetch(`${url}/api/quick`).then(
        ({ status }) => status,
        () => 'refused',
      ),
    )
    .toBe('refused');
  door.open();
  const answer = await accepted;
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ late: true });
  await closing;
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});

/** Works without a pause, as a server does that has more to compute than time. */
function compute(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test('a process that stays behind with its work refuses quickly, and a single long pause refuses nobody', async () => {
  const { app, url } = await listen({ eventLoopDelayMs: 1_000 });
  const ask = async () => (await app.inject({ url: '/api/quick' })).statusCode;
  compute(1_600);
  await turn();
  expect(await ask()).toBe(200);
  await expect
    .poll(
      async () => {
        compute(1_400);
        return ask();
      },
      { interval: 1, timeout: 20_000 },
    )
    .toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await expect.poll(ask, { timeout: 20_000 }).toBe(200);
});

test('a visitor’s address stays known after the visitor hung up, and who hung up at once is not answered', async () => {
  const { addresses, app, door, port } = await listen();
  const ask = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('GET /api/address HTTP/1.1\r\nHost: localhost\r\n\r\n');
        resolve(socket);
      });
      sockets.push(socket);
    });
  const late = await ask();
  await door.waiting(1);
  late.resetAndDestroy();
  // Their words and their going arrive together.
  for (const socket of await Promise.all([ask(), ask(), ask()])) socket.resetAndDestroy();
  await expect.poll(() => countConnections(app)).toBe(0);
  door.open();
  await expect.poll(() => addresses).toContain('127.0.0.1');
  expect(addresses).toEqual(['127.0.0.1']);
});
