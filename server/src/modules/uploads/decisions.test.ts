import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { addPerson, confirmCommandLogin, type TestPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import { testFileKey, testFileKeys, testTokenKeys } from '../../../../testing/token-keys.ts';
import {
  checkUpload,
  importUpload,
  sendPiece,
  uploadFile,
  uploadsPath,
} from '../../../../testing/uploads.ts';
import { zip } from '../../../../testing/zip.ts';
import { readConfig } from '../../platform/config.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createFileKeys, createUploadWork } from './index.ts';

const host = 'adams.localhost';
const reason = 'Checked with the county by phone.';
const day = 86_400_000;
let api: TestApi;
let accountId: AccountId;
let importer: TestPerson;
let releaser: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  importer = await addPerson(api, { accountId, host }, 'Ina Wolf', ['importer', 'releaser']);
  releaser = await addPerson(api, { accountId, host }, 'Rosa Kim', ['releaser']);
});
afterEach(() => api.close());

const whole = { format: 'beacon-voters', is_full: true };
const active = async () =>
  (await api.query<{ count: number }>('select count(*) from voters where is_active'))[0]?.count;
const load = async (count: number, more: object = {}) => {
  const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(count));
  const checked = await checkUpload(api, importer.browser, id, whole);
  return { checked, imported: await importUpload(api, importer.browser, checked, more) };
};
const decide = async (one: TestPerson, id: number | null, action: string) => {
  await one.signIn();
  return one.browser.post(`/api/office/files/${id}/${action}`, { reason });
};
/** As in a process that was killed: nobody renews the lease. */
const endLeases = () => api.query(`update uploads set lease_until = now() - interval '1 s'`);
const addElection = (number: string, day: string) =>
  api.query(
    `insert into elections (account_id, number, name, election_date, is_active)
      values ($1, $2, 'General Election', $3, true)`,
    [accountId, number, day],
  );

describe('a file that looks wrong', () => {
  test('says so before, waits when it is imported, and is loaded from its sealed pieces by another person', async () => {
    await load(40);
    const { checked, imported } = await load(10);
    expect(checked.preview).toMatchObject({ outcome: 'waits' });
    expect(checked.preview?.reasons[0]).toContain('missing from this file');
    expect(checked.preview?.counts).toContainEqual({ name: 'active', before: 40, after: 10 });
    expect(await active()).toBe(40);
    const own = await decide(importer, imported.import_id, 'release');
    expect(own.statusCode).toBe(403);
    await api.uploads?.erase();
    // Long after the seven days of a file that is decided.
    api.clock.advance(20 * day);
    await api.uploads?.erase();
    const released = await decide(releaser, imported.import_id, 'release');
    expect(released.json()).toEqual({ state: 'released' });
    expect(await active()).toBe(10);
  });

  test('in a packed file of several counties is its own county’s, when it is checked and when it is approved', async () => {
    const packed = zip({ 'Benton.csv': writeRoll(50, 'Lee'), 'Test.csv': writeRoll(40) });
    const id = await uploadFile(importer.browser, 'rolls.zip', packed);
    const checked = await checkUpload(api, importer.browser, id, whole);
    expect(checked.preview?.rows.read).toBe(40);
    const imported = await importUpload(api, importer.browser, checked, {
      ask_because: 'Please look.',
    });
    const released = await decide(releaser, imported.import_id, 'release');
    expect(released.json()).toEqual({ state: 'released' });
    expect(await active()).toBe(40);
  });

  test('can be approved at the command line too, with the key of the console', async () => {
    await load(40);
    const { imported } = await load(10);
    const beacon = createBeacon(api.test.url, {
      clock: api.clock,
      onOutput: (text) => void confirmCommandLogin(text, releaser),
    });
    await releaser.signIn();
    await beacon.do('login', '--account', 'adams');
    const refused = await beacon.run('release', String(imported.import_id));
    // The test's command line has another key, of its own folder.
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('Its key is not set here.');
    expect(await active()).toBe(40);
    writeFileSync(beacon.path('file-key'), testFileKey);
    await beacon.do('release', String(imported.import_id));
    expect(await active()).toBe(10);
    beacon.remove();
  });
});

test('a person may ask a second person, whatever the file looks like', async () => {
  const { checked, imported } = await load(40, { ask_because: 'New vendor, please look.' });
  expect(checked.preview).toMatchObject({ outcome: 'ready', reasons: [] });
  expect(await active()).toBe(0);
  await releaser.signIn();
  const file = (await releaser.browser.get(`/api/office/files/${imported.import_id}`)).json();
  expect(file).toMatchObject({ state: 'file-held', imported_by: 'Ina Wolf' });
  expect(file.reasons[0].detail).toBe('Ina Wolf asks a second person: New vendor, please look.');
  expect((await decide(releaser, imported.import_id, 'return')).statusCode).toBe(200);
  expect(await active()).toBe(0);
});

