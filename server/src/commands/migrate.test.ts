import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { pg } from '../../../testing/sql.ts';

let test_: TestDatabase;
let beacon: ReturnType<typeof createBeacon>;
beforeAll(async () => {
  test_ = await createTestDatabase();
  beacon = createBeacon(test_.url);
});
afterAll(async () => {
  beacon.remove();
  await test_.drop();
});

test('an operator sees what would be applied, applies it, and then there is nothing to do', async () => {
  const client = new pg.Client({ connectionString: test_.url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  expect(await beacon.do('migrate', '--dry-run')).toMatch(
    /^Would apply 0001-create-accounts\.sql\n/,
  );
  const { rows } = await client.query(`select to_regclass('accounts') as accounts`);
  expect(rows).toEqual([{ accounts: null }]);
  await client.end();
  expect(await beacon.do('migrate')).toMatch(/^Applied 0001-create-accounts\.sql\n/);
  expect(await beacon.do('migrate')).toBe('Nothing to do: the database is up to date.\n');
});
