import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../../testing/api.ts';
import { signInNewVoter } from '../../../../../testing/new-voter.ts';
import { readConfig } from '../../../platform/config.ts';
import type { AccountId, VoterId } from '../../../platform/ids.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { isWithinHours } from '../hours.ts';

const me = '/api/voter/information/me';
const host = 'adams.localhost';
let api: TestApi;
let accountId: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  const settings = { subdomain: 'adams', short_code: '41570', from_voice: '+13525550000' };
  accountId = await addOffice(api.test, settings);
});
afterAll(() => api.close());

const roll = { email: 'roll@example.org', phone: '352-622-0177' };
const called = { channel: 'voice', address: '+13526220177' };
const mailed = { channel: 'email', address: 'roll@example.org' };

/** Somebody who knows what the roll says signs in, and saves these one after the other. */
async function save(
  steps: readonly Record<string, unknown>[],
  on: { readonly email: string; readonly phone: string } = roll,
): Promise<VoterId> {
  const { voterId, browser } = await signInNewVoter(api, { accountId, host });
  await api.query('update voters set email = $2, phone = $3 where voter_id = $1', [
    voterId,
    on.email,
    on.phone,
  ]);
  for (const step of steps) {
    expect((await browser.patch(me, step)).statusCode).toBe(200);
    api.clock.advance(1000);
  }
  return voterId;
}

const registered = (voterId: VoterId) =>
  api.query(
    `select channel, address from messages where voter_id = $1 and kind = 'registered' order by channel`,
    [voterId],
  );

const atNight = { email_do_not_contact_before: '03:00', email_do_not_contact_after: '03:01' };
const own = { email: roll.email, email_opt_in: true, ...atNight };
const foreign = { email: 'stranger@example.org', email_opt_in: true };

describe('the roll’s own addresses are notified of a sign-up at another address', () => {
  test('that follows one at the roll’s email, which was asked and had not answered', async () => {
    const voterId = await save([own, foreign], { ...roll, phone: '' });
    expect(await registered(voterId)).toEqual([mailed]);
  });

  test('that stays after the roll’s email, which was asked beside it, is opted out', async () => {
    const texts = { phone_sms: '352-622-0199', sms_opt_in: true };
    const voterId = await save([{ ...own, ...texts }, { email_opt_in: false }]);
    expect(await registered(voterId)).toEqual([mailed, called]);
  });

  test('beside the roll’s number, which nobody asks until it calls', async () => {
    const calls = { phone_voice: roll.phone, voice_opt_in: true };
    const voterId = await save([{ ...calls, ...foreign }], { ...roll, email: '' });
    expect(await registered(voterId)).toEqual([called]);
  });

  test.each([
    ['a text of START', { phone_sms: '352-622-0198', sms_opt_in: false }],
    ['a call', { phone_voice: '352-622-0198', voice_opt_in: false }],
  ])('by a number that %s opts in without another save', async (_way, number) => {
    expect(await registered(await save([number]))).toEqual([mailed, called]);
  });

  test('with a number that would be opted in so, once the roll’s email is opted out', async () => {
    const voterId = await save([
      { ...own, phone_sms: '352-622-0197', sms_opt_in: false },
      { email_opt_in: false },
    ]);
    expect(await registered(voterId)).toEqual([mailed, called]);
  });

  test('once, and not where an address of the roll stays the only one or had confirmed', async () => {
    const [home, ...later] = [own, { phone_sms: roll.phone, sms_opt_in: true }, own];
    expect(await registered(await save([home, ...later]))).toEqual([called]);
    expect(await registered(await save([own, foreign, own, foreign]))).toEqual([mailed, called]);
    const { voterId, browser } = await signInNewVoter(api, { accountId, host });
    await api.query('update voters set email = $2 where voter_id = $1', [voterId, roll.email]);
    await browser.patch(me, own);
    await api.query(`update contact_channels set status = 'proven' where voter_id = $1`, [voterId]);
    await browser.patch(me, foreign);
    expect(await registered(voterId)).toEqual([]);
  });
});

test('hours that a save chooses bind no notice to the roll, which goes out within those of the office', async () => {
  const at = { before: '03:00', after: '03:30' };
  const hours = (channel: string) => ({
    [`${channel}_do_not_contact_before`]: at.before,
    [`${channel}_do_not_contact_after`]: at.after,
  });
  const { database } = api.test;
  const config = readConfig({ DEFAULT_ACCOUNT: '' });
  const delivery = await createDelivery({ database, clock: api.clock, config });
  /** Hands over what is due every half hour until the office's clock shows this. @returns what the roll got by then */
  const untilClock = async (start: string, end: string) => {
    do {
      api.clock.advance(30 * 60_000);
      await deliverAll(delivery);
    } while (!isWithinHours(api.clock.now().getTime(), { start, end }, 'America/New_York'));
    return api.query(
      `select channel from messages where voter_id = $1 and kind = 'registered' and state = 'sent' order by 1`,
      [voterId],
    );
  };
  let voterId = 0 as VoterId;
  await untilClock('22:00', '22:30');
  voterId = await save([{ ...foreign, ...hours('email'), ...hours('voice') }]);
  expect(await untilClock('23:00', '23:30')).toEqual([{ channel: 'email' }]);
  expect(await untilClock('07:00', '07:30')).toEqual([{ channel: 'email' }]);
  expect(await untilClock('08:30', '09:00')).toEqual([{ channel: 'email' }, { channel: 'voice' }]);
});
