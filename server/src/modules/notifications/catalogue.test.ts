import {
  addressFaults,
  addressStatuses,
  channels,
  consentActions,
  messageKinds,
  messageStates,
  receiptOutcomes,
  suppressionReasons,
} from '@ballot-beacon/contract/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../../testing/database.ts';
import { sql } from '../../../../testing/sql.ts';

let db: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** The words that a column's check constraint allows. */
async function readAllowed(table: string, column: string): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(c.oid) as definition from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and c.conrelid = ${table}::regclass and a.attname = ${column}`.execute(
    db.database.system,
  );
  return rows.flatMap(({ definition }) =>
    [...definition.matchAll(/'([^']+)'/g)].map(([, word]) => word ?? ''),
  );
}

test.each([
  ['messages', 'kind', messageKinds],
  ['messages', 'channel', channels],
  ['consents', 'channel', channels],
  ['consents', 'action', consentActions],
  ['suppressions', 'channel', channels],
  ['suppressions', 'reason', suppressionReasons],
  ['receipts', 'outcome', receiptOutcomes],
  ['receipts', 'address_fault', addressFaults],
  ['contact_channels', 'channel', channels],
  ['contact_channels', 'status', addressStatuses],
  ['providers', 'channel', channels],
])(
  'the database allows in %s.%s the words of the contract, and no others',
  async (table, column, words) => {
    expect((await readAllowed(table, column)).sort()).toEqual([...words].sort());
  },
);

test('a message has the states of the contract, in their order', async () => {
  const { rows } = await sql<{ state: string }>`
    select unnest(enum_range(null::message_state))::text as state`.execute(db.database.system);
  expect(rows.map(({ state }) => state)).toEqual(messageStates);
});

test('no column named channel takes any word', async () => {
  const { rows } = await sql<{ table: string }>`
    select table_name as table from information_schema.columns
    where table_schema = 'public' and column_name = 'channel' order by 1`.execute(
    db.database.system,
  );
  for (const { table } of rows) {
    const allowed = await readAllowed(table, 'channel');
    expect(channels, table).toEqual(expect.arrayContaining(allowed));
    expect(allowed.length, table).toBeGreaterThan(0);
  }
});
