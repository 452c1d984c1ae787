import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccountId } from '../../server/src/platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { sql } from '../../testing/sql.ts';
import { recordTrips, type Trip } from './recorder.ts';
import { replayTrips } from './replay.ts';

let test_: TestDatabase;
beforeAll(async () => {
  test_ = await createTestDatabase();
});
afterAll(() => test_.drop());

test('a bound statement is recorded as one round trip, with its binding and its values, however often it is prepared', async () => {
  const db = test_.database.forAccount(7 as AccountId);
  const ask = (value: string) => sql`select ${value}::text as value`.execute(db);
  await ask('before'); // the connection is open
  const recorder = recordTrips();
  const other = test_.database.forAccount(8 as AccountId);
  await ask('first');
  await sql`select ${'other'}::text as another`.execute(other);
  await sql`select ${'again'}::text as another`.execute(other);
  const shown = recorder.take().map((trip) => trip.map(({ values }) => values));
  expect(shown).toEqual([
    [['7'], ['first']],
    [['8'], ['other']],
    [['8'], ['again']],
  ]);
  expect(recorder.take()).toEqual([]);
  recorder.stop();
  await ask('after');
  expect(recorder.take()).toEqual([]);
});

test('a replay moves moments along and keeps what it looks for', () => {
  const hash = randomBytes(32);
  const at = new Date('2026-10-05T12:00:00Z');
  const trips: Trip[] = [[{ text: 'select', values: [hash, at, [at], 'text', null] }]];
  const later = new Date('2026-10-05T12:00:10Z');
  const [[statement] = []] = replayTrips(trips, { laterMs: 10_000, isFresh: false });
  expect(statement?.values).toEqual([hash, later, [later], 'text', null]);
});

test('a replay that stores something stores it under new keys, the same throughout the request', () => {
  const [one, other] = [randomBytes(32), randomBytes(32)];
  const trips: Trip[] = [
    [{ text: 'insert', values: [[one, other]] }],
    [{ text: 'update', values: [other] }],
  ];
  const replay = () => replayTrips(trips, { laterMs: 0, isFresh: true });
  const [[insert] = [], [update] = []] = replay();
  const keys = insert?.values[0] as Buffer[];
  expect(keys).not.toContainEqual(one);
  expect(keys[0]).toHaveLength(32);
  expect(update?.values[0]).toEqual(keys[1]);
  expect(replay()[1]?.[0]?.values[0]).not.toEqual(update?.values[0]);
});
