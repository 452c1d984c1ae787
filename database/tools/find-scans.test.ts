import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapturedStatement } from '../../testing/captured-statements.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { pg } from '../../testing/sql.ts';
import { fillTables } from './fill-tables.ts';
import { findSequentialScans } from './find-scans.ts';

let db: TestDatabase;
let client: pg.Client;
let largeTables: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  client = new pg.Client({ connectionString: db.url });
  await client.connect();
  largeTables = await fillTables(client, 3000);
});
afterAll(async () => {
  await client.end();
  await db.drop();
});

const find = (text: string, role: CapturedStatement['role'] = 'owner') =>
  findSequentialScans(client, [{ text, origin: 'here.ts:1', role }], largeTables);

test('a statement that looks for a voter by a column without an index is found', async () => {
  const { scans } = await find('select voter_id from voters where city = $1');
  expect(scans).toMatchObject([{ origin: 'here.ts:1', table: 'voters' }]);
});

test('a scan within a subquery or a change is found too', async () => {
  const nested = await find(
    'delete from sessions where voter_id in (select voter_id from voters where precinct = $1)',
  );
  expect(nested.scans.map(({ table }) => table)).toContain('voters');
});

test('a reason beside the statement lets it pass', async () => {
  const { scans, explained } = await find(
    'select count(*) from voters where city = $1 -- sequential scan: counts all voters for the daily report',
  );
  expect(scans).toEqual([]);
  expect(explained).toBe(1);
});

test('a reason of one word is none', async () => {
  const { scans } = await find(
    'select voter_id from voters where city = $1 -- sequential scan: ok',
  );
  expect(scans).toHaveLength(1);
});

test('a lookup by an index, and a scan of a small table, pass', async () => {
  expect((await find('select city from voters where voter_id = $1')).scans).toEqual([]);
  expect((await find('select name from accounts where name = $1')).scans).toEqual([]);
});

test('an index that row-level security keeps from visitors’ requests is no way for them', async () => {
  const byAddress =
    "select voter_id from contact_channels where lower(address) = $1 and address <> ''";
  expect((await find(byAddress)).scans).toEqual([]);
  expect((await find(byAddress, 'beacon_api')).scans).toMatchObject([
    { table: 'contact_channels' },
  ]);
});

test('a statement over a temporary table is counted as not planned, and one that is wrong fails the check', async () => {
  const { unexplained } = await find('select * from staged_rows');
  expect(unexplained).toHaveLength(1);
  await expect(find('select no_such_column from voters')).rejects.toThrow('No plan could be had');
});

test('every table that grows with a county is filled', async () => {
  expect(largeTables).toEqual(
    expect.arrayContaining(['ballot_events', 'ballots', 'mail_scans', 'messages', 'voters']),
  );
});
