import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice } from '../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { findFreePort } from '../../testing/ports.ts';
import { createLogins } from './platform/logins.ts';
import { ensurePageIsBuilt } from './platform/page-build.ts';

let db: TestDatabase;
let folder: string;
let child: ChildProcess | undefined;
beforeAll(async () => {
  await ensurePageIsBuilt();
  db = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'beacon-api-'));
}, 180_000);
afterAll(async () => {
  if (child?.exitCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await db.drop();
  rmSync(folder, { recursive: true });
});

const start = (environment: Record<string, string>) =>
  spawn(process.execPath, [fileURLToPath(new URL('./api.ts', import.meta.url))], {
    env: {
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PUBLIC_URL: 'https://vote.example.gov',
      BASE_DOMAIN: 'vote.example.gov',
      BEACON_SECRETS: 's'.repeat(32),
      ...{ EMAIL_PROVIDER: 'none', SMS_PROVIDER: 'none', VOICE_PROVIDER: 'none' },
      ...{ BEACON_DATA: folder, PORT: '0', LOG_LEVEL: 'fatal', PGAPPNAME: 'api under test' },
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });

test('in production an API with its own two logins needs no other, and uses no other', async () => {
  const { apiUrl, intakeUrl } = await createLogins(db.url);
  child = start({ DATABASE_API_URL: apiUrl, DATABASE_INTAKE_URL: intakeUrl });
  const [message] = (await once(child, 'message')) as [{ kind: string; port: number }];
  expect(message.kind).toBe('listening');
  const ask = (path: string) => fetch(`http://127.0.0.1:${message.port}${path}`);
  expect((await ask('/readyz')).status).toBe(200);
  expect((await ask('/api/audit-head')).status).toBe(200);
  const { rows } = await db.database.systemPool.query<{ usename: string }>(
    `select distinct usename from pg_stat_activity
     where datname = current_database() and application_name = 'api under test' order by 1`,
  );
  expect(rows.map(({ usename }) => usename)).toEqual(['beacon_api_login', 'beacon_intake_login']);
});

test('health and figures have a port of their own, which serves no page, and a second process cannot take it', async () => {
  const { apiUrl, intakeUrl } = await createLogins(db.url);
  const healthPort = await findFreePort();
  const settings = {
    ...{ DATABASE_API_URL: apiUrl, DATABASE_INTAKE_URL: intakeUrl },
    ...{ HEALTH_PORT: String(healthPort), METRICS_TOKEN: 'a-token-of-the-scraper' },
  };
  const served = start(settings);
  const [{ port }] = (await once(served, 'message')) as [{ port: number }];
  const authorization = 'Bearer a-token-of-the-scraper';
  const ask = async (path: string) =>
    (await fetch(`http://127.0.0.1:${healthPort}${path}`, { headers: { authorization } })).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/voter'].map(ask))).toEqual([
    ...[200, 200, 200, 404],
  ]);
  const figures = await fetch(`http://127.0.0.1:${healthPort}/metrics`, {
    headers: { authorization },
  });
  expect(await figures.text()).toMatch(/^beacon_database_connections\{[^}]+\} \d+$/m);

  // The database lets no login in, as while it is restored: the process lives, and is not ready for visitors.
  const { systemPool } = db.database;
  const limit = (most: number) =>
    systemPool.query(`alter database ${db.name} with connection limit ${most}`);
  const askBoth = async (path: string) =>
    Promise.all(
      [port, healthPort].map((at) =>
        fetch(`http://127.0.0.1:${at}${path}`).then((it) => it.status),
      ),
    );
  await limit(0);
  await systemPool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'api under test'`,
  );
  expect([await askBoth('/readyz'), await askBoth('/healthz')]).toEqual([
    ...[
      [503, 503],
      [200, 200],
    ],
  ]);
  await limit(-1);
  await expect.poll(() => askBoth('/readyz'), { timeout: 20_000 }).toEqual([200, 200]);

  const second = start(settings);
  let errors = '';
  second.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(second, 'close');
  expect([code, errors]).toEqual([
    1,
    expect.stringContaining(`HEALTH_PORT ${healthPort} cannot be used (EADDRINUSE)`),
  ]);
  // What was counted until then is written down.
  await addOffice(db, { subdomain: 'adams' });
  expect(await viewFaq(port)).toBe(204);
  served.kill('SIGTERM');
  expect((await once(served, 'exit'))[0]).toBe(0);
  const { rows } = await systemPool.query('select name, views::int from page_views');
  expect(rows).toEqual([{ name: 'page:faq', views: 1 }]);
});

/** As a browser that opens the page of an office. @returns the status of the answer */
async function viewFaq(port: number): Promise<number | undefined> {
  const asked = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/voter/page-view' },
    headers: { host: 'adams.vote.example.gov', 'content-type': 'application/json' },
  }).end('{"name":"page:faq"}');
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

test('an API with only one of them says what is missing', async () => {
  const { intakeUrl } = await createLogins(db.url);
  const refused = start({ DATABASE_INTAKE_URL: intakeUrl });
  let errors = '';
  refused.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const [code] = await once(refused, 'close');
  expect(code).toBe(1);
  expect(errors).toContain('DATABASE_API_URL is not');
});
