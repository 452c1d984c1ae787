import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';

let api: TestApi;
let clerk: TestPerson;
let trusted: TestPerson;
let ann: VoterId;
let adams: AccountId;
let secret: VoterId;
let foreign: VoterId;

beforeEach(async () => {
  api = await createTestApi();
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  adams = accountId;
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  ann = await addVoter(api.test, accountId, { registration_id: '0042', firstname: 'Ann' });
  await addVoter(api.test, accountId, { registration_id: '77', firstname: 'Bea' });
  secret = await addVoter(api.test, accountId, {
    registration_id: '900',
    lastname: 'Hidden',
    is_confidential: true,
  });
  foreign = await addVoter(api.test, lake, { registration_id: '0042', lastname: 'Foreign' });
  await addBallot(api.test, accountId, ann, {
    number: '301',
    events: [
      { status: 'sent', on: '2026-11-02' },
      { status: 'returned', on: '2026-11-12' },
    ],
  });
  await addBallot(api.test, accountId, secret, { number: '302', events: [{ status: 'sent' }] });
  const office = { accountId, host: 'adams.localhost' };
  clerk = await addPerson(api, office, 'Cleo Marsh', ['clerk']);
  trusted = await addPerson(api, office, 'Tess Hall', ['confidential-clerk']);
});
afterEach(() => api.close());

const find = async (text: string, { browser } = clerk) => {
  const answer = await browser.post('/api/office/voter-search', { text });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ matches: number; voters: Record<string, unknown>[] }>();
};
const look = (voterId: number, { browser } = clerk) => browser.get(`/api/office/voters/${voterId}`);

test.each(['0042', '42', 'Ann Rivera', 'rivera ann 2/3/1970', '301'])(
  'a clerk finds the voter by %s',
  async (text) => {
    const { voters } = await find(text);
    expect(voters).toContainEqual(
      expect.objectContaining({ voter_id: ann, registration_id: '0042', name: 'Ann Rivera' }),
    );
    expect(voters).toHaveLength(1);
  },
);

test.each([
  ['an ID after an invisible space', '\u200b0042'],
  ['an ID in marks of direction', '\u202a0042\u202c'],
  ['an ID after a byte order mark', '\ufeff0042'],
  ['a phone number with hyphens that do not break', '(352) 555\u20110142'],
  ['a phone number with dashes', '352\u2013555\u20130142'],
  ['a phone number with a space that does not break', '(352)\u00a0555-0142'],
  ['a name and a birth date with dashes', 'Ann Rivera 2\u20133\u20131970'],
])('a clerk finds the voter by %s, as pasted from a message or a table', async (_what, text) => {
  await api.query(`update voters set phone = '(352) 555-0142' where voter_id = $1`, [ann]);
  expect((await find(text)).voters).toMatchObject([{ voter_id: ann }]);
});

test('marks that nobody sees find nobody', async () => {
  for (const text of ['\u200b\u200b\u200b', '\u202a\u202c'])
    expect((await find(text)).matches).toBe(0);
});

test('a ballot number, or a voter ID without its zeros, that looks like a phone number finds its voter, after the voters of that number', async () => {
  const long = await addVoter(api.test, adams, { registration_id: '003525550142' });
  const mailed = await addVoter(api.test, adams, { registration_id: '80' });
  await addBallot(api.test, adams, mailed, { number: '5095550177', events: [{ status: 'sent' }] });
  await addBallot(api.test, adams, secret, { number: '5095550178', events: [{ status: 'sent' }] });
  const idsOf = async (text: string) => (await find(text)).voters.map((one) => one.voter_id);
  expect(await idsOf('5095550177')).toEqual([mailed]);
  expect(await idsOf('3525550142')).toEqual([long]);
  expect(await idsOf('5095550178')).toEqual([]);
  await api.query(`update voters set phone = '(352) 555-0142' where voter_id = $1`, [ann]);
  expect(await idsOf('3525550142')).toEqual([ann]);
});

