import twilio from 'twilio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter } from '../../../../../testing/api.ts';
import {
  mailToken,
  openPhoneOffice,
  type PhoneOffice,
  phone,
  shortCode,
} from '../../../../../testing/phone-office.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';

/**
 * Two offices know one number, one mail address and one voter ID, and differ in their short codes: what comes in for one
 * changes nothing of the other.
 */
const email = 'ann@example.org';
const lakeCode = '41576';
const lakeVoice = '+15555550199';
let office: PhoneOffice;
let adams: AccountId;
let lake: AccountId;

beforeEach(async () => {
  office = await openPhoneOffice(twilio.getExpectedTwilioSignature, openSilentDelivery);
  adams = office.county.account.accountId;
  const database = { ...office.county, name: 'not needed' };
  lake = await addOffice(database, {
    subdomain: 'lake',
    short_code: lakeCode,
    from_voice: lakeVoice,
    contact_email: 'help@lake.example',
  });
  await addVoter(database, lake, { registration_id: 'V001', lastname: 'V001' });
});
afterEach(() => office.close());

const system = () => office.county.database.system;

async function optIn(account: AccountId, status: 'proven' | 'unproven'): Promise<void> {
  await sql`insert into contact_preferences (account_id, voter_id, is_confirmed)
    select account_id, voter_id, true from voters where account_id = ${account} and registration_id = 'V001'`.execute(
    system(),
  );
  await sql`insert into contact_channels (account_id, voter_id, channel, address, pending_address, status, is_opted_in)
    select account_id, voter_id, c.channel, c.address, c.pending, ${status}, true from voters
    cross join (values ('sms', ${phone}, ''), ('email', ${email}, ''), ('voice', '', ${phone}))
      as c (channel, address, pending)
    where account_id = ${account} and registration_id = 'V001'`.execute(system());
}

async function channelOf(account: AccountId, channel: 'sms' | 'email' | 'voice'): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws(' ', nullif(address, ''), status, case when is_opted_in then 'on' else 'off' end) as state
    from contact_channels where account_id = ${account} and channel = ${channel}`.execute(system());
  return rows.map(({ state }) => state).join();
}

/** Messages of an office, as kind and state, oldest first. */
async function messagesOf(account: AccountId): Promise<string[]> {
  const { rows } = await sql<{ message: string }>`
    select concat_ws(' ', kind, state) as message from messages
    where account_id = ${account} order by message_id`.execute(system());
  return rows.map(({ message }) => message);
}

async function suppressedAt(): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from suppressions order by account_id`.execute(system());
  return rows.map((row) => row.account_id);
}

const text = (body: string, to: string) =>
  office.callTwilio('/api/provider/twilio/sms', {
    MessageSid: office.nextId('SM'),
    From: phone,
    To: to,
    Body: body,
  });

test('STOP to one office’s short code stops its texts alone', async () => {
  await optIn(adams, 'proven');
  await optIn(lake, 'proven');
  await text('STOP', lakeCode);
  expect(await channelOf(lake, 'sms')).toBe(`${phone} stopped off`);
  expect(await channelOf(adams, 'sms')).toBe(`${phone} proven on`);
  expect(await suppressedAt()).toEqual([lake]);
  expect([await messagesOf(lake), await messagesOf(adams)]).toEqual([['stopped created'], []]);
});

test('a picture without words is received, and answered like words that nobody knows', async () => {
  await optIn(adams, 'proven');
  const fields = { From: phone, To: shortCode };
  for (const words of [{ Body: '' }, {}]) {
    const sent = { MessageSid: office.nextId('MM'), ...fields, ...words };
    expect((await office.callTwilio('/api/provider/twilio/sms', sent)).statusCode).toBe(200);
  }
  expect(await channelOf(adams, 'sms')).toBe(`${phone} proven on`);
  expect(await messagesOf(adams)).toEqual(['help created']);
});

test('STOP to one office withdraws no answer that the other still owes', async () => {
  await optIn(adams, 'proven');
  await optIn(lake, 'proven');
  await text('HELP', shortCode);
  await text('HELP', lakeCode);
  await text('STOP', lakeCode);
  expect(await messagesOf(lake)).toEqual(['help withdrawn', 'stopped created']);
  expect(await messagesOf(adams)).toEqual(['help created']);
});

