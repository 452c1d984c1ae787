import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportId } from '../../../platform/ids.ts';
import type { OutboundMessage, Outcome, Provider } from '../channels/provider.ts';
import { readHealth } from '../failover/store.ts';
import { receiveReceipts } from '../inbound/receipts.ts';
import { correctImport } from '../index.ts';
import { listOutbox } from '../outbox/store.ts';
import { deliverDue, resolveLost } from './deliver.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';
import { maximumAttempts } from './rules.ts';

const number = '+13525550001';
const voters = ['V001', 'V002', 'V003', 'V004', 'V005'];
let county: MessageCounty;

beforeEach(async () => {
  county = await createMessageCounty(voters);
});
afterEach(() => county.drop());

const system = () => county.database.system;
const outbox = () => listOutbox(system(), county.account.accountId, null);
const states = async () =>
  (await outbox()).map(({ channel, state }) => `${channel} ${state}`).sort();
const news = (who: readonly string[] = ['V001']) =>
  county.importBallots(
    who.map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-03' }) as const),
  );
const accepted: Outcome = { kind: 'accepted', providerMessageId: 'p1' };

/** Texts go to what the test says. */
function providerOf(
  answer: (message: OutboundMessage, place: number) => Outcome,
  more: Partial<Provider> = {},
): Provider {
  return {
    ...{ name: 'stub', channel: 'sms', batchSize: 20, reportsReceipts: true },
    afterLoss: 'idempotent',
    send: async (messages) => messages.map(answer),
    ...more,
  };
}

