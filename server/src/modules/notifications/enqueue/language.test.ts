import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBallot, addOffice, createTestApi, type TestApi } from '../../../../../testing/api.ts';
import { signInNewVoter } from '../../../../../testing/new-voter.ts';
import { readConfig } from '../../../platform/config.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

test('news that waits for the morning comes in the language that its voter has chosen meanwhile', async () => {
  const settings = { subdomain: 'adams', contact_phone: '(352) 555-0100' };
  const adams = await addOffice(api.test, settings);
  const at = { accountId: adams, host: 'adams.localhost' };
  const [{ voterId, browser }, neighbor] = [
    await signInNewVoter(api, at),
    await signInNewVoter(api, at),
  ];
  for (const [index, one] of [voterId, neighbor.voterId].entries()) {
    const ballotId = await addBallot(api.test, adams, one, {
      events: [{ status: 'sent', on: '2026-11-20' }],
    });
    await api.query(`update ballots set current_status = 'sent' where ballot_id = $1`, [ballotId]);
    await api.query(
      `with own as (insert into contact_preferences (account_id, voter_id, is_confirmed) values ($1, $2, true)),
       way as (insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
         values ($1, $2, 'sms', $4, 'proven', true)),
       agreed as (insert into consents (account_id, voter_id, channel, address, action, source, wording)
         values ($1, $2, 'sms', $4, 'confirmed', 'sms reply', 'test'))
       insert into messages (account_id, kind, voter_id, ballot_id, status, channel, address, language, cause, deliver_after)
       values ($1, 'status', $2, $3, 'sent', 'sms', $4, 'english', 'test:' || $2, '2026-11-22T13:00:00Z')`,
      [adams, one, ballotId, `+1352555011${index}`],
    );
  }
  expect(
    (await browser.patch('/api/voter/information/me', { language_preference: 'spanish' }))
      .statusCode,
  ).toBe(200);
  api.clock.set('2026-11-22T15:00:00Z');
  const { database } = api.test;
  const config = readConfig({ DEFAULT_ACCOUNT: '' });
  await deliverAll(await createDelivery({ database, clock: api.clock, config }));
  const texts = await api.query<{ voter_id: number; body: string }>(
    `select m.voter_id, d.body from messages m join local_deliveries d using (message_id) order by m.voter_id`,
  );
  expect(texts).toEqual([
    { voter_id: voterId, body: expect.stringContaining('su boleta') },
    { voter_id: neighbor.voterId, body: expect.stringContaining('your ballot') },
  ]);
});
