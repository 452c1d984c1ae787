import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { sql } from '../../../../testing/sql.ts';
import { contents, records } from './store.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Rows of these belong to a voter, and voters are counted. */
const ofVoters = ['contact_codes', 'contact_preferences', 'letter_codes', 'sessions'];

test('every table of an account is either counted before its removal or removed with it', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'accounts'::regclass`.execute(db.database.system);
  const known = new Set<string>([...Object.keys(records), ...contents, ...ofVoters]);
  expect(rows.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([]);
  expect(rows.length).toBeGreaterThan(10);
});
