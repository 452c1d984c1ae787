import type { QueueAnswer } from '@ballot-beacon/contract/office/messages';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let lake: AccountId;
let viewer: TestPerson;

beforeEach(async () => {
  api = await createTestApi({ environment: { SITE_VISITS_PER_SECOND: '2' } });
  adams = await addOffice(api.test, {
    ...{ subdomain: 'adams', short_code: '72345' },
    quiet_hours: { start: '10:00', end: '20:00' },
  });
  lake = await addOffice(api.test, { subdomain: 'lake', short_code: '81234' });
  const place = { accountId: adams, host: 'adams.localhost' };
  viewer = await addPerson(api, place, 'Vic Lane', ['viewer']);
});
afterEach(() => api.close());

async function add(
  accountId: AccountId,
  channel: string,
  count: number,
  { state = 'created', isAnswer = false } = {},
) {
  const voterId = await addVoter(api.test, accountId);
  await sql`insert into messages (account_id, voter_id, kind, status, channel, address, language, cause, state, error_code,
      is_answer, deliver_after, created_at)
    select ${accountId}::integer, ${voterId}::bigint, 'status', 'sent', ${channel}::text, 'to-' || n, 'english',
      ${voterId}::bigint || ':' || n, ${state}::message_state,
      ${state === 'held' ? 'gate' : null}::text, ${isAnswer}, ${api.clock.now()}, ${api.clock.now()}
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
  await add(adams, 'sms', 7, { state: 'held' });
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

test('at night an answer leaves at once, and news in the morning', async () => {
  await sql`delete from messages`.execute(api.test.database.system);
  api.clock.set('2026-11-22T08:00:00Z');
  await viewer.signIn();
  await add(adams, 'sms', 1, { isAnswer: true });
  const hoursLeft = async () => {
    const [{ finish } = { finish: undefined }] = await read();
    return (Date.parse(finish?.latest_at ?? '') - api.clock.now().getTime()) / 3_600_000;
  };
  expect(await hoursLeft()).toBeLessThan(1);
  await add(adams, 'sms', 1);
  // The office's own morning is later than the usual one.
  const morning = Date.parse('2026-11-22T15:00:00Z');
  expect(await hoursLeft()).toBeGreaterThanOrEqual(
    (morning - api.clock.now().getTime()) / 3_600_000,
  );
});

test('news of an office leave no faster than the voters who read them can be served', async () => {
  api.clock.set('2026-11-22T20:00:00Z');
  await viewer.signIn();
  await add(adams, 'sms', 600);
  const [{ finish } = { finish: undefined }] = await read();
  // Six messages a second bring two visits, and a twentieth is kept for other senders. The number alone could send a hundred.
  const seconds = (Date.parse(finish?.earliest_at ?? '') - api.clock.now().getTime()) / 1_000;
  expect(seconds).toBeGreaterThan(100);
  expect(seconds).toBeLessThan(180);
});
