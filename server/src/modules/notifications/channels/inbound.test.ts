import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { createHttpServer } from '../../../platform/http.ts';
import { createLog } from '../../../platform/log.ts';
import { createMetrics } from '../../../platform/metrics.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { type DeliveryParts, deliverDue } from '../delivery/deliver.ts';
import { registerProviders } from '../failover/store.ts';
import { allStopWords } from '../inbound/keywords.ts';
import { preferencesSaved } from '../index.ts';
import { createOfficeCache } from '../office/store.ts';
import { listOutbox } from '../outbox/store.ts';
import { registerNotificationRoutes } from '../routes.ts';
import { channels } from '../texts/render.ts';
import { createProviders } from './index.ts';
import { readChannelSettings } from './settings.ts';

const authToken = 'an-auth-token-of-twilio-for-tests';
const smsToken = 'a-token-of-the-second-provider';
const mailToken = 'a-token-of-the-mail-system';
const environment: Record<string, string> = {
  TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
  TWILIO_AUTH_TOKEN: authToken,
  SMS_HTTP_URL: 'http://127.0.0.1:9/sms',
  SMS_HTTP_TOKEN: smsToken,
  MAIL_EVENTS_TOKEN: mailToken,
};
const settings = readChannelSettings((name) => environment[name]);
const phone = '+13525550001';
const shortCode = '41575';

let county: MessageCounty;
let app: FastifyInstance;
let parts: DeliveryParts;

async function open(): Promise<void> {
  county = await createMessageCounty(['V001', 'V002']);
  const { database, config, clock } = county;
  const log = createLog('silent');
  const secrets = createSecrets(['a test secret of thirty-two characters']);
  app = await createHttpServer({ config, log, metrics: createMetrics() });
  await registerNotificationRoutes(app, { database, config, clock, log, secrets, settings });
  const local = readChannelSettings(() => undefined);
  const providers = createProviders(local, '', database.system, clock, async () => {});
  for (const channel of channels)
    await registerProviders(database.system, channel, ['local'], clock.now());
  parts = {
    db: database.system,
    clock,
    log,
    secrets,
    mailDomain: 'mail.example',
    providers,
    office: createOfficeCache(database.system, config),
  };
}
beforeEach(open);
afterEach(async () => {
  await app.close();
  await county.drop();
});

