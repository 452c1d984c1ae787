import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson } from '../../../../testing/people.ts';
import { writeRoll } from '../../../../testing/roll.ts';
import { uploadFile, uploadsPath } from '../../../../testing/uploads.ts';
import type { Database } from '../../platform/postgres.ts';
import { type Claim, claimUpload, endWork, postponeWork, renewLease } from './work-store.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

test.each<[string, (db: Database['system'], claim: Claim) => Promise<unknown>]>([
  ['puts it back for later', (db, claim) => postponeWork(db, claim)],
  ['ends it', (db, claim) => endWork(db, claim, { problem: 'Too late.' }, api.clock.now())],
  ['goes on with it', (db, claim) => renewLease(db, claim, 7)],
])(
  'a slow process whose work another has taken, and that %s, leaves it to the other',
  async (_, act) => {
    const accountId = await addOffice(api.test, { subdomain: 'adams' });
    const place = { accountId, host: 'adams.localhost' };
    const { browser } = await addPerson(api, place, 'Ina Wolf', ['importer']);
    const id = await uploadFile(browser, 'roll.csv', writeRoll(5));
    await browser.post(`${uploadsPath}/${id}/check`, { format: 'beacon-voters', is_full: true });
    const { system } = api.test.database;
    const slow = await claimUpload(system);
    await api.query(`update uploads set lease_until = now() - interval '1 s'`);
    const other = await claimUpload(system);
    if (!slow || !other) throw new Error('Nobody has the work.');
    await act(system, slow);
    const { state, problem } = (await browser.get(`${uploadsPath}/${id}`)).json();
    expect({ state, problem }).toEqual({ state: 'checking', problem: null });
    expect(await renewLease(system, other, 1)).toBe(true);
  },
);
