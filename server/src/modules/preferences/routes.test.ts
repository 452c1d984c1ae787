// Longer than 400 lines: all ways to save preferences and to end them share one office and its voters.
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { signInNewVoter } from '../../../../testing/new-voter.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/secrets.ts';
import { confirmationCode, unsubscribeKey } from '../notifications/index.ts';

const secret = 'a secret of the tests, long enough to be one';
const secrets = createSecrets([secret]);
const host = 'adams.localhost';
const me = '/api/voter/information/me';
let api: TestApi;
let adams: AccountId;
let plain: AccountId;

beforeAll(async () => {
  api = await createTestApi({ secrets: [secret] });
  adams = await addOffice(api.test, { subdomain: 'adams' });
  plain = await addOffice(api.test, { subdomain: 'plain', delivery_types: [] });
});
afterAll(() => api.close());

/** The code as a mail that is written now has it. */
async function mailedCode(voterId: VoterId, email: string, issuedAt = api.clock.now()) {
  const [asked] = await api.query<{ id: number }>(
    `select max(consent_id) as id from consents where voter_id = $1 and channel = 'email' and action <> 'confirmed'`,
    [voterId],
  );
  const of = { accountId: adams, voterId, email, askedId: asked?.id ?? 0 };
  return confirmationCode(secrets, of, issuedAt);
}

const newVoter = () => signInNewVoter(api, { accountId: adams, host });