/** Posts a form as Twilio does, signed by Twilio's own library. */
function callTwilio(path: string, fields: Record<string, string>, token = authToken) {
  const signature = twilio.getExpectedTwilioSignature(
    token,
    `https://beacon.example${path}`,
    fields,
  );
  return app.inject({
    method: 'POST',
    url: path,
    headers: {
      'x-twilio-signature': signature,
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams(fields).toString(),
  });
}

let texts = 0;
const nextId = (prefix: string): string => {
  texts += 1;
  return `${prefix}${texts}`;
};
async function text(body: string, from = phone, sid = nextId('SM')): Promise<void> {
  const fields = { MessageSid: sid, From: from, To: shortCode, Body: body };
  const answer = await callTwilio('/api/provider/twilio/sms', fields);
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toContain('<Response></Response>');
}

async function deliver(): Promise<void> {
  for (const channel of channels) while ((await deliverDue(parts, channel)).claimed > 0);
}
const outbox = () => listOutbox(county.database.system, county.account.accountId, null);
const sentKinds = async () =>
  (await outbox())
    .filter(({ state }) => state === 'sent')
    .map(({ kind }) => kind)
    .reverse();
const sms = async () =>
  (
    await sql<{ sms_status: string; sms_opt_in: boolean }>`
  select sms_status, sms_opt_in from contact_preferences where phone_sms = ${phone}`.execute(
      county.database.system,
    )
  ).rows[0];

const blank = {
  email: '',
  email_opt_in: false,
  is_valid_email: null,
  phone_sms: '',
  sms_opt_in: false,
  sms_status: 'none',
  phone_voice: '',
  pending_voice: '',
  voice_opt_in: false,
  language_preference: null,
  email_do_not_contact_before: null,
  email_do_not_contact_after: null,
  sms_do_not_contact_before: null,
  sms_do_not_contact_after: null,
  voice_do_not_contact_before: null,
  voice_do_not_contact_after: null,
};

/** A save of preferences as the page makes it. */
async function save(
  voter: string,
  change: Partial<typeof blank> & Record<string, unknown>,
): Promise<number> {
  const { database, config, account, clock } = county;
  return database.transaction(async (tx) => {
    const { rows: found } = await sql<typeof blank & { voter_id: number }>`
      select v.voter_id, p.* from voters v left join contact_preferences p on p.voter_id = v.voter_id
      where v.registration_id = ${voter}`.execute(tx);
    const { rows: ids } = await sql<{
      voter_id: number;
    }>`select voter_id from voters where registration_id = ${voter}`.execute(tx);
    const voterId = ids[0]?.voter_id ?? 0;
    const row = found[0];
    const before = row && row.email !== null ? row : null;
    const after = { ...(before ?? blank), ...change };
    await sql`insert into contact_preferences (account_id, voter_id, email, email_opt_in, is_valid_email, phone_sms, sms_opt_in, sms_status, phone_voice, pending_voice, voice_opt_in)
      values (${account.accountId}, ${voterId}, ${after.email}, ${after.email_opt_in}, ${after.is_valid_email}, ${after.phone_sms}, ${after.sms_opt_in}, ${after.sms_status}, ${after.phone_voice}, ${after.pending_voice}, ${after.voice_opt_in})
      on conflict (voter_id) do update set email = excluded.email, email_opt_in = excluded.email_opt_in, is_valid_email = excluded.is_valid_email,
        phone_sms = excluded.phone_sms, sms_opt_in = excluded.sms_opt_in, sms_status = excluded.sms_status, phone_voice = excluded.phone_voice,
        pending_voice = excluded.pending_voice, voice_opt_in = excluded.voice_opt_in`.execute(tx);
    await preferencesSaved(tx, config, account.accountId, { voterId, before, after }, clock.now());
    return voterId;
  });
}
const askForTexts = () =>
  save('V001', { phone_sms: phone, sms_opt_in: true, sms_status: 'pending' });
const send = (voter: string, status: 'Outbound' | 'Accepted') =>
  county.importBallots([
    {
      voter,
      status,
      mailed: '2026-10-03',
      ...(status === 'Accepted' ? { returned: '2026-10-04' } : {}),
    },
  ]);

describe('a number given on the page', () => {
  test('is asked first, hears nothing of ballots until YES, and then within the minute where the ballot is', async () => {
    await askForTexts();
    await send('V001', 'Outbound');
    await deliver();
    expect(await sentKinds()).toEqual(['opt-in']);
    await text('YES');
    await deliver();
    expect(await sms()).toEqual({ sms_status: 'active', sms_opt_in: true });
    expect(await sentKinds()).toEqual(['opt-in', 'confirmed', 'catch-up']);
    await send('V001', 'Accepted');
    await deliver();
    expect(await sentKinds()).toEqual(['opt-in', 'confirmed', 'catch-up', 'status']);
  });

  test('is stopped by a text at any time, with one confirmation and nothing after it', async () => {
    await askForTexts();
    await text('YES');
    await deliver();
    await send('V001', 'Outbound');
    await text('STOP');
    await text('STOP');
    await deliver();
    await send('V001', 'Accepted');
    await deliver();
    expect(await sms()).toEqual({ sms_status: 'opted-out', sms_opt_in: false });
    expect(await sentKinds()).toEqual(['opt-in', 'confirmed', 'stopped']);
    const { rows } = await sql<{ action: string; source: string }>`
      select action, source from consents order by consent_id`.execute(county.database.system);
    expect(rows).toEqual([
      { action: 'asked', source: 'preferences page' },
      { action: 'confirmed', source: 'sms reply' },
      { action: 'withdrawn', source: 'sms reply' },
    ]);
  });

  test('is asked again by START, and YES brings the news back', async () => {
    await askForTexts();
    await text('YES');
    await text('STOP');
    await text('START');
    await deliver();
    expect(await sms()).toEqual({ sms_status: 'pending', sms_opt_in: true });
    await text('YES');
    await send('V001', 'Outbound');
    await deliver();
    expect((await sentKinds()).slice(-2)).toEqual(['confirmed', 'status']);
  });

  test('is answered once however often the provider repeats its call', async () => {
    await askForTexts();
    await deliver();
    for (let time = 0; time < 5; time += 1) await text('HELP', phone, 'SM-the-same');
    await deliver();
    expect(await sentKinds()).toEqual(['opt-in', 'help']);
  });

  test('that stops at night is confirmed at once, while alerts wait for the morning', async () => {
    await askForTexts();
    await text('YES');
    await deliver();
    county.clock.set('2026-10-06T03:00:00Z');
    await send('V001', 'Outbound');
    await deliver();
    await text('STOP');
    await deliver();
    expect((await sentKinds()).slice(-1)).toEqual(['stopped']);
    county.clock.set('2026-10-06T15:00:00Z');
    await deliver();
    expect((await sentKinds()).slice(-1)).toEqual(['stopped']);
  });

  test('whatever is texted, imported and delivered in whatever order, hears nothing after STOP but its one confirmation, and nothing without YES', async () => {
    const step = fc.oneof(
      fc.constantFrom(
        'YES',
        'HELP',
        'START',
        'hello',
        'save',
        'import',
        'deliver',
        'night',
        'morning',
      ),
      fc.constantFrom(...allStopWords).map((word) => `stop:${word}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await app.close();
        await county.drop();
        await open();
        let isStopped = false;
        let hasAgreed = false;
        let known = 0;
        let status: 'Outbound' | 'Accepted' = 'Outbound';
        for (const one of [...steps, 'deliver']) {
          let told: string[] = [];
          if (one === 'save') {
            await askForTexts();
            // A page refuses a number that is stopped; here it is saved, and still nothing may go there.
            hasAgreed = false;
          } else if (one === 'import') {
            await send('V001', status);
            status = status === 'Outbound' ? 'Accepted' : 'Outbound';
          } else if (one === 'night')
            county.clock.set(
              new Date(
                Math.ceil(county.clock.now().getTime() / 86_400_000) * 86_400_000 + 4 * 3_600_000,
              ).toISOString(),
            );
          else if (one === 'morning')
            county.clock.set(
              new Date(
                Math.ceil(county.clock.now().getTime() / 86_400_000) * 86_400_000 + 15 * 3_600_000,
              ).toISOString(),
            );
          else if (one !== 'deliver') await text(one.replace(/^stop:/, ''));
          await deliver();
          const sent = (await outbox()).filter(({ state }) => state === 'sent').reverse();
          told = sent.slice(known).map(({ kind }) => kind);
          known = sent.length;
          if (one.startsWith('stop:')) {
            expect(told.filter((kind) => kind !== 'stopped')).toEqual([]);
            expect(told.length).toBeLessThanOrEqual(1);
            isStopped = true;
            hasAgreed = false;
          } else if (one === 'START') isStopped = false;
          else if (one === 'YES' && (await sms())?.sms_status === 'active') hasAgreed = true;
          const news = told.filter((kind) => kind === 'status' || kind === 'catch-up');
          if (isStopped) expect(news).toEqual([]);
          if (isStopped && !['YES', 'HELP', 'hello'].includes(one) && !one.startsWith('stop:'))
            expect(told).toEqual([]);
          if (!hasAgreed) expect(news).toEqual([]);
        }
      }),
      { numRuns: 12 },
    );
  }, 120_000);
});

describe('a mail address given on the page', () => {
  test('gets a mail with a code; the address it replaces is told', async () => {
    await save('V001', { email: 'old@mail.example', email_opt_in: true });
    await deliver();
    await save('V001', { email: 'New@mail.example', email_opt_in: true });
    await deliver();
    const messages = await outbox();
    expect(messages.map(({ kind, address, state }) => [kind, address, state]).reverse()).toEqual([
      ['welcome', 'old@mail.example', 'sent'],
      ['welcome', 'new@mail.example', 'sent'],
      ['change', 'old@mail.example', 'sent'],
    ]);
    const welcome = messages.find(({ address }) => address === 'new@mail.example');
    expect(welcome?.body).toMatch(/https:\/\/adams\.beacon\.example\/voter\?code=[\w-]{43}/);
    const notice = messages.find(({ kind }) => kind === 'change');
    expect(notice?.body).not.toContain('new@');
    expect(notice?.body).toContain('(555) 555-0100');
  });
});

describe('a call from a voter', () => {
  const call = (from: string, to = '+15555550100') =>
    callTwilio('/api/provider/twilio/voice', { CallSid: nextId('CA'), From: from, To: to });

  test('proves the number it comes from, and news is then called to it', async () => {
    await save('V001', { pending_voice: phone });
    await send('V001', 'Outbound');
    const answer = await call(phone);
    expect(answer.body).toContain('Your number is confirmed');
    await deliver();
    const { rows } =
      await sql`select phone_voice, pending_voice, voice_opt_in from contact_preferences`.execute(
        county.database.system,
      );
    expect(rows).toEqual([{ phone_voice: phone, pending_voice: '', voice_opt_in: true }]);
    expect(await sentKinds()).toEqual(['catch-up']);
  });

  test('from any other number proves nothing', async () => {
    await save('V001', { pending_voice: phone });
    expect((await call('+13525559999')).body).toContain('did not find a request');
    const { rows } = await sql`select phone_voice from contact_preferences`.execute(
      county.database.system,
    );
    expect(rows).toEqual([{ phone_voice: '' }]);
  });

  test('of ours ends all calls when 9 is pressed', async () => {
    await save('V001', { pending_voice: phone });
    await send('V001', 'Outbound');
    await call(phone);
    await deliver();
    const [message] = await outbox();
    const pressed = await callTwilio(
      `/api/provider/twilio/keypress?message=${message?.message_id}`,
      { Digits: '9' },
    );
    expect(pressed.body).toContain('no more calls');
    await send('V001', 'Accepted');
    await deliver();
    expect(await sentKinds()).toEqual(['catch-up']);
  });
});

describe('a provider’s report', () => {
  test('that Twilio did not sign is refused, and changes nothing', async () => {
    await askForTexts();
    const fields = { MessageSid: 'SM1', From: phone, To: shortCode, Body: 'YES' };
    expect((await callTwilio('/api/provider/twilio/sms', fields, 'another token')).statusCode).toBe(
      403,
    );
    const unsigned = await app.inject({
      method: 'POST',
      url: '/api/provider/twilio/sms',
      payload: fields,
    });
    expect(unsigned.statusCode).toBe(403);
    expect((await sms())?.sms_status).toBe('pending');
  });

  test.each([
    [{ MessageStatus: 'delivered' }, 'delivered'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30005' }, 'failed-permanent'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30003' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'queued' }, 'sent'],
  ])('%j makes the message %s', async (fields, state) => {
    await askForTexts();
    await deliver();
    const [message] = await outbox();
    const answer = await callTwilio(
      `/api/provider/twilio/status?message=${message?.message_id}`,
      fields as Record<string, string>,
    );
    expect(answer.statusCode).toBe(204);
    expect((await outbox())[0]?.state).toBe(state);
  });

  test('of a bounce or a complaint makes the address count as unusable; a wrong token is refused', async () => {
    await save('V001', { email: 'one@mail.example', email_opt_in: true });
    await deliver();
    const [message] = await outbox();
    const report = (token: string) =>
      app.inject({
        method: 'POST',
        url: '/api/provider/mail/events',
        headers: { authorization: `Bearer ${token}` },
        payload: [{ event: 'complaint', message: `<beacon-${message?.message_id}@mail.example>` }],
      });
    expect((await report('a wrong token')).statusCode).toBe(403);
    expect((await report(mailToken)).statusCode).toBe(204);
    const { rows } = await sql`select is_valid_email from contact_preferences`.execute(
      county.database.system,
    );
    expect(rows).toEqual([{ is_valid_email: false }]);
  });

  test('of the second text provider is taken with its token', async () => {
    await askForTexts();
    await deliver();
    const [message] = await outbox();
    const post = (url: string, payload: object) =>
      app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${smsToken}` },
        payload,
      });
    expect(
      (
        await post(`/api/provider/sms/status?message=${message?.message_id}`, {
          status: 'delivered',
        })
      ).statusCode,
    ).toBe(204);
    expect((await outbox())[0]?.state).toBe('delivered');
    await post('/api/provider/sms/inbound', { id: 'i1', from: phone, to: shortCode, body: 'stop' });
    expect((await sms())?.sms_status).toBe('opted-out');
  });
});

test('the mailbox page shows what went out and takes an answer as the voter’s', async () => {
  await askForTexts();
  await deliver();
  const page = await app.inject({ url: '/outbox' });
  expect(page.body).toContain('Reply YES to get mail ballot status texts');
  const reply = await app.inject({
    method: 'POST',
    url: '/outbox/reply',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ account: 'adams', from: phone, text: 'YES' }).toString(),
  });
  expect(reply.statusCode).toBe(303);
  expect((await sms())?.sms_status).toBe('active');
});
