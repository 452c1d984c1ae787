import fc from 'fast-check';
import twilio from 'twilio';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  mailToken,
  openPhoneOffice,
  type PhoneOffice,
  phone,
  shortCode,
  smsToken,
} from '../../../../../testing/phone-office.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';

let office: PhoneOffice;
beforeEach(async () => {
  office = await openPhoneOffice(twilio.getExpectedTwilioSignature, openSilentDelivery);
});
afterEach(() => office.close());

describe('a call from a voter', () => {
  const call = (from: string, to = '+15555550100') =>
    office.callTwilio('/api/provider/twilio/voice', {
      CallSid: office.nextId('CA'),
      From: from,
      To: to,
    });

  test('proves the number it comes from, and news is then called to it', async () => {
    await office.save('V001', { voice: { pendingAddress: phone, isOptedIn: true } });
    await office.send('V001', 'Outbound');
    const answer = await call(phone);
    expect(answer.body).toContain('Your number is confirmed');
    await office.deliver();
    const { voice } = await office.channelsOf('V001');
    expect(voice).toMatchObject({
      address: phone,
      pendingAddress: '',
      isOptedIn: true,
      status: 'proven',
    });
    expect(await office.sentKinds()).toEqual(['catch-up']);
  });

  test('is answered in the voter’s language, one from a stranger and of a language nobody has in English', async () => {
    await office.save('V001', { voice: { pendingAddress: phone, isOptedIn: true } });
    const speak = (language: string) =>
      sql`update voters set language_preference = ${language}`.execute(
        office.county.database.system,
      );
    await speak('spanish');
    expect((await call(phone)).body).toContain(
      '<Say language="es-US">Gracias. Le habla Adams County Elections.',
    );
    expect((await call('+13525550199')).body).toContain('<Say language="en-US">');
    await speak('klingon');
    expect((await call(phone)).body).toContain('<Say language="en-US">');
  });

  test('brings no news of an election that is over', async () => {
    await office.save('V001', { voice: { pendingAddress: phone, isOptedIn: true } });
    await office.send('V001', 'Outbound');
    await sql`update elections set is_active = false`.execute(office.county.database.system);
    expect((await call(phone)).body).toContain('Your number is confirmed');
    await office.deliver();
    expect(await office.outbox()).toEqual([]);
  });

  test('from any other number proves nothing', async () => {
    await office.save('V001', { voice: { pendingAddress: phone, isOptedIn: true } });
    expect((await call('+13525559999')).body).toContain('didn’t find a request');
    const { voice } = await office.channelsOf('V001');
    expect(voice).toMatchObject({ address: '', pendingAddress: phone });
  });

  test('by us ends all calls when 9 is pressed, and none to another number', async () => {
    const other = '+13525550099';
    await office.save('V002', { voice: { pendingAddress: other, isOptedIn: true } });
    await office.send('V002', 'Outbound');
    await call(other);
    await office.deliver();
    await office.save('V001', { voice: { pendingAddress: phone, isOptedIn: true } });
    await office.send('V001', 'Outbound');
    await call(phone);
    await office.deliver();
    // The newest is first.
    const [message] = await office.outbox();
    const pressed = await office.callTwilio(
      `/api/provider/twilio/keypress?message=${message?.message_id}`,
      { Digits: '9' },
    );
    expect(pressed.body).toContain('no more calls');
    for (const voter of ['V001', 'V002']) await office.send(voter, 'Accepted');
    await office.deliver();
    const sent = (await office.outbox()).filter(({ state }) => state === 'sent');
    expect(sent.map(({ kind, address }) => [kind, address]).reverse()).toEqual([
      ['catch-up', other],
      ['catch-up', phone],
      ['status', other],
    ]);
  });

  test('by us goes on when another key is pressed, and a key pressed for a text stops no calls', async () => {
    await office.save('V001', { voice: { pendingAddress: phone, isOptedIn: true } });
    await call(phone);
    await office.askForTexts();
    await office.text('YES');
    await office.send('V001', 'Outbound');
    await office.deliver();
    const news = (await office.outbox()).filter(({ kind }) => kind === 'status');
    for (const { message_id: id, channel } of news)
      await office.callTwilio(`/api/provider/twilio/keypress?message=${id}`, {
        Digits: channel === 'voice' ? '8' : '9',
      });
    expect(news.map(({ channel }) => channel).sort()).toEqual(['sms', 'voice']);
    const { rows } = await sql`select from suppressions`.execute(office.county.database.system);
    expect(rows).toEqual([]);
  });
});