describe('saving contact preferences', () => {
  test('answers with the voter as saved, and the next visit shows it', async () => {
    const { browser } = await newVoter();
    const answer = await browser.patch(me, {
      email: 'ann@example.org',
      email_opt_in: true,
      phone_sms: '(352) 555-0100',
      sms_opt_in: true,
      phone_voice: '352-555-0101',
      voice_opt_in: true,
      sms_do_not_contact_before: '09:00',
      sms_do_not_contact_after: '17:30',
      language_preference: 'spanish',
    });
    expect(answer.statusCode).toBe(200);
    const { requests: _, ...voter } = answer.json<VoterInformation>();
    expect(voter).toMatchObject({
      email: 'ann@example.org',
      is_valid_email: null,
      phone_sms: '+13525550100',
      sms_status: 'pending',
      phone_voice: '',
      pending_voice: '+13525550101',
      sms_do_not_contact_before: '09:00',
      sms_do_not_contact_after: '17:30',
      language_preference: 'spanish',
      is_confirmed: true,
    });
    expect((await browser.get(me)).json()).toEqual(voter);
  });

  test('that ends one of three channels leaves the others as they are', async () => {
    const { browser } = await newVoter();
    let chosen = { email_opt_in: true, sms_opt_in: true, voice_opt_in: true };
    const addresses = { email: 'ann@example.org', phone_sms: '+13525550102' };
    const called = '+13525550103';
    await browser.patch(me, { ...chosen, ...addresses, phone_voice: called });
    for (const name of ['voice_opt_in', 'email_opt_in', 'sms_opt_in'] as const) {
      chosen = { ...chosen, [name]: false };
      expect((await browser.patch(me, { [name]: false })).statusCode, name).toBe(200);
      expect((await browser.get(me)).json(), name).toMatchObject({
        ...{ ...chosen, ...addresses, pending_voice: called },
      });
    }
  });

  test('in a language outweighs that of the roll, until the voter takes the choice back', async () => {
    const { browser, voterId } = await newVoter();
    await api.query(`update voters set language_preference = 'spanish' where voter_id = $1`, [
      voterId,
    ]);
    const shown = async () => (await browser.get(me)).json<VoterInformation>().language_preference;
    expect(await shown()).toBe('spanish');
    await browser.patch(me, { language_preference: 'english' });
    expect(await shown()).toBe('english');
    await browser.patch(me, { language_preference: '' });
    expect(await shown()).toBe('spanish');
  });

  test('is answered in the language of the roll where the voter chose none, and at no address of the roll that is none', async () => {
    const { browser, voterId } = await newVoter();
    await api.query(
      `update voters set language_preference = 'spanish', email = 'see file', phone = '352-555-0147'
       where voter_id = $1`,
      [voterId],
    );
    const saved = await browser.patch(me, { email: 'ana@example.org', email_opt_in: true });
    expect(saved.json()).toMatchObject({ language_preference: 'spanish', phone: '' });
    const messages = () =>
      api.query('select kind, language from messages where voter_id = $1 order by kind', [voterId]);
    expect(await messages()).toEqual([{ kind: 'welcome', language: 'spanish' }]);
    await browser.patch(me, { language_preference: 'english', email: 'other-ana@example.org' });
    expect(await messages()).toContainEqual({ kind: 'welcome', language: 'english' });
  });

  test('is refused field by field, with the reason that has words of its own first', async () => {
    const { browser } = await newVoter();
    const refused = await browser.patch(me, {
      phone_sms: '12',
      sms_opt_in: true,
      sms_do_not_contact_before: '09:00',
      sms_do_not_contact_after: '09:00',
    });
    expect(refused.json()).toMatchObject({
      status: 422,
      detail: 'Contact between times must be different',
      validation_messages: {
        phone_sms: { invalid: expect.any(String) },
        sms_do_not_contact_before: { same: expect.any(String) },
      },
    });
  });

  test('says when what it asks the voter comes, if that waits for the voter’s hours', async () => {
    const { browser } = await newVoter();
    const before = api.clock.now();
    api.clock.set('2026-11-20T12:30:00Z'); // 7:30 AM at the office
    const hours = { sms_do_not_contact_before: '10:00', sms_do_not_contact_after: '18:00' };
    const asked = await browser.patch(me, {
      email: 'bea@example.org',
      email_opt_in: true,
      phone_sms: '(352) 555-0143',
      sms_opt_in: true,
      ...hours,
    });
    const { requests } = asked.json<VoterInformation>();
    expect(requests).toEqual([{ channel: 'sms', deliver_after: '2026-11-20T15:00:00.000Z' }]);

    const later = await browser.patch(me, { sms_do_not_contact_before: '11:00' });
    expect(later.json<VoterInformation>().requests?.[0]?.deliver_after).toBe(
      '2026-11-20T16:00:00.000Z',
    );
    const out = await browser.patch(me, { sms_opt_in: false, phone_sms: '' });
    expect(out.json()).not.toHaveProperty('requests');
    const byMail = await browser.patch(me, {
      email: 'later@example.org',
      ...{ email_do_not_contact_before: '10:00', email_do_not_contact_after: '18:00' },
    });
    expect(byMail.json<VoterInformation>().requests).toEqual([
      { channel: 'email', deliver_after: '2026-11-20T15:00:00.000Z' },
    ]);
    api.clock.set(before.toISOString());
  });

  test('says nothing of what another voter is asked, or of other messages that wait', async () => {
    const [ann, bea] = [await newVoter(), await newVoter()];
    const before = api.clock.now();
    api.clock.set('2026-11-20T15:00:00Z'); // 10 AM at the office
    const evening = { sms_do_not_contact_before: '18:00', sms_do_not_contact_after: '20:00' };
    const byText = { phone_sms: '(352) 555-0143', sms_opt_in: true };
    const asked = await ann.browser.patch(me, { ...byText, ...evening });
    expect(asked.json<VoterInformation>().requests).toHaveLength(1);
    await bea.browser.patch(me, byText);
    await api.query(
      `insert into messages (account_id, kind, cause, voter_id, channel, address, language, deliver_after)
       select account_id, 'change', 'a save', voter_id, channel, lower(address), 'english', '2026-11-20T23:00:00Z'
       from contact_channels where voter_id = $1 and channel = 'sms'`,
      [bea.voterId],
    );
    const saved = await bea.browser.patch(me, { language_preference: 'spanish' });
    expect(saved.statusCode).toBe(200);
    expect(saved.json()).not.toHaveProperty('requests');
    api.clock.set(before.toISOString());
  });

  test('writes down each consent, and its withdrawal', async () => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'ann@example.org', email_opt_in: true });
    await browser.patch(me, { email: '', email_opt_in: false });
    const consents = await api.query<{
      channel: string;
      action: string;
      source: string;
      wording: string;
    }>(
      'select channel, action, source, wording from consents where voter_id = $1 order by consent_id',
      [voterId],
    );
    expect(consents.map(({ channel, action }) => `${channel} ${action}`)).toEqual([
      'email asked',
      'email withdrawn',
    ]);
    // A number that waited for its call was asked for once, and its removal asks for nothing.
    await browser.patch(me, { phone_voice: '+13525550155', voice_opt_in: true });
    await browser.patch(me, { phone_voice: '', voice_opt_in: false });
    expect(
      await api.query(
        `select action, address from consents where voter_id = $1 and channel = 'voice' order by consent_id`,
        [voterId],
      ),
    ).toEqual([{ action: 'asked', address: '+13525550155' }]);
    expect(consents.every(({ wording }) => wording !== '')).toBe(true);
  });

  test('asks a confirmed address nothing when it is opted in again', async () => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'again@example.org', email_opt_in: true });
    await api.query(`update contact_channels set status = 'proven' where voter_id = $1`, [voterId]);
    await api.query('delete from messages where voter_id = $1', [voterId]);
    for (const email_opt_in of [false, true])
      expect((await browser.patch(me, { email_opt_in })).statusCode).toBe(200);
    const asked = `select from messages where voter_id = $1 and kind = 'welcome'`;
    expect(await api.query(asked, [voterId])).toEqual([]);
  });

  test('leaves the names of the changed fields in the record, and no value', async () => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'secret@example.org', email_opt_in: true });
    const [entry] = await api.query<{ text: string; details: { fields: string[] } }>(
      `select audit_log::text as text, details from audit_log
       where actor = $1 and action = 'preferences.update'`,
      [`voter:${voterId}`],
    );
    expect(entry?.details.fields).toEqual(['email', 'email_opt_in']);
    expect(entry?.text).not.toContain('secret@');
  });

  test('is refused wholly when one field is wrong, in the voter’s language', async () => {
    const { browser } = await newVoter();
    browser.cookies.set('language', 'spanish');
    const answer = await browser.patch(me, { email: 'ann@example.org', phone_sms: '12' });
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({
      detail: 'Failed Validation',
      validation_messages: { phone_sms: { invalid: expect.stringMatching(/tel[eé]fono|número/i) } },
    });
    expect((await browser.get(me)).json<VoterInformation>().email).toBe('');
  });

  test('refuses a field that does not exist', async () => {
    const { browser } = await newVoter();
    for (const patch of [{ is_valid_email: true }, { voter_id: 1 }, { is_confirmed: true }]) {
      const refused = await browser.patch(me, patch);
      expect(refused.statusCode).toBe(422);
      // Those are of signing in.
      expect(refused.json()).not.toHaveProperty('error-code');
    }
    expect((await browser.patch(me, { email_do_not_contact_before: '25:00' })).statusCode).toBe(
      422,
    );
  });

  test('refuses equal hours in the specification’s words', async () => {
    const { browser } = await newVoter();
    const answer = await browser.patch(me, {
      sms_do_not_contact_before: '08:00',
      sms_do_not_contact_after: '08:00',
    });
    expect(answer.json()).toMatchObject({
      status: 422,
      detail: 'Contact between times must be different',
      validation_messages: { sms_do_not_contact_before: { same: 'Invalid contact times' } },
    });
  });

  test('does not opt in a number that was stopped at the carrier, nor an address that unsubscribed', async () => {
    const { browser } = await newVoter();
    for (const [channel, address, reason] of [
      ['sms', '+13525550177', 'stopped'],
      ['voice', '+13525550178', 'stopped'],
      ['email', 'gone@example.org', 'unsubscribed'],
    ]) {
      await api.query(
        'insert into suppressions (account_id, channel, address, reason) values ($1, $2, $3, $4)',
        [adams, channel, address, reason],
      );
    }
    const sms = await browser.patch(me, { phone_sms: '352-555-0177', sms_opt_in: true });
    expect(sms.json()).toMatchObject({ status: 422, detail: 'SMS opted out' });
    // A number that gets no more calls may get texts.
    const called = await browser.patch(me, { phone_sms: '352-555-0178', sms_opt_in: true });
    expect(called.statusCode).toBe(200);
    const email = await browser.patch(me, { email: 'Gone@example.org', email_opt_in: true });
    expect(email.json()).toMatchObject({
      status: 422,
      detail: expect.stringMatching(/^Email validation failed/),
      validation_messages: { email: { unusable: expect.stringMatching(/cannot be used/) } },
    });
  });

  test('two at the same instant are both kept', async () => {
    const { browser } = await newVoter();
    const answers = await Promise.all([
      browser.patch(me, { email: 'ann@example.org', email_opt_in: true }),
      browser.patch(me, { phone_sms: '352-555-0100', sms_opt_in: true }),
      browser.patch(me, { email: 'ann@example.org', email_opt_in: true }),
    ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await browser.get(me)).json()).toMatchObject({ email_opt_in: true, sms_opt_in: true });
  });
});

