import type { Channel } from '@ballot-beacon/contract/messages';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { Providers } from '../channels/index.ts';
import type { OutboundMessage, Outcome, Provider } from '../channels/provider.ts';
import { receiveReceipts } from '../inbound/receipts.ts';
import { listOutbox } from '../outbox/store.ts';
import { deliverDue } from './deliver.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';

const voters = Array.from({ length: 60 }, (_, index) => `V${String(index + 1).padStart(3, '0')}`);
let county: MessageCounty;

beforeEach(async () => {
  county = await createMessageCounty(voters);
});
afterEach(() => county.drop());

const createParts = (replace: Partial<Providers> = {}) => createDelivery(county, replace);
const outbox = () => listOutbox(county.database.system, county.account.accountId, null);

describe('a provider', () => {
  /** A provider whose answers the test decides and which keeps what it took. */
  function createStub(
    name: string,
    channel: Channel,
    answer: (message: OutboundMessage) => Outcome,
  ) {
    const taken: OutboundMessage[] = [];
    const provider: Provider = {
      name,
      channel,
      batchSize: 20,
      reportsReceipts: true,
      afterLoss: 'idempotent',
      async send(messages) {
        return messages.map((message) => {
          const outcome = answer(message);
          if (outcome.kind === 'accepted') taken.push(message);
          return outcome;
        });
      },
    };
    return { provider, taken };
  }
  const accepted: Outcome = { kind: 'accepted', providerMessageId: 'p1' };

  async function textOne(): Promise<void> {
    await county.optIn('V001', { sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
  }
  const only = async () => (await outbox())[0];

  test('that is busy is tried again, later each time, until the message ends by name', async () => {
    await textOne();
    const { provider } = createStub('busy', 'sms', () => ({ kind: 'retryable', code: '500' }));
    const parts = await createParts({ sms: [provider] });
    let waits = 0;
    for (; (await only())?.state === 'created' && waits < 50; waits += 1) {
      await deliverAll(parts);
      county.clock.set(((await only())?.deliver_after ?? new Date()).toISOString());
    }
    expect(await only()).toMatchObject({
      state: 'failed-temporary-exhausted',
      attempts: 10,
      error_code: '500',
    });
  });

  test('that asks for patience gets it, at no cost to the message', async () => {
    await textOne();
    let calls = 0;
    const { provider, taken } = createStub('slow', 'sms', () => {
      calls += 1;
      return calls < 30 ? { kind: 'throttled', retryAfterMs: 5_000, code: '429' } : accepted;
    });
    const parts = await createParts({ sms: [provider] });
    for (let turn = 0; turn < 40; turn += 1) {
      await deliverAll(parts);
      county.clock.advance(5_000);
    }
    expect(taken).toHaveLength(1);
    expect(await only()).toMatchObject({ state: 'sent', attempts: 1 });
  });

  test('that says a number can not be reached ends the message, and nothing more goes there', async () => {
    await textOne();
    const { provider } = createStub('exact', 'sms', () => ({
      kind: 'permanent',
      code: '21610',
      address: 'stopped',
    }));
    const parts = await createParts({ sms: [provider] });
    await deliverAll(parts);
    expect(await only()).toMatchObject({ state: 'failed-permanent', error_code: '21610' });
    await county.importBallots([
      { voter: 'V001', status: 'Accepted', mailed: '2026-10-03', returned: '2026-10-04' },
    ]);
    expect(await outbox()).toHaveLength(1);
  });

  test('gets each message with its office as the sender, and of a mail where answers go', async () => {
    const ways = { email: 'one@mail.example', sms: '+13525550001', voice: '+13525550002' };
    await county.optIn('V001', { ...ways, language: 'spanish' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    const stubs = {
      email: createStub('relay', 'email', () => accepted),
      sms: createStub('texts', 'sms', () => accepted),
      voice: createStub('calls', 'voice', () => accepted),
    };
    const { email, sms, voice } = stubs;
    const providers = { email: [email.provider], sms: [sms.provider], voice: [voice.provider] };
    await deliverAll(await createParts(providers));
    const taken = [email, sms, voice].flatMap((stub) => stub.taken);
    const office = { fromName: 'Adams County Elections', languageTag: 'es-US' };
    expect(taken).toMatchObject([
      { ...office, from: 'adams@mail.beacon.example', replyTo: 'elections@adams.example' },
      { ...office, from: '41575', replyTo: null },
      { ...office, from: '+15555550100', replyTo: null },
    ]);
  });

  test('that refuses two numbers of one batch stops each of them', async () => {
    const numbers = ['+13525550001', '+13525550002', '+13525550003'];
    for (const [index, sms] of numbers.entries()) await county.optIn(`V00${index + 1}`, { sms });
    await county.importBallots(
      numbers.map((_, index) => ({
        ...{ voter: `V00${index + 1}`, status: 'Outbound', mailed: '2026-10-03' },
      })),
    );
    const { provider } = createStub('exact', 'sms', ({ to }) =>
      to === numbers[0] ? accepted : { kind: 'permanent', code: '21610', address: 'stopped' },
    );
    await deliverAll(await createParts({ sms: [provider] }));
    const { rows } = await sql<{ address: string }>`
      select address from suppressions where reason = 'stopped' order by address`.execute(
      county.database.system,
    );
    expect(rows.map(({ address }) => address)).toEqual(numbers.slice(1));
  });

  test('whose receipt is here before our own record of the sending is believed', async () => {
    await textOne();
    const { provider } = createStub('quick', 'sms', () => accepted);
    const early: Provider = {
      ...provider,
      async send(messages) {
        await receiveReceipts(
          county.database.system,
          messages.map(({ messageId }) => ({
            messageId,
            provider: 'quick',
            outcome: 'delivered',
            address: null,
            code: null,
          })),
          county.clock.now(),
        );
        return provider.send(messages);
      },
    };
    await deliverAll(await createParts({ sms: [early] }));
    expect(await only()).toMatchObject({ state: 'delivered' });
  });

  test('whose answer was lost is given the same message again under the same name', async () => {
    await textOne();
    const seen: string[] = [];
    const { provider, taken } = createStub('lossy', 'sms', (message) => {
      seen.push(message.reference);
      return seen.length === 1 ? { kind: 'unknown', code: 'TIMEOUT' } : accepted;
    });
    const parts = await createParts({ sms: [provider] });
    await deliverAll(parts);
    expect(await only()).toMatchObject({ state: 'sending' });
    county.clock.advance(9_000);
    await deliverAll(parts);
    expect(seen).toHaveLength(1);
    county.clock.advance(2_000);
    await deliverAll(parts);
    expect(new Set(seen).size).toBe(1);
    expect(seen).toHaveLength(2);
    expect(taken).toHaveLength(1);
    expect(await only()).toMatchObject({ state: 'sent' });
  });

  test('that can be asked is asked before anything is sent a second time', async () => {
    await textOne();
    const { provider } = createStub('asked', 'sms', () => ({ kind: 'unknown', code: 'TIMEOUT' }));
    let sends = 0;
    const since: Date[] = [];
    const asked: Provider = {
      ...provider,
      afterLoss: 'query',
      send: (messages) => {
        sends += 1;
        return provider.send(messages);
      },
      find: async (_, from) => {
        since.push(from);
        return { providerMessageId: 'SM1' };
      },
    };
    const parts = await createParts({ sms: [asked] });
    await deliverAll(parts);
    county.clock.advance(15_000);
    await deliverAll(parts);
    expect(sends).toBe(1);
    expect(await only()).toMatchObject({ state: 'sent' });
    // From when the message was made: what is older is another one.
    const { rows } = await sql`select created_at from messages`.execute(county.database.system);
    expect(rows).toEqual(since.map((created_at) => ({ created_at })));
  });

  test('that fails is drained within a minute, nothing is lost, and it comes back when it is well', async () => {
    const rows = voters.map(
      (voter) => ({ voter, status: 'Outbound', mailed: '2026-10-03' }) as const,
    );
    for (const [index, voter] of voters.entries())
      await county.optIn(voter, { sms: `+1352555${String(1000 + index)}` });
    await county.importBallots(rows);
    let isWell = false;
    const first = createStub('first', 'sms', () =>
      isWell ? accepted : { kind: 'retryable', code: '503' },
    );
    const second = createStub('second', 'sms', () => accepted);
    const parts = await createParts({ sms: [first.provider, second.provider] });
    const started = county.clock.now().getTime();
    while (second.taken.length < voters.length && county.clock.now().getTime() - started < 60_000) {
      await deliverAll(parts);
      county.clock.advance(1_000);
    }
    expect(second.taken).toHaveLength(voters.length);
    expect(new Set(second.taken.map(({ to }) => to)).size).toBe(voters.length);

    isWell = true;
    const { recoverProviders, readHealth } = await import('../failover/store.ts');
    for (let minute = 0; minute < 12; minute += 1) {
      county.clock.advance(60_000);
      await recoverProviders(parts.db, 'sms', county.clock.now());
    }
    expect(await readHealth(parts.db, 'sms', ['first', 'second'])).toMatchObject([
      { weight: 100 },
      { weight: 0 },
    ]);
  });

  test('whose receipts are slow loses its traffic within a minute, and has it back once they are not', async () => {
    for (const [index, voter] of voters.entries())
      await county.optIn(voter, { sms: `+1352555${String(1000 + index)}` });
    await county.importBallots(
      voters.map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-03' }) as const),
    );
    const first = createStub('first', 'sms', () => accepted);
    const second = createStub('second', 'sms', () => accepted);
    const parts = await createParts({ sms: [first.provider, second.provider] });
    await deliverAll(parts);
    expect(first.taken).toHaveLength(voters.length);
    const { watchProviders } = await import('./work.ts');
    const { readHealth } = await import('../failover/store.ts');
    county.clock.advance(4 * 60_000 + 1_000);
    const weight = async () => (await readHealth(parts.db, 'sms', ['first', 'second']))[0]?.weight;
    // One that reports no receipts is not slow with them, and one alone has nobody to give its traffic to.
    const demoted: string[] = [];
    const log = { ...parts.log, write: (event: string) => void demoted.push(event) };
    const silent = { ...first.provider, reportsReceipts: false };
    for (const sms of [[silent, second.provider], [first.provider]])
      await watchProviders({ ...parts, log, providers: { ...parts.providers, sms } }, 'sms');
    expect([demoted, await weight()]).toEqual([[], 100]);
    const watch = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 10) {
        await watchProviders(parts, 'sms');
        county.clock.advance(10_000);
      }
    };
    await watch(60);
    expect(await weight()).toBe(0);
    await watch(15 * 60);
    expect(await weight()).toBe(100);
  });

  test.each([
    ['throttled@magic.invalid', 'created'],
    ['busy@magic.invalid', 'created'],
    ['unknown-user@magic.invalid', 'failed-permanent'],
    ['refused@magic.invalid', 'failed-permanent'],
    ['lost@magic.invalid', 'sending'],
    ['bounces-later@magic.invalid', 'failed-permanent'],
    ['bounces-later+again@magic.invalid', 'failed-permanent'],
    ['fine@mail.example', 'sent'],
  ])('of the local kind treats %s so that the message is %s', async (email, state) => {
    await county.optIn('V001', { email });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    const parts = await createParts();
    await deliverDue(parts, 'email');
    expect(await only()).toMatchObject({ state });
  });

  test('that reports spam turns the mail off', async () => {
    await county.optIn('V001', { email: 'complains@magic.invalid' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await deliverAll(await createParts());
    const { rows } = await sql`select status from contact_channels`.execute(county.database.system);
    expect(rows).toEqual([{ status: 'unusable' }]);
  });
});
