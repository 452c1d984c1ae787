import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { createLog } from '../../../platform/log.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { createProviders, type Providers } from '../channels/index.ts';
import type { OutboundMessage, Outcome, Provider } from '../channels/provider.ts';
import { registerProviders } from '../failover/store.ts';
import { receiveReceipts } from '../inbound/receipts.ts';
import { createOfficeCache } from '../office/store.ts';
import { listOutbox } from '../outbox/store.ts';
import { type Channel, channels } from '../texts/render.ts';
import { type DeliveryParts, deliverDue, resolveLost } from './deliver.ts';

const voters = Array.from({ length: 60 }, (_, index) => `V${String(index + 1).padStart(3, '0')}`);
let county: MessageCounty;

beforeEach(async () => {
  county = await createMessageCounty(voters);
});
afterEach(() => county.drop());

async function createParts(replace: Partial<Providers> = {}): Promise<DeliveryParts> {
  const { database, clock, config } = county;
  const local = createProviders(
    { TWILIO_API_URL: 'https://api.twilio.com' },
    'https://beacon.example/api/provider',
    database.system,
    clock,
    (receipts) =>
      receiveReceipts(
        database.system,
        receipts.map((r) => ({ ...r, provider: 'local', code: null })),
        clock.now(),
      ),
  );
  const providers = { ...local, ...replace };
  for (const channel of channels)
    await registerProviders(
      database.system,
      channel,
      providers[channel].map(({ name }) => name),
      clock.now(),
    );
  return {
    db: database.system,
    clock,
    log: createLog('silent'),
    secrets: createSecrets(['a test secret of thirty-two characters']),
    mailDomain: 'mail.beacon.example',
    providers,
    office: createOfficeCache(database.system, config),
  };
}

async function deliverAll(parts: DeliveryParts): Promise<void> {
  for (const channel of channels) {
    while ((await resolveLost(parts, channel)).claimed > 0);
    while ((await deliverDue(parts, channel)).claimed > 0);
  }
}

const outbox = () => listOutbox(county.database.system, county.account.accountId, null);
const states = async () =>
  (await outbox()).map(({ channel, status, state }) => `${channel} ${status} ${state}`).sort();