describe('the link of a confirmation mail', () => {
  test('confirms the address it was sent to, and no other, for its voter alone', async () => {
    const { browser, voterId } = await newVoter();
    const other = await newVoter();
    await browser.patch(me, { email: 'ann@example.org', email_opt_in: true });
    const code = await mailedCode(voterId, 'ann@example.org');
    await other.browser.patch(me, { email: 'ann@example.org', email_opt_in: true });
    expect((await other.browser.patch(me, { code })).statusCode).toBe(422);
    expect((await browser.patch(me, { code: `${code}x` })).statusCode).toBe(422);
    expect((await browser.patch(me, { code })).json()).toMatchObject({ is_valid_email: true });
    expect((await browser.patch(me, { code })).statusCode).toBe(200);
    await browser.patch(me, { email: 'new@example.org' });
    expect((await browser.patch(me, { code })).statusCode).toBe(422);
  });
});

describe('the code of a confirmation mail', () => {
  const confirm = (browser: Awaited<ReturnType<typeof newVoter>>['browser'], code: string) =>
    browser.patch(me, { code });

  test('is good for 24 hours', async () => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'late@example.org', email_opt_in: true });
    const day = 24 * 60 * 60_000;
    const now = api.clock.now().getTime();
    const old = await mailedCode(voterId, 'late@example.org', new Date(now - day - 1_000));
    expect((await confirm(browser, old)).statusCode).toBe(422);
    const future = await mailedCode(voterId, 'late@example.org', new Date(now + day));
    expect((await confirm(browser, future)).statusCode).toBe(422);
    const young = await mailedCode(voterId, 'late@example.org', new Date(now - day + 60_000));
    expect((await confirm(browser, `${old.slice(0, 7)}${young.slice(7)}`)).statusCode).toBe(422);
    expect((await confirm(browser, young)).json()).toMatchObject({ is_valid_email: true });
    const [entry] = await api.query<{ details: object }>(
      `select details from audit_log where actor = $1 order by audit_id desc limit 1`,
      [`voter:${voterId}`],
    );
    expect(entry?.details).toEqual({ fields: ['code'] });
  });

  test.each([
    ['of the address, and back', [{ email: 'b@example.org' }, { email: 'a@example.org' }]],
    ['of the choice, and back', [{ email_opt_in: false }, { email_opt_in: true }]],
  ])('is void after a change %s', async (_what, changes) => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'a@example.org', email_opt_in: true });
    const code = await mailedCode(voterId, 'a@example.org');
    for (const change of changes) expect((await browser.patch(me, change)).statusCode).toBe(200);
    expect((await confirm(browser, code)).statusCode).toBe(422);
    const next = await mailedCode(voterId, 'a@example.org');
    expect((await confirm(browser, next)).json()).toMatchObject({ is_valid_email: true });
  });

  test('confirms no address that bounced meanwhile', async () => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'ida@example.org', email_opt_in: true });
    const code = await mailedCode(voterId, 'ida@example.org');
    await api.query(
      `update contact_channels set status = 'unusable' where voter_id = $1 and channel = 'email'`,
      [voterId],
    );
    const answer = await confirm(browser, code);
    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json().validation_messages)).toEqual(['code']);
  });

  test('confirms once: after the address was given up and given again, it needs a new one', async () => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'once@example.org', email_opt_in: true });
    const code = await mailedCode(voterId, 'once@example.org');
    expect((await confirm(browser, code)).statusCode).toBe(200);
    const proofs = () =>
      api.query(`select from consents where voter_id = $1 and action = 'confirmed'`, [voterId]);
    expect((await confirm(browser, code)).statusCode).toBe(200);
    expect(await proofs()).toHaveLength(1);
    await browser.patch(me, { email: '', email_opt_in: false });
    await browser.patch(me, { email: 'once@example.org', email_opt_in: true });
    expect((await confirm(browser, code)).statusCode).toBe(422);
    expect(await proofs()).toHaveLength(1);
  });

  test('sent with a change of the address does not confirm the new one', async () => {
    const { browser, voterId } = await newVoter();
    await browser.patch(me, { email: 'a@example.org', email_opt_in: true });
    const code = await mailedCode(voterId, 'a@example.org');
    expect((await browser.patch(me, { email: 'b@example.org', code })).statusCode).toBe(422);
    expect((await browser.get(me)).json()).toMatchObject({ email: 'a@example.org' });
  });
});

