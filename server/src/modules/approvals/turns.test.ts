import { expect, test } from 'vitest';
import { addOffice, createTestApi } from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { addPerson } from '../../../../testing/people.ts';
import { importRoll, writeRoll } from '../../../../testing/roll.ts';
import { tryBeginImport } from '../imports/index.ts';

test('a correction waits until the file that is being loaded is in', async () => {
  const api = await createTestApi();
  const beacon = createBeacon(api.test.url, { clock: api.clock });
  try {
    const accountId = await addOffice(api.test, { subdomain: 'adams' });
    const person = { accountId, host: 'adams.localhost' };
    const releaser = await addPerson(api, person, 'Rosa Kim', ['releaser']);
    await releaser.signIn();
    await importRoll(beacon, 'adams', 'all.csv', writeRoll(40));
    await importRoll(beacon, 'adams', 'more.csv', writeRoll(41));
    const readState = async () =>
      (await api.query<{ state: string }>('select state from imports where import_id = 2'))[0]
        ?.state;
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
      expect(await readState()).toBe('done');
      return [answer];
    });
    expect((await corrected[0])?.json()).toEqual({ state: 'corrected' });
    expect(await readState()).toBe('corrected');
  } finally {
    await api.close();
    beacon.remove();
  }
});
