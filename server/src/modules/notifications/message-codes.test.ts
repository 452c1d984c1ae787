import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { newLastname } from '../../../../testing/new-voter.ts';
import { readConfig } from '../../platform/config.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { createDelivery, deliverAll } from './delivery/local-delivery.ts';
import { listOutbox, messageCode, readMessageCode } from './index.ts';

const deliverySecret = 'a test secret of thirty-two characters';
const secrets = createSecrets([deliverySecret]);
let api: TestApi;
let adams: AccountId;
let visitors = 0;

beforeAll(async () => {
  api = await createTestApi({ secrets: [deliverySecret] });
  adams = await addOffice(api.test, { subdomain: 'adams', contact_phone: '(352) 555-0100' });
  await addOffice(api.test, { subdomain: 'lake' });
});
afterAll(() => api.close());

/** A visitor with an address of one's own. */
function visitor(host = 'adams.localhost') {
  visitors += 1;
  const browser = api.browser(host);
  const remoteAddress = `10.9.${visitors >> 8}.${visitors & 255}`;
  const check = (code: string) =>
    browser.request({
      method: 'POST',
      url: '/api/voter/message-check',
      payload: { code },
      remoteAddress,
    });
  return { browser, check };
}

/** Saves a new voter's email address, sends the mail that asks to confirm it, and reads it. */
async function sendWelcome(): Promise<{ readonly code: string; readonly messageId: number }> {
  const lastname = newLastname();
  const { browser } = visitor();
  await addVoter(api.test, adams, { lastname });
  await browser.post('/api/voter/session', typed({ lastname }));
  const email = `${lastname.toLowerCase()}@example.org`;
  await browser.patch('/api/voter/information/me', { email, email_opt_in: true });
  const { database } = api.test;
  const config = readConfig({ DEFAULT_ACCOUNT: '' });
  await deliverAll(await createDelivery({ database, clock: api.clock, config }));
  const outbox = await listOutbox(database.system, adams, null);
  const mail = outbox.find(({ address }) => address === email);
  // Not any such letters: the link to confirm may have them in its token.
  const code = /Message code: ([\dA-Z]{4}-[\dA-Z]{4})/.exec(mail?.body ?? '')?.[1];
  if (!mail || !code) throw new Error(`No code in: ${JSON.stringify(mail)}`);
  return { code, messageId: mail.message_id };
}

test('the code of a mail confirms what, when and how, however it is typed, and nothing about the voter', async () => {
  const { code, messageId } = await sendWelcome();
  const { check } = visitor();
  const expected = { channel: 'email', topic: 'confirm', sent_on: '2026-11-21' };
  for (const one of [
    code,
    code.toLowerCase(),
    code.replace('-', ''),
    ` ${[...code].join(' ')} `,
    code.replace('-', '–'),
    code.replaceAll('0', 'O').replaceAll('1', 'l'),
    // As an Arabic and a Japanese keyboard write digits, and the latter all else too.
    code.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))),
    code.replaceAll(/[^-]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  ]) {
    const answer = await check(one);
    expect(answer.statusCode, one).toBe(200);
    expect(answer.json()).toEqual(expected);
  }
  // Half past eleven in the evening at the office.
  await api.query(`update messages set sent_at = '2026-11-21T04:30:00Z' where message_id = $1`, [
    messageId,
  ]);
  expect((await check(code)).json()).toEqual({ ...expected, sent_on: '2026-11-20' });
});

test('another office confirms no code of this one', async () => {
  const { code } = await sendWelcome();
  expect((await visitor().check(code)).statusCode).toBe(200);
  const elsewhere = await visitor('lake.localhost').check(code);
  expect(elsewhere.statusCode).toBe(404);
  expect(elsewhere.body).toBe((await visitor('lake.localhost').check('00000000')).body);
});

test('a message that has not left, or left 90 days ago, has no code that counts', async () => {
  const { code, messageId } = await sendWelcome();
  await api.query(
    `update messages set state = 'created', sent_at = null, claimed_at = null where message_id = $1`,
    [messageId],
  );
  expect((await visitor().check(code)).statusCode).toBe(404);
  const { code: later } = await sendWelcome();
  const days = 90 * 86_400_000;
  const minute = 60_000;
  api.clock.advance(days + minute);
  expect((await visitor().check(later)).statusCode).toBe(404);
  api.clock.advance(-2 * minute);
  expect((await visitor().check(later)).statusCode).toBe(200);
  api.clock.advance(minute - days);
});

