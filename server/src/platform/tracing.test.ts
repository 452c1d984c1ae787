import { createServer } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { readConfig } from './config.ts';
import { createHttpServer } from './http.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { startTracing, type Tracing } from './tracing.ts';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string } }[];
}

const bodies: string[] = [];
const collector = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    if (request.url === '/v1/traces') bodies.push(body);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});

let tracing: Tracing;
let testDatabase: TestDatabase;

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  testDatabase = await createTestDatabase();
});
afterAll(async () => {
  await testDatabase.drop();
  collector.close();
});

function config(environment: Record<string, string>) {
  return readConfig({ CAPTCHA: 'off', ...environment });
}

async function callOnce(environment: Record<string, string>, headers: Record<string, string> = {}) {
  tracing = await startTracing(config(environment), 'api');
  const app = await createHttpServer({
    config: config(environment),
    log: createLog('silent'),
    metrics: createMetrics(),
  });
  app.post<{ Params: { guid: string }; Body: { lastname: string } }>(
    '/api/voter/:guid',
    async (request) => {
      const { system } = testDatabase.database;
      await sql`select ${request.body.lastname}::text`.execute(system);
      await sql`select ${sql.lit(request.body.lastname)} as name`.execute(system);
      return {};
    },
  );
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/api/voter/1234?zip=32801',
    headers,
    payload: { lastname: 'Rivera' },
  });
  await app.close();
  await tracing.close();
  return statusCode;
}

function readSpans(): SentSpan[] {
  return bodies.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: SentSpan[] }[] }) =>
      resource.scopeSpans.flatMap((scope) => scope.spans),
    ),
  );
}

/** Of numbers drawn by chance and of the nanoseconds of a clock the digits may spell anything. */
function withoutDrawnNumbers(body: string): string {
  return JSON.stringify(JSON.parse(body), (key, value) =>
    /^(traceId|spanId|parentSpanId|\w+UnixNano)$/.test(key) ? undefined : value,
  );
}

function collectorUrl(): string {
  const address = collector.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

test('without an endpoint nothing is traced', async () => {
  bodies.length = 0;
  await callOnce({});
  expect(bodies).toEqual([]);
});

test('a trace leads from the request to its statements, and names no voter', async () => {
  bodies.length = 0;
  await callOnce({ OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl(), OTEL_TRACES_SAMPLER_ARG: '1' });
  const spans = readSpans();
  const request = spans.find(({ name }) => name === 'POST /api/voter/:guid');
  const statement = spans.find(({ name }) => name === 'SELECT');
  expect(request?.traceId).toMatch(/^[\da-f]{32}$/);
  expect(statement).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
  expect(JSON.stringify(statement)).toContain('select $1::text');
  expect(spans.filter(({ name }) => name === 'SELECT')).toHaveLength(2);
  expect(bodies.join('')).toContain('ballot-beacon-api');
  expect(bodies.map(withoutDrawnNumbers).join('')).not.toMatch(/Rivera|1234|32801/);
});

test('a visitor cannot choose what is recorded; a proxy of ours can', async () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
  bodies.length = 0;
  await callOnce(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl(), OTEL_TRACES_SAMPLER_ARG: '1' },
    headers,
  );
  expect(readSpans()).not.toEqual([]);
  expect(readSpans().map((span) => span.traceId)).not.toContain(traceId);
  bodies.length = 0;
  const proxied = { OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl(), TRUST_PROXY: 'loopback' };
  await callOnce({ ...proxied, OTEL_TRACES_SAMPLER_ARG: '0' }, headers);
  expect(readSpans().map((span) => span.traceId)).toContain(traceId);
  bodies.length = 0;
  await callOnce({ ...proxied, OTEL_TRACES_SAMPLER_ARG: '0' });
  expect(readSpans()).toEqual([]);
});

test('a collector that is away costs a request nothing', async () => {
  const statusCode = await callOnce({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_TRACES_SAMPLER_ARG: '1',
  });
  expect(statusCode).toBe(200);
});
