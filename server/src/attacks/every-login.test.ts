import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { fillEveryTable, insertInto, type Table } from '../../../testing/every-table.ts';
import { pg } from '../../../testing/sql.ts';
import { urlsOfLogins } from '../platform/logins.ts';

/**
 * Two offices have a row in every table, and each login tries what it was granted there. A right without a policy that
 * shows the rows is no error to the database: a worker would find nothing to send or to delete, and say nothing.
 */
const [adams, lake] = [1, 2];
let db: TestDatabase;
let tables: Table[];
beforeAll(async () => {
  db = await createTestDatabase();
  tables = await fillEveryTable(db, [adams, lake]);
}, 120_000);
afterAll(() => db.drop());

async function countRows(name: string): Promise<number> {
  const { rows } = await db.database.systemPool.query(`select from "${name}"`);
  return rows.length;
}

type Privilege = 'select' | 'insert' | 'update' | 'delete';

/** Of a role, each table with what is granted on it, and the column that it may change where it may change any. */
interface Granted {
  readonly name: string;
  readonly privileges: readonly Privilege[];
  readonly changeable: string | null;
}

async function listGranted(client: pg.Client, role: string): Promise<Granted[]> {
  const { rows } = await client.query<Granted>(
    `select c.relname as name, (
        select array_agg(privilege) from unnest(array['select', 'insert', 'update', 'delete']) privilege
        where has_table_privilege($1, c.oid, privilege)
          or (privilege in ('select', 'update') and has_any_column_privilege($1, c.oid, privilege))) as privileges, (
        select attname from pg_attribute a where a.attrelid = c.oid and attnum > 0 and not attisdropped
          and attgenerated = '' and attidentity <> 'a' and has_column_privilege($1, c.oid, attnum, 'update')
          and has_column_privilege($1, c.oid, attnum, 'select') order by attnum limit 1) as changeable
      from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
    [role],
  );
  return rows.filter(({ privileges }) => privileges !== null);
}

/** How many rows a statement touches, of which nothing is kept. */
async function countTouched(client: pg.Client, role: string, office: number | null, text: string) {
  await client.query('begin');
  try {
    await client.query(`set local role ${role}`);
    if (office !== null) await client.query(`set local beacon.account_id = '${office}'`);
    return (await client.query(text)).rowCount;
  } catch (error) {
    const { code, message } = error as pg.DatabaseError;
    // A second row of the same key was let in, and then one too many.
    return code === '23505' ? 1 : `${code} ${message}`;
  } finally {
    await client.query('rollback');
  }
}

const logins = [
  ['beacon_worker', 'workerUrl', null],
  ['beacon_intake', 'intakeUrl', null],
  ['beacon_operator', 'officeUrl', null],
  ['beacon_office', 'officeUrl', adams],
  ['beacon_api', 'apiUrl', adams],
] as const;

describe.each(logins)('%s', (role, url, office) => {
  test(`reaches the rows of ${office === null ? 'every office' : 'its office, and of no other'}`, async () => {
    const client = new pg.Client({ connectionString: urlsOfLogins(db.url)[url] });
    await client.connect();
    const wrong: string[] = [];
    const expectTouched = async (count: number, text: string) => {
      const touched = await countTouched(client, role, office, text);
      if (touched !== count) wrong.push(`${text}: ${touched} instead of ${count}`);
    };
    try {
      const granted = await listGranted(client, role);
      expect(granted.length).toBeGreaterThan(15);
      for (const { name, privileges, changeable } of granted) {
        const table = tables.find((one) => one.name === name);
        if (!table) throw new Error(`There is no table ${name}.`);
        const isBound = office !== null && table.hasAccount;
        const rows = isBound ? 1 : await countRows(name);
        if (privileges.includes('select')) await expectTouched(rows, `select from "${name}"`);
        if (privileges.includes('delete')) await expectTouched(rows, `delete from "${name}"`);
        if (privileges.includes('update') && changeable !== null)
          await expectTouched(rows, `update "${name}" set "${changeable}" = "${changeable}"`);
        if (privileges.includes('insert')) await expectTouched(1, insertInto(table, adams));
        if (isBound && privileges.includes('select'))
          await expectTouched(0, `select from "${name}" where account_id = ${lake}`);
      }
    } finally {
      await client.end();
    }
    expect(wrong).toEqual([]);
  });
});
