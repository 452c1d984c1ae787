import type { SuppressionReason } from '@ballot-beacon/contract/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, addVoter } from '../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { suppressAddress } from './index.ts';

let db: TestDatabase;
let accountId: AccountId;
beforeAll(async () => {
  db = await createTestDatabase();
  accountId = await addOffice(db, { subdomain: 'adams' });
});
afterAll(() => db.drop());

/** From what a machine reports to what a person says, the weakest first. */
const byStrength: readonly SuppressionReason[] = [
  'invalid',
  'bounced',
  'stopped',
  'complained',
  'unsubscribed',
];

test('of two reasons the stronger stays on record, whichever comes first, and only the first is new', async () => {
  const now = new Date('2026-10-05T15:00:00Z');
  for (const [rank, stronger] of byStrength.entries())
    for (const weaker of byStrength.slice(0, rank))
      for (const [first, second] of [
        [weaker, stronger],
        [stronger, weaker],
      ] as const) {
        const address = `${first}-${second}@mail.example`;
        const stop = { accountId, channel: 'email', address, source: 'test' } as const;
        const outcomes = [
          await suppressAddress(db.database.system, { ...stop, reason: first }, now),
          await suppressAddress(db.database.system, { ...stop, reason: second }, now),
        ];
        expect(outcomes.map(({ isNew }) => isNew)).toEqual([true, false]);
        const { rows } =
          await sql`select reason from suppressions where address = ${address}`.execute(
            db.database.system,
          );
        expect(rows, address).toEqual([{ reason: stronger }]);
      }
});

test('an address that bounces is no longer used, however its voter wrote it', async () => {
  const voterId = await addVoter(db, accountId);
  await sql`insert into contact_preferences (account_id, voter_id) values (${accountId}, ${voterId})`.execute(
    db.database.system,
  );
  await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
    values (${accountId}, ${voterId}, 'email', 'Ann@Mail.Example', 'proven', true)`.execute(
    db.database.system,
  );
  const stop = {
    accountId,
    channel: 'email',
    address: 'ann@mail.example',
    source: 'test',
  } as const;
  const now = new Date('2026-10-05T15:00:00Z');
  expect(await suppressAddress(db.database.system, { ...stop, reason: 'bounced' }, now)).toEqual({
    isNew: true,
    cutOff: [{ voter_id: voterId, language: 'english', was_reachable: true }],
  });
  const { rows } = await sql`select address, status from contact_channels`.execute(
    db.database.system,
  );
  expect(rows).toEqual([{ address: 'Ann@Mail.Example', status: 'unusable' }]);
});

test('a stop withdraws the consent of each voter who had one, also beside a voter who has withdrawn', async () => {
  const address = '+13525550177';
  const { system } = db.database;
  const voters = [
    await addVoter(db, accountId, { lastname: 'Stays' }),
    await addVoter(db, accountId, { lastname: 'Left' }),
  ];
  for (const [place, voterId] of voters.entries()) {
    await sql`insert into contact_preferences (account_id, voter_id) values (${accountId}, ${voterId})`.execute(
      system,
    );
    await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      values (${accountId}, ${voterId}, 'sms', ${address}, 'proven', ${place === 0})`.execute(
      system,
    );
  }
  for (const [voter, action, of = address] of [
    [0, 'confirmed'],
    [1, 'confirmed'],
    [1, 'withdrawn'],
    // At another number, that the voter had before.
    [0, 'withdrawn', '+13525550178'],
    [1, 'confirmed', '+13525550178'],
  ] as const)
    await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      values (${accountId}, ${voters[voter]}, 'sms', ${of}, ${action}, 'page', 'test')`.execute(
      system,
    );
  const stop = { accountId, channel: 'sms', address, reason: 'stopped', source: 'reply' } as const;
  await suppressAddress(system, stop, new Date('2026-10-05T15:00:00Z'));
  const { rows } = await sql<{ voter_id: number }>`
    select voter_id from consents where source = 'reply' and action = 'withdrawn'`.execute(system);
  expect(rows).toEqual([{ voter_id: voters[0] }]);
});

test.each([
  ['unsubscribed', true],
  ['complained', true],
  ['stopped', true],
  ['bounced', false],
  ['invalid', false],
] as const)('an address that is %s has lost its consent: %s', async (reason, isWithdrawn) => {
  const { system } = db.database;
  const voterId = await addVoter(db, accountId, { lastname: reason });
  const address = `${reason}@consent.example`;
  await sql`insert into contact_preferences (account_id, voter_id) values (${accountId}, ${voterId})`.execute(
    system,
  );
  await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
    values (${accountId}, ${voterId}, 'email', ${address}, 'proven', true)`.execute(system);
  await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
    values (${accountId}, ${voterId}, 'email', ${address}, 'confirmed', 'page', 'test')`.execute(
    system,
  );
  const stop = { accountId, channel: 'email', address, reason, source: 'test' } as const;
  await suppressAddress(system, stop, new Date('2026-10-05T15:00:00Z'));
  const { rows } = await sql<{ action: string }>`
    select action from consents where voter_id = ${voterId} order by consent_id`.execute(system);
  expect(rows.map(({ action }) => action)).toEqual(
    isWithdrawn ? ['confirmed', 'withdrawn'] : ['confirmed'],
  );
});
