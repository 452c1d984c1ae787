import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../../testing/api.ts';
import { newLastname } from '../../../../testing/new-voter.ts';
import type { AccountId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { contactCode } from '../notifications/index.ts';

const secret = 'a secret of the tests, long enough to be one';
const secrets = createSecrets([secret]);
const me = '/api/voter/information/me';
const own = { email: 'ann.rivera@example.org', phone_sms: '+13525550142' };
const minutes = 60_000;
let api: TestApi;
let masked: AccountId;

beforeAll(async () => {
  api = await createTestApi({ secrets: [secret] });
  const settings = { from_voice: '+13525550100', contact_proof: 'masked' };
  masked = await addOffice(api.test, { subdomain: 'masked', ...settings });
  await addOffice(api.test, { subdomain: 'open' });
});
afterAll(() => api.close());

/** A voter who has saved an email address and a number for texts, and a second visitor with the same details. */
async function newVoter() {
  const lastname = newLastname();
  const voterId = await addVoter(api.test, masked, { lastname, token: 'Harbor-2026' });
  const first = await signIn(lastname);
  const saved = await first.patch(me, { ...own, email_opt_in: true, sms_opt_in: true });
  expect(saved.statusCode).toBe(200);
  return { voterId, lastname, browser: await signIn(lastname) };
}

async function signIn(lastname: string, more: object = {}): Promise<TestBrowser> {
  const browser = api.browser('masked.localhost');
  const answer = await browser.post('/api/voter/session', typed({ lastname, ...more }));
  expect(answer.statusCode).toBe(201);
  return browser;
}

const readMe = async (browser: TestBrowser) => (await browser.get(me)).json<VoterInformation>();
const prove = (browser: TestBrowser, code: string) =>
  browser.post('/api/voter/contact-proof', { code });

/** Asks for a code and reads it as the message that leaves has it. */
async function askCode(browser: TestBrowser, channel: 'email' | 'sms' = 'email'): Promise<string> {
  const asked = await browser.post('/api/voter/contact-code', { channel });
  expect(asked.statusCode).toBe(204);
  const [message] = await api.query<{ cause: string; address: string; channel: string }>(
    `select cause, address, channel from messages where kind = 'contact-code' order by message_id desc limit 1`,
  );
  expect(message?.channel).toBe(channel);
  const codeId = Number(message?.cause.split(':')[1]);
  return contactCode(secrets, { accountId: masked, codeId, address: message?.address ?? '' });
}

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('where an office hides contact addresses', () => {
  test('a voter who signed in by details sees the addresses masked on every path, and the status in full', async () => {
    const { voterId, browser } = await newVoter();
    await addBallot(api.test, masked, voterId, { events: [{ status: 'sent', on: '2026-11-02' }] });
    const voter = await readMe(browser);
    expect(voter).toMatchObject({
      email: 'a•••@example.org',
      phone_sms: '•••-0142',
      email_opt_in: true,
      hidden_contacts: { code_channels: ['email', 'sms'] },
    });
    for (const path of [me, '/api/voter/information']) {
      const { body } = await browser.get(path);
      expect(body).not.toMatch(/rivera@|5550142/);
    }
    const patched = await browser.patch(me, { language_preference: 'spanish' });
    expect(patched.statusCode).toBe(200);
    expect(patched.body).not.toMatch(/rivera@|5550142/);
    const progress = await browser.get('/api/voter/ballot-status-progress/me');
    expect(progress.body).toContain('"sent"');
  });

  test('a code goes to the address that all else knows, in small letters, in the voter’s language', async () => {
    const { browser, voterId } = await newVoter();
    await api.query(
      `update contact_channels set address = 'Ann.Rivera@Example.org' where voter_id = $1 and channel = 'email'`,
      [voterId],
    );
    await api.query(`update voters set language_preference = 'spanish' where voter_id = $1`, [
      voterId,
    ]);
    const code = await askCode(browser);
    const [message] = await api.query(
      `select address, language from messages where voter_id = $1 and kind = 'contact-code'`,
      [voterId],
    );
    expect(message).toEqual({ address: own.email, language: 'spanish' });
    expect(
      await api.query(`select details from audit_log where actor = $1 and action = $2`, [
        ...[`voter:${voterId}`, 'contact-code.send'],
      ]),
    ).toEqual([{ details: { channel: 'email' } }]);
    expect((await prove(browser, code)).statusCode).toBe(200);
  });

  test('a code shows the addresses in the browser that has typed it, and in no other', async () => {
    const { browser, lastname } = await newVoter();
    const others = [await signIn(lastname), (await newVoter()).browser];
    const code = await askCode(browser);
    for (const other of others) expect((await readMe(other)).email).toBe('a•••@example.org');
    expect((await prove(browser, code)).statusCode).toBe(200);
    expect((await readMe(browser)).email).toBe(own.email);
    for (const other of others) expect((await readMe(other)).email).toBe('a•••@example.org');
  });

  test('a code may be typed in the digits of another keyboard', async () => {
    for (const digits of ['٠١٢٣٤٥٦٧٨٩', '０１２３４５６７８９']) {
      const { browser } = await newVoter();
      const code = await askCode(browser);
      const typedCode = code.replaceAll(/\d/g, (digit) => digits.charAt(Number(digit)));
      expect((await prove(browser, typedCode)).statusCode).toBe(200);
    }
  });

  test('nothing that says where messages go can be changed, and opting out can', async () => {
    const { browser, voterId } = await newVoter();
    for (const change of [
      { email: 'stranger@example.net' },
      { email: '' },
      { phone_sms: '+13525550199' },
      { phone_voice: '+13525550199', voice_opt_in: true },
      { voice_opt_in: true },
    ]) {
      const refused = await browser.patch(me, change);
      expect(refused.statusCode, JSON.stringify(change)).toBe(422);
    }
    const out = await browser.patch(me, { email_opt_in: false, sms_opt_in: false });
    expect(out.statusCode).toBe(200);
    expect(out.json<VoterInformation>()).toMatchObject({
      email_opt_in: false,
      email: 'a•••@example.org',
    });
    expect((await browser.patch(me, { email_opt_in: true })).statusCode).toBe(422);
    const kept = await api.query<{ address: string }>(
      `select address from contact_channels where voter_id = $1 and channel = 'email'`,
      [voterId],
    );
    expect(kept[0]?.address).toBe(own.email);
  });

  test('a code at one of the addresses shows and unlocks them, once', async () => {
    const { browser, lastname, voterId } = await newVoter();
    const code = await askCode(browser, 'sms');
    const shown = await prove(browser, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(shown.statusCode).toBe(200);
    expect(shown.json()).toMatchObject(own);
    expect(shown.json()).not.toHaveProperty('hidden_contacts');
    expect((await browser.patch(me, { email: 'new@example.org' })).statusCode).toBe(200);
    // The other session of the voter proved nothing, and the code is used up.
    const other = await signIn(lastname);
    expect((await prove(other, code)).statusCode).toBe(422);
    const left = await api.query('select from contact_codes where voter_id = $1', [voterId]);
    expect(left).toEqual([]);
    expect((await readMe(other)).email).toBe('n•••@example.org');
  });

  test.each([
    [10 * minutes - 1, 0, 200],
    [10 * minutes, 0, 422],
    [0, 4, 200],
    [0, 5, 422],
  ])('a code after %i ms and %i wrong tries is answered %i', async (wait, wrong, status) => {
    const { browser } = await newVoter();
    const code = await askCode(browser);
    api.clock.advance(wait);
    for (let tries = 0; tries < wrong; tries += 1)
      expect((await prove(browser, wrongOf(code))).statusCode).toBe(422);
    expect((await prove(browser, code)).statusCode).toBe(status);
  });

  test('a code is void after ten minutes, after five wrong tries, after the next code and after a change', async () => {
    const { browser, lastname } = await newVoter();
    const first = await askCode(browser);
    api.clock.advance(10 * minutes + 1);
    expect((await prove(browser, first)).statusCode).toBe(422);

    const second = await askCode(browser);
    for (let tries = 0; tries < 5; tries += 1)
      expect((await prove(browser, wrongOf(second))).statusCode).toBe(422);
    expect((await prove(browser, second)).statusCode).toBe(422);

    const third = await askCode(browser);
    const fourth = await askCode(browser);
    expect((await prove(browser, third)).statusCode).toBe(422);
    const owner = await signIn(lastname, { token: 'Harbor-2026' });
    expect((await owner.patch(me, { email: 'moved@example.org' })).statusCode).toBe(200);
    expect((await prove(browser, fourth)).statusCode).toBe(422);
    expect((await readMe(browser)).email).toBe('m•••@example.org');
  });

  test('a network that types many codes has to wait, and a voter gets few a day', async () => {
    const { browser } = await newVoter();
    const codes: number[] = [];
    for (let asked = 0; asked < 9; asked += 1)
      codes.push((await browser.post('/api/voter/contact-code', { channel: 'email' })).statusCode);
    expect(codes).toEqual([...Array(8).fill(204), 429]);
    const answers: number[] = [];
    for (let tries = 0; tries < 16; tries += 1)
      answers.push((await prove(browser, '000000')).statusCode);
    expect(answers.filter((status) => status === 429).length).toBe(1);
    expect(answers.at(-1)).toBe(429);
  });

  test('a code that has come is good, for the tries that are left, although the voter asks for one more than a day allows', async () => {
    const { browser, voterId } = await newVoter();
    await api.query(
      `update contact_channels set address = 'often@example.org' where voter_id = $1 and channel = 'email'`,
      [voterId],
    );
    let last = '';
    for (let asked = 0; asked < 8; asked += 1) last = await askCode(browser);
    expect((await prove(browser, wrongOf(last))).statusCode).toBe(422);
    const refused = await browser.post('/api/voter/contact-code', { channel: 'email' });
    expect(refused.statusCode).toBe(429);
    const [left] = await api.query('select tries from contact_codes where voter_id = $1', [
      voterId,
    ]);
    expect(left).toEqual({ tries: 1 });
    expect((await prove(browser, last)).statusCode).toBe(200);
  });

  test('an address gets twenty codes a day from one office, however many voters ask, and another office’s do not count', async () => {
    const settings = { from_voice: '+13525550109', contact_proof: 'masked' };
    const lake = await addOffice(api.test, { subdomain: 'lake', ...settings });
    const ask = async (accountId: AccountId, subdomain: string, times: number) => {
      const lastname = newLastname();
      const voterId = await addVoter(api.test, accountId, { lastname });
      await api.query(
        'insert into contact_preferences (account_id, voter_id, is_confirmed) values ($1, $2, true)',
        [accountId, voterId],
      );
      await api.query(
        `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
         values ($1, $2, 'email', 'Home@Example.org', 'proven', true)`,
        [accountId, voterId],
      );
      const browser = api.browser(`${subdomain}.localhost`);
      await browser.post('/api/voter/session', typed({ lastname }));
      const statuses: number[] = [];
      for (let time = 0; time < times; time += 1)
        statuses.push(
          (await browser.post('/api/voter/contact-code', { channel: 'email' })).statusCode,
        );
      return statuses;
    };
    expect(await ask(masked, 'masked', 8)).toEqual(Array(8).fill(204));
    expect(await ask(masked, 'masked', 8)).toEqual(Array(8).fill(204));
    expect(await ask(masked, 'masked', 5)).toEqual([204, 204, 204, 204, 429]);
    expect(await ask(lake, 'lake', 1)).toEqual([204]);
  });

  test('codes count for the office’s daily limit, above it none is sent, and the office is notified once', async () => {
    const few = { contact_proof: 'masked', daily_request_limits: { email: 4 } };
    const small = await addOffice(api.test, { subdomain: 'small', ...few });
    const lastname = newLastname();
    await addVoter(api.test, small, { lastname });
    const browsers = [];
    for (let visit = 0; visit < 2; visit += 1) {
      const browser = api.browser('small.localhost');
      await browser.post('/api/voter/session', typed({ lastname }));
      if (visit === 0) await browser.patch(me, { email: own.email, email_opt_in: true });
      browsers.push(browser);
    }
    const codes: number[] = [];
    for (let asked = 0; asked < 5; asked += 1) {
      const answer = await browsers[1]?.post('/api/voter/contact-code', { channel: 'email' });
      codes.push(answer?.statusCode ?? 0);
      // The limit is one of a day.
      if (codes.at(-1) === 429) expect(answer?.headers['retry-after']).toBe('86400');
    }
    expect(codes).toEqual([204, 204, 204, 429, 429]);
    const sent = await api.query(
      `select from messages where account_id = $1 and kind = 'contact-code'`,
      [small],
    );
    expect(sent.length).toBe(3);
    await api.keepHouse();
    const recorded = await api.query(
      `select action, sum((details->>'count')::int)::int as count from audit_log
       where account_id = $1 and action like 'security.%' group by action order by action`,
      [small],
    );
    expect(recorded).toEqual([
      { action: 'security.requests-limited', count: 1 },
      { action: 'security.sending-stopped', count: 1 },
      { action: 'security.throttled', count: 2 },
    ]);
  });

  test('the token and a letter’s code are proof enough, and a voter without an address needs none', async () => {
    const { lastname, voterId } = await newVoter();
    expect(await readMe(await signIn(lastname, { token: 'Harbor-2026' }))).toMatchObject(own);

    const ballotId = await addBallot(api.test, masked, voterId, { events: [] });
    const [code] = await api.query<{ guid: string }>(
      `insert into ballot_codes (account_id, ballot_id) values ($1, $2) returning guid`,
      [masked, ballotId],
    );
    const browser = api.browser('masked.localhost');
    const login = { ballot_guid: code?.guid, date_of_birth: '02-03-1970' };
    expect((await browser.post('/api/voter/ballot-login', login)).statusCode).toBe(201);
    expect(await readMe(browser)).toMatchObject(own);
    expect((await browser.post('/api/voter/contact-code', { channel: 'email' })).statusCode).toBe(
      404,
    );

    await addVoter(api.test, masked, { lastname: 'Newcomer' });
    const newcomer = await signIn('Newcomer');
    expect((await newcomer.patch(me, { ...own, email_opt_in: true })).statusCode).toBe(200);
    expect(await readMe(newcomer)).toHaveProperty('hidden_contacts');
  });

  test('a code goes only to an address that is on file and may get messages', async () => {
    const { browser, voterId } = await newVoter();
    expect((await browser.post('/api/voter/contact-code', { channel: 'voice' })).statusCode).toBe(
      404,
    );
    await api.query(
      `update contact_channels set status = 'stopped' where voter_id = $1 and channel = 'sms'`,
      [voterId],
    );
    expect((await readMe(browser)).hidden_contacts?.code_channels).toEqual(['email']);
    expect((await browser.post('/api/voter/contact-code', { channel: 'sms' })).statusCode).toBe(
      404,
    );
  });

  test('no code is offered to a number that gets no texts by its carrier’s word', async () => {
    const { browser, voterId } = await newVoter();
    const none = '+13525550171';
    await api.query(
      `update contact_channels set address = $2 where voter_id = $1 and channel = 'sms'`,
      [voterId, none],
    );
    expect((await readMe(browser)).hidden_contacts?.code_channels).toEqual(['email', 'sms']);
    await api.query(
      `insert into suppressions (account_id, channel, address, reason) values ($1, 'sms', $2, 'invalid')`,
      [masked, none],
    );
    expect((await readMe(browser)).hidden_contacts?.code_channels).toEqual(['email']);
    // A page that was open meanwhile is not asked to try again tomorrow.
    expect((await browser.post('/api/voter/contact-code', { channel: 'sms' })).statusCode).toBe(
      404,
    );
  });
});
