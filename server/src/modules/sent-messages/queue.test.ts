import type { QueueAnswer } from '@ballot-beacon/contract/office/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let lake: AccountId;
let viewer: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams', short_code: '72345' });
  lake = await addOffice(api.test, { subdomain: 'lake', short_code: '81234' });
  const place = { accountId: adams, host: 'adams.localhost' };
  viewer = await addPerson(api, place, 'Vic Lane', ['viewer']);
});
afterAll(() => api.close());

async function add(accountId: AccountId, channel: string, count: number, state = 'created') {
  const voterId = await addVoter(api.test, accountId);
  await sql`insert into messages (account_id, voter_id, kind, status, channel, address, language, cause, state, deliver_after,
      created_at)
    select ${accountId}::integer, ${voterId}::bigint, 'status', 'sent', ${channel}::text, 'to-' || n, 'english',
      ${voterId}::bigint || ':' || n, ${state}::message_state, ${api.clock.now()}, ${api.clock.now()}
    from generate_series(1, ${count}::integer) n`.execute(api.test.database.system);
}

async function read(): Promise<QueueAnswer['senders']> {
  const answer = await viewer.browser.get('/api/office/queue');
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<QueueAnswer>().senders;
}

test('everybody in the office sees what waits by sender, with what other offices have waiting for a shared one', async () => {
  expect(await read()).toEqual([]);
  await add(lake, 'sms', 5);
  expect(await read()).toEqual([]);
  await add(adams, 'sms', 3);
  await add(adams, 'email', 2);
  await add(lake, 'email', 4);
  await add(adams, 'sms', 7, 'held');
  const found = (await read()).toSorted((a, b) => a.channel.localeCompare(b.channel));
  expect(found).toMatchObject([
    { channel: 'email', is_shared: true, messages: 6 },
    { channel: 'sms', is_shared: false, messages: 3 },
  ]);
  for (const { finish } of found) {
    expect(Date.parse(finish.latest_at)).toBeGreaterThanOrEqual(Date.parse(finish.earliest_at));
    expect(finish.too_old).toBe(0);
  }
});
