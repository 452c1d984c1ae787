import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { readOverrides, saveOverride } from './store.ts';

let db: TestDatabase;
const offices: AccountId[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  for (const subdomain of ['adams', 'lake']) offices.push(await addOffice(db, { subdomain }));
});
afterAll(() => db.drop());

test('a text goes back to the product’s in its language, its section and its office alone', async () => {
  const { database } = db;
  const all = offices.flatMap((accountId) =>
    (['english', 'spanish'] as const).flatMap((language) =>
      ['main', 'messages'].map((section) => ({ accountId, language, section, key: 'same.key' })),
    ),
  );
  for (const { accountId, ...text } of all)
    await saveOverride(database.system, accountId, { ...text, value: `of ${accountId}` });
  const [first, ...others] = all;
  if (first) await saveOverride(database.system, first.accountId, { ...first, value: null });
  for (const accountId of offices) {
    const left = others.filter((one) => one.accountId === accountId);
    const read = await readOverrides(database.forAccount(accountId));
    expect(read).toHaveLength(left.length);
    for (const { accountId: _, ...text } of left)
      expect(read).toContainEqual({ ...text, value: `of ${accountId}` });
  }
});
