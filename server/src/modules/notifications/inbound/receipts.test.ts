import { addressFaults, receiptOutcomes } from '@ballot-beacon/contract/messages';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDatabase } from '../../../../../testing/api-database.ts';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openWorkerDatabase } from '../../../../../testing/worker-database.ts';
import type { Database } from '../../../platform/postgres.ts';
import type { Receipt } from '../channels/provider.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { receiveReceipts } from './receipts.ts';

const runs = 40;
const voters = Array.from({ length: runs * 2 + 13 }, (_, index) => `V${index}`);
let county: MessageCounty;
/** Both take reports, each by its own login: providers call the API, and the local providers are the worker's. */
let api: Database;
let worker: Database;
/** Messages of mail and of texts, each sent to another voter. */
const sent: Record<'email' | 'sms', number[]> = { email: [], sms: [] };

beforeAll(async () => {
  county = await createMessageCounty(voters);
  for (const [index, voter] of voters.entries())
    await county.optIn(voter, { email: `${voter}@mail.example`, sms: `+1352555${1000 + index}` });
  await county.importBallots(
    voters.map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-03' })),
  );
  await deliverAll(await createDelivery(county));
  api = openApiDatabase(county.database);
  worker = await openWorkerDatabase(county.database);
  const { rows } = await sql<{ channel: 'email' | 'sms'; id: number }>`
    select channel, message_id as id from messages where state = 'sent' order by message_id`.execute(
    county.database.system,
  );
  for (const { channel, id } of rows) sent[channel].push(id);
});
afterAll(async () => {
  await Promise.all([api.close(), worker.close()]);
  await county.drop();
});

/** Everything that receipts decide of one message's voter. */
async function readEnd(messageId: number): Promise<unknown> {
  const { rows } = await sql`
    select m.state, m.error_code, c.status, c.is_opted_in, s.reason,
      (select array_agg(concat_ws(' ', provider, outcome, address_fault, error_code) order by 1)
        from (select * from receipts r where r.message_id = m.message_id order by provider, outcome, address_fault) r) as receipts,
      (select array_agg(action order by consent_id) from consents k
        where k.voter_id = m.voter_id and k.channel = m.channel) as consents
    from messages m
    join contact_channels c on c.voter_id = m.voter_id and c.channel = m.channel
    left join suppressions s on s.channel = m.channel and s.address = m.address
    where m.message_id = ${messageId}`.execute(county.database.system);
  return rows[0];
}

const report = fc.record({
  provider: fc.constantFrom('twilio', 'http-sms'),
  outcome: fc.constantFrom(...receiptOutcomes),
  address: fc.option(fc.constantFrom(...addressFaults)),
  code: fc.option(fc.constantFrom('1', '2')),
});
/** The same reports in two orders, each with repeats of its own. */
const twice = fc.array(report, { minLength: 1, maxLength: 5 }).chain((reports) => {
  const order = fc
    .tuple(
      fc.shuffledSubarray(reports, { minLength: reports.length, maxLength: reports.length }),
      fc.array(fc.constantFrom(...reports), { maxLength: 4 }),
    )
    .map(([all, again]) => [...all, ...again]);
  return fc.tuple(order, order);
});

const send = (
  messageId: number,
  reports: readonly Omit<Receipt, 'messageId'>[],
  database: Database = api,
) =>
  receiveReceipts(
    database.system,
    reports.map((one) => ({ messageId, ...one })),
    county.clock.now(),
  );

test('receipts in any order, however often repeated, lead to one end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('email', 'sms'), twice, async (channel, [one, other]) => {
      const ids = [sent[channel].pop(), sent[channel].pop()] as [number, number];
      await send(ids[0], one);
      await send(ids[1], other, worker);
      expect(await readEnd(ids[0])).toEqual(await readEnd(ids[1]));
    }),
    { numRuns: runs, endOnFailure: true },
  );
}, 120_000);

test('a final failure outweighs a delivery, and that a passing failure, whichever is reported first', async () => {
  const reported = (outcome: Receipt['outcome']) => ({
    ...{ provider: 'twilio', outcome, address: null, code: null },
  });
  for (const [one, other, state] of [
    ['failed-permanent', 'delivered', 'failed-permanent'],
    ['failed-temporary', 'delivered', 'delivered'],
    ['failed-temporary', 'failed-permanent', 'failed-permanent'],
  ] as const)
    for (const order of [
      [reported(one), reported(other)],
      [reported(other), reported(one)],
    ]) {
      const id = sent.sms.pop() as number;
      await send(id, order);
      expect(await readEnd(id), `${one} and ${other}`).toMatchObject({ state });
    }
});

test('a late report of an earlier try leaves a message that waits for another, unless it was delivered, or has ended otherwise', async () => {
  const { system } = county.database;
  for (const [state, end] of [
    ['created', 'delivered'],
    ['held', 'delivered'],
    ['withdrawn', 'withdrawn'],
    ['superseded', 'superseded'],
    ['expired', 'expired'],
  ] as const) {
    const id = sent.sms.pop() ?? 0;
    await sql`update messages set state = ${state}::message_state where message_id = ${id}`.execute(
      system,
    );
    const late = { provider: 'twilio', address: null, code: null };
    await send(id, [{ ...late, outcome: 'failed-temporary' }]);
    expect(await readEnd(id)).toMatchObject({ state });
    await send(id, [{ ...late, outcome: 'delivered' }]);
    expect(await readEnd(id)).toMatchObject({ state: end });
  }
});

test('a report that is repeated after the voter came back does not stop the voter again', async () => {
  const id = sent.sms.pop() as number;
  const stopped = {
    provider: 'twilio',
    outcome: 'failed-permanent',
    address: 'stopped',
    code: '21610',
  } as const;
  await send(id, [stopped]);
  expect(await readEnd(id)).toMatchObject({ reason: 'stopped', status: 'stopped' });
  const { system } = county.database;
  await sql`delete from suppressions`.execute(system);
  await sql`update contact_channels set status = 'proven', is_opted_in = true`.execute(system);
  await send(id, [stopped, stopped]);
  expect(await readEnd(id)).toMatchObject({ reason: null, status: 'proven', is_opted_in: true });
});

test('a receipt that cannot be applied does not affect the others', async () => {
  const [id] = [sent.sms.pop() as number];
  const bad = { provider: 'a\0b', outcome: 'delivered', address: null, code: null } as const;
  await expect(send(id, [bad, { ...bad, provider: 'twilio' }])).rejects.toThrow();
  expect(await readEnd(id)).toMatchObject({ state: 'delivered' });
});