describe('a process that dies', () => {
  test('at a check or an import leaves the work to another, which does it once', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(40));
    await importer.browser.post(`${uploadsPath}/${id}/check`, whole);
    await api.query(
      `update uploads set lease = gen_random_uuid(), lease_until = now() + interval '1 min', attempts = 1`,
    );
    expect(await api.uploads?.runDue()).toBe(0);
    await endLeases();
    expect(await api.uploads?.runDue()).toBe(1);
    const checked = (await importer.browser.get(`${uploadsPath}/${id}`)).json();
    expect(checked).toMatchObject({ state: 'ready', preview: { outcome: 'ready' } });
    await importer.browser.post(`${uploadsPath}/${id}/import`, { check: checked.check });
    await endLeases();
    // Two processes look at the same moment.
    const other = createUploadWork({
      database: api.test.database,
      config: readConfig({}),
      clock: api.clock,
      log: createLog('silent'),
      fileKeys: testFileKeys,
      tokenKeys: testTokenKeys,
    });
    const done = await Promise.all([api.uploads?.runDue(), other.runDue()]);
    expect(done.sort()).toEqual([0, 1]);
    expect(await active()).toBe(40);
    expect(await api.query('select 1 from imports')).toHaveLength(1);
  });

  test('that was only slow records nothing of an import that another has now', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(40));
    const { check } = await checkUpload(api, importer.browser, id, whole);
    await importer.browser.post(`${uploadsPath}/${id}/import`, { check });
    // Another process takes the work while this one reads: the lease changes under it.
    await api.query(`create function steal() returns trigger language plpgsql as $$
      begin update uploads set lease = gen_random_uuid(), lease_until = now() + interval '1 h'; return new; end $$`);
    await api.query(
      'create trigger steal before insert on imports for each row execute function steal()',
    );
    expect(await api.uploads?.runDue()).toBe(1);
    expect(await active()).toBe(0);
    expect(await api.query('select 1 from imports')).toEqual([]);
    await api.query('drop function steal() cascade');
    await endLeases();
    await api.uploads?.runDue();
    expect(await active()).toBe(40);
  });

  test('each time is not tried for ever, and the person may try again', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(40));
    await importer.browser.post(`${uploadsPath}/${id}/check`, whole);
    await api.query('update uploads set attempts = 2');
    await api.uploads?.runDue();
    const third = (await importer.browser.get(`${uploadsPath}/${id}`)).json();
    expect(third).toMatchObject({ problem: null, preview: { outcome: 'ready' } });
    await importer.browser.post(`${uploadsPath}/${id}/check`, whole);
    await api.query('update uploads set attempts = 3');
    await api.uploads?.runDue();
    const failed = (await importer.browser.get(`${uploadsPath}/${id}`)).json();
    expect(failed).toMatchObject({ state: 'ready', preview: null, format: 'beacon-voters' });
    expect(failed.problem).toContain('failed on our side, and nothing was changed');
    expect(await checkUpload(api, importer.browser, id, whole)).toMatchObject({ problem: null });
  });
});

describe('a full disk', () => {
  /** As PostgreSQL says it. */
  const fill = (table: string, at = 'insert') =>
    api.query(`create function fill() returns trigger language plpgsql as $$
      begin raise exception 'no space left on device' using errcode = '53100'; end $$;
      create trigger fill before ${at} on ${table} for each row execute function fill()`);

  test('at a piece says so, and the upload goes on once there is room', async () => {
    await fill('upload_pieces');
    const file = { file_name: 'roll.csv', size: 5 };
    const { upload_id: id } = (await importer.browser.post(uploadsPath, file)).json();
    const refused = await sendPiece(importer.browser, id, 0, Buffer.alloc(5));
    expect(refused.statusCode).toBe(503);
    expect(refused.json().detail).toContain('There is no room left for this file on the server.');
    await api.query('drop function fill() cascade');
    expect((await sendPiece(importer.browser, id, 0, Buffer.alloc(5))).statusCode).toBe(204);
  });

  test('at the import leaves nothing of the file, and it can be decided again', async () => {
    const roll = `${writeRoll(40)}R99,Vera,Fox,1970-02-30,34811,Test,FL\n`;
    const id = await uploadFile(importer.browser, 'roll.csv', roll);
    const checked = await checkUpload(api, importer.browser, id, whole);
    await fill('voters');
    const failed = await importUpload(api, importer.browser, checked);
    expect(failed).toMatchObject({ state: 'ready', preview: { outcome: 'ready' } });
    expect(failed.problem).toContain('Nothing of the file was imported. Ask your operator');
    await api.query('drop function fill() cascade');
    // At its very end, when its refused rows are written.
    await fill('imports', 'update');
    expect(await importUpload(api, importer.browser, failed)).toMatchObject({ state: 'ready' });
    await api.query('drop function fill() cascade');
    const imported = await importUpload(api, importer.browser, failed);
    expect(imported).toMatchObject({ state: 'imported' });
    expect(await active()).toBe(40);
    const rejects = await importer.browser.get(`/api/office/files/${imported.import_id}/rejects`);
    expect(rejects.body.match(/R99,Vera/g)).toHaveLength(1);
  });
});