const bearer = (url: string, token: string, payload: object) =>
  office.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${token}` },
    payload,
  });

describe('whatever a provider sends', () => {
  test('a batch may have five hundred events', async () => {
    for (const [count, status] of [
      [500, 200],
      [501, 422],
    ] as const) {
      const events = Array.from({ length: count }, () => ({ event: 'opened', message: 'another' }));
      const answer = await bearer('/api/provider/mail/events', mailToken, events);
      expect(answer.statusCode, String(count)).toBe(status);
    }
  });

  test('one bad event costs no other of its batch', async () => {
    await office.save('V001', { email: { address: 'one@mail.example', isOptedIn: true } });
    await office.deliver();
    const [sent] = await office.outbox();
    const message = `beacon-${sent?.message_id}`;
    const batch = [
      { event: 'opened', message },
      { event: 'bounce', message, code: 'x'.repeat(41) },
      { event: 'bounce', message, code: '5.1\0' },
      { event: 'bounce', message: `\0${message}` },
      { event: 'bounce', message: 'another-1' },
      { event: 'bounce', message: 'beacon-999999999999999' },
      { event: 'bounce', message: 'beacon-9999999999999999999' },
      null,
      7,
      { event: 'delivered', message },
    ];
    const answer = await bearer('/api/provider/mail/events', mailToken, batch);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ received: 10, refused: 8 });
    expect((await office.outbox())[0]?.state).toBe('delivered');
  });

  test('a field that cannot be stored is refused on every call, and is never an error of the server', async () => {
    const wrong = fc.constantFrom('a\0b', 'x'.repeat(5000), '\0', '');
    const twilioCalls = [
      'sms',
      'voice',
      'status?message=1',
      'keypress?message=1',
      'status?message=%00',
    ];
    const field = fc.constantFrom(
      'MessageSid',
      'CallSid',
      'From',
      'To',
      'Body',
      'Digits',
      'MessageStatus',
      'ErrorCode',
    );
    const whole = {
      MessageSid: 'SM1',
      CallSid: 'CA1',
      From: phone,
      To: shortCode,
      Body: 'hello',
      Digits: '9',
      MessageStatus: 'delivered',
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...twilioCalls), field, wrong, async (path, name, value) => {
        const answer = await office.callTwilio(`/api/provider/twilio/${path}`, {
          ...whole,
          [name]: value,
        });
        expect(answer.statusCode).toBeLessThan(500);
      }),
      { numRuns: 60 },
    );
    for (const value of ['a\0b', 'x'.repeat(5000)]) {
      for (const [path, payload] of [
        ['sms/status?message=1', { status: 'delivered', code: value }],
        ['sms/inbound', { id: value, from: phone, to: shortCode, body: 'hi' }],
        ['sms/inbound', { id: 'i9', from: phone, to: value, body: 'hi' }],
        ['sms/inbound', { id: 'i9', from: phone, to: shortCode, body: value }],
      ] as const)
        expect((await bearer(`/api/provider/${path}`, smsToken, payload)).statusCode).toBe(422);
      const fields = { MessageSid: value, From: phone, To: shortCode, Body: 'YES' };
      expect((await office.callTwilio('/api/provider/twilio/sms', fields)).statusCode).toBe(422);
    }
  });
});

describe('a provider’s report', () => {
  test('that Twilio did not sign is refused, and changes nothing', async () => {
    await office.askForTexts();
    const fields = { MessageSid: 'SM1', From: phone, To: shortCode, Body: 'YES' };
    for (const path of ['sms', 'voice', 'status?message=1', 'keypress?message=1']) {
      const forged = await office.callTwilio(`/api/provider/twilio/${path}`, fields, 'another');
      expect(forged.statusCode, path).toBe(403);
    }
    const send = (type: string, payload: string, headers: Record<string, string> = {}) =>
      office.app.inject({
        method: 'POST',
        url: '/api/provider/twilio/sms',
        headers: { 'content-type': type, ...headers },
        payload,
      });
    const form = new URLSearchParams(fields).toString();
    const unsigned = await send('application/x-www-form-urlencoded', form);
    expect(unsigned.statusCode).toBe(403);
    // Twilio sends forms. JSON in the shape of what is made of them is none.
    const signed = { 'x-twilio-signature': 'c2lnbmF0dXJl' };
    const json = await send('application/json', JSON.stringify({ fields: 0, body: 0 }), signed);
    expect(json.statusCode).toBe(415);
    expect((await office.sms())?.sms_status).toBe('pending');
  });

  test.each<[fields: Record<string, string>, state: string]>([
    [{ MessageStatus: 'delivered' }, 'delivered'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30005' }, 'failed-permanent'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30003' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30008' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30017' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30022' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'failed', ErrorCode: '30003' }, 'failed-permanent'],
    [{ MessageStatus: 'failed', ErrorCode: '30001' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'failed', ErrorCode: '30002' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'undelivered', ErrorCode: '30001' }, 'failed-temporary-exhausted'],
    [{ MessageStatus: 'read' }, 'delivered'],
    [{ MessageStatus: 'queued' }, 'sent'],
    // As a call is reported.
    [{ CallStatus: 'completed' }, 'delivered'],
    [{ CallStatus: 'busy' }, 'failed-temporary-exhausted'],
    [{ CallStatus: 'no-answer' }, 'failed-temporary-exhausted'],
    [{ CallStatus: 'canceled' }, 'failed-temporary-exhausted'],
    [{ CallStatus: 'ringing' }, 'sent'],
  ])('%j makes the message %s', async (fields, state) => {
    await office.askForTexts();
    await office.deliver();
    const [message] = await office.outbox();
    const path = `/api/provider/twilio/status?message=${message?.message_id}`;
    expect((await office.callTwilio(path, fields)).statusCode).toBe(204);
    expect((await office.outbox())[0]?.state).toBe(state);
    // The office reads why, and counts it.
    const { system } = office.county.database;
    const { rows } = await sql`select error_code from messages`.execute(system);
    expect(rows).toEqual([{ error_code: fields.ErrorCode ?? null }]);
  });

  test('is answered as failed while it cannot be stored, so that Twilio reports it again', async () => {
    await office.askForTexts();
    await office.deliver();
    const [message] = await office.outbox();
    const path = `/api/provider/twilio/status?message=${message?.message_id}`;
    const report = () => office.callTwilio(path, { MessageStatus: 'delivered' });
    const { system } = office.county.database;
    await sql`alter table receipts rename to away`.execute(system);
    expect((await report()).statusCode).toBe(500);
    await sql`alter table away rename to receipts`.execute(system);
    expect((await report()).statusCode).toBe(204);
    expect((await office.outbox())[0]?.state).toBe('delivered');
  });

  test.each(['bounce', 'complaint'])(
    'of a %s makes the address count as unusable; a wrong token is refused',
    async (event) => {
      await office.save('V001', { email: { address: 'one@mail.example', isOptedIn: true } });
      await office.deliver();
      const [message] = await office.outbox();
      const report = (event: string, token = mailToken) =>
        office.app.inject({
          method: 'POST',
          url: '/api/provider/mail/events',
          headers: { authorization: `Bearer ${token}` },
          payload: [{ event, message: `<beacon-${message?.message_id}@mail.example>` }],
        });
      expect((await report('complaint', 'a wrong token')).statusCode).toBe(403);
      // A full mailbox may have room tomorrow.
      expect((await report('soft-bounce')).json()).toEqual({ received: 1, refused: 0 });
      expect((await office.channelsOf('V001')).email.status).toBe('unproven');
      expect((await report(event)).json()).toEqual({ received: 1, refused: 0 });
      expect((await office.channelsOf('V001')).email.status).toBe('unusable');
    },
  );

  test('of the second text provider is accepted with its token alone', async () => {
    await office.askForTexts();
    await office.deliver();
    const [message] = await office.outbox();
    const status = `/api/provider/sms/status?message=${message?.message_id}`;
    const inbound = '/api/provider/sms/inbound';
    const [delivered, stop] = [
      { status: 'delivered' },
      { id: 'i1', from: phone, to: shortCode, body: 'stop' },
    ];
    for (const token of [mailToken, 'a wrong token'])
      for (const answer of [
        await bearer(status, token, delivered),
        await bearer(inbound, token, stop),
      ])
        expect(answer.statusCode).toBe(403);
    expect((await bearer(status, smsToken, delivered)).statusCode).toBe(204);
    expect((await office.outbox())[0]?.state).toBe('delivered');
    expect((await office.sms())?.sms_status).toBe('pending');
    await bearer(inbound, smsToken, stop);
    expect((await office.sms())?.sms_status).toBe('opted-out');
  });
});

test('the mailbox page shows what went out and accepts an answer in the voter’s name', async () => {
  await office.askForTexts();
  await office.deliver();
  const page = await office.app.inject({ url: '/outbox' });
  expect(page.body).toContain('Reply YES to get mail ballot status texts');
  const answer = {
    method: 'POST',
    url: '/outbox/reply',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ account: 'adams', from: phone, text: 'YES' }).toString(),
  } as const;
  // It shows addresses and answers for voters, so that it is there for this machine alone.
  const remoteAddress = '203.0.113.9';
  for (const elsewhere of [
    await office.app.inject({ url: '/outbox', remoteAddress }),
    await office.app.inject({ ...answer, remoteAddress }),
  ])
    expect(elsewhere.statusCode).toBe(404);
  expect((await office.sms())?.sms_status).toBe('pending');
  const reply = await office.app.inject(answer);
  expect(reply.statusCode).toBe(303);
  expect((await office.sms())?.sms_status).toBe('active');
});
