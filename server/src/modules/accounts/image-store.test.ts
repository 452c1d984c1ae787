import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { discardReplacedImages, saveImage } from './image-store.ts';

let db: TestDatabase;
let adams: AccountId;
beforeAll(async () => {
  db = await createTestDatabase();
  adams = await addOffice(db, { subdomain: 'adams' });
});
afterAll(() => db.drop());

const dayMs = 86_400_000;
const save = (text: string) =>
  db.database.transaction((tx) =>
    saveImage(tx, adams, { kind: 'logo', contentType: 'image/png', bytes: Buffer.from(text) }),
  );

test('what was replaced is kept for 30 days after the last change, not after the first', async () => {
  const { system } = db.database;
  await save('one');
  await save('two');
  await sql`update replaced_images set replaced_at = replaced_at - interval '40 days'`.execute(
    system,
  );
  await save('three');
  const { rows } = await sql<{ at: Date }>`select replaced_at as at from replaced_images`.execute(
    system,
  );
  const at = rows[0]?.at.getTime() ?? 0;
  const discardAfter = (milliseconds: number) =>
    discardReplacedImages(system, new Date(at + milliseconds));
  expect(await discardReplacedImages(system, new Date())).toBe(0);
  expect(await discardAfter(30 * dayMs)).toBe(0);
  expect(await discardAfter(30 * dayMs + 1)).toBe(1);
});
