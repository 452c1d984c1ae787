import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../../testing/database.ts';
import { unusedSender } from './limits.ts';
import { lockUse } from './store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test.each([[true], [false]])(
  'what a sender used is one worker’s until its transaction ends, whether it would have waited (%s) or not',
  async (waits) => {
    const other = () =>
      db.database.transaction((tx) => lockUse(tx, `sms ${waits}`, { waits: false }));
    await db.database.transaction(async (tx) => {
      expect(await lockUse(tx, `sms ${waits}`, { waits })).toEqual(unusedSender);
    });
    await db.database.transaction(async (tx) => {
      expect(await lockUse(tx, `sms ${waits}`, { waits })).toEqual(unusedSender);
      expect(await other()).toBeUndefined();
    });
    expect(await other()).toEqual(unusedSender);
  },
);
