import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type OfficePage, readOfficePage, saveOfficePage } from './store.ts';

let db: TestDatabase;
const offices: AccountId[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  for (const subdomain of ['adams', 'lake']) offices.push(await addOffice(db, { subdomain }));
});
afterAll(() => db.drop());

test('an office’s page is shown in the voter’s language, or else in English, and goes back to the product’s by itself', async () => {
  const [adams, lake] = offices as [AccountId, AccountId];
  const { database } = db;
  const pages: readonly OfficePage[] = ['faq', 'county-information'];
  const save = (
    accountId: AccountId,
    page: OfficePage,
    language: 'english' | 'spanish',
    html: string | null,
  ) => saveOfficePage(database.system, accountId, { page, language, html });
  const readAll = async (accountId: AccountId) => {
    const db = database.forAccount(accountId);
    return Promise.all(
      pages.flatMap((page) =>
        (['english', 'spanish', 'french'] as const).map(
          async (language) => (await readOfficePage(db, page, language))?.html,
        ),
      ),
    );
  };
  for (const accountId of offices)
    for (const page of pages)
      for (const language of ['english', 'spanish'] as const)
        await save(accountId, page, language, language);
  const whole = ['english', 'spanish', 'english'];
  expect(await readAll(adams)).toEqual([...whole, ...whole]);
  await save(adams, 'faq', 'spanish', null);
  expect(await readAll(adams)).toEqual(['english', 'english', 'english', ...whole]);
  await save(adams, 'faq', 'english', null);
  expect(await readAll(adams)).toEqual([undefined, undefined, undefined, ...whole]);
  expect(await readAll(lake)).toEqual([...whole, ...whole]);
});
