import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';

const made: TestDatabase[] = [];

async function make(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  made.push(database);
  return database;
}

afterEach(async () => {
  for (const database of made.splice(0)) await database.drop();
});

test('two tests never see each other’s rows', async () => {
  const [one, other] = await Promise.all([make(), make()]);
  await sql`insert into throttles values ('\\x01', 1, now())`.execute(one.database.system);
  const { rows } = await sql`select from throttles`.execute(other.database.system);
  expect(rows).toEqual([]);
});

test('a test’s database is gone when the test is done', async () => {
  const { url, drop } = await createTestDatabase();
  await drop();
  await expect(new pg.Client({ connectionString: url }).connect()).rejects.toThrow(
    /does not exist/,
  );
});