describe('a change of status', () => {
  test('reaches the voters who asked, on each channel they asked for, once', async () => {
    await county.optIn('V001', {
      email: 'One@Mail.example',
      sms: '+13525550001',
      voice: '+13525550002',
    });
    await county.optIn('V002', { email: 'two@mail.example', language: 'spanish' });
    const rows = [
      { voter: 'V001', status: 'Outbound', mailed: '2026-10-03' },
      { voter: 'V002', status: 'Outbound', mailed: '2026-10-03' },
      { voter: 'V003', status: 'Outbound', mailed: '2026-10-03' },
    ] as const;
    expect((await county.importBallots(rows)).state).toBe('done');
    // The same file again says nothing new.
    await county.importBallots(rows);
    const parts = await createParts();
    await deliverAll(parts);
    await deliverAll(parts);
    expect(await states()).toEqual([
      'email sent sent',
      'email sent sent',
      'sms sent sent',
      'voice sent sent',
    ]);
    const messages = await outbox();
    const spanish = messages.find(({ address }) => address === 'two@mail.example');
    expect(spanish?.subject).toBe('Su boleta va en camino');
    const text = messages.find(({ channel }) => channel === 'sms');
    expect(text?.body).toContain('Adams County Elections: Voter, your ballot is in the mail');
    expect(text?.body).toContain('https://adams.beacon.example/voter');
    const mail = messages.find(({ address }) => address === 'one@mail.example');
    expect(mail?.headers?.['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(mail?.headers?.['List-Unsubscribe']).toMatch(
      /^<https:\/\/adams\.beacon\.example\/api\/voter\/unsubscribe\?key=[\w-]+&email=one%40mail\.example>$/,
    );
  });

  test('that was overtaken before it left is dropped, and only the newer one is sent', async () => {
    county.clock.set('2026-10-05T02:00:00Z');
    await county.optIn('V001', { sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await county.importBallots([
      { voter: 'V001', status: 'Accepted', mailed: '2026-10-03', returned: '2026-10-04' },
    ]);
    county.clock.set('2026-10-05T14:00:00Z');
    await deliverAll(await createParts());
    expect(await states()).toEqual(['sms accepted sent', 'sms sent superseded']);
  });

  test('waits for the quiet hours to end, and mail without chosen hours goes at once', async () => {
    county.clock.set('2026-10-06T01:30:00Z');
    await county.optIn('V001', { email: 'one@mail.example', sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    const parts = await createParts();
    await deliverAll(parts);
    expect(await states()).toEqual(['email sent sent', 'sms sent created']);
    county.clock.set('2026-10-06T11:59:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['email sent sent', 'sms sent created']);
    county.clock.set('2026-10-06T12:00:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['email sent sent', 'sms sent sent']);
  });

  test('hours that a voter changes while a message waits are the ones that count', async () => {
    county.clock.set('2026-10-06T01:30:00Z');
    const voterId = await county.optIn('V001', { sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await sql`update contact_preferences set sms_do_not_contact_before = '10:00', sms_do_not_contact_after = '18:00'
      where voter_id = ${voterId}`.execute(county.database.system);
    const parts = await createParts();
    county.clock.set('2026-10-06T12:30:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['sms sent created']);
    county.clock.set('2026-10-06T14:00:00Z');
    await deliverAll(parts);
    expect(await states()).toEqual(['sms sent sent']);
  });

  test.each([
    ['an opt-out', sql`update contact_preferences set sms_opt_in = false`],
    ['a changed number', sql`update contact_preferences set phone_sms = '+13525559999'`],
    [
      'a withdrawn consent',
      sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, 'sms', '+13525550001', 'withdrawn', 'test', 'test' from contact_preferences`,
    ],
    [
      'a stopped number',
      sql`insert into suppressions (account_id, channel, address, reason)
      select account_id, 'sms', '+13525550001', 'stopped' from contact_preferences`,
    ],
    ['a voter taken off the roll', sql`update voters set is_active = false`],
  ] as const)('is not sent after %s, though it was already waiting', async (_what, change) => {
    await county.optIn('V001', { sms: '+13525550001' });
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-03' }]);
    await change.execute(county.database.system);
    await deliverAll(await createParts());
    expect(await states()).toEqual(['sms sent withdrawn']);
  });

  test('that is history is not told: the first load of an old file sends nothing', async () => {
    await county.optIn('V001', { email: 'one@mail.example' });
    await county.optIn('V002', { email: 'two@mail.example' });
    await county.importBallots([
      { voter: 'V001', status: 'Outbound', mailed: '2026-09-10' },
      { voter: 'V002', status: 'Outbound', mailed: '2026-10-01' },
    ]);
    await deliverAll(await createParts());
    expect((await outbox()).map(({ address }) => address)).toEqual(['two@mail.example']);
  });
});

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
    const asked: Provider = {
      ...provider,
      afterLoss: 'query',
      send: (messages) => {
        sends += 1;
        return provider.send(messages);
      },
      find: async () => ({ providerMessageId: 'SM1' }),
    };
    const parts = await createParts({ sms: [asked] });
    await deliverAll(parts);
    county.clock.advance(15_000);
    await deliverAll(parts);
    expect(sends).toBe(1);
    expect(await only()).toMatchObject({ state: 'sent' });
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

  test('whose receipts are slow loses its traffic within a minute', async () => {
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
    for (let second = 0; second < 60; second += 10) {
      await watchProviders(parts, 'sms');
      county.clock.advance(10_000);
    }
    expect((await readHealth(parts.db, 'sms', ['first', 'second']))[0]?.weight).toBe(0);
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
    const { rows } = await sql`select is_valid_email from contact_preferences`.execute(
      county.database.system,
    );
    expect(rows).toEqual([{ is_valid_email: false }]);
  });
});

test('over zones, clock changes and any hours, nothing is ever handed over outside the hours of who gets it, and all of it in the end', async () => {
  const clock = fc
    .integer({ min: 0, max: 47 })
    .map((half) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`);
  const window = fc.option(fc.tuple(clock, clock).filter(([start, end]) => start !== end));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(
        'America/New_York',
        'America/Phoenix',
        'Pacific/Honolulu',
        'America/St_Johns',
        'Australia/Lord_Howe',
      ),
      fc.constantFrom('2026-10-31', '2026-03-07', '2026-10-03', '2026-04-04'),
      fc.array(window, { minLength: 12, maxLength: 12 }),
      fc.array(fc.integer({ min: 5, max: 200 }), { minLength: 26, maxLength: 26 }),
      async (timeZone, day, windows, steps) => {
        await county.drop();
        county = await createMessageCounty(voters.slice(0, windows.length), {
          now: `${day}T14:00:00Z`,
          settings: { time_zone: timeZone },
        });
        await sql`update elections set election_date = ${day}::date + 10`.execute(
          county.database.system,
        );
        for (const [index, hours] of windows.entries())
          await county.optIn(voters[index] ?? '', {
            email: `${index}@mail.example`,
            sms: `+1352555${1000 + index}`,
            voice: `+1352555${2000 + index}`,
            ...(hours ? { hours } : {}),
          });
        await county.importBallots(
          windows.map(
            (_, index) =>
              ({ voter: voters[index] ?? '', status: 'Outbound', mailed: day }) as const,
          ),
        );
        const parts = await createParts();
        for (const minutes of steps) {
          await deliverAll(parts);
          county.clock.advance(minutes * 60_000);
        }
        // PostgreSQL's calendar is not the one that decided.
        const { rows } = await sql<{ sent: number; outside: number }>`
          select count(*)::int as sent, count(*) filter (where not case
              when own_start is null and channel = 'email' then true
              when first < last then at >= first and at < last else at >= first or at < last end)::int as outside
          from (
            select d.channel, (d.received_at at time zone ${timeZone})::time as at, p.sms_do_not_contact_before as own_start,
              coalesce(p.sms_do_not_contact_before, '08:00') as first, coalesce(p.sms_do_not_contact_after, '20:00') as last
            from local_deliveries d join messages m using (message_id) join contact_preferences p using (voter_id)
          ) told`.execute(county.database.system);
        expect(rows[0]?.outside).toBe(0);
        const openLong = windows.filter((hours) => !hours || isLong(hours)).length;
        expect(rows[0]?.sent).toBeGreaterThanOrEqual(openLong * 2);
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
}, 120_000);

/** So long that steps of at most 200 minutes over two days must fall into it. */
function isLong([start, end]: readonly [string, string]): boolean {
  const minute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  return (minute(end) - minute(start) + 1440) % 1440 > 320;
}
