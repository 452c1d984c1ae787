import type { Channel } from '@ballot-beacon/contract/messages';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../../../testing/api.ts';
import { signInByPaper, signInNewVoter } from '../../../../../testing/new-voter.ts';
import { signAsTwilio } from '../../../../../testing/twilio.ts';
import { readConfig } from '../../../platform/config.ts';
import type { AccountId, VoterId } from '../../../platform/ids.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { confirmationCode, unsubscribeKey } from '../index.ts';

const secret = 'a secret of the tests, long enough to be one';
const secrets = createSecrets([secret]);
const me = '/api/voter/information/me';
const authToken = 'an-auth-token-of-twilio-for-tests';
let api: TestApi;
let deliver: () => Promise<void>;

interface Site {
  readonly accountId: AccountId;
  readonly host: string;
  readonly shortCode: string;
  readonly fromVoice: string;
}
const sites: Site[] = [];

beforeAll(async () => {
  const channels = {
    TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000000',
    TWILIO_AUTH_TOKEN: authToken,
  };
  api = await createTestApi({ secrets: [secret], channels });
  for (const [index, more] of [{}, { contact_proof: 'masked' }].entries()) {
    const subdomain = `office${index}`;
    const [shortCode, fromVoice] = [`4157${index}`, `+1352555000${index}`];
    const settings = { subdomain, short_code: shortCode, from_voice: fromVoice, ...more };
    const accountId = await addOffice(api.test, settings);
    sites.push({ accountId, host: `${subdomain}.localhost`, shortCode, fromVoice });
  }
  const { database } = api.test;
  const county = { database, clock: api.clock, config: readConfig({ DEFAULT_ACCOUNT: '' }) };
  const delivery = await createDelivery(county);
  deliver = () => deliverAll(delivery);
});
afterAll(() => api.close());

const plain = () => sites[0] as Site;
let numbers = 0;
/** A number that no other voter has. */
const newNumber = () => {
  numbers += 1;
  return `352-622-${String(1000 + numbers)}`;
};

