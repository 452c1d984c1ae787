import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { listElections, saveElection } from './index.ts';

let db: TestDatabase;
let adams: AccountId;
let lake: AccountId;
beforeAll(async () => {
  db = await createTestDatabase();
  adams = await addOffice(db, { subdomain: 'adams' });
  lake = await addOffice(db, { subdomain: 'lake' });
});
afterAll(() => db.drop());

const save = (accountId: AccountId, number: string, electionDate: string) =>
  db.database.transaction((tx) =>
    saveElection(tx, accountId, { number, name: number, electionDate, isActive: true }),
  );
const numbersOf = async (accountId: AccountId) =>
  (await listElections(db.database.system, accountId)).map(({ number }) => number);

test('a number in other letters is the same election at this office alone, and the newest comes first', async () => {
  await save(lake, '2026g', '2026-11-03');
  await save(adams, '2026g', '2026-11-03');
  await save(adams, '2027p', '2027-03-02');
  await save(adams, '1999', '2026-05-05');
  await save(adams, '2026G', '2026-11-03');
  // Of one day by number.
  await save(adams, '2026A', '2026-11-03');
  expect(await numbersOf(adams)).toEqual(['2027p', '2026A', '2026G', '1999']);
  expect(await numbersOf(lake)).toEqual(['2026g']);
});
