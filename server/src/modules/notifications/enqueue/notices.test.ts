import type { Channel } from '@ballot-beacon/contract/messages';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../../testing/api.ts';
import { signInNewVoter } from '../../../../../testing/new-voter.ts';
import type { AccountId, VoterId } from '../../../platform/ids.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { confirmationCode, unsubscribeKey } from '../index.ts';

const secret = 'a secret of the tests, long enough to be one';
const secrets = createSecrets([secret]);
const me = '/api/voter/information/me';
let api: TestApi;
let office: AccountId;

beforeAll(async () => {
  api = await createTestApi({ secrets: [secret] });
  office = await addOffice(api.test, { subdomain: 'adams', from_voice: '+13525550000' });
});
afterAll(() => api.close());

async function newVoter() {
  const at = { accountId: office, host: 'adams.localhost' };
  const { voterId, lastname, browser } = await signInNewVoter(api, at);
  return {
    voterId,
    browser,
    email: (name: string) => `${name}-${lastname}@example.org`.toLowerCase(),
  };
}

interface Notice {
  readonly channel: Channel;
  readonly address: string;
}

/** Addresses that get a voter's news now. */
const reachable = (voterId: VoterId) =>
  api.query<Notice>(
    `select channel, lower(address) as address from contact_channels
     where voter_id = $1 and is_reachable order by channel`,
    [voterId],
  );

/** Notices made since the last call, each to go out within a minute. */
async function readNotices(voterId: VoterId): Promise<Notice[]> {
  const rows = await api.query<Notice & { due: Date }>(
    `with seen as (update messages set state = 'sent' where voter_id = $1 and kind = 'change' and state = 'created'
       returning channel, address, deliver_after as due)
     select * from seen order by channel`,
    [voterId],
  );
  for (const { due } of rows)
    expect(due.getTime()).toBeLessThanOrEqual(api.clock.now().getTime() + 60_000);
  return rows.map(({ channel, address }) => ({ channel, address }));
}

/** What proves each address, as its owner would. */
async function proveAll(voterId: VoterId): Promise<void> {
  await api.query(
    `update contact_channels set status = 'proven', address = coalesce(nullif(pending_address, ''), address),
       pending_address = '' where voter_id = $1 and is_opted_in`,
    [voterId],
  );
}

const allOff = {
  email: '',
  email_opt_in: false,
  phone_sms: '',
  sms_opt_in: false,
  phone_voice: '',
  voice_opt_in: false,
};

describe('a proven address that gets no more news', () => {
  test('is notified once and at once, whatever sequence of saves, proofs and unsubscribes ends it', async () => {
    const name = fc.constantFrom('a', 'b');
    const number = fc.constantFrom('352-555-0100', '352-555-0199');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('email' as const), name, isOn: fc.boolean() }),
      fc.record({ kind: fc.constant('sms' as const), number, isOn: fc.boolean() }),
      fc.record({ kind: fc.constant('voice' as const), number, isOn: fc.boolean() }),
      fc.constant({ kind: 'prove' as const }),
      fc.constant({ kind: 'prove' as const }),
      fc.constant({ kind: 'off' as const }),
      fc.record({ kind: fc.constant('unsubscribe' as const), isOneClick: fc.boolean() }),
    );
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 7 }), async (steps) => {
        const { voterId, browser, email } = await newVoter();
        await browser.patch(me, {
          email: email('a'),
          email_opt_in: true,
          phone_sms: '352-555-0100',
          sms_opt_in: true,
          phone_voice: '352-555-0199',
          voice_opt_in: true,
        });
        await proveAll(voterId);
        for (const one of steps) {
          const before = await reachable(voterId);
          if (one.kind === 'email')
            await browser.patch(me, { email: email(one.name), email_opt_in: one.isOn });
          if (one.kind === 'sms')
            await browser.patch(me, { phone_sms: one.number, sms_opt_in: one.isOn });
          if (one.kind === 'voice')
            await browser.patch(me, { phone_voice: one.number, voice_opt_in: one.isOn });
          if (one.kind === 'off') await browser.patch(me, allOff);
          if (one.kind === 'prove') await proveAll(voterId);
          if (one.kind === 'unsubscribe')
            for (const { address } of before.filter(({ channel }) => channel === 'email'))
              await unsubscribe(address, one.isOneClick);
          const after = one.kind === 'prove' ? before : await reachable(voterId);
          const gone = before.filter(
            (was) => !after.some((is) => is.channel === was.channel && is.address === was.address),
          );
          ended += gone.length;
          expect(await readNotices(voterId)).toEqual(gone);
          api.clock.advance(1000);
        }
      }),
      { numRuns: 30, endOnFailure: true },
    );
    expect(ended).toBeGreaterThan(30);
  }, 180_000);

  test('is notified once though several voters share it, and though it asks twice', async () => {
    const email = 'shared@example.org';
    const [one, two] = [await newVoter(), await newVoter()];
    for (const { browser, voterId } of [one, two]) {
      await browser.patch(me, { email, email_opt_in: true });
      await proveAll(voterId);
    }
    await unsubscribe(email, false);
    api.clock.advance(1000);
    await unsubscribe(email, true);
    expect([...(await readNotices(one.voterId)), ...(await readNotices(two.voterId))]).toEqual([
      { channel: 'email', address: email },
    ]);
  });
});

