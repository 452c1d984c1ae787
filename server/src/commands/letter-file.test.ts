import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';
import { urlsOfLogins } from '../platform/logins.ts';

let office: TestOffice;
let beacon: Beacon;
let out: string;
beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  beacon = createBeacon(office.db.url, { clock: office.clock });
  out = beacon.path('letters.csv');
  await addHidden('H1');
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

const addHidden = (id: string) =>
  sql`insert into voters (account_id, registration_id, firstname, lastname, zipcode, birthdate, is_confidential)
    values (${office.account.accountId}, ${id}, 'Ann', 'Hidden', '99301', '1970-02-03', true)`.execute(
    office.db.database.system,
  );
const letters = ['qr', '--letters', '--account', 'adams', '--election', '7', '--out'];
const print = (...more: string[]) => beacon.run(...letters, out, ...more);

test('the file with the codes of letters, which are nowhere else, is written over by no later run', async () => {
  expect(await print()).toMatchObject({ code: 0 });
  const codes = readFileSync(out, 'utf8');
  expect(codes).toContain('\r\nH1,');
  await addHidden('H2');
  for (const more of [[], ['--renew'], ['--voter', 'H2']])
    expect(await print(...more)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `${out} is there already, and the codes in it cannot be shown again. Name a file that is not.\n`,
    });
  expect(readFileSync(out, 'utf8')).toBe(codes);
  out = beacon.path('more.csv');
  await print();
  expect(readFileSync(out, 'utf8')).toMatch(/LastDay\r\nH2,[^\n]*\n$/);
});

test('no codes are printed for an election that is over, by the office’s calendar', async () => {
  await sql`update elections set is_active = false`.execute(office.db.database.system);
  // In Adams it is still election day.
  office.clock.set('2026-11-04T07:59:59Z');
  expect(await print()).toMatchObject({ code: 0 });
  office.clock.set('2026-11-04T08:00:00Z');
  out = beacon.path('late.csv');
  expect(await print('--renew')).toEqual({
    ...{ code: 1, stdout: '' },
    stderr:
      'Election 7 is over, and its codes would sign nobody in. Name an election that is ahead.\n',
  });
});

test('codes for which the disk has no room leave no file in the way of the next run', async () => {
  const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));
  // A limit on the size of files is to a program what a full disk is.
  const limited = ['-c', 'ulimit -S -f 0 && exec "$@"', 'sh', process.execPath, cli];
  const { officeUrl } = urlsOfLogins(office.db.url);
  const { stderr } = spawnSync('sh', [...limited, ...letters, out], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: beacon.folder, DATABASE_OFFICE_URL: officeUrl },
  });
  expect(stderr).toContain(`${out} cannot be written`);
  expect(await print()).toMatchObject({ code: 0, stdout: expect.stringContaining('1 letter') });
});
