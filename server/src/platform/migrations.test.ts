import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { readConfig } from './config.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import { type Migration, migrate, readMigrations, readSchemaState } from './migrations.ts';

let database: TestDatabase;
let tree: Migration[];

beforeEach(async () => {
  database = await createTestDatabase();
  tree = await readMigrations();
});
afterEach(() => database.drop());

function write(name: string, text: string): Migration {
  return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
}

async function ask(statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

test('an up-to-date database is left as it is', async () => {
  expect(await migrate(database.url)).toEqual([]);
});

test('processes that start at once apply each migration once', async () => {
  const added = write('9000-create-counter.sql', 'create table counter as select 1 as n');
  const applied = await Promise.all(
    [1, 2, 3].map(() => migrate(database.url, { migrations: [...tree, added] })),
  );
  expect(applied.flat()).toEqual(['9000-create-counter.sql']);
});

test('a migration that fails leaves nothing of itself, and what came before it stays', async () => {
  const good = write('9000-create-first.sql', 'create table first (n int)');
  const bad = write('9001-create-second.sql', 'create table second (n int); select nonsense');
  await expect(migrate(database.url, { migrations: [...tree, good, bad] })).rejects.toThrow(
    /9001-create-second\.sql failed: .*nonsense/,
  );
  expect(
    await ask(`select to_regclass('first')::text as first, to_regclass('second') as second`),
  ).toEqual([{ first: 'first', second: null }]);
});

test('a changed, missing or late migration is refused by name, and nothing is applied', async () => {
  const [first, ...rest] = tree as [Migration, ...Migration[]];
  const changed = [write(first.name, `${first.text}\n`), ...rest];
  await expect(migrate(database.url, { migrations: changed })).rejects.toThrow(
    `Migration ${first.name} was changed after it was applied`,
  );
  await expect(migrate(database.url, { migrations: rest })).rejects.toThrow(
    `This database has migration ${first.name}, which this version does not know`,
  );
  const newest = tree.at(-1) as Migration;
  const changedNewest = tree.with(-1, write(newest.name, `${newest.text}\n`));
  await expect(migrate(database.url, { migrations: changedNewest })).rejects.toThrow(
    `Migration ${newest.name} was changed after it was applied`,
  );
  // Before the first, and between the last two, as another branch brings it.
  const number = tree.at(-2)?.name.slice(0, 4);
  for (const [name, at] of [
    ['0000-create-early.sql', 0],
    [`${number}-zz-create-early.sql`, -1],
  ] as const) {
    const late = write(name, 'create table early (n int)');
    await expect(
      migrate(database.url, { migrations: tree.toSpliced(at, 0, late) }),
    ).rejects.toThrow(`Migration ${name} comes before ${newest.name}, which this database already`);
  }
  expect(await ask(`select to_regclass('early') as early`)).toEqual([{ early: null }]);
});

test('a migration that meets a long query gives up its lock and tries again, so that voters never wait behind it', async () => {
  const added = write('9000-widen-voters.sql', 'alter table voters add column note text');
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from voters');
  const migrating = migrate(database.url, { migrations: [...tree, added] });
  let longestMs = 0;
  for (const until = Date.now() + 5_000; Date.now() < until; ) {
    const startedAt = Date.now();
    await ask('select count(*) from voters');
    longestMs = Math.max(longestMs, Date.now() - startedAt);
  }
  await reader.query('commit');
  await reader.end();
  expect(await migrating).toEqual([added.name]);
  expect(longestMs).toBeLessThan(4_000);
});

test('a migration that the server ends for a deadlock is tried again', async () => {
  // What a sequence gave stays given when its transaction is rolled back.
  await ask('create sequence tries');
  const added = write(
    '9000-meet-deadlock.sql',
    `do $$ begin if nextval('tries') = 1 then raise exception 'deadlock' using errcode = '40P01'; end if; end $$`,
  );
  expect(await migrate(database.url, { migrations: [...tree, added] })).toEqual([added.name]);
});

test('a migration that never gets its locks says so, and leaves nothing', async () => {
  const added = write('9000-widen-voters.sql', 'alter table voters add column note text');
  const reader = new pg.Client({ connectionString: database.url });
  await reader.connect();
  await reader.query('begin');
  await reader.query('select count(*) from voters');
  await expect(
    migrate(database.url, { migrations: [...tree, added], patienceMs: 0 }),
  ).rejects.toThrow(/9000-widen-voters\.sql failed: it did not get its locks/);
  await reader.end();
  expect(
    await ask(`select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`),
  ).toEqual([]);
  expect((await readSchemaState(database.url, [...tree, added])).pending).toEqual([added]);
});

test('this version works beside the schema of a newer one, and applies nothing to it', async () => {
  const added = write('9000-add-note.sql', 'alter table voters add column note text');
  await migrate(database.url, { migrations: [...tree, added] });
  expect(await migrate(database.url)).toEqual([]);
  expect(await readSchemaState(database.url)).toEqual({ pending: [], isNewer: true });
});

test('in production a program never changes the schema: it says what is pending and how to apply it', async () => {
  const empty = await createTestDatabase();
  const client = new pg.Client({ connectionString: empty.url });
  await client.connect();
  await client.query(`delete from schema_migrations where name = '${tree.at(-1)?.name}'`);
  await client.end();
  const production = readConfig({ NODE_ENV: 'production', DATABASE_URL: empty.url });
  await expect(openConfiguredDatabase(production)).rejects.toThrow(
    /Migrations not applied yet: 1\. .*`beacon migrate`/,
  );
  await empty.drop();
});