test('a file of another county says so before it counts', async () => {
  await load(40);
  const other = writeRoll(40)
    .replaceAll('Vera,Fox', 'Vera,Hall')
    .replaceAll(',Test,FL', ',Orange,FL');
  const id = await uploadFile(importer.browser, 'orange.csv', other);
  const { preview } = await checkUpload(api, importer.browser, id, whole);
  expect(preview).toMatchObject({ outcome: 'waits', message_reasons: [] });
  expect(preview?.reasons.join(' ')).toMatch(/Orange/);
});

describe('the bytes of an upload', () => {
  const sealed = () => api.query<{ count: number }>('select count(*) from upload_pieces');

  test('are erased seven days after the decision, which is on record, and none comes after it', async () => {
    const { imported } = await load(40);
    const file = `/api/office/files/${imported.import_id}`;
    expect((await importer.browser.get(file)).json()).toMatchObject({ has_rejects: false });
    await api.uploads?.erase();
    api.clock.advance(7 * day - 1);
    expect(await api.uploads?.erase()).toBe(0);
    expect(await sealed()).toEqual([{ count: 1 }]);
    api.clock.advance(2);
    expect(await api.uploads?.erase()).toBe(1);
    expect(await sealed()).toEqual([{ count: 0 }]);
    await importer.signIn();
    const roll = Buffer.from(writeRoll(40));
    const late = await sendPiece(importer.browser, imported.upload_id, 0, roll);
    expect([late.statusCode, await sealed()]).toEqual([409, [{ count: 0 }]]);
    // Nor is the key wanted any more.
    await api.query(`update uploads set key_id = 'lost'`);
    expect((await importer.browser.get(`${file}/rejects`)).statusCode).toBe(404);
    const audit = await api.query<{ action: string; details: object }>(
      `select action, details from audit_log where action like 'upload.%' order by audit_id`,
    );
    expect(audit.map(({ action }) => action)).toEqual([
      'upload.start',
      'upload.import',
      'upload.erase',
    ]);
    expect(audit.at(-1)?.details).toEqual({ pieces: 1 });
  });

  test('of a deleted file are erased at once, and those of an undecided file after seven days', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(2));
    const { upload_id: half } = (
      await importer.browser.post(uploadsPath, { file_name: 'half.csv', size: 600_000 })
    ).json();
    await sendPiece(importer.browser, half, 0, Buffer.alloc(524_288));
    // Also a file that waits for its check.
    await importer.browser.post(`${uploadsPath}/${id}/check`, whole);
    expect((await importer.browser.delete(`${uploadsPath}/${id}`)).statusCode).toBe(204);
    expect((await importer.browser.get(`${uploadsPath}/${id}`)).statusCode).toBe(404);
    expect(await api.uploads?.runDue()).toBe(0);
    expect(await api.uploads?.erase()).toBe(1);
    expect(await sealed()).toEqual([{ count: 1 }]);
    api.clock.advance(7 * day + 1);
    expect(await api.uploads?.erase()).toBe(1);
    expect(await sealed()).toEqual([{ count: 0 }]);
    const expired = await api.query(`select 1 from audit_log where action = 'upload.expire'`);
    expect(expired).toHaveLength(1);
  });

  test('of an undecided file stay for seven days after it was last touched', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(2));
    await api.uploads?.erase();
    api.clock.advance(6 * day);
    await importer.signIn();
    await checkUpload(api, importer.browser, id, whole);
    api.clock.advance(6 * day);
    expect(await api.uploads?.erase()).toBe(0);
    api.clock.advance(day + 1);
    expect(await api.uploads?.erase()).toBe(1);
  });

  test('of a file that waits for a second person stay as long as it waits, beside a file with a decision', async () => {
    await load(40);
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(41));
    const checked = await checkUpload(api, importer.browser, id, whole);
    await importUpload(api, importer.browser, checked, { ask_because: 'Please look.' });
    await api.uploads?.erase();
    api.clock.advance(8 * day);
    expect(await api.uploads?.erase()).toBe(1);
    const kept = await api.query('select upload_id from uploads where erased_at is null');
    expect(kept).toEqual([{ upload_id: id }]);
    expect(await sealed()).toEqual([{ count: 1 }]);
  });

  test('cannot be opened without their key, and the page says what to do', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(2));
    await checkUpload(api, importer.browser, id, whole);
    await importer.browser.post(`${uploadsPath}/${id}/check`, whole);
    const work = createUploadWork({
      database: api.test.database,
      config: readConfig({}),
      clock: api.clock,
      log: createLog('silent'),
      fileKeys: createFileKeys(['another key of another machine, which cannot open it']),
      tokenKeys: testTokenKeys,
    });
    await work.runDue();
    const shown = (await importer.browser.get(`${uploadsPath}/${id}`)).json();
    expect(shown.problem).toContain('its key is not set on this server');
    // Nobody has seen what it would do.
    const decided = await importer.browser.post(`${uploadsPath}/${id}/import`, { check: 2 });
    expect(decided.statusCode).toBe(409);
  });
});

