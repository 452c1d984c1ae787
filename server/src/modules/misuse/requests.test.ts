import { afterAll, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';

interface Requests {
  readonly channel: string;
  readonly waiting: number;
  readonly last_id: number | null;
}

const api: TestApi = await createTestApi();
const beacon: Beacon = createBeacon(api.test.url);
let offices = 0;
let subdomain: string;
let office: AccountId;
let admin: TestPerson;

beforeEach(async () => {
  offices += 1;
  subdomain = `office-${offices}`;
  office = await addOffice(api.test, { subdomain, daily_request_limits: { sms: 2 } });
  const place = { accountId: office, host: `${subdomain}.localhost` };
  admin = await addPerson(api, place, 'Ada Park', ['admin']);
});
afterAll(async () => {
  beacon.remove();
  await api.close();
});

const db = api.test.database.system;

/** Text messages of one voter that wait above the limit, each to another number. */
async function addRequests(count: number, accountId = office): Promise<void> {
  const voterId = await addVoter(api.test, accountId);
  await sql`insert into messages (account_id, voter_id, kind, channel, address, language, cause, deliver_after, state, error_code)
    select ${accountId}::integer, ${voterId}::bigint, 'opt-in', 'sms', '+1352555' || lpad(n::text, 4, '0'), 'english',
      'save:' || ${voterId}::bigint || ':' || n, now(), 'held', 'daily-limit'
    from generate_series(1, ${count}::integer) n`.execute(db);
  await sql`insert into daily_requests as d (account_id, day, email, sms)
    values (${accountId}, (now() at time zone 'America/New_York')::date, 4, ${count + 2})
    on conflict (account_id, day) do update set sms = d.sms + excluded.sms`.execute(db);
}

async function read(channel = 'sms'): Promise<Requests> {
  const answer = await admin.browser.get('/api/office/misuse');
  expect(answer.statusCode, answer.body).toBe(200);
  const { requests } = answer.json<{ requests: Requests[] }>();
  return requests.find((one) => one.channel === channel) as Requests;
}

const decide = (decision: string, lastId: number | null, channel = 'sms') =>
  admin.browser.post(`/api/office/requests/${channel}/decision`, { decision, last_id: lastId });

/** How many messages are in which state. */
async function states(accountId = office): Promise<[string, number][]> {
  const { rows } = await sql<{ state: string; count: number }>`
    select state::text, count(*)::int as count from messages where account_id = ${accountId} group by 1 order by 1`.execute(
    db,
  );
  return rows.map(({ state, count }) => [state, count]);
}

async function lastEntry(): Promise<object | undefined> {
  const log = await admin.browser.get('/api/office/log?area=files');
  return log.json<{ entries: object[] }>().entries[0];
}

test('an administrator sees of each channel what waits, and of how many voters and addresses', async () => {
  expect(await read()).toEqual({
    ...{ channel: 'sms', today: 0, limit: 2, waiting: 0, voters: 0, addresses: 0 },
    ...{ first_at: null, last_at: null, last_id: null },
  });
  await addRequests(3);
  await addRequests(1);
  const days = ['2026-10-05T15:00:00.000Z', '2026-10-06T15:00:00.000Z'];
  await sql`update messages set created_at = case when address = '+13525550003' then ${days[1]}::timestamptz
    else ${days[0]}::timestamptz end where account_id = ${office}`.execute(db);
  expect(await read()).toMatchObject({
    ...{ today: 8, limit: 2, waiting: 4, voters: 2, addresses: 3 },
    ...{ first_at: days[0], last_at: days[1] },
  });
  expect(await read('email')).toMatchObject({ today: 4, waiting: 0, last_id: null });
});

test('sends what waits, counts from zero, and the log says who', async () => {
  await addRequests(3);
  const { last_id: lastId } = await read();
  const sent = await decide('send', lastId);
  expect([sent.statusCode, sent.json()]).toEqual([200, { messages: 3 }]);
  expect(await states()).toEqual([['created', 3]]);
  expect(await read()).toMatchObject({ today: 0, waiting: 0 });
  expect(await read('email')).toMatchObject({ today: 4 });
  expect(await lastEntry()).toMatchObject({
    ...{ who: 'Ada Park', action: 'sending.resume', target: 'sms' },
    details: [
      { name: 'messages', value: '3' },
      { name: 'discarded', value: 'false' },
    ],
  });
  // The command finds nothing left.
  expect((await beacon.run('sending', 'show', '--account', subdomain)).code).toBe(0);
});

test('what came after the look waits for another', async () => {
  await addRequests(3);
  const { last_id: lastId } = await read();
  await addRequests(2);
  expect((await decide('discard', lastId)).json()).toEqual({ messages: 3 });
  expect(await states()).toEqual([
    ['held', 2],
    ['withdrawn', 3],
  ]);
  const today = await admin.browser.get('/api/office/today');
  expect(today.json()).toMatchObject({ waiting: { requests: 2 } });
});

test('of several decisions at once one counts, and one after the command’s is refused', async () => {
  await addRequests(3);
  const { last_id: lastId } = await read();
  const answers = await Promise.all(
    ['send', 'discard', 'send', 'discard'].map((decision) => decide(decision, lastId)),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409]);
  expect((await states()).map(([, count]) => count)).toEqual([3]);

  await addRequests(1);
  const { last_id: later } = await read();
  const by = ['--channel', 'sms', '--by', 'Ann', '--discard'];
  await beacon.do('sending', 'resume', '--account', subdomain, ...by);
  expect((await decide('send', later)).statusCode).toBe(409);
});

test('messages of files that wait and another office’s requests stay as they are', async () => {
  const lake = await addOffice(api.test, { subdomain: `lake-${offices}` });
  await addRequests(2, lake);
  await addRequests(1);
  await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, state)
    values (${office}, 'status', 'sms', '+13525550100', 'english', ${`file:${offices}`}, now(), 'held')`.execute(
    db,
  );
  expect((await decide('send', Number.MAX_SAFE_INTEGER)).json()).toEqual({ messages: 1 });
  expect(await states()).toEqual([
    ['created', 1],
    ['held', 1],
  ]);
  expect(await states(lake)).toEqual([['held', 2]]);
});

test.each([
  ['send', 0],
  ['send', null],
  ['send', 1.5],
  ['keep', 1],
])('refuses the decision %s up to %s', async (decision, lastId) => {
  expect((await decide(decision, lastId)).statusCode).toBe(422);
  expect((await decide('send', 1, 'fax')).statusCode).toBe(400);
});