test('an answer names the office’s own number to call, or else the site’s', async () => {
  await text('HELP', shortCode);
  await text('HELP', lakeCode);
  await office.deliver();
  const { rows } = await sql<{ account_id: AccountId; body: string }>`
    select account_id, body from local_deliveries order by account_id`.execute(system());
  expect(
    rows.map(({ account_id, body }) => [account_id, /\(\d{3}\) \d{3}-\d{4}/.exec(body)?.[0]]),
  ).toEqual([
    [adams, '(555) 555-0100'],
    [lake, '(800) 555-0199'],
  ]);
});

test('YES proves the number where it was asked for, and START opts in there alone', async () => {
  await optIn(adams, 'unproven');
  await optIn(lake, 'unproven');
  await text('YES', lakeCode);
  expect(await channelOf(lake, 'sms')).toBe(`${phone} proven on`);
  expect(await channelOf(adams, 'sms')).toBe(`${phone} unproven on`);
  // A text says nothing of the mail address or of a number for calls.
  expect(await channelOf(lake, 'email')).toBe(`${email} unproven on`);
  expect(await channelOf(lake, 'voice')).toBe('unproven on');
  await text('STOP', shortCode);
  await text('STOP', lakeCode);
  await text('START', shortCode);
  expect(await channelOf(adams, 'sms')).toBe(`${phone} unproven on`);
  expect(await channelOf(lake, 'sms')).toBe(`${phone} stopped off`);
  expect(await suppressedAt()).toEqual([lake]);
});

test('a text to a short code that no office has changes nothing and is not answered', async () => {
  await optIn(adams, 'unproven');
  await optIn(lake, 'unproven');
  for (const word of ['YES', 'STOP', 'START', 'HELP']) await text(word, '41577');
  for (const one of [adams, lake]) {
    expect(await channelOf(one, 'sms')).toBe(`${phone} unproven on`);
    expect(await messagesOf(one)).toEqual([]);
  }
  expect(await suppressedAt()).toEqual([]);
});

test('a call to one office’s number proves the caller’s number there alone', async () => {
  await optIn(adams, 'unproven');
  await optIn(lake, 'unproven');
  const callFrom = async (from: string) => {
    const call = { CallSid: office.nextId('CA'), From: from, To: lakeVoice };
    expect((await office.callTwilio('/api/provider/twilio/voice', call)).statusCode).toBe(200);
  };
  await callFrom('+13525550009');
  expect(await channelOf(lake, 'voice')).toBe('unproven on');
  await callFrom(phone);
  expect(await channelOf(lake, 'voice')).toBe(`${phone} proven on`);
  expect(await channelOf(adams, 'voice')).toBe('unproven on');
});

test('a call that replaces a number notifies the old one in the language of its voter', async () => {
  await optIn(adams, 'unproven');
  await optIn(lake, 'proven');
  // Between two voters of another language.
  const choose = (account: AccountId, language: string) =>
    sql`update contact_preferences set language_preference = ${language} where account_id = ${account}`.execute(
      system(),
    );
  await choose(adams, 'spanish');
  await choose(lake, 'english');
  await sql`insert into contact_preferences (account_id, voter_id, language_preference)
    select account_id, voter_id, 'spanish' from voters where account_id = ${adams} and registration_id = 'V002'`.execute(
    system(),
  );
  await sql`update contact_channels set address = '+13525550009'
    where account_id = ${lake} and channel = 'voice'`.execute(system());
  const call = { CallSid: office.nextId('CA'), From: phone, To: lakeVoice };
  await office.callTwilio('/api/provider/twilio/voice', call);
  const { rows } = await sql`select account_id, kind, address, language from messages`.execute(
    system(),
  );
  expect(rows).toEqual([
    { account_id: lake, kind: 'change', address: '+13525550009', language: 'english' },
  ]);
});

test('a call lifts the stop of the office that it goes to, and what two numbers text counts for each', async () => {
  await optIn(adams, 'unproven');
  await optIn(lake, 'unproven');
  await sql`insert into suppressions (account_id, channel, address, reason)
    values (${adams}, 'voice', ${phone}, 'stopped'), (${lake}, 'voice', ${phone}, 'stopped')`.execute(
    system(),
  );
  const call = { CallSid: office.nextId('CA'), From: phone, To: lakeVoice };
  await office.callTwilio('/api/provider/twilio/voice', call);
  expect(await suppressedAt()).toEqual([adams]);

  const chat = (from: string) => office.text('what is this', from);
  for (const from of [phone, '+13525550009', phone, '+13525550009']) await chat(from);
  const { rows } = await sql<{ address: string }>`
    select address from messages where kind = 'help' order by message_id`.execute(system());
  expect(rows.map(({ address }) => address)).toEqual([phone, '+13525550009']);
  await office.text('STOP', phone);
  const { rows: left } = await sql<{ address: string }>`
    select address from messages where kind = 'help' and state = 'created'`.execute(system());
  expect(left.map(({ address }) => address)).toEqual(['+13525550009']);
});

