import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { startPgBouncer, type TestPooler } from '../../../testing/pgbouncer.ts';
import { runs } from '../../../testing/runs.ts';
import { readConfig } from './config.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import type { AccountId } from './ids.ts';
import { type Database, type Db, openDatabase } from './postgres.ts';

/** Behind a real PgBouncer in transaction mode, with fewer connections to the server than there are clients. */

let direct: TestDatabase;
let pooler: TestPooler;
let pooled: Database;
let accounts: readonly AccountId[];

beforeAll(async () => {
  direct = await createTestDatabase();
  accounts = await Promise.all(
    ['adams', 'lake'].map(async (subdomain) => {
      const { rows } = await sql<{ id: AccountId }>`
        insert into accounts (subdomain, name, county, state, time_zone, settings)
        values (${subdomain}, ${subdomain}, ${subdomain}, 'FL', 'America/New_York', '{}')
        returning account_id as id`.execute(direct.database.system);
      const [row] = rows;
      if (!row) throw new Error(`${subdomain} was not added.`);
      const { id } = row;
      await sql`insert into no_ballot_messages values (${id}, 'english', ${`of ${id}`}, '')`.execute(
        direct.database.system,
      );
      return id;
    }),
  );
  pooler = await startPgBouncer(direct.url, { mode: 'transaction', serverConnections: 2 });
  pooled = openDatabase(pooler.url, { connections: 8 });
});
afterAll(async () => {
  await pooled.close();
  await pooler.stop();
  await direct.drop();
});

async function readTitles(db: Db): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select title from no_ballot_messages where title <> ${'nobody’s'} order by title`.execute(db);
  return rows.map(({ title }) => title);
}

const ways = {
  statement: readTitles,
  transaction: (db: Db) =>
    db.transaction().execute(async (tx) => {
      await sql`select ${1}::int`.execute(tx);
      return readTitles(tx as Db);
    }),
  /** A query that fails must leave nothing behind for the next one on its connection. */
  failure: async (db: Db) => {
    await sql`select 1 / (select count(*) from no_ballot_messages where title = ${'nobody’s'})`
      .execute(db)
      .catch(() => undefined);
    return readTitles(db);
  },
};

test('requests of two offices, interleaved in any order, never get each other’s rows', async () => {
  const request = fc.record({
    account: fc.constantFrom(undefined, 0, 1),
    way: fc.constantFrom('statement', 'transaction', 'failure' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 60 }), async (requests) => {
      const answers = await Promise.all(
        requests.map(({ account, way }) =>
          ways[way](
            account === undefined
              ? pooled.unscoped
              : pooled.forAccount(accounts[account] as AccountId),
          ),
        ),
      );
      expect(answers).toEqual(
        requests.map(({ account }) => (account === undefined ? [] : [`of ${accounts[account]}`])),
      );
    }),
    { numRuns: runs(60) },
  );
});

test('what another client left on a connection to the server gives no row of another office', async () => {
  for (let time = 0; time < 20; time += 1) {
    const other = new pg.Client({ connectionString: pooler.url });
    await other.connect();
    await other.query(
      `select set_config('beacon.account_id', '${accounts[1]}', false), set_config('role', 'none', false)`,
    );
    await other.end();
    expect(await readTitles(pooled.unscoped)).toEqual([]);
    expect(await readTitles(pooled.forAccount(accounts[0] as AccountId))).toEqual([
      `of ${accounts[0]}`,
    ]);
  }
});

test('the time zone and the patience with a visitor’s statement hold behind a pooler too', async () => {
  const { rows } = await sql`
    select current_setting('timezone') as zone, current_setting('statement_timeout') as patience,
      current_user as role`.execute(pooled.forAccount(accounts[0] as AccountId));
  expect(rows).toEqual([{ zone: 'UTC', patience: '10s', role: 'beacon_api' }]);
});

test('statements are named only where no other client’s can be met under the same name', async () => {
  const countNamed = async (database: Database) => {
    const { rows } = await database.system.connection().execute(async (db) => {
      await sql`select ${1}::int`.execute(db);
      return sql<{ count: number }>`
        select count(*) as count from pg_prepared_statements where statement like '%::int'`.execute(
        db,
      );
    });
    return rows[0]?.count;
  };
  expect(await countNamed(pooled)).toBe(0);
  expect(await countNamed(direct.database)).toBe(1);
  // Nor is anything left of finding out, which the next client of the server connection would find.
  const { rows } = await sql`select name from pg_prepared_statements`.execute(pooled.system);
  expect(rows).toEqual([]);
});

test('a command behind a pooler needs the database’s own address beside it, and leaves no lock behind', async () => {
  const settings = { DATABASE_URL: pooler.url };
  await expect(openConfiguredDatabase(readConfig(settings))).rejects.toThrow(
    /DATABASE_URL leads through a connection pooler\. Set DATABASE_DIRECT_URL/,
  );
  await expect(
    openConfiguredDatabase(
      readConfig({ ...settings, DATABASE_DIRECT_URL: `${pooler.url}&application_name=direct` }),
    ),
  ).rejects.toThrow(/DATABASE_DIRECT_URL leads through a connection pooler/);
  const configured = await openConfiguredDatabase(
    readConfig({ ...settings, DATABASE_DIRECT_URL: direct.url }),
  );
  const listener = await configured.database.systemPool.connect();
  await listener.query('listen anything');
  listener.release(true);
  await configured.close();
  const { rows } = await sql`select from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`.execute(
    direct.database.system,
  );
  expect(rows).toEqual([]);
});

test('a pooler that pools statements is refused at the start', async () => {
  const strict = await startPgBouncer(direct.url, { mode: 'statement', serverConnections: 2 });
  await expect(
    openConfiguredDatabase(
      readConfig({ DATABASE_URL: strict.url, DATABASE_DIRECT_URL: direct.url }),
    ),
  ).rejects.toThrow(/allows no transactions \(statement pooling\)\. Set pool_mode = transaction/);
  await strict.stop();
});