describe('a message that waits', () => {
  test('goes by phone to a number that has stopped its texts alone', async () => {
    await county.optIn('V001', { sms: number, voice: number });
    await news();
    await sql`insert into suppressions (account_id, channel, address, reason)
      select account_id, 'sms', ${number}, 'stopped' from accounts`.execute(system());
    await deliverAll(await createDelivery(county));
    expect(await states()).toEqual(['sms withdrawn', 'voice sent']);
  });

  const consent = (address: string, action: string) =>
    sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, 'sms', ${address}, ${action}, 'test', 'test' from contact_channels`.execute(
      system(),
    );

  test('goes although its voter withdrew another number, or stopped another office’s texts', async () => {
    await county.optIn('V001', { sms: number });
    await news();
    await consent('+13525550009', 'withdrawn');
    await sql`with lake as (insert into accounts (subdomain, name, county, state, time_zone, settings)
        select 'lake', 'Lake', 'Lake', state, time_zone, settings from accounts returning account_id)
      insert into suppressions (account_id, channel, address, reason)
      select account_id, 'sms', ${number}, 'stopped' from lake`.execute(system());
    await deliverAll(await createDelivery(county));
    expect(await states()).toEqual(['sms sent']);
  });

  test('does not go to a voter who became confidential meanwhile', async () => {
    await county.optIn('V001', { sms: number });
    await news();
    await sql`update voters set is_confidential = true`.execute(system());
    await deliverAll(await createDelivery(county));
    const { rows } = await sql`select state from messages`.execute(system());
    expect(rows).toEqual([{ state: 'withdrawn' }]);
    // Nor does anybody who looks at the office's messages read of it.
    expect(await outbox()).toEqual([]);
  });

  test('does not go on the consent for another number', async () => {
    await county.optIn('V001', { sms: '+13525550009' });
    await sql`update contact_channels set address = ${number}`.execute(system());
    await news();
    await deliverAll(await createDelivery(county));
    expect(await states()).toEqual(['sms withdrawn']);
  });
});

test('an answer leaves before older news, of its own office and of another', async () => {
  for (const [place, voter] of voters.entries())
    await county.optIn(voter, { sms: `+1352555000${place}` });
  await news(voters);
  county.clock.advance(1_000);
  const now = county.clock.now();
  await sql`with lake as (insert into accounts (subdomain, name, county, state, time_zone, settings)
      select 'lake', 'Lake', 'Lake', state, time_zone, settings || '{"short_code": "41576"}'
      from accounts returning account_id),
    both_offices as (select account_id, 'adams' as office from accounts union all select account_id, 'lake' from lake)
    insert into messages (account_id, kind, channel, address, language, cause, is_answer, deliver_after)
    select account_id, 'change', 'sms', '+1352555900' || length(office), 'english', 'test', true, ${now}
    from both_offices`.execute(system());
  const left: string[] = [];
  const one = providerOf(
    ({ to }) => {
      left.push(to);
      return accepted;
    },
    { batchSize: 1 },
  );
  const parts = await createDelivery(county, { sms: [one] });
  for (let turn = 0; turn < 3; turn += 1) await deliverDue(parts, 'sms');
  expect(left.slice(0, 2)).toEqual(['+13525559005', '+13525559004']);
  expect(left[2]).toMatch(/^\+1352555000/);
});

describe('the confirmation of a STOP', () => {
  async function stop(to: string) {
    await sql`insert into messages (account_id, kind, channel, address, language, cause, is_answer, deliver_after)
      select account_id, 'stopped', 'sms', ${to}, 'english', 'test', true, ${county.clock.now()} from accounts`.execute(
      system(),
    );
  }

  test.each([
    ['waits for what is on its way to the number', number, 'created'],
    ['does not wait for what is on its way to another', '+13525550009', 'sent'],
  ])('%s', async (_, to, state) => {
    await county.optIn('V001', { sms: number });
    await news();
    const lost = providerOf(({ to: address }) =>
      address === number ? { kind: 'unknown', code: 'TIMEOUT' } : accepted,
    );
    const parts = await createDelivery(county, { sms: [lost] });
    await deliverAll(parts);
    await stop(to);
    await deliverAll(parts);
    const stopped = (await outbox()).find(({ kind }) => kind === 'stopped');
    expect(stopped?.state).toBe(state);
  });
});

describe('an outcome', () => {
  const only = async () => (await outbox())[0];

  test('that comes after a receipt changes neither the state nor the reason', async () => {
    await county.optIn('V001', { sms: number });
    await news();
    const early = providerOf(() => ({ kind: 'unknown', code: 'TIMEOUT' }), {
      async send(messages) {
        const receipts = messages.map(({ messageId }) => ({
          ...{ messageId, provider: 'stub', outcome: 'delivered' as const },
          ...{ address: null, code: null },
        }));
        await receiveReceipts(system(), receipts, county.clock.now());
        return messages.map(() => ({ kind: 'unknown', code: 'TIMEOUT' }) as const);
      },
    });
    await deliverAll(await createDelivery(county, { sms: [early] }));
    expect(await only()).toMatchObject({ state: 'delivered', error_code: null });
  });

  test('that was lost of a message whose import waits since stays unknown: it may have arrived', async () => {
    await county.optIn('V001', { sms: number });
    await news();
    const lossy = providerOf(() => ({ kind: 'unknown', code: 'TIMEOUT' }));
    const parts = await createDelivery(county, { sms: [lossy] });
    await deliverAll(parts);
    await sql`update imports set state = 'messages-held'`.execute(system());
    county.clock.advance(11_000);
    await resolveLost(parts, 'sms');
    expect(await only()).toMatchObject({ state: 'outcome-unknown', error_code: 'import-held' });
  });

  test.each([
    ['idempotent', [2]],
    ['repeat', [1, 1]],
  ] as const)(
    'whose loss a provider would answer by “%s” comes of %j messages a call: a repeat that is seen is of one alone',
    async (afterLoss, sizes) => {
      for (const [place, voter] of voters.slice(0, 2).entries())
        await county.optIn(voter, { sms: `+1352555000${place}` });
      await news(voters.slice(0, 2));
      const calls: number[] = [];
      const counting = providerOf(() => accepted, {
        afterLoss,
        async send(messages) {
          calls.push(messages.length);
          return messages.map(() => accepted);
        },
      });
      await deliverAll(await createDelivery(county, { sms: [counting] }));
      expect(calls).toEqual(sizes);
    },
  );

  test('that fails for now is late by when the message was first due, however often it is tried', async () => {
    await county.optIn('V001', { sms: number });
    await news();
    const due = county.clock.now();
    const failing = providerOf(() => ({ kind: 'retryable', code: '503' }));
    const parts = await createDelivery(county, { sms: [failing] });
    for (let turn = 0; turn < 3; turn += 1) {
      await deliverAll(parts);
      county.clock.advance(10 * 60_000);
    }
    const { rows } = await sql`select attempts, due_at from messages`.execute(system());
    expect(rows).toEqual([{ attempts: 3, due_at: due }]);
  });

  test('that refuses an address is on record for what it is: a mailbox bounced, a number is none', async () => {
    await county.optIn('V001', { sms: number, email: 'one@mail.example' });
    await news();
    const refusing = (channel: 'sms' | 'email') =>
      providerOf(() => ({ kind: 'permanent', code: 'no-such', address: 'invalid' }), { channel });
    await deliverAll(
      await createDelivery(county, { sms: [refusing('sms')], email: [refusing('email')] }),
    );
    const { rows } = await sql<{ stop: string }>`
      select channel || ' ' || reason as stop from suppressions order by channel`.execute(system());
    expect(rows.map(({ stop }) => stop)).toEqual(['email bounced', 'sms invalid']);
  });

  test.each([
    ['delivered', 'delivered'],
    ['failed-temporary', 'failed-temporary-exhausted'],
    ['failed-permanent', 'failed-permanent'],
  ] as const)('leaves the time that a quicker receipt has set: %s', async (outcome, state) => {
    await county.optIn('V001', { sms: number });
    await news();
    const receipt = { provider: 'stub', outcome, address: null, code: null };
    const reportedAt = county.clock.now();
    const early = providerOf(() => accepted, {
      async send([message]) {
        const { messageId = 0 } = message ?? {};
        await receiveReceipts(system(), [{ ...receipt, messageId }], reportedAt);
        county.clock.advance(5_000);
        return [accepted];
      },
    });
    await deliverAll(await createDelivery(county, { sms: [early] }));
    expect(await only()).toMatchObject({ state, sent_at: reportedAt });
    const { rows } = await sql`select provider_message_id as id from messages`.execute(system());
    expect(rows).toEqual([{ id: 'p1' }]);
  });

  test.each([
    ['idempotent', 'TIMEOUT', { kind: 'unknown', code: 'TIMEOUT' }],
    ['query', 'provider-silent', { kind: 'unknown', code: 'TIMEOUT' }],
    ['idempotent', '503', { kind: 'retryable', code: '503' }],
  ] as const)(
    'that stays unknown is looked into ten times, where the provider is %s and says %s',
    async (afterLoss, code, then) => {
      await county.optIn('V001', { sms: number });
      await news();
      let calls = 0;
      const answer = (): Outcome => {
        calls += 1;
        return calls === 1 ? { kind: 'unknown', code: 'TIMEOUT' } : then;
      };
      const lossy = providerOf(answer, { afterLoss, find: async () => 'unknown' });
      const parts = await createDelivery(county, { sms: [lossy] });
      for (let turn = 0; turn < 3 * maximumAttempts; turn += 1) {
        await deliverAll(parts);
        county.clock.advance(60 * 60_000);
      }
      expect(await only()).toMatchObject({
        ...{ state: 'outcome-unknown', error_code: code, attempts: maximumAttempts },
      });
    },
  );

  test('that comes so late that another worker has the message writes nothing over that worker’s', async () => {
    await county.optIn('V001', { sms: number });
    await news();
    const other = await createDelivery(county, {
      sms: [providerOf(() => ({ kind: 'unknown', code: 'TIMEOUT' }))],
    });
    const claimed: number[] = [];
    const slow = providerOf(() => accepted, {
      async send() {
        for (const wait of [60_000, 1]) {
          county.clock.advance(wait);
          claimed.push((await resolveLost(other, 'sms')).claimed);
        }
        return [{ kind: 'retryable', code: '500' }];
      },
    });
    await deliverDue(await createDelivery(county, { sms: [slow] }), 'sms');
    expect(claimed).toEqual([0, 1]);
    // Waiting, it would be sent beside the other's.
    expect(await only()).toMatchObject({ state: 'sending', error_code: 'TIMEOUT', attempts: 2 });
  });

  test('that fails while the office corrects the import is not tried again, and nothing is to correct', async () => {
    await county.optIn('V001', { sms: number });
    const { importId } = await news();
    const sent: string[] = [];
    const failing = providerOf(() => accepted, {
      async send(messages) {
        sent.push(...messages.map(({ body }) => body));
        await county.database.transaction((tx) =>
          correctImport(tx, importId as ImportId, 'Bea Deputy', county.clock.now()),
        );
        return messages.map(() => ({ kind: 'retryable', code: '503' }) as const);
      },
    });
    const parts = await createDelivery(county, { sms: [failing] });
    for (let turn = 0; turn < 3; turn += 1) {
      await deliverAll(parts);
      county.clock.advance(10 * 60_000);
    }
    expect([sent.length, ...(await states())]).toEqual([1, 'sms withdrawn', 'sms withdrawn']);
  });

  test('that is unknown of a provider that is gone stays so, and its voter gets the correction with its day', async () => {
    await county.optIn('V001', { sms: number });
    const { importId } = await news();
    const lossy = providerOf(() => ({ kind: 'unknown', code: 'TIMEOUT' }));
    await deliverAll(await createDelivery(county, { sms: [lossy] }));
    const sent: string[] = [];
    const other = providerOf(
      ({ body }) => {
        sent.push(body);
        return accepted;
      },
      { name: 'other' },
    );
    const parts = await createDelivery(county, { sms: [other] });
    county.clock.advance(11_000);
    await deliverAll(parts);
    expect(await only()).toMatchObject({ state: 'outcome-unknown', error_code: 'provider-gone' });
    const { clock, database } = county;
    await database.transaction((tx) =>
      correctImport(tx, importId as ImportId, 'Bea Deputy', clock.now()),
    );
    await deliverAll(parts);
    expect(sent).toEqual([expect.stringContaining('10/5/26')]);
  });

  test('that was lost of more messages than the provider takes at once is looked into for those alone', async () => {
    for (const [place, voter] of voters.entries())
      await county.optIn(voter, { sms: `+1352555000${place}` });
    await news(voters);
    let isWell = false;
    const sent: string[] = [];
    const lossy = providerOf(
      ({ to }) => {
        if (isWell) sent.push(to);
        return isWell || to.endsWith('0') ? accepted : { kind: 'unknown', code: 'TIMEOUT' };
      },
      { batchSize: 2 },
    );
    const parts = await createDelivery(county, { sms: [lossy] });
    await deliverAll(parts);
    isWell = true;
    county.clock.advance(11_000);
    expect((await resolveLost(parts, 'sms')).claimed).toBe(4);
    expect(sent.map((to) => to.slice(-1)).sort()).toEqual(['1', '2', '3', '4']);
    expect(await states()).toEqual(Array(5).fill('sms sent'));
  });
});

describe('a provider that asks for patience', () => {
  const pauseMs = async () => {
    const [health] = await readHealth(system(), 'sms', ['stub']);
    const until = health?.pausedUntil?.getTime();
    return until === undefined ? null : until - county.clock.now().getTime();
  };
  const throttled = (retryAfterMs: number | null): Outcome => ({
    ...{ kind: 'throttled', code: '429', retryAfterMs },
  });

  beforeEach(async () => {
    for (const [place, voter] of voters.entries())
      await county.optIn(voter, { sms: `+1352555000${place}` });
    await news(voters);
  });

  test.each([
    ['a second where it does not say', throttled(null), 1_000],
    ['as long as it says', throttled(59_999), 59_999],
    ['a minute at most', throttled(60_001), 60_000],
  ])('is left alone for %s', async (_, outcome, wait) => {
    const parts = await createDelivery(county, { sms: [providerOf(() => outcome)] });
    await deliverDue(parts, 'sms');
    expect(await pauseMs()).toBe(wait);
  });

  test('goes on where it took some of them', async () => {
    const some = providerOf((_, place) => (place === 0 ? accepted : throttled(30_000)));
    await deliverDue(await createDelivery(county, { sms: [some] }), 'sms');
    expect(await pauseMs()).toBeNull();
    expect((await states()).filter((state) => state === 'sms sent')).toHaveLength(1);
  });
});
