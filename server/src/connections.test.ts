import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice } from '../../testing/api.ts';
import { createBeacon } from '../../testing/beacon.ts';
import {
  type ConnectionCount,
  countConnections,
  countedName,
} from '../../testing/connection-count.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { findFreePort } from '../../testing/ports.ts';
import { CompiledQuery, sql } from '../../testing/sql.ts';
import { prepareQueue } from './modules/notifications/index.ts';
import { urlsOfLogins } from './platform/logins.ts';

/** Real processes, whose connections the server itself counts. */

let test_: TestDatabase;
let folder: string;
let count: ConnectionCount;
let child: ChildProcess | undefined;
beforeEach(async () => {
  test_ = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-connections-'));
  await addOffice(test_, { subdomain: 'adams' });
  await addOffice(test_, { subdomain: 'lake' });
  count = await countConnections(test_.url);
});
afterEach(async () => {
  const ended = child && child.exitCode === null ? once(child, 'exit') : undefined;
  child?.kill('SIGTERM');
  await ended;
  child = undefined;
  await count.stop();
  await test_.drop();
  rmSync(folder, { recursive: true });
});

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

function start(name: string, connections: number, more: NodeJS.ProcessEnv): Promise<string> {
  const started = spawn(process.execPath, [program(name)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...{ BEACON_DATA: folder, LOG_LEVEL: 'silent', BEACON_DEMO: '0', CAPTCHA: 'off' },
      DATABASE_CONNECTIONS: String(connections),
      PGAPPNAME: countedName,
      ...more,
    },
  });
  child = started;
  const said: string[] = [];
  started.stderr.setEncoding('utf8').on('data', (text: string) => void said.push(text));
  return once(started, 'close').then(() => said.join(''));
}

/** The api beside the console, as they are in production. */
async function startApi(connections: number) {
  const port = await findFreePort();
  const { apiUrl, intakeUrl, officeUrl } = urlsOfLogins(test_.url);
  const logins = { DATABASE_API_URL: apiUrl, DATABASE_INTAKE_URL: intakeUrl };
  const ended = start('../../testing/api-process.ts', connections, {
    ...logins,
    ...{ DATABASE_OFFICE_URL: officeUrl, PORT: String(port), DEFAULT_ACCOUNT: 'adams' },
  });
  const ask = (where: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${where}`, init);
  return { ended, ask };
}

const isReady = (ask: (where: string) => Promise<Response>) => () =>
  ask('/readyz').then(
    ({ ok }) => ok,
    () => false,
  );

test.each([
  { connections: 6, voters: 1, clerks: 1, scrapers: 1 },
  { connections: 20, voters: 8, clerks: 2, scrapers: 2 },
])(
  'an api of $connections connections opens no more while voters, clerks and scrapers wait for the database',
  { timeout: 60_000 },
  async ({ connections, voters, clerks, scrapers }) => {
    const { ask } = await startApi(connections);
    await expect.poll(isReady(ask), { timeout: 30_000 }).toBe(true);
    const cookie = `beacon_office=${'a'.repeat(43)}; beacon_session=${'b'.repeat(43)}`;
    const crowds = [
      { where: '/api/voter/information/me', table: 'sessions', atOnce: voters, status: 403 },
      { where: '/api/office/session', table: 'office_sessions', atOnce: clerks, status: 401 },
      { where: '/metrics', table: 'imports', atOnce: scrapers, status: 200 },
    ];
    for (const { where, table, atOnce, status } of crowds) {
      const asked = await test_.database.transaction(async (tx) => {
        // A request of this moment keeps its connection until the end of this transaction.
        await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
        const answers = Array.from({ length: 2 * connections }, () =>
          ask(where, { headers: { cookie } }).then((answer) => answer.status),
        );
        await expect.poll(count.blocked, { timeout: 20_000 }).toBe(atOnce);
        return answers;
      });
      expect(await Promise.all(asked)).toContain(status);
    }
    // What was used a moment ago is still open.
    expect(count.most()).toBeGreaterThan(connections / 2);
    expect(count.most()).toBeLessThanOrEqual(connections);
    await expect.poll(isReady(ask), { timeout: 20_000 }).toBe(true);
  },
);

test('an api that is given too few says how many it needs', async () => {
  const { ended } = await startApi(5);
  expect(await ended).toContain(
    'DATABASE_CONNECTIONS is 5, and an api process with the console needs at least 6. Raise it',
  );
});

test('a worker behind a pooler that is given too few says how many it needs', async () => {
  const urls = { DATABASE_URL: `${test_.url}?pooled`, DATABASE_DIRECT_URL: test_.url };
  expect(await start('./worker.ts', 3, urls)).toContain(
    'DATABASE_CONNECTIONS is 3, and a worker behind a pooler needs at least 4. Raise it',
  );
});

test.each([2, 3, 20])(
  'a worker of %i connections does all its work with them',
  async (connections) => {
    await prepareQueue(test_.database);
    const { workerUrl } = urlsOfLogins(test_.url);
    const ended = start('./worker.ts', connections, { DATABASE_WORKER_URL: workerUrl });
    const read = async <Row>(text: string) =>
      (await test_.database.system.executeQuery<Row>(CompiledQuery.raw(text))).rows;
    const readTasks = () =>
      read<{ task: string }>(
        'select identifier as task from graphile_worker._private_known_crontabs',
      );
    const known = async () => (await readTasks()).length;
    await expect.poll(known, { timeout: 20_000 }).toBeGreaterThan(10);
    for (const { task } of await readTasks())
      await sql`select graphile_worker.add_job(${task}) from generate_series(1, 5)`.execute(
        test_.database.system,
      );
    await expect
      .poll(() => read('select from graphile_worker.jobs where run_at <= now()'), {
        timeout: 60_000,
      })
      .toEqual([]);
    child?.kill('SIGTERM');
    expect(await ended).toBe('');
    expect(count.most()).toBeGreaterThan(1);
    expect(count.most()).toBeLessThanOrEqual(connections);
  },
  90_000,
);

test.each([2, 3, 5])(
  'a watch of all offices does its work with %i connections',
  async (connections) => {
    const beacon = createBeacon(test_.url, {
      environment: { DATABASE_CONNECTIONS: String(connections), PGAPPNAME: countedName },
    });
    const rows = Array.from({ length: 500 }, (_, row) => `${row},Ann,Lee,01/02/1950,99301\n`);
    for (const office of ['adams', 'lake']) {
      const inbox = path.join(beacon.folder, 'sftp', office, 'exports');
      mkdirSync(inbox, { recursive: true });
      for (const name of ['a.csv', 'b.csv'])
        writeFileSync(
          path.join(inbox, name),
          `registration_id,firstname,lastname,birthdate,zipcode\n${rows.join('')}`,
        );
    }
    const { result } = beacon.start('watch', 'sftp', '--offices', '--once', '--settle', '0.1');
    expect(await result).toMatchObject({ code: 0, stderr: '' });
    beacon.remove();
    expect(count.most()).toBeGreaterThan(1);
    expect(count.most()).toBeLessThanOrEqual(connections);
  },
  60_000,
);
