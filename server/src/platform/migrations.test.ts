import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { type Migration, migrate, readMigrations } from './migrations.ts';

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
  const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url, [...tree, added])));
  expect(applied.flat()).toEqual(['9000-create-counter.sql']);
});

test('a migration that fails leaves nothing of itself, and what came before it stays', async () => {
  const good = write('9000-create-first.sql', 'create table first (n int)');
  const bad = write('9001-create-second.sql', 'create table second (n int); select nonsense');
  await expect(migrate(database.url, [...tree, good, bad])).rejects.toThrow(
    /9001-create-second\.sql failed: .*nonsense/,
  );
  expect(
    await ask(`select to_regclass('first')::text as first, to_regclass('second') as second`),
  ).toEqual([{ first: 'first', second: null }]);
});

test('a changed, missing or late migration is refused by name, and nothing is applied', async () => {
  const [first, ...rest] = tree as [Migration, ...Migration[]];
  const changed = [write(first.name, `${first.text}\n`), ...rest];
  await expect(migrate(database.url, changed)).rejects.toThrow(
    `Migration ${first.name} was changed after it was applied`,
  );
  await expect(migrate(database.url, rest)).rejects.toThrow(
    `This database has migration ${first.name}, which this version does not know`,
  );
  const late = write('0000-create-early.sql', 'create table early (n int)');
  await expect(migrate(database.url, [late, ...tree])).rejects.toThrow(
    'Migration 0000-create-early.sql comes before',
  );
  expect(await ask(`select to_regclass('early') as early`)).toEqual([{ early: null }]);
});
