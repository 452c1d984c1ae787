import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { startStandby, type TestStandby } from '../../../testing/standby.ts';
import { readConfig } from './config.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import { connectClient, readHosts } from './hosts.ts';
import { createHttpServer } from './http.ts';
import type { AccountId } from './ids.ts';
import { createLog } from './log.ts';
import { createMetrics } from './metrics.ts';
import { openDatabase, takesWrites } from './postgres.ts';

let primary: TestDatabase;
let standby: TestStandby;
beforeAll(async () => {
  [primary, standby] = await Promise.all([createTestDatabase(), startStandby()]);
});
afterAll(() => Promise.all([primary.drop(), standby.stop()]));

function folderOf(url: string): string {
  return decodeURIComponent(/host=([^&]*)/.exec(url)?.[1] ?? '');
}

/** The primary's database, behind an unavailable host and a standby host. */
function listHosts(attributes: string): string {
  const hosts = ['/nowhere', folderOf(standby.url), folderOf(primary.url)];
  const name = /@\/(\w+)\?/.exec(primary.url)?.[1];
  return `postgresql://beacon@/${name}?host=${hosts.join(',')}${attributes}`;
}

test('requests and commands find the writable host among several hosts', async () => {
  const url = listHosts('&target_session_attrs=read-write');
  const configured = await openConfiguredDatabase(readConfig({ DATABASE_URL: url }));
  const { database } = configured;
  try {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        sql`select from voters`.execute(database.forAccount(1 as AccountId)),
      ),
    );
    expect(answers.map(({ rows }) => rows)).toEqual(answers.map(() => []));
    await database.transaction((tx) => sql`create temp table kept (n int)`.execute(tx));
    expect(await takesWrites(database)).toBe(true);
  } finally {
    await configured.close();
  }
});

test('a standby that answers is passed over where the URL asks for a primary, and keeps no connection', async () => {
  const hosts = [standby, primary].map(({ url }) => folderOf(url)).join();
  const either = `postgresql://beacon@/postgres?host=${hosts}`;
  const isStandby = async (client: Pick<pg.Client, 'query'>) => {
    const { rows } = await client.query<{ it: boolean }>('select pg_is_in_recovery() as it');
    return rows[0]?.it;
  };
  for (const [attributes, expected] of [
    ['&target_session_attrs=primary', false],
    ['&target_session_attrs=read-write', false],
    ['', true],
  ] as const) {
    const client = await connectClient(either + attributes);
    const database = openDatabase(either + attributes, { connections: 1 });
    expect([await isStandby(client), await isStandby(database.systemPool)]).toEqual([
      ...[expected, expected],
    ]);
    expect(await takesWrites(database)).toBe(!expected);
    await database.close();
    await client.end();
  }
  const asked = await connectClient(standby.url);
  const others = async () => {
    const { rowCount } = await asked.query(
      `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    );
    return rowCount;
  };
  await expect.poll(others).toBe(0);
  await asked.end();
});

test('a process whose database is a standby says that it is not ready', async () => {
  const database = openDatabase(standby.url);
  const app = await createHttpServer({
    config: readConfig({}),
    log: createLog('silent'),
    metrics: createMetrics(),
    isReady: () => takesWrites(database),
  });
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(await app.inject('/healthz').then(({ statusCode }) => statusCode)).toBe(200);
  await app.close();
  await database.close();
});

test('a visitor who comes while no host takes writes, as in the middle of a failover, is asked to come back', async () => {
  const hosts = [folderOf(standby.url), '/nowhere', folderOf(standby.url)].join();
  const url = `postgresql://beacon@/postgres?host=${hosts}&target_session_attrs=read-write`;
  const database = openDatabase(url);
  const app = await createHttpServer({
    config: readConfig({}),
    log: createLog('silent'),
    metrics: createMetrics(),
  });
  app.get('/voter', () => sql`select from voters`.execute(database.unscoped));
  const { statusCode, headers } = await app.inject('/voter');
  expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  await app.close();
  await database.close();
});

test('both ways of writing several hosts are read, and a password is left as it is', () => {
  const list = 'postgresql://u:p%40,s@one:5432,two:5433/n?target_session_attrs=primary&x=1';
  expect(readHosts(list)).toEqual({
    urls: ['postgresql://u:p%40,s@one:5432/n?x=1', 'postgresql://u:p%40,s@two:5433/n?x=1'],
    mustBePrimary: true,
  });
  expect(readHosts('postgresql:///n?host=one,two&port=1,2').urls).toEqual([
    'postgresql:///n?host=one&port=1',
    'postgresql:///n?host=two&port=2',
  ]);
  // One port is that of all.
  expect(readHosts('postgresql:///n?host=one,two&port=6432').urls).toEqual([
    'postgresql:///n?host=one&port=6432',
    'postgresql:///n?host=two&port=6432',
  ]);
  expect(readHosts('postgresql://u@h/n')).toEqual({
    urls: ['postgresql://u@h/n'],
    mustBePrimary: false,
  });
});

test('a mode of TLS that promises less than it says is read as full verification', () => {
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full'])
    expect(readHosts(`postgresql://u@h/n?sslmode=${mode}`).urls).toEqual([
      'postgresql://u@h/n?sslmode=verify-full',
    ]);
  expect(readHosts('postgresql://u@h/n?sslmode=disable').urls[0]).toMatch(/sslmode=disable$/);
  // Who asks for libpq's own meaning has it.
  expect(readHosts('postgresql://u@h/n?sslmode=require&uselibpqcompat=true').urls[0]).toMatch(
    /sslmode=require/,
  );
});
