import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));

let office: TestOffice;
let beacon: Beacon;
beforeEach(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

/** What the database does as a command records what it did. */
async function breakRecord(body: string): Promise<void> {
  const db = office.db.database.system;
  await sql
    .raw(
      `create function break_record() returns trigger language plpgsql as $$ begin ${body}; end $$`,
    )
    .execute(db);
  await sql`create trigger break_record before insert on audit_log for each row execute function break_record()`.execute(
    db,
  );
}

const setAlert = ['alert', 'set', '--account', 'adams', '--language', 'english', '--text', 'Hi'];

test('a disk without room for what a command prints is named in one line', () => {
  const url = office.db.url;
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, cli, 'account', 'list'],
    { encoding: 'utf8', env: { PATH: process.env.PATH, DATABASE_URL: url, HOME: beacon.folder } },
  );
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'What the command prints cannot be written (ENOSPC). Make room and run it again.\n',
  });
});

test('a database that ends the connection in the middle of a command is named, with what to do', async () => {
  await breakRecord('perform pg_terminate_backend(pg_backend_pid()); return new');
  const { code, stderr } = await beacon.run(...setAlert);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^The database did not let the command finish( \(57P01\))?: it stopped, is full or was busy\. See that it answers, look what is done already, and run the command again\.\n$/,
    ),
  });
});

test('what nobody foresaw is one line without what the database says of a voter', async () => {
  await breakRecord(`raise exception 'no Ann Lee' using detail = 'Key (name)=(Ann Lee)'`);
  const { code, stderr } = await beacon.start(...setAlert).result;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^The command failed in a way that nobody foresaw \(P0001\)\. .+\n$/,
    ),
  });
  expect(stderr).not.toContain('Ann Lee');
});

test('a file that this user may not read is named as such', async () => {
  // The kernel lets nobody read it, not even an administrator.
  const path = '/proc/sys/vm/compact_memory';
  const { code, stderr } = await beacon.run('import', path, '--account', 'adams');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^\/proc\/sys\/vm\/compact_memory cannot be read: the user \S+ may not \(EACCES\)\. Put it where this user may read it, or change its rights\.\n$/,
    ),
  });
  const gone = await beacon.run('import', beacon.path('gone.csv'), '--account', 'adams');
  expect(gone.stderr).toContain('gone.csv cannot be read. Is the path right?');
});

test('a folder for keys that this user may not write is named, with the setting', async () => {
  const roll = beacon.write('roll.csv', 'registration_id,firstname,lastname,birthdate,zipcode\n');
  const closed = createBeacon(office.db.url, { environment: { BEACON_DATA: '/sys/beacon' } });
  const { code, stderr } = await closed.run('import', roll, '--account', 'adams');
  closed.remove();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^BEACON_DATA is \/sys\/beacon, where this user cannot write \(E\w+\)\. /,
    ),
  });
});