test('a check shows each message once by kind, language and channel, with its real text, and sends none', async () => {
  const voterId = await addVoter(api.test, accountId, { registration_id: 'R1', firstname: '' });
  const other = await addVoter(api.test, accountId, { registration_id: 'R2' });
  for (const number of ['2026G', '2026S']) await addElection(number, '2026-11-24');
  for (const [id, channel, address] of [
    [voterId, 'email', 'ann@example.com'],
    [voterId, 'sms', '+13525550100'],
    [other, 'sms', '+13525550101'],
  ])
    await api.query(
      `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
        values ($1, $2, $3, $4, 'proven', true)`,
      [accountId, id, channel, address],
    );
  const rows = ['R1', 'R2'].map((voter) => `${voter},2026G,sent,2026-11-20,2026-11-24\n`);
  const file = `registration_id,election,status,sent_on,expected_on\n${rows.join('')}`;
  const id = await uploadFile(importer.browser, 'ballots.csv', file);
  const { preview, problem } = await checkUpload(api, importer.browser, id);
  expect(problem).toBeNull();
  expect(preview?.samples).toEqual([
    ...[
      ['R1', 'Rivera'],
      ['R2', 'Ann Rivera'],
    ].map(([voter, name]) => ({
      ...{ voter, name },
      changes: [{ what: 'General Election', from: '', to: 'sent' }],
    })),
  ]);
  // The most frequent first; a voter without a first name is called by the last one.
  expect(preview?.messages.map(({ about, channel, count }) => [about, channel, count])).toEqual([
    ['sent', 'sms', 2],
    ['sent', 'email', 1],
  ]);
  expect(preview?.messages[0]?.text).toContain('Rivera, your ballot');
  expect(preview?.messages[1]?.text).toContain('General Election');
  expect(preview?.messages[1]?.text).toContain('Tue, Nov 24');
  expect(preview?.finish).toMatchObject({ latest_at: preview?.last_message_at, too_old: 0 });
  const isHidden = { is_ballot_status_dates_visible: false };
  await api.query('update accounts set settings = settings || $1', [isHidden]);
  const { preview: undated } = await checkUpload(api, importer.browser, id);
  expect(undated?.messages[1]?.text).not.toContain('Nov 24');
  expect(await api.query('select 1 from messages')).toEqual([]);
});

test('a check shows the reason, the deadline and the link of the message about an envelope to fix', async () => {
  await addElection('2031G', '2031-11-04');
  for (const registration_id of ['R2', 'R3'])
    await api.query(
      `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
        values ($1, $2, 'email', 'v' || $2::bigint || '@example.com', 'proven', true)`,
      [accountId, await addVoter(api.test, accountId, { registration_id })],
    );
  await api.query(`update voters set language_preference = 'spanish' where registration_id = 'R3'`);
  const today = new Date().toISOString().slice(0, 10);
  const file = `registration_id,election,status,returned_on,reason\nR2,2031G,rejected-curable,${today},No signature\nR3,2031G,rejected-curable,${today},Signature mismatch\n`;
  const id = await uploadFile(importer.browser, 'fixes.csv', file);
  const { preview } = await checkUpload(api, importer.browser, id);
  const sorted = preview?.messages.toSorted((a, b) => a.language.localeCompare(b.language));
  const [message, other] = sorted ?? [];
  expect(message).toMatchObject({ about: 'rejected-curable', channel: 'email', count: 1 });
  expect(message?.text).toContain('The signature on your return envelope is missing.');
  expect(message?.text).toContain('Thu, Nov 6, 5:00 PM EST');
  expect(other?.text).toContain('se ve distinta');
  expect(message?.text).toContain('/f/00000000');
});
