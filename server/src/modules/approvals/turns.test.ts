import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { holdRoll, importRoll, writeRoll } from '../../../../testing/roll.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { tryBeginImport } from '../imports/index.ts';

let api: TestApi;
let beacon: Beacon;
let accountId: AccountId;
let releaser: TestPerson;

beforeEach(async () => {
  // What the office is stays known while its row is locked.
  api = await createTestApi({ contentKeptMs: 600_000 });
  beacon = createBeacon(api.test.url, { clock: api.clock });
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  const office = { accountId, host: 'adams.localhost' };
  releaser = await addPerson(api, office, 'Rosa Kim', ['releaser']);
  await releaser.signIn();
});
afterEach(async () => {
  await api.close();
  beacon.remove();
});

const readState = async (id: number) =>
  (await api.query<{ state: string }>('select state from imports where import_id = $1', [id]))[0]
    ?.state;

test('a correction waits until the file that is being loaded is in', async () => {
  await importRoll(beacon, 'adams', 'all.csv', writeRoll(40));
  await importRoll(beacon, 'adams', 'more.csv', writeRoll(41));
  const countWaiting = async () =>
    (
      await api.query(`select from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`)
    ).length;
  const corrected = await api.test.database.transaction(async (tx) => {
    expect(await tryBeginImport(tx, accountId)).toBe(true);
    const answer = releaser.browser.post('/api/office/files/2/correction', {
      reason: 'It has a voter of another county.',
    });
    await expect.poll(countWaiting, { interval: 10, timeout: 5_000 }).toBe(1);
    expect(await readState(2)).toBe('done');
    return [answer];
  });
  expect((await corrected[0])?.json()).toEqual({ state: 'corrected' });
  expect(await readState(2)).toBe('corrected');
});

test('an approval of a file that another person approved meanwhile approves none of its messages', async () => {
  const id = await holdRoll(api, beacon, 'adams');
  const release = (state: string) =>
    releaser.browser.post(`/api/office/files/${id}/release`, {
      reason: 'Checked with the county by phone.',
      state,
    });
  expect((await release('messages-held')).statusCode).toBe(409);
  expect(await readState(id)).toBe('file-held');
  // The other one's approval has loaded it.
  await api.query(`update imports set state = 'messages-held' where import_id = $1`, [id]);
  const late = await release('file-held');
  expect([late.statusCode, late.json().detail]).toEqual([
    409,
    'Somebody decided on this file in the meantime. Look at it again.',
  ]);
  expect(await readState(id)).toBe('messages-held');
  expect((await release('messages-held')).json()).toEqual({ state: 'released' });
});

test('nor does one whose file is loaded by the other approval between a look at it and the decision', async () => {
  const id = await holdRoll(api, beacon, 'adams');
  const file = `/api/office/files/${id}`;
  expect((await releaser.browser.get(file)).json()).toMatchObject({ state: 'file-held' });
  const reason = 'Checked with the county by phone.';
  const [late] = await meetAtLock(
    api.test.database,
    async (tx) => {
      await sql`lock table accounts`.execute(tx);
      await sql`update imports set state = 'messages-held' where import_id = ${id}`.execute(tx);
    },
    () => [releaser.browser.post(`${file}/release`, { reason, state: 'file-held' })],
  );
  expect(late?.statusCode).toBe(409);
  expect(await readState(id)).toBe('messages-held');
});