test('a clerk reads how an application ended that a ballot followed', async () => {
  const cal = await addVoter(api.test, adams, { registration_id: '81' });
  const application = await addBallot(api.test, adams, cal, {
    events: [{ status: 'application-received' }, { status: 'application-approved' }],
  });
  const alone = (await look(cal)).json().ballots;
  expect(alone).toMatchObject([{ status: 'application-approved' }]);
  const ballot = await addBallot(api.test, adams, cal, {
    number: '303',
    events: [{ status: 'sent' }],
  });
  expect((await look(cal)).json().ballots).toMatchObject([
    { ballot_id: ballot, status: 'sent' },
    { ballot_id: application, status: 'application-approved' },
  ]);
});

test('a voter whose names are the same in both orders is found once', async () => {
  await addVoter(api.test, adams, {
    ...{ registration_id: '78', firstname: 'Lee', lastname: 'Lee', birthdate: '1971-02-03' },
  });
  expect(await find('Lee Lee')).toMatchObject({ matches: 1, voters: [{ registration_id: '78' }] });
});

test('an ID in other letters finds its voter, and nobody where it could be two', async () => {
  const [first] = await api.query<{ account_id: AccountId }>(
    `select account_id from accounts where subdomain = 'adams'`,
  );
  const accountId = first?.account_id as AccountId;
  const born = { birthdate: '1955-05-05', lastname: 'Similar' };
  for (const registration_id of ['xk7', 'XK7', 'YK 8', 'yk8', 'zk9'])
    await addVoter(api.test, accountId, { ...born, registration_id });
  const idsOf = async (text: string) =>
    (await find(text)).voters.map(({ registration_id: id }) => id);
  expect(await idsOf('xk7')).toEqual(['xk7']);
  expect(await idsOf('XK7')).toEqual(['XK7']);
  expect(await idsOf('Xk7')).toEqual([]);
  expect(await idsOf('Y K8')).toEqual([]);
  expect(await idsOf('Z K 9')).toEqual(['zk9']);
});

test('a number that could be of two voters finds neither: without its leading zeros, or on the ballots of both', async () => {
  for (const registration_id of ['061', '0061']) {
    const voter = await addVoter(api.test, adams, { registration_id, lastname: 'Double' });
    await addBallot(api.test, adams, voter, { number: '555', events: [{ status: 'sent' }] });
  }
  const idsOf = async (text: string) =>
    (await find(text)).voters.map(({ registration_id: id }) => id);
  expect([await idsOf('61'), await idsOf('555')]).toEqual([[], []]);
  expect([await idsOf('061'), await idsOf('0061')]).toEqual([['061'], ['0061']]);
});

test('of a voter whose roll has no more than the year of birth a clerk reads the year', async () => {
  const old = await addVoter(api.test, adams, { registration_id: '79', lastname: 'Year' });
  await api.query('update voters set birthdate = null, birthyear = 1948 where voter_id = $1', [
    old,
  ]);
  const found = { registration_id: '79', born: '1948' };
  expect((await find('79')).voters).toMatchObject([found]);
  // Among those of a name, too, and whether the voter is one no more.
  expect((await find('Year')).voters).toMatchObject([{ ...found, is_active: true }]);
  await api.query('update voters set is_active = false where voter_id = $1', [old]);
  expect((await find('Year')).voters).toMatchObject([{ ...found, is_active: false }]);
});

test('a birth date that several voters have lists all of them', async () => {
  expect((await find('02/03/1970')).voters.map((one) => one.registration_id)).toEqual([
    '0042',
    '77',
  ]);
});

test('a clerk for confidential voters finds one by voter ID alone, without a name, and on record', async () => {
  for (const text of ['Hidden', 'Ann Hidden', '302'])
    expect((await find(text, trusted)).voters).toEqual([]);
  expect((await find('900', trusted)).voters).toEqual([
    expect.objectContaining({ voter_id: secret, name: '', born: null, place: '' }),
  ]);
  await api.query(
    `with sent as (
       insert into messages (account_id, kind, cause, voter_id, channel, address, language, deliver_after, state)
       select account_id, 'change', 'before', voter_id, 'email', 'before@example.org', 'english', now(), 'sent'
       from voters where voter_id = $1)
     insert into consents (account_id, voter_id, channel, address, action, source, wording)
     select account_id, voter_id, 'email', 'before@example.org', 'confirmed', 'test', 'test' from voters where voter_id = $1`,
    [secret],
  );
  const record = (await look(secret, trusted)).json();
  expect(record).toMatchObject({ is_confidential: true, details: [], messages: [], consents: [] });
  expect(JSON.stringify(record)).not.toMatch(/Hidden|before@/);
  const looks = await api.query(
    `select action, details from audit_log where details @> '{"confidential": true}' order by audit_id`,
  );
  expect(looks).toEqual([
    {
      action: 'voter.search',
      details: { matches: 1, by: ['number'], confidential: true },
    },
    { action: 'voter.show', details: { confidential: true } },
  ]);
});

