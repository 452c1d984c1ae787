import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import {
  checkUpload,
  importUpload,
  sendPiece,
  uploadFile,
  uploadsPath,
} from '../../../../testing/uploads.ts';

let api: TestApi;
let importer: TestPerson;
beforeEach(async () => {
  api = await createTestApi();
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  const office = { accountId, host: 'adams.localhost' };
  importer = await addPerson(api, office, 'Ina Wolf', ['importer', 'releaser']);
});
afterEach(() => api.close());

test('a roll is the whole roll only where its importer says so', async () => {
  const load = async (count: number, how: object) => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(count));
    const checked = await checkUpload(api, importer.browser, id, how);
    await importUpload(api, importer.browser, checked);
    return checked.is_full;
  };
  const active = () => api.query('select count(*) from voters where is_active');
  await load(60, { format: 'beacon-voters', is_full: true });
  expect(await load(59, { format: 'beacon-voters' })).toBe(false);
  expect(await active()).toEqual([{ count: 60 }]);
  expect(await load(58, { format: 'beacon-voters', is_full: true })).toBe(true);
  expect(await active()).toEqual([{ count: 58 }]);
});

test('pieces that are refused take no place of those that come after them', async () => {
  const { upload_id: id } = (
    await importer.browser.post(uploadsPath, { file_name: 'roll.csv', size: 600_000 })
  ).json();
  await sendPiece(importer.browser, id, 0, Buffer.alloc(524_288));
  // One more than are stored at the same time.
  for (let count = 0; count < 17; count += 1) {
    const other = await sendPiece(importer.browser, id, 0, Buffer.alloc(524_288, 1));
    expect(other.statusCode).toBe(409);
  }
  const last = await sendPiece(importer.browser, id, 1, Buffer.alloc(600_000 - 524_288));
  expect(last.statusCode).toBe(204);
});

test('all pieces of a deleted file are erased, however many they are', async () => {
  const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(2));
  await api.query(
    `insert into upload_pieces select account_id, upload_id, kind, n, bytes, sha256, sealed
      from upload_pieces cross join generate_series(1, 400) n`,
    [],
  );
  await importer.browser.delete(`${uploadsPath}/${id}`);
  expect(await api.uploads?.erase()).toBe(1);
  expect(await api.query('select count(*) from upload_pieces')).toEqual([{ count: 0 }]);
  expect(await api.query(`select details from audit_log where action = 'upload.erase'`)).toEqual([
    { details: { pieces: 401 } },
  ]);
});
