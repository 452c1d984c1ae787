import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import { checkUpload, sendPiece, uploadFile, uploadsPath } from '../../../../testing/uploads.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
const pieceSize = 512 * 1024;
let api: TestApi;
let accountId: AccountId;
let importer: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  importer = await addPerson(api, { accountId, host }, 'Ina Wolf', ['importer']);
});
afterAll(() => api.close());

const start = (name: string, size: number) =>
  importer.browser.post(uploadsPath, { file_name: name, size });

describe('a file in pieces', () => {
  test('is whole when every piece came, in any order and some of them twice', async () => {
    const bytes = randomBytes(pieceSize * 2 + 10);
    const { upload_id: id } = (await start('roll.csv', bytes.length)).json();
    const part = (piece: number) => bytes.subarray(piece * pieceSize, (piece + 1) * pieceSize);
    const early = await importer.browser.post(`${uploadsPath}/${id}/check`, {});
    expect(early.json().detail).toBe('Some pieces of this file are still missing.');
    const { upload_id: other } = (await start('other.csv', bytes.length)).json();
    await sendPiece(importer.browser, other, 2, Buffer.alloc(10, 'b'));
    for (const piece of [2, 0, 2]) {
      const sent = await sendPiece(importer.browser, id, piece, part(piece));
      expect(sent.statusCode, sent.body).toBe(204);
    }
    const shown = (await importer.browser.get(`${uploadsPath}/${id}`)).json();
    expect(shown).toMatchObject({ state: 'receiving', received_bytes: pieceSize + 10 });
    expect(shown.received.map(({ piece }: { piece: number }) => piece)).toEqual([0, 2]);
    expect((await sendPiece(importer.browser, id, 1, part(1))).statusCode).toBe(204);
    const stored = await api.query<{ sealed: Buffer }>(
      'select sealed from upload_pieces where upload_id = $1',
      [id],
    );
    expect(stored).toHaveLength(3);
    // Not one run of 16 bytes of it is in the database as it was sent.
    expect(stored.some(({ sealed }) => sealed.includes(bytes.subarray(100, 116)))).toBe(false);
    const started = `select details from audit_log where action = 'upload.start' and target = '${id}'`;
    expect(await api.query(started)).toMatchObject([{ details: { bytes: bytes.length } }]);
    for (const upload of [id, other]) await importer.browser.delete(`${uploadsPath}/${upload}`);
  });

  test('refuses a piece that is of another file, of another size, or was changed on its way', async () => {
    const { upload_id: id } = (await start('roll.csv', pieceSize + 5)).json();
    const whole = Buffer.alloc(pieceSize, 'a');
    expect((await sendPiece(importer.browser, id, 0, whole)).statusCode).toBe(204);
    const other = await sendPiece(importer.browser, id, 0, Buffer.alloc(pieceSize, 'b'));
    expect(other.statusCode).toBe(409);
    expect(other.json().detail).toBe('This is not the file whose upload was started.');
    for (const [piece, bytes] of [
      [1, Buffer.alloc(6)],
      [2, Buffer.alloc(5)],
      [2, Buffer.alloc(0)],
    ] as const)
      expect((await sendPiece(importer.browser, id, piece, bytes)).statusCode).toBe(422);
    const changed = await sendPiece(importer.browser, id, 1, Buffer.alloc(5), '0'.repeat(64));
    expect(changed.json().detail).toBe('This piece was changed on its way. Send it again.');
    const large = await sendPiece(importer.browser, id, 1, Buffer.alloc(pieceSize + 1));
    expect(large.statusCode).toBe(413);
    await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('that is empty or too large is not begun, and says what to do', async () => {
    expect((await start('roll.csv', 0)).body).toContain('The file is empty.');
    expect((await start('roll.csv', 5 * 1024 ** 3)).body).toContain('larger than 4 GB');
    expect((await start('../roll.csv', 10)).statusCode).toBe(422);
  });

  test('is its uploader’s alone, and of no other office', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(2));
    const colleague = await addPerson(api, { accountId, host }, 'Omar Diaz', ['importer']);
    const path = `${uploadsPath}/${id}`;
    expect((await colleague.browser.get(path)).json()).toMatchObject({
      uploaded_by: 'Ina Wolf',
      is_own: false,
    });
    const piece = await sendPiece(colleague.browser, id, 0, Buffer.from(writeRoll(2)));
    expect(piece.statusCode).toBe(403);
    expect((await colleague.browser.post(`${path}/check`, {})).statusCode).toBe(403);
    expect((await colleague.browser.post(`${path}/import`, { check: 1 })).statusCode).toBe(403);
    const lake = await addOffice(api.test, { subdomain: 'lake' });
    const office = { accountId: lake, host: 'lake.localhost' };
    const stranger = await addPerson(api, office, 'Lou Lake', ['importer']);
    expect((await stranger.browser.get(path)).statusCode).toBe(404);
    expect((await stranger.browser.delete(path)).statusCode).toBe(404);
    expect((await stranger.browser.get(uploadsPath)).json().uploads).toEqual([]);
    expect((await sendPiece(stranger.browser, id, 0, Buffer.alloc(1))).statusCode).toBe(404);
    expect(await api.queryAs(accountId, 'select 1 from uploads').catch(String)).toMatch(
      /permission denied/,
    );
    await colleague.browser.delete(path);
    expect((await importer.browser.get(path)).statusCode).toBe(404);
  });

  test('is deleted by nobody once its import is decided', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(2));
    const path = `${uploadsPath}/${id}`;
    const { check } = await checkUpload(api, importer.browser, id);
    await importer.browser.post(`${path}/import`, { check });
    expect((await importer.browser.delete(path)).statusCode).toBe(409);
    expect(await api.uploads?.runDue()).toBe(1);
    expect((await importer.browser.delete(path)).statusCode).toBe(409);
    expect((await importer.browser.get(path)).json()).toMatchObject({ state: 'imported' });
  });

  test('keeps nobody signed in whose page follows it alone', async () => {
    const id = await uploadFile(importer.browser, 'roll.csv', writeRoll(2));
    const path = `${uploadsPath}/${id}`;
    await importer.signIn();
    const looks: number[] = [];
    for (const minutes of [0, 15, 14, 2]) {
      api.clock.advance(minutes * 60_000);
      looks.push((await importer.browser.get(path)).statusCode);
    }
    expect(looks).toEqual([200, 200, 200, 401]);
    await importer.signIn();
    await importer.browser.delete(path);
  });

  test('shows its name in the order in which it is written, whatever marks its sender put in', async () => {
    const turned = 'ballots-\u202e\u2066vsc.xslx\u200f.csv';
    const { upload_id: id } = (await start(turned, 10)).json();
    const shown = 'ballots-\ufffd\ufffdvsc.xslx\ufffd.csv';
    const found = await importer.browser.get(`${uploadsPath}/${id}`);
    expect(found.json().file_name).toBe(shown);
    const [entry] = await api.query(
      `select details->>'file_name' as name from audit_log where action = 'upload.start' order by audit_id desc limit 1`,
    );
    expect(entry).toEqual({ name: shown });
  });

  test('waits with at most nineteen others', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 20; count += 1)
      ids.push((await start(`${count}.csv`, 10)).json().upload_id);
    const refused = await start('one-more.csv', 10);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toContain('20 files wait for a decision');
    for (const id of ids) await importer.browser.delete(`${uploadsPath}/${id}`);
  });

  test('waits with others up to 8 GB together', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.push((await start(`${count}.csv`, 2 * 1024 ** 3)).json().upload_id);
    const refused = await start('one-more.csv', 2 * 1024 ** 3 + 1);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toContain('larger than 8 GB together');
    const last = await start('one-more.csv', 1024 ** 3);
    expect(last.statusCode).toBe(201);
    ids.push(last.json().upload_id);
    for (const id of ids) await importer.browser.delete(`${uploadsPath}/${id}`);
  });
});
