import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { signInNewVoter } from '../../../../testing/new-voter.ts';
import type { AccountId } from '../../platform/ids.ts';

const me = '/api/voter/information/me';
let api: TestApi;
let adams: AccountId;
beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', from_voice: '+13525550100' });
});
afterAll(() => api.close());

test('a proven address hears five times a day of each voter that it gets no more news', async () => {
  const signIn = () => signInNewVoter(api, { accountId: adams, host: 'adams.localhost' });
  const address = 'often@example.org';
  const giveAndTake = async ({ voterId, browser }: Awaited<ReturnType<typeof signIn>>) => {
    await browser.patch(me, { email: address, email_opt_in: true });
    await api.query(`update contact_channels set status = 'proven' where voter_id = $1`, [voterId]);
    await browser.patch(me, { email_opt_in: false });
    api.clock.advance(1_000);
    const [row] = await api.query<{ count: number }>(
      `select count(*) as count from messages where kind = 'change' and address = $1`,
      [address],
    );
    return row?.count;
  };
  const one = await signIn();
  const notices: (number | undefined)[] = [];
  for (let time = 0; time < 7; time += 1) notices.push(await giveAndTake(one));
  notices.push(await giveAndTake(await signIn()));
  expect(notices).toEqual([1, 2, 3, 4, 5, 5, 5, 6]);
});

test('a number with texts and calls gets five such notices a day by each', async () => {
  const { voterId, browser } = await signInNewVoter(api, {
    ...{ accountId: adams, host: 'adams.localhost' },
  });
  const number = { phone_sms: '352-555-0133', phone_voice: '352-555-0133' };
  const notices = () =>
    api.query(
      `select channel, count(*) as count from messages where voter_id = $1 and kind = 'change' group by 1 order by 1`,
      [voterId],
    );
  for (let time = 0; time < 6; time += 1) {
    await browser.patch(me, { ...number, sms_opt_in: true, voice_opt_in: true });
    await api.query(
      `update contact_channels set status = 'proven', address = '+13525550133', pending_address = ''
       where voter_id = $1 and channel <> 'email'`,
      [voterId],
    );
    await browser.patch(me, { sms_opt_in: false, voice_opt_in: false });
    api.clock.advance(1_000);
  }
  expect(await notices()).toEqual([
    { channel: 'sms', count: 5 },
    { channel: 'voice', count: 5 },
  ]);
});

test('the roll’s own number is not called at night about a sign-up, and its address is written to at any hour', async () => {
  const tomorrow = new Date(api.clock.now().getTime() + 24 * 3_600_000).toISOString();
  // Two or three at night in New York.
  api.clock.set(`${tomorrow.slice(0, 10)}T07:00:00Z`);
  const { voterId, browser } = await signInNewVoter(api, {
    ...{ accountId: adams, host: 'adams.localhost' },
  });
  await api.query(
    `update voters set email = 'night@example.org', phone = '(352) 555-0178' where voter_id = $1`,
    [voterId],
  );
  await browser.patch(me, { email: 'new@example.org', email_opt_in: true });
  const times = await api.query<{ channel: string; at: string }>(
    `select channel, to_char(deliver_after at time zone 'America/New_York', 'HH24:MI') as at
     from messages where voter_id = $1 and kind = 'registered' order by channel`,
    [voterId],
  );
  expect(times).toEqual([
    { channel: 'email', at: expect.stringMatching(/^0[23]:00$/) },
    { channel: 'voice', at: '08:00' },
  ]);
});

test.each([
  [
    'says no to everything',
    { email: '', email_opt_in: false, sms_opt_in: false, voice_opt_in: false },
  ],
  ['chooses a language', { language_preference: 'english' }],
  ['gives an address without opting in', { email: 'later@example.org' }],
  ['changes nothing', {}],
])(
  'the roll’s own address is notified of the first sign-up after a save that %s',
  async (_, first) => {
    const { voterId, browser, lastname } = await signInNewVoter(api, {
      ...{ accountId: adams, host: 'adams.localhost' },
    });
    const roll = `${lastname.toLowerCase()}@roll.example`;
    await api.query('update voters set email = $2 where voter_id = $1', [voterId, roll]);
    const registered = () =>
      api.query(`select address from messages where voter_id = $1 and kind = 'registered'`, [
        voterId,
      ]);
    expect((await browser.patch(me, first)).statusCode).toBe(200);
    expect(await registered()).toEqual([]);
    const signUp = { email: `${lastname}@new.example`, email_opt_in: true };
    await browser.patch(me, signUp);
    await browser.patch(me, { phone_sms: '352-555-0144', sms_opt_in: true });
    await browser.patch(me, { email_opt_in: false, sms_opt_in: false });
    await browser.patch(me, signUp);
    expect(await registered()).toEqual([{ address: roll }]);
    const counted = () =>
      api.query('select email from daily_requests where account_id = $1', [adams]);
    const before = await counted();
    api.clock.advance(1_000);
    await browser.patch(me, { email_opt_in: false });
    await browser.patch(me, { email_opt_in: true });
    const [made] = before as { email: number }[];
    expect(await counted()).toEqual([{ email: (made?.email ?? 0) + 1 }]);
  },
);
