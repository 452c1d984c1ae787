import { addressStatuses, channels } from '@ballot-beacon/contract/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, addVoter } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { sql } from '../../../../testing/sql.ts';
import { isReachable, noChannel } from './rules.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

test('the database and the rules agree for every state of a channel whether it is reachable', async () => {
  const office = await addOffice(db, { subdomain: 'adams' });
  let reachable = 0;
  for (const status of addressStatuses)
    for (const isOptedIn of [true, false])
      for (const address of ['', 'ann@mail.example']) {
        const voter = await addVoter(db, office);
        for (const channel of channels) {
          const { rows } = await sql<{ is_reachable: boolean }>`
            insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
            values (${office}, ${voter}, ${channel}, ${address}, ${status}, ${isOptedIn})
            returning is_reachable`.execute(db.database.system);
          const expected = isReachable({ ...noChannel, status, isOptedIn, address });
          expect(rows[0]?.is_reachable).toBe(expected);
          if (expected) reachable += 1;
        }
      }
  expect(reachable).toBe(channels.length);
});
