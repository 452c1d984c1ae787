import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { sql } from '../../testing/sql.ts';
import { countZipCodes } from './roll.ts';
import { type SeededVoter, seedOffices } from './seed.ts';

let test_: TestDatabase;
let voters: SeededVoter[];
beforeAll(async () => {
  test_ = await createTestDatabase();
  voters = await seedOffices(test_.database, {
    offices: 2,
    votersOfEach: 20_000,
    signedInOfEach: 500,
  });
});
afterAll(() => test_.drop());

async function ask<T>(text: string): Promise<T> {
  const { rows } = await sql.raw<{ answer: T }>(text).execute(test_.database.system);
  return rows[0]?.answer as T;
}

test('names are as common and as rare as on a real roll', async () => {
  const share = (column: string, most: number) =>
    ask<number>(`select sum(count) / 20000.0 as answer from
      (select count(*) from voters where account_id = 1 group by ${column} order by 1 desc limit ${most}) common`);
  expect(await share('lastname', 1)).toBeLessThan(0.015);
  expect(await share('lastname', 1_000)).toBeGreaterThan(0.3);
  expect(await share('lastname', 1_000)).toBeLessThan(0.6);
  expect(await share('firstname', 1)).toBeLessThan(0.03);
  expect(
    await ask<number>('select count(distinct lastname) as answer from voters'),
  ).toBeGreaterThan(10_000);
});

test('birth days are spread over the lives of those who may vote', async () => {
  expect(
    await ask<number>('select count(distinct birthdate) as answer from voters'),
  ).toBeGreaterThan(12_000);
  expect(
    await ask<number>(`select min(current_date - birthdate) / 365 as answer from voters`),
  ).toBeGreaterThanOrEqual(18);
});

test('there are ZIP codes as for so many voters, and hardly two voters of one share a birth day', async () => {
  expect([countZipCodes(20_000), countZipCodes(100_000), countZipCodes(22_000_000)]).toEqual([
    10, 13, 2_750,
  ]);
  const count = (what: string) =>
    ask<number>(`select count(distinct ${what}) as answer from voters where account_id = 1`);
  expect(await count('zipcode')).toBe(10);
  expect(await count('(zipcode, birthdate)')).toBeGreaterThan(15_000);
});

test('every voter has a ballot with its events, and so many are signed in', async () => {
  expect(await ask<number>('select count(*) as answer from ballots')).toBe(40_000);
  expect(await ask<number>('select count(*) as answer from ballot_events')).toBe(160_000);
  expect(voters).toHaveLength(1_000);
  expect(new Set(voters.map(({ host }) => host)).size).toBe(2);
});
