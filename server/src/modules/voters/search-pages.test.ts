import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, addVoter } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import { readVoterSearch, searchVoters } from './index.ts';

let db: TestDatabase;
let adams: AccountId;
let lake: AccountId;

beforeAll(async () => {
  db = await createTestDatabase();
  adams = await addOffice(db, { subdomain: 'adams' });
  lake = await addOffice(db, { subdomain: 'lake' });
  for (const accountId of [adams, lake])
    for (const [lastname, count] of [
      ['Two', 2],
      ['Three', 3],
      ['Four', 4],
    ] as const)
      for (let voter = 0; voter < count; voter += 1)
        await addVoter(db, accountId, { lastname, birthdate: `19${50 + count}-01-01` });
});
afterAll(() => db.drop());

const find = (text: string, after?: VoterId, accountId = adams) =>
  searchVoters(db.database.forOffice(accountId), readVoterSearch(text), { limit: 2, after });

describe('a list of two at once', () => {
  test.each(['two', '1952-01-01', 'two 1952-01-01'])('ends with the second: %s', async (text) => {
    expect(await find(text)).toMatchObject({ matches: 2, voters: { length: 2 }, next: null });
  });

  test.each(['three', 'ann three', '1953-01-01'])('goes on to the third: %s', async (text) => {
    const first = await find(text);
    expect(first).toMatchObject({ matches: 3, isMore: false, voters: { length: 2 } });
    const second = await find(text, first.next ?? undefined);
    expect(second).toMatchObject({ matches: 1, voters: { length: 1 }, next: null });
    const ids = [...first.voters, ...second.voters].map((one) => one.voter_id);
    expect(new Set(ids).size).toBe(3);
  });

  test('goes on to the fourth, and no further', async () => {
    const first = await find('four');
    const second = await find('four', first.next ?? undefined);
    expect([first.matches, second.matches, second.next]).toEqual([4, 2, null]);
  });
});

test.each([
  [99, 99, false],
  [100, 100, false],
  [101, 100, true],
])(
  'of %i voters of a name %i are counted, and that there are more is said: %s',
  async (count, matches, isMore) => {
    await sql`insert into voters (account_id, registration_id, firstname, lastname, zipcode, birthdate)
    select ${adams}, ${`M${count}-`} || n, 'Ann', 'Many', '34811', ${`${1900 + count - 99}-02-03`}::date
    from generate_series(1, ${count}::integer) n`.execute(db.database.system);
    expect(await find(`many ${1900 + count - 99}-02-03`)).toMatchObject({ matches, isMore });
  },
);

test('a place in another office’s list is the beginning of this one', async () => {
  const { next } = await find('three', undefined, lake);
  expect(next).not.toBeNull();
  expect((await find('three', next ?? undefined)).matches).toBe(3);
});

test('a number for calls that has not called yet finds its voter', async () => {
  const voterId = await addVoter(db, adams, { lastname: 'Caller' });
  const other = await addVoter(db, lake, { lastname: 'Caller' });
  for (const [accountId, id] of [
    [adams, voterId],
    [lake, other],
  ] as const) {
    await sql`insert into contact_preferences (account_id, voter_id) values (${accountId}, ${id})`.execute(
      db.database.system,
    );
    await sql`insert into contact_channels (account_id, voter_id, channel, address, pending_address)
      values (${accountId}, ${id}, 'voice', '', '+13525550142')`.execute(db.database.system);
  }
  const { voters } = await find('(352) 555-0142');
  expect(voters.map((one) => one.voter_id)).toEqual([voterId]);
});
