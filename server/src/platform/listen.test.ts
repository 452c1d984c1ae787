import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { startPgBouncer, type TestPooler } from '../../../testing/pgbouncer.ts';
import { sql } from '../../../testing/sql.ts';
import { listen } from './listen.ts';
import { type Database, openDatabase } from './postgres.ts';

/** Behind a real PgBouncer in transaction mode. */

let direct: TestDatabase;
let pooler: TestPooler;
let pooled: Database;

beforeAll(async () => {
  direct = await createTestDatabase();
  pooler = await startPgBouncer(direct.url, { mode: 'transaction', serverConnections: 2 });
  pooled = openDatabase(pooler.url, { connections: 4, directUrl: direct.url });
});
afterAll(async () => {
  await pooled.close();
  await pooler.stop();
  await direct.drop();
});

test('what is committed through a pooler is heard on the direct address, and nothing that is rolled back', async () => {
  const heard: string[] = [];
  const listening = listen(pooled.directUrl, 'pooled_changes', {
    onNotification: (payload) => heard.push(payload),
    onLost: () => heard.push('lost'),
  });
  await vi.waitFor(() => expect(listening.isListening()).toBe(true), { timeout: 10_000 });
  const undone = pooled.system.transaction().execute(async (tx) => {
    await sql`select pg_notify('pooled_changes', 'undone')`.execute(tx);
    throw new Error('no commit');
  });
  await expect(undone).rejects.toThrow('no commit');
  for (const payload of ['1', '2', '3'])
    await pooled.system
      .transaction()
      .execute((tx) => sql`select pg_notify('pooled_changes', ${payload})`.execute(tx));
  await vi.waitFor(() => expect(heard).toEqual(['1', '2', '3']), { timeout: 5_000 });
  await listening.close();
  expect(heard).toEqual(['1', '2', '3']);
});