describe('a mailed unsubscribe link', () => {
  const subscribe = async (email: string) => {
    const { browser } = await newVoter();
    await browser.patch(me, { email, email_opt_in: true });
    return { browser, key: unsubscribeKey(secrets, { accountId: adams, email }) };
  };
  const isOptedIn = async (browser: Awaited<ReturnType<typeof newVoter>>['browser']) =>
    (await browser.get(me)).json<VoterInformation>().email_opt_in;

  test('unsubscribes the address of every voter who has it, without a session', async () => {
    const email = 'shared@example.org';
    const one = await subscribe(email);
    const two = await subscribe(email);
    const other = await subscribe('another@example.org');
    const visitor = api.browser(host);
    const answer = await visitor.post('/api/voter/unsubscribe', { key: one.key, email });
    expect(answer.statusCode).toBe(204);
    expect(answer.body).toBe('');
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(await isOptedIn(one.browser)).toBe(false);
    expect(await isOptedIn(two.browser)).toBe(false);
    expect(await isOptedIn(other.browser)).toBe(true);
    expect((await visitor.post('/api/voter/unsubscribe', { key: one.key, email })).statusCode).toBe(
      204,
    );
  });

  test('with a wrong key does nothing and says so', async () => {
    const { browser, key } = await subscribe('kept@example.org');
    for (const wrong of [
      { key: `${key}x`, email: 'kept@example.org' },
      { key, email: 'other@example.org' },
    ]) {
      const answer = await api.browser(host).post('/api/voter/unsubscribe', wrong);
      expect(answer.json()).toMatchObject({
        status: 400,
        detail:
          'There was an error removing your email. Please click the link in your email to unsubscribe.',
      });
    }
    for (const missing of [{ key }, { email: 'kept@example.org' }, {}])
      expect(
        (await api.browser(host).post('/api/voter/unsubscribe', missing)).json(),
      ).toMatchObject({ status: 422, detail: 'Failed Validation' });
    expect(await isOptedIn(browser)).toBe(true);
  });

  test('with a wrong key says so in the language of the page', async () => {
    const wrong = { key: 'forged', email: 'kept@example.org' };
    const answer = await api.browser(host).post('/api/voter/unsubscribe?language=spanish', wrong);
    expect(answer.json().detail).toMatch(/^Hubo un error al eliminar su correo electrónico/);
  });

  test('changes nothing when it is only opened', async () => {
    const { browser, key } = await subscribe('scanned@example.org');
    await api.browser(host).get(`/api/voter/unsubscribe?key=${key}&email=scanned@example.org`);
    expect(await isOptedIn(browser)).toBe(true);
  });

  test('works with one click in a mail program, from anywhere (RFC 8058)', async () => {
    const { browser, key } = await subscribe('click@example.org');
    const post = (
      payload: string,
      origin?: string,
      type = 'Application/X-WWW-Form-URLEncoded; charset=UTF-8',
    ) =>
      api.app.inject({
        method: 'POST',
        // Some systems on a mail's way change the case of an address.
        url: `/api/voter/unsubscribe?key=${key}&email=Click%40Example.org`,
        headers: { host, 'content-type': type, ...(origin && { origin }) },
        payload,
      });
    // What a page can send comes from the office's own alone.
    const asPage = JSON.stringify({ key, email: 'click@example.org' });
    expect((await post(asPage, 'https://mail.example', 'application/json')).statusCode).toBe(403);
    for (const other of ['other=1', 'List-Unsubscribe=Later'])
      expect((await post(other)).statusCode).toBe(400);
    expect(await isOptedIn(browser)).toBe(true);
    expect((await post('List-Unsubscribe=One-Click', 'https://mail.example')).statusCode).toBe(204);
    expect(await isOptedIn(browser)).toBe(false);
    const consents = await api.query<{ action: string }>(
      `select action from consents where address = 'click@example.org' order by consent_id`,
    );
    expect(consents.at(-1)).toEqual({ action: 'withdrawn' });
    // It was never confirmed, and so got no news that could end.
    const notices = await api.query(
      `select from messages where address = 'click@example.org' and kind = 'change'`,
    );
    expect(notices).toEqual([]);
  });
});

test('the channels are those that the office offers', async () => {
  const { browser } = await newVoter();
  const offered = ['email', 'sms', 'voice'].map((delivery_type) => ({ delivery_type }));
  expect((await browser.get('/api/voter/delivery-type')).json()).toEqual({
    _embedded: { delivery_type: offered },
  });
  await addVoter(api.test, plain);
  const quiet = api.browser('plain.localhost');
  await quiet.post('/api/voter/session', typed());
  expect((await quiet.get('/api/voter/delivery-type')).json()).toEqual({
    _embedded: { delivery_type: [] },
  });
});