async function unsubscribe(email: string, isOneClick: boolean): Promise<void> {
  const key = unsubscribeKey(secrets, { accountId: office, email });
  const browser = api.browser('adams.localhost');
  const query = new URLSearchParams({ key, email });
  const answer = isOneClick
    ? await browser.request({
        method: 'POST',
        url: `/api/voter/unsubscribe?${query}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
    : await browser.post('/api/voter/unsubscribe', { key, email });
  expect(answer.statusCode).toBe(204);
}

describe('the roll’s own addresses', () => {
  const registered = (voterId: VoterId) =>
    api.query<Notice>(
      `select channel, address from messages where voter_id = $1 and kind = 'registered' order by channel`,
      [voterId],
    );
  async function enroll(voterId: VoterId, email: string, phone: string): Promise<void> {
    await api.query('update voters set email = $2, phone = $3 where voter_id = $1', [
      voterId,
      email,
      phone,
    ]);
  }

  test('are notified of the first sign-up, and of no other', async () => {
    const { voterId, browser, email } = await newVoter();
    await enroll(voterId, 'Roll@Example.org', '(352) 555-0177');
    await browser.patch(me, { email: email('new'), email_opt_in: true });
    await browser.patch(me, { phone_sms: '352-555-0100', sms_opt_in: true });
    expect(await registered(voterId)).toEqual([
      { channel: 'email', address: 'roll@example.org' },
      { channel: 'voice', address: '+13525550177' },
    ]);
  });

  test('are not called where the office has no number to call from', async () => {
    const quiet = await addOffice(api.test, { subdomain: 'quiet' });
    const voterId = await addVoter(api.test, quiet, { lastname: 'Quiet' });
    await enroll(voterId, 'quiet@example.org', '(352) 555-0179');
    const browser = api.browser('quiet.localhost');
    await browser.post('/api/voter/session', typed({ lastname: 'Quiet' }));
    await browser.patch(me, { email: 'new@example.org', email_opt_in: true });
    expect(await registered(voterId)).toEqual([{ channel: 'email', address: 'quiet@example.org' }]);
  });

  test('are left alone by a first save that signs up for nothing, or for these very addresses', async () => {
    const nothing = await newVoter();
    await enroll(nothing.voterId, 'roll@example.org', '352-555-0177');
    await nothing.browser.patch(me, allOff);
    expect(await registered(nothing.voterId)).toEqual([]);
    const own = await newVoter();
    await enroll(own.voterId, 'own@example.org', '352-555-0178');
    await own.browser.patch(me, {
      email: 'OWN@example.org',
      email_opt_in: true,
      phone_voice: '352-555-0178',
      voice_opt_in: true,
    });
    expect(await registered(own.voterId)).toEqual([]);
  });

  test('that are none are not written to', async () => {
    const { voterId, browser, email } = await newVoter();
    await enroll(voterId, 'not an address', '12');
    await browser.patch(me, { email: email('x'), email_opt_in: true });
    expect(await registered(voterId)).toEqual([]);
  });
});

test('an address is proven by its code, and only from then on gets news', async () => {
  const { voterId, browser, email } = await newVoter();
  const address = email('mine');
  await browser.patch(me, { email: address, email_opt_in: true });
  expect(await reachable(voterId)).toEqual([]);
  const [asked] = await api.query<{ askedId: number }>(
    'select max(consent_id) as "askedId" from consents where voter_id = $1',
    [voterId],
  );
  const of = { accountId: office, voterId, email: address, askedId: asked?.askedId ?? 0 };
  const code = confirmationCode(secrets, of, api.clock.now());
  await browser.patch(me, { code });
  expect(await reachable(voterId)).toEqual([{ channel: 'email', address }]);
});

describe('nobody can be made to send', () => {
  const requests = (address: string) =>
    api.query(`select from messages where address = $1 and kind in ('welcome', 'opt-in')`, [
      address,
    ]);

  test('one voter who saves two victims’ addresses in turn causes a few mails, not one a save', async () => {
    const { browser, voterId } = await newVoter();
    for (let save = 0; save < 40; save += 1) {
      const email = `victim-${save % 2}@example.org`;
      const answer = await browser.patch(me, { email, email_opt_in: true });
      expect(answer.statusCode).toBe(200);
      api.clock.advance(150_000); // below the limit of saves in an hour
    }
    const caused = await api.query('select from messages where voter_id = $1', [voterId]);
    expect(caused.length).toBeLessThanOrEqual(10);
    expect((await requests('victim-0@example.org')).length).toBe(5);
  });

  test('many voters who save one address cause a few mails to it, and each voter’s save is kept', async () => {
    const email = 'crowded@example.org';
    for (let voter = 0; voter < 8; voter += 1) {
      const { browser } = await newVoter();
      expect((await browser.patch(me, { email, email_opt_in: true })).json()).toMatchObject({
        email,
      });
    }
    expect((await requests(email)).length).toBe(5);
  });

  test('a voter who was made to ask many times is still notified when the address gets no more', async () => {
    const { browser, voterId, email } = await newVoter();
    await browser.patch(me, { email: email('own'), email_opt_in: true });
    await proveAll(voterId);
    for (let save = 0; save < 30; save += 1) {
      const phone_sms = `352-555-01${String(save + 10)}`;
      await browser.patch(me, { phone_sms, sms_opt_in: true });
      api.clock.advance(150_000); // below the limit of saves in an hour
    }
    await browser.patch(me, allOff);
    expect(await readNotices(voterId)).toEqual([{ channel: 'email', address: email('own') }]);
  });
});
