import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { AccountId } from '../../../platform/ids.ts';
import type { Outcome, Provider } from '../channels/provider.ts';
import { receiveReceipts } from '../inbound/receipts.ts';
import { deliverDue } from './deliver.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';
import { findNextDue, leaseMs } from './store.ts';

/** One voter's text, and what became of it when provider or worker lost track. */
const number = '+13525550001';
const accepted: Outcome = { kind: 'accepted', providerMessageId: 'p1' };
let county: MessageCounty;

beforeEach(async () => {
  county = await createMessageCounty(['V001']);
  await county.optIn('V001', { sms: number });
  await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
});
afterEach(() => county.drop());

const read = async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select state, error_code, provider_message_id, created_at from messages`.execute(
    county.database.system,
  );
  return rows[0];
};

test.each([
  ['has it goes no second time', { providerMessageId: 'p9' }, 1, 'p9'],
  ['does not have it goes again', 'absent', 2, 'p1'],
] as const)(
  'a message of which the outcome was lost, and which a provider %s',
  async (_what, found, sends, providerMessageId) => {
    const bodies: string[] = [];
    const asked: unknown[] = [];
    const provider: Provider = {
      ...{ name: 'stub', channel: 'sms', batchSize: 20, reportsReceipts: true },
      afterLoss: 'query',
      async send(messages) {
        bodies.push(...messages.map(({ body }) => body));
        return messages.map(() =>
          bodies.length === 1 ? { kind: 'unknown', code: 'TIMEOUT' } : accepted,
        );
      },
      async find({ to, body }, since) {
        asked.push([to, body, since]);
        return found;
      },
    };
    const made = await read();
    const parts = await createDelivery(county, { sms: [provider] });
    await deliverAll(parts);
    expect(await read()).toMatchObject({ state: 'sending', error_code: 'TIMEOUT' });
    county.clock.advance(11_000);
    await deliverAll(parts);
    expect([bodies.length, new Set(bodies).size]).toEqual([sends, 1]);
    expect(asked).toEqual([[number, bodies[0], made?.created_at]]);
    const end = { state: 'sent', error_code: null, provider_message_id: providerMessageId };
    expect(await read()).toMatchObject(end);
  },
);

test('a message that its provider does not know yet, and then delivers, goes no second time the next morning', async () => {
  let sends = 0;
  const provider: Provider = {
    ...{ name: 'stub', channel: 'sms', batchSize: 20, reportsReceipts: true },
    afterLoss: 'query',
    async send(messages) {
      sends += messages.length;
      return messages.map(() => ({ kind: 'unknown', code: 'TIMEOUT' }));
    },
    find: async () => 'absent',
  };
  const parts = await createDelivery(county, { sms: [provider] });
  // Texts go until 8 PM.
  county.clock.set('2026-10-05T23:59:55Z');
  await deliverAll(parts);
  county.clock.advance(11_000);
  await deliverAll(parts);
  expect(await read()).toMatchObject({ state: 'created', error_code: 'outside-hours' });
  const { system } = county.database;
  const { rows } = await sql<{ messageId: number }>`
    select message_id as "messageId" from messages`.execute(system);
  const report = { provider: 'stub', outcome: 'delivered', address: null, code: null } as const;
  const receipts = rows.map(({ messageId }) => ({ messageId, ...report }));
  await receiveReceipts(system, receipts, county.clock.now());
  county.clock.set('2026-10-06T15:00:00Z');
  await deliverAll(parts);
  expect([sends, await read()]).toMatchObject([1, { state: 'delivered', error_code: null }]);
});

test.each([
  [
    ...['its voter opts out', 'outcome-unknown', 'not-wanted'],
    sql`update contact_channels set is_opted_in = false`,
  ],
  [
    ...['its import waits for a second person', 'outcome-unknown', 'import-held'],
    sql`update imports set state = 'messages-held'`,
  ],
  [
    ...['its text has a gap', 'outcome-unknown', 'empty-placeholder'],
    sql`update voters set firstname = '', lastname = ''`,
  ],
  [
    ...['its voter’s hours end', 'sending', 'outside-hours'],
    sql`update contact_channels set hours_start = '20:00', hours_end = '21:00'`,
  ],
] as const)(
  'a message of which the outcome was lost may have arrived: once %s, it is %s and goes no second time',
  async (_what, state, code, change) => {
    let sends = 0;
    const provider: Provider = {
      ...{ name: 'stub', channel: 'sms', batchSize: 20, reportsReceipts: true },
      afterLoss: 'idempotent',
      async send(messages) {
        sends += messages.length;
        return messages.map(() => ({ kind: 'unknown', code: 'TIMEOUT' }));
      },
    };
    const parts = await createDelivery(county, { sms: [provider] });
    await deliverAll(parts);
    await change.execute(county.database.system);
    county.clock.advance(11_000);
    await deliverAll(parts);
    expect(await read()).toMatchObject({ state, error_code: code });
    expect(sends).toBe(1);
  },
);

test.each([
  [leaseMs / 3, 'sent', null],
  // By then another worker may have taken it over.
  [leaseMs / 3 + 1, 'created', 'claim-too-old'],
])(
  'of a worker that slept for %i ms after it took a message, the message is %s',
  async (sleep, state, code) => {
    const provider: Provider = {
      ...{ name: 'stub', channel: 'sms', batchSize: 20, reportsReceipts: true },
      ...{ afterLoss: 'idempotent', send: async (messages) => messages.map(() => accepted) },
    };
    const parts = await createDelivery(county, { sms: [provider] });
    const sleepy = {
      ...parts,
      office: (accountId: AccountId) => {
        county.clock.advance(sleep);
        return parts.office(accountId);
      },
    };
    await deliverDue(sleepy, 'sms');
    expect(await read()).toMatchObject({ state, error_code: code });
  },
);

test.each([
  ['a message becomes due', 10_000, 10_000],
  ['a provider has been silent for too long', leaseMs + 10_000, leaseMs],
])('the worker looks again when %s, whichever comes first', async (_what, waitsMs, wakesMs) => {
  const silent: Provider = {
    ...{ name: 'stub', channel: 'sms', batchSize: 20, reportsReceipts: true },
    ...{ afterLoss: 'query', send: async () => [{ kind: 'unknown', code: 'TIMEOUT' }] },
    find: async () => 'unknown',
  };
  const claimedAt = county.clock.now();
  await deliverDue(await createDelivery(county, { sms: [silent] }), 'sms');
  const { system } = county.database;
  await sql`update messages set claimed_at = ${claimedAt}`.execute(system);
  // And another of the same office later.
  const dueAt = [waitsMs, waitsMs + 60_000].map((ms) => new Date(claimedAt.getTime() + ms));
  await sql`
    insert into messages (account_id, kind, cause, voter_id, channel, address, language, deliver_after)
    select account_id, 'change', 'a save for ' || due, voter_id, channel, address, language, due
    from messages, unnest(${dueAt}::timestamptz[]) as due`.execute(system);
  const next = await findNextDue(system, 'sms');
  expect((next?.getTime() ?? 0) - claimedAt.getTime()).toBe(wakesMs);
});
