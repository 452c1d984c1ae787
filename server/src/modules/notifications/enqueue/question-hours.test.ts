import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../../testing/api.ts';
import { signInNewVoter } from '../../../../../testing/new-voter.ts';
import { readConfig } from '../../../platform/config.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';

const host = 'adams.localhost';
let api: TestApi;
let accountId: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams', short_code: '41570' });
});
afterAll(() => api.close());

/** At the office it is 11 PM, and its quiet hours end at 8. */
test.each([
  ['03:00', '03:30', '2026-11-24T13:00:00.000Z'],
  ['07:00', '10:00', '2026-11-24T13:00:00.000Z'],
  ['18:00', '23:00', '2026-11-24T23:00:00.000Z'],
  ['22:00', '06:00', '2026-11-24T13:00:00.000Z'],
])(
  'a number that a save from %s to %s gave is asked within the office’s hours too, at %s',
  async (start, end, expected) => {
    api.clock.set('2026-11-24T04:00:00Z');
    const { voterId, browser } = await signInNewVoter(api, { accountId, host });
    const saved = await browser.patch('/api/voter/information/me', {
      ...{ phone_sms: '352-622-0199', sms_opt_in: true },
      ...{ sms_do_not_contact_before: start, sms_do_not_contact_after: end },
    });
    expect(saved.json<VoterInformation>().requests).toEqual([
      { channel: 'sms', deliver_after: expected },
    ]);
    const config = readConfig({ DEFAULT_ACCOUNT: '' });
    const delivery = await createDelivery({
      database: api.test.database,
      clock: api.clock,
      config,
    });
    const sentAt = async (at: number) => {
      api.clock.set(new Date(at).toISOString());
      await deliverAll(delivery);
      const asked = `select sent_at from messages where voter_id = $1 and kind = 'opt-in'`;
      return api.query(asked, [voterId]);
    };
    const due = Date.parse(expected);
    // As an earlier version put it into the queue.
    await api.query(
      `update messages set deliver_after = '2026-11-24T04:00:00Z' where voter_id = $1`,
      [voterId],
    );
    expect(await sentAt(due - 60_000)).toEqual([{ sent_at: null }]);
    expect(await sentAt(due)).toEqual([{ sent_at: new Date(due) }]);
  },
);
