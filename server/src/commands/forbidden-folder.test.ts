import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';

let office: TestOffice;
let beacon: Beacon;
let folder: string;
beforeEach(async () => {
  office = await createTestOffice();
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-forbidden-'));
  beacon = createBeacon(office.db.url, { environment: { BEACON_DATA: folder } });
});
afterEach(async () => {
  beacon.remove();
  rmSync(folder, { recursive: true });
  await office.close();
});

/** Another user of the machine was here first: in this folder the kernel lets nobody make a file, not even an administrator. */
function closeFolder(name: string): void {
  const parts = name.split('/').slice(0, -1);
  mkdirSync(path.join(folder, ...parts), { recursive: true });
  symlinkSync('/sys', path.join(folder, name));
}

const head = 'registration_id,firstname,lastname,birthdate,zipcode\n';
const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => `${id + 1},Ann,Lee,01/02/1950,99301\n`).join('');
const importRoll = (content: string, ...more: string[]) =>
  beacon.run(
    ...['import', beacon.write('roll.csv', content), '--account', 'adams'],
    ...['--format', 'beacon-voters', ...more],
  );
const countVoters = async () =>
  (await sql`select from voters`.execute(office.db.database.system)).rows.length;

test('a list of refused rows that this user may not write stops the import, which says where and what to do', async () => {
  closeFolder('rejects');
  const { code, stderr } = await importRoll(`${head}${rows(30)}31,Ann,Lee,never,99301\n`);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(
      /^\S+\/rejects\/adams\S* cannot be written \(E\w+\): it belongs to another user of this machine\. Nothing of roll\.csv was imported\. Run this as that user, or set BEACON_DATA to a folder of your own\.\n$/,
    ),
  });
  expect(await countVoters()).toBe(0);
});

test('a file without refused rows needs no such folder', async () => {
  closeFolder('rejects');
  expect(await importRoll(`${head}${rows(30)}`)).toMatchObject({ code: 0, stderr: '' });
  expect(await countVoters()).toBe(30);
});

test('a file that has to wait for approval and cannot be kept says so', async () => {
  await importRoll(`${head}${rows(300)}`);
  closeFolder('rejects/adams');
  const { code, stderr } = await importRoll(`${head}${rows(20)}`, '--full');
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be written'),
  });
  expect(await countVoters()).toBe(300);
});
