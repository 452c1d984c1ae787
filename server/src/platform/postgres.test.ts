import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import type { AccountId } from './ids.ts';
import { type Database, type Db, isUnavailable, openDatabase } from './postgres.ts';
import { readInBatches } from './temp-tables.ts';

let testDatabase: TestDatabase;
let database: Database;
let adams: AccountId;
let lake: AccountId;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = testDatabase.database;
  [adams, lake] = (await Promise.all(['adams', 'lake'].map(addAccount))) as [AccountId, AccountId];
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  await sql`delete from no_ballot_messages`.execute(database.system);
  for (const account of [adams, lake]) {
    await sql`insert into no_ballot_messages values (${account}, 'english', ${`of ${account}`}, '')`.execute(
      database.system,
    );
  }
});

async function addAccount(subdomain: string): Promise<AccountId> {
  const { rows } = await sql<{ id: AccountId }>`
    insert into accounts (subdomain, name, county, state, time_zone, settings)
    values (${subdomain}, ${subdomain}, ${subdomain}, 'FL', 'America/New_York', '{}')
    returning account_id as id`.execute(database.system);
  return (rows[0] as { id: AccountId }).id;
}

async function readTitles(db: Db): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select title from no_ballot_messages order by title`.execute(db);
  return rows.map(({ title }) => title);
}

test('a query without its account finds one office’s rows, or none', async () => {
  expect(await readTitles(database.forAccount(adams))).toEqual([`of ${adams}`]);
  expect(await readTitles(database.forAccount(lake))).toEqual([`of ${lake}`]);
  expect(await readTitles(database.unscoped)).toEqual([]);
  expect(await readTitles(database.system)).toHaveLength(2);
});

test('offices asked at the same moment over few connections never get each other’s rows', async () => {
  const narrow = openDatabase(testDatabase.url, { connections: 2 });
  try {
    const accounts = Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? lake : adams));
    const titles = await Promise.all(
      accounts.map((account) => readTitles(narrow.forAccount(account))),
    );
    expect(titles).toEqual(accounts.map((account) => [`of ${account}`]));
  } finally {
    await narrow.close();
  }
});

test('a request cannot write another office’s rows, nor become the owner', async () => {
  const db = database.forAccount(adams);
  await expect(
    sql`insert into audit_log (account_id, actor, action) values (${lake}, 'system', 'forged')`.execute(
      db,
    ),
  ).rejects.toThrow(/row-level security/);
  await expect(sql`update accounts set name = 'x'`.execute(db)).rejects.toThrow(
    /permission denied/,
  );
  await expect(sql`alter table voters disable row level security`.execute(db)).rejects.toThrow(
    /must be owner/,
  );
});

test('every table of an office is guarded by its account', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relrowsecurity
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id')`.execute(
    database.system,
  );
  expect(rows).toEqual([]);
});

test('a transaction is all or nothing', async () => {
  const fault = new Error('half way');
  const half = database.transaction(async (tx) => {
    await sql`delete from no_ballot_messages`.execute(tx);
    throw fault;
  });
  await expect(half).rejects.toBe(fault);
  expect(await readTitles(database.system)).toHaveLength(2);
});

test('a day on record stays that day in every time zone', async () => {
  const { rows } = await sql`
    select date '2026-11-03' as day, 9007199254740991::int8 as big, 1.5::numeric as part,
      current_setting('timezone') as zone where 1 = ${1}`.execute(database.forAccount(adams));
  expect(rows).toEqual([
    { day: '2026-11-03', big: Number.MAX_SAFE_INTEGER, part: 1.5, zone: 'UTC' },
  ]);
});

