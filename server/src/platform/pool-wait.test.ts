import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApi } from '../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { type Database, openDatabase } from './postgres.ts';

let direct: TestDatabase;
let database: Database;
beforeAll(async () => {
  direct = await createTestDatabase();
  database = openDatabase(direct.url, { connections: 2 });
});
afterAll(async () => {
  await database.close();
  await direct.drop();
});

test('visitors who wait for the connections of others are seen to wait, and nobody else', async () => {
  const db = database.unscoped;
  const using: (() => void)[] = [];
  const opened = [db, db].map((one) =>
    one.connection().execute(() => new Promise<void>((resolve) => using.push(resolve))),
  );
  // Opening a connection is no sign of load.
  const whileOpening = new Set<number>();
  await expect
    .poll(
      () => {
        whileOpening.add(database.visitorsWaitMs());
        return using.length;
      },
      { interval: 1, timeout: 20_000 },
    )
    .toBe(2);
  expect([...whileOpening]).toEqual([0]);
  const askedAt = performance.now();
  const late = sql`select 1`.execute(db);
  await expect.poll(() => database.visitorsWaitMs()).toBeGreaterThan(100);
  expect(database.visitorsWaitMs()).toBeLessThanOrEqual(performance.now() - askedAt);
  for (const release of using) release();
  await Promise.all([...opened, late]);
  expect(database.visitorsWaitMs()).toBe(0);
});

test('an API whose visitors wait for connections refuses newcomers before anything is read of them', async () => {
  const api = await createTestApi({ limits: { voterWaitMs: 50, strangerWaitMs: 50 } });
  const db = api.database.unscoped;
  const release = Promise.withResolvers<void>();
  const opened = Array.from({ length: api.database.visitorsAtOnce }, () =>
    db.connection().execute(() => release.promise),
  );
  const late = sql`select 1`.execute(db);
  await expect.poll(() => api.database.visitorsWaitMs()).toBeGreaterThan(100);
  const answer = api.app.inject({ url: '/api/audit-head' });
  const refused = await Promise.race([answer, late.then(() => undefined)]);
  release.resolve();
  expect(refused?.statusCode).toBe(503);
  await Promise.all([...opened, late]);
  expect((await api.app.inject({ url: '/api/audit-head' })).statusCode).toBe(200);
  await api.close();
});

test('a visitor waits five seconds for a connection, and no longer', async () => {
  const visitors = openDatabase(direct.url, { connections: 2, use: 'visitors' });
  const db = visitors.unscoped;
  const using: (() => void)[] = [];
  const opened = db.connection().execute(() => new Promise<void>((resolve) => using.push(resolve)));
  await expect.poll(() => using.length, { timeout: 20_000 }).toBe(1);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const late = sql`select 1`.execute(db).then(
    () => 'answered',
    (error: Error) => error.message,
  );
  const isWaiting = () => visitors.readPoolUse().some(({ waiting }) => waiting === 1);
  while (!isWaiting()) await turn();
  vi.advanceTimersByTime(4_999);
  await turn();
  expect(isWaiting()).toBe(true);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  await turn();
  expect(isWaiting()).toBe(false);
  for (const release of using) release();
  await opened;
  expect(await late).toBe('timeout exceeded when trying to connect');
  await visitors.close();
});
