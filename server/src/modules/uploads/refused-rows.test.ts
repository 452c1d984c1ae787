import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import { testFileKeys, testTokenKeys } from '../../../../testing/token-keys.ts';
import { checkUpload, importUpload, uploadFile, uploadsPath } from '../../../../testing/uploads.ts';
import { readConfig } from '../../platform/config.ts';
import { createLog } from '../../platform/log.ts';
import { importUploaded } from './handle-file.ts';
import { claimUpload } from './work-store.ts';

let api: TestApi;
let folder: string;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-data-'));
  api = await createTestApi({ environment: { BEACON_DATA: folder } });
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

test('an upload leaves no list of its refused rows on the disk of the console, also when it is approved', async () => {
  const host = 'adams.localhost';
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  const importer = await addPerson(api, { accountId, host }, 'Ina Wolf', ['importer']);
  const releaser = await addPerson(api, { accountId, host }, 'Rosa Kim', ['releaser']);
  await importer.signIn();
  const content = `${writeRoll(40)}R99,Vera,Fox,1970-02-30,34811,Test,FL\n`;
  const id = await uploadFile(importer.browser, 'roll.csv', content);
  const whole = { format: 'beacon-voters', is_full: true };
  const checked = await checkUpload(api, importer.browser, id, whole);
  const imported = await importUpload(api, importer.browser, checked, { ask_because: 'Look.' });
  await releaser.signIn();
  const address = `/api/office/files/${imported.import_id}/release`;
  const released = await releaser.browser.post(address, { reason: 'Checked by phone.' });
  expect(released.json()).toEqual({ state: 'released' });
  expect(await api.query('select count(*) from voters where is_active')).toEqual([{ count: 40 }]);
  const { files } = (await releaser.browser.get('/api/office/files')).json();
  expect(files[0]).toMatchObject({ rows_read: 41, rows_refused: 1 });
  expect(globSync('**/*.csv', { cwd: folder })).toEqual([]);
});

test('a process that goes on after its lease ended keeps the refused rows of the file that another process imported', async () => {
  const host = 'adams.localhost';
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  const importer = await addPerson(api, { accountId, host }, 'Ina Wolf', ['importer']);
  const { database } = api.test;
  const content = `${writeRoll(40)}R99,Vera,Fox,1970-02-30,34811,Test,FL\n`;
  const id = await uploadFile(importer.browser, 'roll.csv', content);
  const { check } = await checkUpload(api, importer.browser, id, { format: 'beacon-voters' });
  await importer.browser.post(`${uploadsPath}/${id}/import`, { check });
  const claim = await claimUpload(database.system);
  if (!claim) throw new Error('There is nothing to import.');
  await api.query(`update uploads set lease_until = now() - interval '1 s'`);
  expect(await api.uploads?.runDue()).toBe(1);
  await importUploaded(
    {
      ...{ database, clock: api.clock, config: readConfig({ BEACON_DATA: folder }) },
      ...{ log: createLog('silent'), fileKeys: testFileKeys, tokenKeys: testTokenKeys },
    },
    { claim, onBytes() {} },
  );
  const [file] = (await importer.browser.get('/api/office/files')).json().files;
  expect(file).toMatchObject({ rows_refused: 1 });
  const rejects = await importer.browser.get(`/api/office/files/${file.import_id}/rejects`);
  expect(rejects.body).toContain('R99,Vera,Fox');
});