test('a complaint about one office’s mail stops its mail alone', async () => {
  await optIn(adams, 'proven');
  await optIn(lake, 'proven');
  await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
    select account_id, voter_id, 'email', ${email}, 'confirmed', 'test', 'test' from voters
    where registration_id = 'V001'`.execute(system());
  const { rows } = await sql<{ message_id: number }>`
    insert into messages (account_id, voter_id, kind, channel, address, language, state, sent_at, deliver_after, cause)
    select account_id, voter_id, 'welcome', 'email', ${email}, 'english', 'sent', now(), now(), 'test'
    from voters where account_id = ${lake} returning message_id`.execute(system());
  const answer = await office.app.inject({
    method: 'POST',
    url: '/api/provider/mail/events',
    headers: { authorization: `Bearer ${mailToken}` },
    payload: [{ event: 'complaint', message: `<beacon-${rows[0]?.message_id}@mail.example>` }],
  });
  expect(answer.json()).toEqual({ received: 1, refused: 0 });
  const { rows: withdrawn } = await sql`
    select account_id, action, address from consents where source <> 'test'`.execute(system());
  expect(withdrawn).toEqual([{ account_id: lake, action: 'withdrawn', address: email }]);
  expect(await channelOf(lake, 'email')).toBe(`${email} unusable on`);
  expect(await channelOf(adams, 'email')).toBe(`${email} proven on`);
  expect(await suppressedAt()).toEqual([lake]);
});

test('STOP and START count for every office of a shared short code, and each once however late it is repeated', async () => {
  const marion = await addOffice(office.county, { subdomain: 'marion', short_code: shortCode });
  await addVoter(office.county, marion, { registration_id: 'V001' });
  for (const account of [adams, lake, marion]) await optIn(account, 'proven');
  const states = () => Promise.all([adams, lake, marion].map((one) => channelOf(one, 'sms')));
  const repeat = (body: string, sid: string) =>
    office.callTwilio('/api/provider/twilio/sms', {
      ...{ MessageSid: sid, From: phone, To: shortCode, Body: body },
    });
  await repeat('STOP', 'SM-stop');
  expect(await suppressedAt()).toEqual([adams, marion]);
  expect(await states()).toEqual([
    `${phone} stopped off`,
    `${phone} proven on`,
    `${phone} stopped off`,
  ]);
  await repeat('START', 'SM-start');
  await repeat('STOP', 'SM-stop');
  expect(await suppressedAt()).toEqual([]);
  expect(await states()).toEqual([
    `${phone} unproven on`,
    `${phone} proven on`,
    `${phone} unproven on`,
  ]);
});

test('offices that share a short code answer by the one where the number changed last, in its language', async () => {
  const marion = await addOffice(office.county, {
    subdomain: 'marion',
    short_code: shortCode,
    languages: ['english', 'spanish'],
  });
  await addVoter(office.county, marion, { registration_id: 'V001' });
  await optIn(adams, 'proven');
  await optIn(marion, 'proven');
  const change = async (
    table: 'contact_channels' | 'contact_preferences',
    account: AccountId,
    minute: number,
  ) => {
    const at = new Date(Date.UTC(2026, 9, 1, 12, minute));
    await sql`update ${sql.table(table)} set updated_at = ${at} where account_id = ${account}`.execute(
      system(),
    );
  };
  await sql`update contact_preferences set language_preference = 'spanish' where account_id = ${marion}`.execute(
    system(),
  );
  const answers = async () => {
    const { rows } = await sql<{ answer: string }>`
      select subdomain || ' ' || language as answer from messages join accounts using (account_id) order by message_id`.execute(
      system(),
    );
    return rows.map(({ answer }) => answer);
  };
  for (const account of [adams, marion])
    for (const table of ['contact_channels', 'contact_preferences'] as const)
      await change(table, account, 0);

  await change('contact_channels', adams, 1);
  await change('contact_channels', marion, 2);
  await text('HELP', shortCode);
  // The hours or the language alone, which are saved beside the number.
  await change('contact_preferences', adams, 3);
  await text('HELP', shortCode);
  await change('contact_preferences', marion, 4);
  await text('HELP', shortCode);
  expect(await answers()).toEqual(['marion spanish', 'adams english', 'marion spanish']);
});
