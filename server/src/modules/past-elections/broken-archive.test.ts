import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../../testing/office.ts';
import { urlsOfLogins } from '../../platform/logins.ts';
import { tryBeginImport } from '../imports/index.ts';

let office: TestOffice;
let beacon: Beacon;
let command: readonly string[];
let folder: string;
beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('100', '2026-11-03', false);
  beacon = createBeacon(office.db.url);
  folder = beacon.path('archive');
  command = ['election', 'archive', '100', '--account', 'adams', '--out', folder];
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

test('an archive for which the disk has no room leaves nothing on it, and is made by the same command once it has', async () => {
  const cli = fileURLToPath(new URL('../../cli.ts', import.meta.url));
  // A limit on the size of files is to a program what a full disk is.
  const limited = ['-c', 'ulimit -S -f 0 && exec "$@"', 'sh', process.execPath, cli, ...command];
  const { officeUrl } = urlsOfLogins(office.db.url);
  const { status, stderr } = spawnSync('sh', limited, {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: beacon.folder, DATABASE_OFFICE_URL: officeUrl },
  });
  expect(stderr).toContain('Make room and run the command again.');
  expect(status).toBe(1);
  expect(existsSync(folder)).toBe(false);
  expect(await beacon.do(...command)).toContain('9 files');
});

test('an archive that a file of the office kept from being made is made by the same command afterwards', async () => {
  await office.db.database.transaction(async (tx) => {
    expect(await tryBeginImport(tx, office.account.accountId)).toBe(true);
    expect((await beacon.run(...command)).stderr).toContain('Try again when it is done.');
  });
  expect(await beacon.do(...command)).toContain('9 files');
});