test('for every other clerk a confidential voter is nobody', async () => {
  expect(await find('900')).toEqual(await find('901'));
  const [hidden, nobody] = [await look(secret), await look(999_999_999)];
  expect(hidden.statusCode).toBe(404);
  const { err_id: _, ...problem } = hidden.json();
  expect(nobody.json()).toMatchObject(problem);
});

test('a voter’s record has what the page shows, and every event', async () => {
  const record = (await look(ann)).json();
  expect(record.details).toContainEqual({ name: 'name', value: 'Ann Rivera' });
  expect(record.ballots).toMatchObject([{ ballot_number: '301', status: 'returned' }]);
  expect(record.ballots[0].events.map(({ status }: { status: string }) => status)).toEqual([
    'sent',
    'returned',
  ]);
});

test('a voter’s newest election comes first, and a ballot in it that another ballot ended is marked', async () => {
  const dee = await addVoter(api.test, adams, { registration_id: '55', firstname: 'Dee' });
  for (const [number, status, election, date] of [
    ['P1', 'accepted', 'Primary Election', '2026-08-18'],
    ['C1', 'sent', 'General Election', '2026-11-24'],
    ['C2', 'accepted', 'General Election', '2026-11-24'],
  ] as const)
    await addBallot(api.test, adams, dee, {
      ...{ number, election, date, isActive: number !== 'P1' },
      events: [{ status, on: '2026-11-12' }],
    });
  const { ballots } = (await look(dee)).json();
  expect(ballots).toMatchObject([
    { ballot_number: 'C2', is_ended: false },
    { ballot_number: 'C1', is_ended: true },
    { ballot_number: 'P1', is_ended: false },
  ]);
});

test('a voter’s newest messages come first, and fifty of them at most', async () => {
  const eve = await addVoter(api.test, adams, { registration_id: '56', firstname: 'Eve' });
  await api.query(
    `insert into messages (account_id, kind, voter_id, channel, address, language, cause, deliver_after, state, sent_at)
     select $1, 'welcome', $2, 'email', nth::text, 'english', 'test ' || nth, '2026-10-20T12:00:00Z', 'sent',
       case when nth = 51 then timestamptz '2026-10-20T13:30:00Z' end
     from generate_series(1, 51) as nth`,
    [adams, eve],
  );
  const { messages } = (await look(eve)).json();
  expect(messages.map(({ address }: { address: string }) => Number(address))).toEqual(
    Array.from({ length: 50 }, (_, index) => 51 - index),
  );
  // When it was sent, or else from when on it may be.
  expect(messages.slice(0, 2).map(({ at }: { at: string }) => at)).toEqual([
    ...['2026-10-20T13:30:00.000Z', '2026-10-20T12:00:00.000Z'],
  ]);
});

test('a voter of another office is not there', async () => {
  expect((await find('Foreign')).voters).toEqual([]);
  expect((await look(foreign)).statusCode).toBe(404);
});

test('each search and each look is in the audit, without what was typed', async () => {
  await find('Ann Rivera');
  await look(ann);
  const entries = await api.query<{
    actor: string;
    action: string;
    target: string;
    details: object;
  }>(
    `select actor, action, target, details from audit_log where action like 'voter.%'
     order by audit_id desc limit 2`,
  );
  expect(entries).toMatchObject([
    { action: 'voter.show', target: String(ann) },
    { action: 'voter.search', target: String(ann), details: { matches: 1, by: ['name'] } },
  ]);
  expect(entries[0]?.actor).toMatch(/^person:passkey\|/);
  expect(JSON.stringify(entries)).not.toContain('Rivera');
});
