import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../testing/office.ts';
import { followSftpPage, mayMount, type SftpMachine } from '../../testing/sftp-machine.ts';
import { sql } from '../../testing/sql.ts';

const columns = [
  ...['Voter ID', 'First Name', 'Last Name', 'Middle Name', 'Birth Date', 'Zip Code'],
  ...['County of Residence', 'Private Home Phone', 'Private Mobile Phone', 'Area Code'],
  ...['Phone Number', 'Email Address', 'Public Email Address'],
];
const row = ['0042', 'Ann', 'Rivera', '', '02/03/1970', '99301', 'Adams', ...Array(6).fill('')];
/** Undefined on a machine that lets nobody have mounts, such as some containers: nothing can be proven there. */
let machine: SftpMachine | undefined;
let office: TestOffice;
let beacon: Beacon;

beforeAll(async () => {
  office = await createTestOffice();
  beacon = createBeacon(office.db.url);
  if (mayMount()) machine = await followSftpPage('plum-anchor-violet-77');
});
afterAll(async () => {
  await machine?.close();
  beacon.remove();
  await office.close();
});

test('an office enters host, user and password, and its Voter Focus export is imported', async () => {
  if (!machine) return expect(mayMount()).toBe(false);
  const roll = beacon.write('MasterVoterFile.csv', `${columns.join()}\n${row.join()}\n`);
  const said = machine.sftp([`put ${roll} MasterVoterFile.csv`, 'pwd']);
  expect(said).toContain('Remote working directory: /exports');
  const inbox = path.join(machine.root, 'adams/exports');
  // The user of the watch reads it and puts it away; nobody else on the machine reads it.
  expect(machine.asBeacon(`cat ${inbox}/MasterVoterFile.csv`)).toBe(0);
  expect(machine.asBeacon(`mkdir ${inbox}/try && mv ${inbox}/*.csv ${inbox}/try/`)).toBe(0);
  expect(machine.asBeacon(`mv ${inbox}/try/*.csv ${inbox}/ && rmdir ${inbox}/try`)).toBe(0);
  await beacon.do('watch', machine.root, '--offices', '--once', '--settle', '0.1');
  const { rows } = await sql`select registration_id from voters`.execute(office.db.database.system);
  expect(rows).toEqual([{ registration_id: '0042' }]);
  // What became of the file is there for the office to fetch.
  expect(machine.sftp(['ls -1 done'])).toMatch(/MasterVoterFile\.csv\.report\.txt/);
});

test('a login reaches nothing but its own folder', () => {
  if (!machine) return expect(mayMount()).toBe(false);
  expect(machine.sftp(['get /etc/passwd'])).toMatch(/"\/etc\/passwd" not found/);
  expect(machine.sftp(['ls -1 /'])).toBe('sftp> ls -1 /\n/exports\n');
  expect(machine.sftp(['cd /../../lake'])).toMatch(/No such file/);
  const file = beacon.write('outside.csv', 'x');
  expect(machine.sftp([`put ${file} /outside.csv`])).toMatch(/Permission denied/);
  expect(machine.ssh('-T')).toContain('This service allows sftp connections only.');
  expect(machine.sftp(['pwd'], 'a wrong password')).toBe('Connection closed\r\n');
  expect(machine.settings).toMatch(/^disableforwarding yes$/m);
  expect(machine.settings).toMatch(/^permittty no$/m);
  expect(machine.settings).toMatch(/^chrootdirectory \/srv\/sftp\/%u$/m);
});