test('the code of a message counts while it is being handed over, and when nobody knows whether it was', async () => {
  const { code, messageId } = await sendWelcome();
  for (const [state, status] of [
    ['sending', 200],
    ['outcome-unknown', 200],
    ['held', 404],
    ['withdrawn', 404],
  ] as const) {
    await api.query('update messages set state = $2, sent_at = null where message_id = $1', [
      messageId,
      state,
    ]);
    expect((await visitor().check(code)).statusCode, state).toBe(status);
  }
});

test('no changed letter, neighbor or made-up code is confirmed', async () => {
  const { code, messageId } = await sendWelcome();
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const forged = [...code.replace('-', '')].flatMap((letter, at, all) =>
    [...alphabet].filter((other) => other !== letter).map((other) => all.with(at, other).join('')),
  );
  for (let made = 0; made < 20_000; made += 1)
    forged.push(Array.from({ length: 8 }, () => alphabet[Math.floor(Math.random() * 32)]).join(''));
  const newest = messageId + 1000;
  const hits = forged.filter((one) =>
    readMessageCode(secrets, adams, one).some((id) => id <= newest),
  );
  expect(hits).toEqual([]);
});

test('each message has a code of its own, which is read back, also after a change of secrets', () => {
  const rotated = createSecrets(['a new secret of thirty-two characters', deliverySecret]);
  const codes = new Set<string>();
  for (const messageId of [1, 2, 3, 1_000_000, 2 ** 31, 2 ** 40 - 1]) {
    const code = messageCode(secrets, adams, messageId);
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
    expect(readMessageCode(secrets, adams, code)).toEqual([messageId]);
    expect(readMessageCode(rotated, adams, code)).toContain(messageId);
    codes.add(code);
  }
  expect(codes.size).toBe(6);
});

test('letters that are no letters of a code are read as the digits that they look like', () => {
  const ids = Array.from({ length: 2_000 }, (_, index) => index + 1);
  const messageId = ids.find((id) => /0.*1|1.*0/.test(messageCode(secrets, adams, id)));
  if (messageId === undefined) throw new Error('No code has both digits.');
  const code = messageCode(secrets, adams, messageId);
  for (const one of ['I', 'i', 'L', 'l'])
    for (const zero of ['O', 'o']) {
      const written = code.replaceAll('1', one).replaceAll('0', zero);
      expect(readMessageCode(secrets, adams, written), written).toEqual([messageId]);
    }
  expect(readMessageCode(secrets, adams, code.replaceAll('1', 'U'))).toEqual([]);
});

test('a visitor who guesses must soon wait, also with a right code; right codes cost nothing', async () => {
  const { code } = await sendWelcome();
  const honest = visitor();
  for (let time = 0; time < 30; time += 1) expect((await honest.check(code)).statusCode).toBe(200);
  const guesser = visitor();
  const answers = new Set<number>();
  for (let guess = 0; guess < 25; guess += 1)
    answers.add((await guesser.check(`0000000${guess % 10}`)).statusCode);
  expect([...answers]).toEqual([404, 429]);
  const waiting = await guesser.check(code);
  expect(waiting.statusCode).toBe(429);
  expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
  expect((await visitor().check(code)).statusCode).toBe(200);
});

test('a page of another site may not ask', async () => {
  const { browser } = visitor();
  const answer = await browser.request({
    method: 'POST',
    url: '/api/voter/message-check',
    payload: { code: '00000000' },
    headers: { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' },
  });
  expect(answer.statusCode).toBe(403);
});

test('the senders and topics of 30 days are those of the messages that left', async () => {
  await sendWelcome();
  const read = async (host: string) =>
    (await visitor(host).browser.get('/api/voter/message-origins')).json();
  const ofAdams = {
    address: 'http://adams.localhost:8080/',
    senders: [{ channel: 'email', sender: 'adams@mail.beacon.example' }],
    topics: ['confirm'],
  };
  expect(await read('adams.localhost')).toEqual(ofAdams);
  expect(await read('lake.localhost')).toMatchObject({ senders: [], topics: [] });
  api.clock.advance(30 * 86_400_000);
  expect(await read('adams.localhost')).toEqual(ofAdams);
  api.clock.advance(86_400_000);
  expect(await read('adams.localhost')).toMatchObject({ senders: [], topics: [] });
  api.clock.advance(-31 * 86_400_000);
});
