import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let clerk: TestPerson;
const sent = {
  state: 'sent',
  kind: 'status',
  status: 'sent',
  channel: 'email',
  language: 'english',
};

async function addMessage(
  accountId: AccountId,
  voterId: VoterId,
  cause: string,
  message: Partial<typeof sent> = {},
): Promise<number> {
  const { state, kind, status, channel, language } = { ...sent, ...message };
  const { rows } = await sql<{ message_id: number }>`
    insert into messages (account_id, voter_id, kind, status, channel, address, language, cause, state, deliver_after)
    values (${accountId}, ${voterId}, ${kind}, ${status}, ${channel}, 'pat@mail.example', ${language}, ${cause},
      ${state}::message_state, now()) returning message_id`.execute(api.test.database.system);
  return rows[0]?.message_id ?? 0;
}

let ids: Record<'english' | 'failed' | 'waiting' | 'unknown' | 'secret' | 'foreign', number>;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  clerk = await addPerson(api, { accountId: adams, host: 'adams.localhost' }, 'Cleo Marsh', [
    'clerk',
  ]);
  const voter = await addVoter(api.test, adams, { registration_id: '0042' });
  const hidden = await addVoter(api.test, adams, {
    registration_id: '900',
    is_confidential: true,
  });
  const other = await addVoter(api.test, lake, { registration_id: '0042' });
  ids = {
    english: await addMessage(adams, voter, 'a'),
    failed: await addMessage(adams, voter, 'b', {
      ...{ state: 'failed-permanent', channel: 'sms', language: 'spanish' },
    }),
    waiting: await addMessage(adams, voter, 'waiting', { state: 'held', channel: 'voice' }),
    unknown: await addMessage(adams, voter, 'unknown', {
      ...{ state: 'outcome-unknown', channel: 'voice' },
    }),
    secret: await addMessage(adams, hidden, 'c'),
    foreign: await addMessage(lake, other, 'd'),
  };
  await sql`insert into receipts (account_id, message_id, provider, outcome, error_code)
    values (${adams}, ${ids.failed}, 'twilio', 'failed-temporary', 'out-of-reach'),
      (${adams}, ${ids.failed}, 'twilio', 'failed-permanent', 'no-such-number'),
      (${adams}, ${ids.english}, 'smtp', 'delivered', null),
      (${lake}, ${ids.failed}, 'smtp', 'delivered', null)`.execute(api.test.database.system);
});
afterEach(() => api.close());

async function list(query = ''): Promise<{ ids: number[]; next: number | null }> {
  const answer = await clerk.browser.get(`/api/office/messages${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  const { messages, next } = answer.json<{
    messages: { message_id: number }[];
    next: number | null;
  }>();
  return { ids: messages.map(({ message_id }) => message_id), next };
}

test('a clerk lists the office’s messages, newest first, none to a confidential voter and none of another office', async () => {
  expect(await list()).toEqual({
    ids: [ids.unknown, ids.waiting, ids.failed, ids.english],
    next: null,
  });
});

test.each([
  ['outcome=failed', ['unknown', 'failed']],
  ['outcome=waiting', ['waiting']],
  ['outcome=unsent', []],
  ['outcome=sent', ['english']],
  ['outcome=delivered', []],
  ['channel=sms', ['failed']],
  ['language=english', ['unknown', 'waiting', 'english']],
  ['kind=correction', []],
  ['kind=status&language=spanish&outcome=failed', ['failed']],
  ['to=2020-01-01', []],
  ['from=2020-01-01', ['unknown', 'waiting', 'failed', 'english']],
] as const)('the filter %s leaves %j', async (query, names) => {
  expect((await list(`?${query}`)).ids).toEqual(names.map((name) => ids[name]));
});

test('one message is shown whole: its address, its receipts of this office alone in their order, and the text of its kind in its language', async () => {
  const answer = await clerk.browser.get(`/api/office/messages/${ids.failed}`);
  expect(answer.json()).toMatchObject({
    ...{ registration_id: '0042', address: 'pat@mail.example', state: 'failed-permanent' },
    receipts: [
      { outcome: 'failed-temporary', error: 'out-of-reach' },
      { outcome: 'failed-permanent', error: 'no-such-number' },
    ],
    sample: { body: expect.stringMatching(/boleta/iu) },
  });
  for (const id of [ids.secret, ids.foreign, 999_999_999])
    expect((await clerk.browser.get(`/api/office/messages/${id}`)).statusCode).toBe(404);
});

test('each look is in the audit, and says nothing of an address', async () => {
  await list('?outcome=failed');
  await clerk.browser.get(`/api/office/messages/${ids.failed}`);
  const looks = await api.query<{ action: string; target: string; details: unknown }>(
    `select action, target, details from audit_log where action like 'message%' order by audit_id desc limit 2`,
  );
  expect(looks).toEqual([
    { action: 'message.show', target: String(ids.failed), details: {} },
    { action: 'messages.list', target: '', details: { outcome: 'failed', count: 2 } },
  ]);
});

test('pages by key, each message once', async () => {
  const voter = await addVoter(api.test, adams, { registration_id: '77' });
  for (let n = 0; n < 120; n += 1)
    await addMessage(adams, voter, `page-${n}`, { kind: 'correction' });
  const first = await list('?kind=correction');
  const second = await list(`?kind=correction&before=${first.next}`);
  expect([first.ids.length, second.ids.length, second.next]).toEqual([100, 20, null]);
  expect(new Set([...first.ids, ...second.ids]).size).toBe(120);
  const oldest = await list('?kind=correction&order=oldest');
  const next = await list(`?kind=correction&order=oldest&after=${oldest.next}`);
  expect([...oldest.ids, ...next.ids]).toEqual([...first.ids, ...second.ids].toReversed());
  expect(next.next).toBeNull();
});

test('the list ends with a full page where nothing comes after it', async () => {
  const voter = await addVoter(api.test, adams, { registration_id: '78' });
  for (let n = 0; n < 100; n += 1) await addMessage(adams, voter, `full-${n}`, { kind: 'help' });
  const { ids: shown, next } = await list('?kind=help');
  expect([shown.length, next]).toEqual([100, null]);
  await addMessage(adams, voter, 'one more', { kind: 'help' });
  expect((await list('?kind=help')).next).toBe(shown.at(-2));
});