async function newVoter(site = plain()) {
  const { voterId, lastname, browser } = await signInNewVoter(api, site);
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

/** Notices handed over since the last call; each at once, not one of them waits. */
async function readNotices(voterId: VoterId): Promise<Notice[]> {
  await deliver();
  const rows = await api.query<Notice & { id: number; state: string; late: boolean }>(
    `select message_id as id, channel, address, state, sent_at > $3 as late from messages
     where voter_id = $1 and kind = 'change' and not message_id = any($2::bigint[]) order by channel`,
    [voterId, [...seen], api.clock.now()],
  );
  return rows.map(({ id, channel, address, state, late }) => {
    seen.add(id);
    expect([state, late]).toEqual([expect.stringMatching(/^(sent|delivered)$/), false]);
    return { channel, address };
  });
}
const seen = new Set<number>();

/** What the test says of each address, where its owner need not be heard. */
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
/** What a session without proof may do where addresses are hidden. */
const onlyOptedOut = { email_opt_in: false, sms_opt_in: false, voice_opt_in: false };

describe('a proven address that gets no more news', () => {
  test('is notified once and at once, whatever sequence of saves, proofs and unsubscribes ends it', async () => {
    const which = fc.nat(1);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('email' as const), which, isOn: fc.boolean() }),
      fc.record({ kind: fc.constant('sms' as const), which, isOn: fc.boolean() }),
      fc.record({ kind: fc.constant('voice' as const), which, isOn: fc.boolean() }),
      fc.constant({ kind: 'prove' as const }),
      fc.constant({ kind: 'prove' as const }),
      fc.constant({ kind: 'off' as const }),
      fc.constant({ kind: 'stop' as const }),
      fc.record({ kind: fc.constant('unsubscribe' as const), isOneClick: fc.boolean() }),
    );
    const steps = fc.array(fc.tuple(step, fc.constantFrom('details', 'paper')), {
      minLength: 3,
      maxLength: 7,
    });
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0, 1), steps, async (nth, made) => {
        const site = sites[nth] as Site;
        const voter = await newVoter(site);
        const { voterId, email } = voter;
        const phones = [newNumber(), newNumber()];
        const browsers = { details: voter.browser, paper: await signInByPaper(api, site, voterId) };
        await browsers.paper.patch(me, {
          email: email('0'),
          email_opt_in: true,
          phone_sms: phones[0],
          sms_opt_in: true,
          phone_voice: phones[1],
          voice_opt_in: true,
        });
        await proveByOwners(site, voterId, browsers.paper);
        expect(await reachable(voterId)).toHaveLength(3);
        for (const [one, session] of made) {
          const browser = browsers[session];
          const before = await reachable(voterId);
          if (one.kind === 'email')
            await browser.patch(me, { email: email(`${one.which}`), email_opt_in: one.isOn });
          if (one.kind === 'sms')
            await browser.patch(me, { phone_sms: phones[one.which], sms_opt_in: one.isOn });
          if (one.kind === 'voice')
            await browser.patch(me, { phone_voice: phones[one.which], voice_opt_in: one.isOn });
          if (one.kind === 'off')
            await browser.patch(me, session === 'paper' ? allOff : onlyOptedOut);
          if (one.kind === 'prove') await proveByOwners(site, voterId, browser);
          if (one.kind === 'stop')
            for (const { address } of before.filter(({ channel }) => channel === 'sms'))
              await callTwilio(site, 'sms', { From: address, To: site.shortCode, Body: 'STOP' });
          if (one.kind === 'unsubscribe')
            for (const { address } of before.filter(({ channel }) => channel === 'email'))
              await unsubscribe(address, one.isOneClick, site);
          const after = await reachable(voterId);
          const gone = before.filter(
            (was) => !after.some((is) => is.channel === was.channel && is.address === was.address),
          );
          ended += gone.length;
          // STOP has its own answer, which is the last text.
          expect(await readNotices(voterId)).toEqual(one.kind === 'stop' ? [] : gone);
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

async function unsubscribe(email: string, isOneClick: boolean, site = plain()): Promise<void> {
  const key = unsubscribeKey(secrets, { accountId: site.accountId, email });
  const browser = api.browser(site.host);
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

/** Each address proves itself as its owner would: by the mailed code, by YES, by a call. */
async function proveByOwners(site: Site, voterId: VoterId, browser: TestBrowser): Promise<void> {
  const asked = await api.query<Notice & { pending: string }>(
    `select channel, lower(address) as address, pending_address as pending from contact_channels
     where voter_id = $1 and is_opted_in and not is_reachable or voter_id = $1 and pending_address <> ''`,
    [voterId],
  );
  for (const { channel, address, pending } of asked) {
    if (channel === 'email')
      await browser.patch(me, { code: await mailedCode(site, voterId, address) });
    if (channel === 'sms')
      await callTwilio(site, 'sms', { From: address, To: site.shortCode, Body: 'YES' });
    if (channel === 'voice' && pending !== '')
      await callTwilio(site, 'voice', { From: pending, To: site.fromVoice });
  }
}

async function mailedCode({ accountId }: Site, voterId: VoterId, email: string): Promise<string> {
  const [asked] = await api.query<{ id: number }>(
    `select max(consent_id) as id from consents where voter_id = $1 and channel = 'email' and action <> 'confirmed'`,
    [voterId],
  );
  return confirmationCode(
    secrets,
    { accountId, voterId, email, askedId: asked?.id ?? 0 },
    api.clock.now(),
  );
}

let calls = 0;
/** A text or a call to the office, as its provider passes it on. */
async function callTwilio(
  { host }: Site,
  way: 'sms' | 'voice',
  more: Record<string, string>,
): Promise<void> {
  calls += 1;
  const url = `/api/provider/twilio/${way}`;
  const fields = { [way === 'sms' ? 'MessageSid' : 'CallSid']: `T${calls}`, ...more };
  const payload = new URLSearchParams(fields).toString();
  const answer = await api.app.inject({
    method: 'POST',
    url,
    headers: {
      host,
      'x-twilio-signature': signAsTwilio(authToken, `http://${host}${url}`, payload),
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
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

  test('that many voters share are notified of ten sign-ups a day', async () => {
    for (let voter = 0; voter < 12; voter += 1) {
      const { voterId, browser, email } = await newVoter();
      await enroll(voterId, 'home@example.org', '');
      await browser.patch(me, { email: email('new'), email_opt_in: true });
    }
    expect(
      await api.query(
        `select from messages where kind = 'registered' and address = 'home@example.org'`,
      ),
    ).toHaveLength(10);
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
  await browser.patch(me, { code: await mailedCode(plain(), voterId, address) });
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
