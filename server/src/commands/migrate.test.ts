import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { pg } from '../../../testing/sql.ts';
import { runBeacon } from '../cli.ts';
import { urlsOfLogins } from '../platform/logins.ts';
import { processSurroundings } from './surroundings.ts';

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

test('several that migrate at the same time are done one after the other', async () => {
  const at = Array.from({ length: 6 }, () => beacon.do('migrate'));
  expect(await Promise.all(at)).toEqual(
    at.map(() => 'Nothing to do: the database is up to date.\n'),
  );
});

test('a database is given the number of a cell from 1 to 99, once', async () => {
  const { url, drop } = await createTestDatabase();
  const cell = createBeacon(url);
  for (const number of ['0', '100', '1.5', 'x'])
    expect(await cell.run('migrate', '--cell', number)).toMatchObject({ code: 2, stdout: '' });
  expect(await cell.do('migrate', '--cell', '99')).toContain('This database is cell 99.\n');
  expect(await cell.run('migrate', '--cell', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is another cell already'),
  });
  // Migrated again, a cell goes on counting where it was.
  for (const subdomain of ['adams', 'lake']) {
    const office = { subdomain, name: subdomain, county: 'Lake', state: 'FL' };
    const file = { ...office, time_zone: 'America/New_York' };
    await cell.do('account', 'apply', cell.write(`${subdomain}.json`, JSON.stringify(file)));
    await cell.do('migrate');
  }
  const accounts = JSON.parse(await cell.do('account', 'list', '--json'));
  const ids = accounts.map((one: { accountId: number }) => one.accountId).sort();
  expect(ids).toEqual([990_000_000, 990_000_001]);
  cell.remove();
  await drop();
});

test('commands run by the login for offices, and only migrate needs the owner’s', async () => {
  const run = async (environment: Record<string, string>, ...parameters: string[]) => {
    let output = '';
    const write = (text: string) => {
      output += text;
    };
    const code = await runBeacon(parameters, {
      ...processSurroundings,
      environment: { BEACON_DATA: beacon.folder, ...environment },
      terminal: undefined,
      writeOutput: write,
      writeError: write,
    });
    return { code, output };
  };
  const { url, drop } = await createTestDatabase();
  const { officeUrl } = urlsOfLogins(url);
  const login = { DATABASE_OFFICE_URL: officeUrl };
  for (const environment of [login, { ...login, NODE_ENV: 'production' }])
    expect(await run(environment, 'account', 'list')).toMatchObject({ code: 0 });
  const wrong = officeUrl.replace('beacon_office_login', 'nobody');
  const both = { DATABASE_URL: url, DATABASE_OFFICE_URL: wrong };
  const { code, output } = await run(both, 'account', 'list');
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('DATABASE_OFFICE_URL cannot be used'),
  ]);

  const direct = { DATABASE_URL: url, DATABASE_DIRECT_URL: url.replace(/\/test_\w+\?/, '/none?') };
  expect(await run(direct, 'migrate')).toMatchObject({
    code: 1,
    output: expect.stringContaining('DATABASE_DIRECT_URL cannot be used'),
  });

  const refused = await run(login, 'migrate');
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('DATABASE_URL is not set');
  await drop();
});
