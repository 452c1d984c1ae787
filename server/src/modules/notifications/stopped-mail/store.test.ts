import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../testing/database.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { listIncidents, readIncidentPlaces, recordIncidents } from './store.ts';

/** Two offices whose mail goes through one facility. */
let db: TestDatabase;
let adams: AccountId;
let lake: AccountId;
beforeAll(async () => {
  db = await createTestDatabase();
  adams = await addOffice(db, { subdomain: 'adams' });
  lake = await addOffice(db, { subdomain: 'lake' });
});
afterAll(() => db.drop());
beforeEach(async () => {
  await sql`truncate mail_incidents`.execute(db.database.system);
});

const day = (hour: number) => new Date(Date.UTC(2026, 9, 20, hour));
const stop = (facility: string, envelopes: number, on = '2026-10-19') => ({
  ...{ facility, day: on, envelopes, zips: ['32601', '32603'] },
});
const record = (account: AccountId, found: ReturnType<typeof stop>[], hour: number) =>
  recordIncidents(db.database.system, account, found, day(hour));
const list = async (account: AccountId) =>
  (await listIncidents(db.database.forOffice(account))).map(({ facility, envelopes }) => [
    facility,
    envelopes,
  ]);
const places = (account: AccountId) => readIncidentPlaces(db.database.system, account);

test('what one office’s watch no longer finds has ended there, and stays with the other', async () => {
  expect(await record(adams, [stop('PORT ALDEN', 30)], 8)).toBe(1);
  expect(await record(lake, [stop('PORT ALDEN', 40)], 8)).toBe(1);
  expect(await record(adams, [], 9)).toBe(0);
  expect(await list(adams)).toEqual([]);
  expect(await list(lake)).toEqual([['PORT ALDEN', 40]]);
  expect([...(await places(adams))]).toEqual([]);
  expect([...(await places(lake))]).toEqual(['2026-10-19 PORT ALDEN']);
});

test('an incident is new once, and has its latest number, the largest first', async () => {
  expect(await record(adams, [stop('PORT ALDEN', 30), stop('EAST', 20)], 8)).toBe(2);
  const again = [stop('PORT ALDEN', 10), stop('EAST', 21), stop('EAST', 5, '2026-10-18')];
  expect(await record(adams, again, 9)).toBe(1);
  expect(await list(adams)).toEqual([
    ['EAST', 21],
    ['PORT ALDEN', 10],
    ['EAST', 5],
  ]);
  const [first] = await listIncidents(db.database.forOffice(adams));
  expect(first).toMatchObject({ noticedAt: day(8), zips: ['32601', '32603'] });
});
