import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { readCodeBlocks } from '../../testing/pages.ts';
import { pg } from '../../testing/sql.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

interface Login {
  readonly name: string;
  readonly canLogIn: boolean;
  readonly isSuperuser: boolean;
  readonly roles: readonly string[];
}

/** Runs statements as an administrator, in a transaction that is taken back: logins are the whole server's. */
async function createLogins(statements: readonly string[]): Promise<Login[]> {
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  try {
    await client.query('begin');
    // The server of the tests has logins of these names.
    for (const text of statements)
      await client.query(text.replace(/(beacon_\w+_login)/, 'page_$1'));
    const { rows } = await client.query<Login>(
      `select substr(r.rolname, 6) as name, r.rolcanlogin as "canLogIn", r.rolsuper as "isSuperuser",
        (select json_agg(g.rolname order by g.rolname) from pg_auth_members m join pg_roles g on g.oid = m.roleid
          where m.member = r.oid) as roles
      from pg_roles r where r.rolname like 'page\\_%' order by 1`,
    );
    return rows;
  } finally {
    await client.end();
  }
}

test('the statements of the page make the logins that the deployment makes', async () => {
  const blocks = readCodeBlocks('operations/database.md').filter(
    ({ language, heading }) => language === 'sql' && heading === 'Database logins',
  );
  const byPage = await createLogins(blocks.map(({ text }) => text));
  const file = readFileSync(path.join(import.meta.dirname, 'logins.sql'), 'utf8');
  const created = file.match(/^create role .*;$/gm) ?? [];
  const byFile = await createLogins(created.map((text) => text.replace(/:'\w+'/, "'x'")));
  expect(byPage).toEqual(byFile);
  expect(byPage.map(({ name, canLogIn, isSuperuser }) => [name, canLogIn, isSuperuser])).toEqual(
    ['api', 'intake', 'office', 'worker'].map((who) => [`beacon_${who}_login`, true, false]),
  );
});