test('a connection lost in the middle of a query costs that query alone', async () => {
  const lost = sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(${20})`.execute(
    database.system,
  );
  const error = await lost.catch((reason: unknown) => reason);
  expect(isUnavailable(error)).toBe(true);
  expect(await readTitles(database.system)).toHaveLength(2);
});

test('a connection lost in the middle of a transaction is reported as that, and not as a failed roll-back', async () => {
  const lost = database.transaction((tx) =>
    sql`select pg_terminate_backend(pg_backend_pid()), pg_sleep(${20})`.execute(tx),
  );
  const error = await lost.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(isUnavailable(error)).toBe(true);
});

test('a connection whose server takes no more writes is left, as after a failover', async () => {
  const one = openDatabase(testDatabase.url, { connections: 1 });
  const write = () =>
    sql`delete from no_ballot_messages where title = 'nobody’s'`.execute(one.system);
  try {
    await sql`set default_transaction_read_only = on`.execute(one.system);
    await expect(write()).rejects.toMatchObject({ code: '25006' });
    await write();
  } finally {
    await one.close();
  }
});

test('an unavailable database is distinguished from a bug', async () => {
  const away = openDatabase('postgresql://beacon@/beacon?host=/nowhere');
  const notThere = await sql`select 1`.execute(away.system).catch((reason: unknown) => reason);
  const mistake = await sql`select nothing`
    .execute(database.system)
    .catch((reason: unknown) => reason);
  await away.close();
  expect(isUnavailable(notThere)).toBe(true);
  expect(isUnavailable(mistake)).toBe(false);
  expect(isUnavailable(Object.assign(new Error(), { code: 'ENOENT', syscall: 'open' }))).toBe(
    false,
  );
});

test('a database whose machine or name is gone is unavailable', async () => {
  // Nobody can connect to many machines at once.
  const away = openDatabase('postgresql://beacon@224.0.0.1/beacon');
  const noWay = await sql`select 1`.execute(away.system).catch((reason: unknown) => reason);
  await away.close();
  expect(noWay).toMatchObject({ code: 'ENETUNREACH' });
  expect(isUnavailable(noWay)).toBe(true);
  for (const [code, syscall] of [
    ['EHOSTUNREACH', 'read'],
    ['EHOSTDOWN', 'connect'],
    ['ENETDOWN', 'connect'],
    ['EAI_AGAIN', 'getaddrinfo'],
  ])
    expect(isUnavailable(Object.assign(new Error(), { code, syscall })), code).toBe(true);
});

test('statements are prepared once per connection and used again', async () => {
  const one = openDatabase(testDatabase.url, { connections: 2 });
  try {
    const prepared = await one.system.connection().execute(async (db) => {
      for (const value of [1, 2, 3]) await sql`select ${value}::int`.execute(db);
      return sql<{ count: number }>`
        select count(*) as count from pg_prepared_statements where statement like '%::int'`.execute(
        db,
      );
    });
    expect(prepared.rows).toEqual([{ count: 1 }]);
  } finally {
    await one.close();
  }
});

test('a statement has the same rows the first time and later, whatever happens in between', async () => {
  const one = openDatabase(testDatabase.url, { connections: 1 });
  try {
    const read = () =>
      sql`select ${'2026-11-03'}::date as day, null::int as nothing, '{"a": [1]}'::json as part, number,
        number / (number - ${4}::int) as share from generate_series(1, 2) number`.execute(
        one.unscoped,
      );
    const first = await read();
    expect(first.rows).toEqual([
      { day: '2026-11-03', nothing: null, part: { a: [1] }, number: 1, share: 0 },
      { day: '2026-11-03', nothing: null, part: { a: [1] }, number: 2, share: -1 },
    ]);
    const divide = (by: number) => sql`select 1 / ${by}::int as share`.execute(one.unscoped);
    for (const by of [0, 1, 0, 1])
      if (by === 0) await expect(divide(by)).rejects.toThrow('division by zero');
      else expect((await divide(by)).rows).toEqual([{ share: 1 }]);
    expect(await read()).toEqual(first);
    const nobody = () =>
      sql`update accounts set name = name where account_id = ${-1}::int`.execute(one.system);
    expect([await nobody(), await nobody()]).toEqual([
      { rows: [], numAffectedRows: 0n },
      { rows: [], numAffectedRows: 0n },
    ]);
  } finally {
    await one.close();
  }
});

test('a failed statement says where it was asked', async () => {
  const mistake = await sql`select nothing`.execute(database.system).catch((error: Error) => error);
  expect((mistake as Error).stack).toContain('postgres.test.ts');
});

test('two cursors read one after the other by the same statement each have their own columns', async () => {
  const read = await database.transaction(async (tx) => {
    const rows: unknown[] = [];
    for await (const batch of readInBatches(tx, sql`select 1 as line`)) rows.push(...batch);
    for await (const batch of readInBatches(tx, sql`select 'A' as token, 2 as line`))
      rows.push(...batch);
    return rows;
  });
  expect(read).toEqual([{ line: 1 }, { token: 'A', line: 2 }]);
});
