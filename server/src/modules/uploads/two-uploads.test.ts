import { createHash } from 'node:crypto';
import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import {
  checkUpload,
  importUpload,
  sendPiece,
  uploadFile,
  uploadsPath,
} from '../../../../testing/uploads.ts';
import type { AccountId } from '../../platform/ids.ts';
import { tryBeginImport } from '../imports/index.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const addElection = (accountId: AccountId) =>
  api.query(
    `insert into elections (account_id, number, name, election_date, is_active)
      values ($1, '2026G', 'General Election', '2026-11-24', true)`,
    [accountId],
  );
/** A voter who signed up for mails. */
const addReachable = async (accountId: AccountId, voter: Parameters<typeof addVoter>[2]) =>
  api.query(
    `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      values ($1, $2, 'email', 'v' || $2::bigint || '@example.com', 'proven', true)`,
    [accountId, await addVoter(api.test, accountId, voter)],
  );

test('of two files that one person sends at once, each has its own pieces, check and refused rows', async () => {
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  const of = { accountId, host: 'adams.localhost' };
  const { browser } = await addPerson(api, of, 'Ina Wolf', ['importer']);
  const begin = async (name: string, content: string) => {
    const bytes = Buffer.from(content);
    const started = await browser.post(uploadsPath, { file_name: name, size: bytes.length });
    return { bytes, id: started.json<UploadAnswer>().upload_id };
  };
  const [header, row = '', ...rows] = writeRoll(3).trimEnd().split('\n');
  const withoutId = row.replace(/^R0/, '');
  const files = [
    await begin('first.csv', [header, row, withoutId, ''].join('\n')),
    await begin('other.csv', [header, ...rows, `${withoutId},more`, ''].join('\n')),
    await begin('whole.csv', [header, row, ''].join('\n')),
  ];
  for (const { id, bytes } of files)
    expect((await sendPiece(browser, id, 0, bytes)).statusCode).toBe(204);
  const stored = await api.query<{ upload_id: number; sha256: Buffer }>(
    `select upload_id, sha256 from upload_pieces where kind = 'file' order by upload_id`,
  );
  expect(stored).toEqual(
    files.map(({ id, bytes }) => ({
      upload_id: id,
      sha256: createHash('sha256').update(bytes).digest(),
    })),
  );
  const listed = (await browser.get(uploadsPath)).json<{ uploads: UploadAnswer[] }>().uploads;
  // The newest first.
  expect(listed.map(({ upload_id }) => upload_id)).toEqual(files.map(({ id }) => id).reverse());
  const imported: UploadAnswer[] = [];
  const samples: unknown[] = [];
  for (const { id } of files) {
    const checked = await checkUpload(api, browser, id, { format: 'beacon-voters' });
    samples.push(checked.preview?.samples.map(({ voter }) => voter));
    imported.push(await importUpload(api, browser, checked));
  }
  const found: unknown[] = [];
  for (const [index, { import_id }] of imported.entries()) {
    const file = `/api/office/files/${import_id}`;
    const rejects = await browser.get(`${file}/rejects`);
    const hasRejects = (await browser.get(file)).json().has_rejects;
    found.push([samples[index], hasRejects && rejects.body.trimEnd().split('\n').length]);
  }
  expect(found).toEqual([
    [['R0'], 2],
    [['R1', 'R2'], 2],
    [[], false],
  ]);
  // What was imported is neither deleted nor imported or checked once more.
  const [first] = imported;
  const at = `${uploadsPath}/${first?.upload_id}`;
  const decided = [
    await browser.delete(at),
    await browser.post(`${at}/import`, { check: first?.check }),
    await browser.post(`${at}/check`, {}),
  ];
  expect(decided.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
  expect((await browser.get(at)).json()).toMatchObject({ state: 'imported' });
});

test('the import of one file is no import of another that was checked too', async () => {
  const accountId = await addOffice(api.test, { subdomain: 'oak' });
  const of = { accountId, host: 'oak.localhost' };
  const { browser } = await addPerson(api, of, 'Ina Wolf', ['importer']);
  const check = async (name: string, voters: number) => {
    const id = await uploadFile(browser, name, writeRoll(voters));
    return checkUpload(api, browser, id, { format: 'beacon-voters' });
  };
  const first = await check('first.csv', 1);
  const other = await check('other.csv', 3);
  expect((await importUpload(api, browser, first)).state).toBe('imported');
  const { uploads } = (await browser.get(uploadsPath)).json<{ uploads: UploadAnswer[] }>();
  const left = uploads.find(({ upload_id }) => upload_id === other.upload_id);
  expect(left?.state).toBe('ready');
  expect(await api.query('select count(*) from voters')).toEqual([{ count: 1 }]);
});

test('a check that waits for another import of the office is put back as often as it takes', async () => {
  const accountId = await addOffice(api.test, { subdomain: 'pine' });
  const of = { accountId, host: 'pine.localhost' };
  const { browser } = await addPerson(api, of, 'Ina Wolf', ['importer']);
  const path = `${uploadsPath}/${await uploadFile(browser, 'roll.csv', writeRoll(2))}`;
  await browser.post(`${path}/check`, { format: 'beacon-voters' });
  // As after two processes that died at it.
  await api.query('update uploads set attempts = 2');
  await api.test.database.transaction(async (tx) => {
    expect(await tryBeginImport(tx, accountId)).toBe(true);
    expect(await api.uploads?.runDue()).toBe(1);
  });
  expect((await browser.get(path)).json()).toMatchObject({ state: 'checking', problem: null });
  await api.query('update uploads set queued_at = now()');
  expect(await api.uploads?.runDue()).toBe(1);
  const checked = (await browser.get(path)).json();
  expect(checked).toMatchObject({ state: 'ready', problem: null, preview: { outcome: 'ready' } });
});

test('a check shows the messages of its own file, where those of an earlier one still wait', async () => {
  const accountId = await addOffice(api.test, { subdomain: 'lake' });
  const of = { accountId, host: 'lake.localhost' };
  const { browser } = await addPerson(api, of, 'Ina Wolf', ['importer']);
  await addElection(accountId);
  for (const registration_id of ['R1', 'R2']) await addReachable(accountId, { registration_id });
  const check = async (row: string) => {
    const file = `registration_id,election,status,sent_on\n${row}\n`;
    return checkUpload(api, browser, await uploadFile(browser, 'ballots.csv', file));
  };
  const earlier = await check('R1,2026G,sent,2026-11-20');
  expect((await importUpload(api, browser, earlier)).state).toBe('imported');
  expect(await api.query('select status from messages')).toEqual([{ status: 'sent' }]);
  const { preview } = await check('R2,2026G,accepted,2026-11-20');
  expect(preview?.messages.map(({ about, count }) => [about, count])).toEqual([['accepted', 1]]);
});

test('an approved file whose messages wait is loaded, and the answer says that they wait', async () => {
  const accountId = await addOffice(api.test, { subdomain: 'elm' });
  const of = { accountId, host: 'elm.localhost' };
  const { browser } = await addPerson(api, of, 'Ina Wolf', ['importer']);
  const releaser = await addPerson(api, of, 'Rosa Kim', ['releaser']);
  await addElection(accountId);
  // A message without a name waits.
  await addReachable(accountId, { registration_id: 'R1', firstname: '', lastname: '' });
  const file = 'registration_id,election,status,sent_on\nR1,2026G,sent,2026-11-20\n';
  const checked = await checkUpload(api, browser, await uploadFile(browser, 'ballots.csv', file));
  const { import_id } = await importUpload(api, browser, checked, { ask_because: 'Please look.' });
  const path = `/api/office/files/${import_id}`;
  const released = await releaser.browser.post(`${path}/release`, { reason: 'It is right.' });
  expect(released.json()).toEqual({ state: 'messages-held' });
  expect((await releaser.browser.get(path)).json()).toMatchObject({ state: 'messages-held' });
  expect(await api.query('select current_status as status from ballots')).toEqual([
    { status: 'sent' },
  ]);
});
