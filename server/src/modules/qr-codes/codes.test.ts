import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';
import { letterCodeLifetimeMs } from '../sessions/index.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;
let importer: TestPerson;
let clerk: TestPerson;
let confidential: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  const of = { accountId: adams, host };
  importer = await addPerson(api, of, 'Ina Moss', ['importer']);
  clerk = await addPerson(api, of, 'Carl Reed', ['clerk']);
  confidential = await addPerson(api, of, 'Cora Wu', ['confidential-clerk']);
  for (const [accountId, id, isHidden] of [
    [adams, 'A1', false],
    [adams, 'A2', false],
    [adams, 'H1', true],
    [lake, 'L1', false],
  ] as const) {
    const voter = { registration_id: id, is_confidential: isHidden };
    const voterId = await addVoter(api.test, accountId, voter);
    await addBallot(api.test, accountId, voterId, { election: '7', events: [{ status: 'sent' }] });
  }
});
afterEach(() => api.close());
beforeEach(async () => {
  for (const person of [importer, clerk, confidential]) await person.signIn();
});

const ballots = (person: TestPerson, more: object = {}, kind = 'csv') =>
  person.browser.post(`/api/office/ballot-codes.${kind}`, { election: '7', ...more });
const letters = (person: TestPerson, more: object = {}, kind = 'csv') =>
  person.browser.post(`/api/office/letter-codes.${kind}`, { election: '7', renew: false, ...more });
const countOnRecord = async () =>
  (await api.query("select from audit_log where action like '%-codes.print'")).length;
const rowsOf = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .map((row) => row.split(','));

test('codes of ballots open the page of their voter, and are the same each time', async () => {
  const answer = await ballots(importer);
  expect(answer.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="ballot-codes-7.csv"',
    'cache-control': 'no-store',
  });
  const [head, ...rows] = rowsOf(answer.body);
  expect(head).toEqual(['VoterID', 'BallotNumber', 'BallotGuid', 'Url']);
  expect(rows.map(([id]) => id)).toEqual(['A1', 'A2']);
  expect(rowsOf((await ballots(importer)).body)).toEqual([head, ...rows]);
  expect(rowsOf((await ballots(importer, { voter_id: ' A2 ' })).body)).toEqual([head, rows[1]]);
  const known = await api.query<{ registration_id: string }>(
    'select registration_id from ballot_codes join ballots using (ballot_id) join voters using (voter_id) where guid = $1',
    [rows[0]?.[2]],
  );
  expect(known).toEqual([{ registration_id: 'A1' }]);
  const pdf = await ballots(importer, {}, 'pdf');
  expect(pdf.headers['content-type']).toBe('application/pdf');
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
});

test('no confidential voter, no other office and no unknown election is in a file', async () => {
  const before = await countOnRecord();
  for (const voter_id of ['H1', 'L1']) {
    const refused = await ballots(importer, { voter_id });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('This voter has no ballot in this election');
  }
  expect((await ballots(importer, { election: '8' })).statusCode).toBe(422);
  expect(await countOnRecord()).toBe(before);
  const { body } = await ballots(importer);
  expect(body).not.toMatch(/H1|L1/);
});

test('a voter who became confidential is in no file any more, and a confidential voter’s ballot has no code', async () => {
  await ballots(importer);
  const hide = (isHidden: boolean) =>
    api.query(`update voters set is_confidential = $1 where registration_id = 'A2'`, [isHidden]);
  const coded = () =>
    api.query<{ id: string }>(`select registration_id as id from ballot_codes
      join ballots using (ballot_id) join voters using (voter_id) order by 1`);
  expect(await coded()).toEqual([{ id: 'A1' }, { id: 'A2' }]);
  await hide(true);
  try {
    expect(rowsOf((await ballots(importer)).body).map(([id]) => id)).toEqual(['VoterID', 'A1']);
    expect((await ballots(importer, { voter_id: 'A2' })).statusCode).toBe(422);
  } finally {
    await hide(false);
  }
});

test('letter codes are for clerks for confidential voters alone, once, and can be renewed', async () => {
  for (const person of [importer, clerk]) expect((await letters(person)).statusCode).toBe(403);
  expect((await ballots(confidential)).statusCode).toBe(403);
  const [head, first, ...more] = rowsOf((await letters(confidential)).body);
  expect(head).toEqual(['VoterID', 'Code', 'Url', 'LastDay']);
  expect(first?.[0]).toBe('H1');
  expect(first?.[1]).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);
  expect(more).toEqual([]);
  expect((await letters(confidential)).statusCode).toBe(422);
  expect((await letters(confidential, { voter_id: 'A1' })).statusCode).toBe(422);
  const [, again] = rowsOf((await letters(confidential, { renew: true })).body);
  expect(again?.[1]).not.toBe(first?.[1]);
  expect(await api.query('select from letter_codes')).toHaveLength(1);
  const pdf = await letters(confidential, { voter_id: 'H1' }, 'pdf');
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
});

test('a letter code that has run out is replaced without asking, and none before', async () => {
  const [, first] = rowsOf((await letters(confidential)).body);
  api.clock.advance(letterCodeLifetimeMs - 1);
  await confidential.signIn();
  expect((await letters(confidential)).statusCode).toBe(422);
  api.clock.advance(1);
  const [, second] = rowsOf((await letters(confidential)).body);
  expect(second?.[0]).toBe('H1');
  expect(second?.[1]).not.toBe(first?.[1]);
});

test('letters of an election that is over are refused, and the codes that work stay', async () => {
  await letters(confidential);
  const kept = await api.query('select letter_code_id, election_id from letter_codes');
  const today = api.clock.now().toISOString().slice(0, 10);
  await api.query(
    `insert into elections (account_id, number, name, election_date, is_active)
     values ($1, 'over', 'Over', $2::date - 30, false), ($1, 'next', 'Next', $2::date + 30, false)`,
    [adams, today],
  );
  for (const more of [{ election: 'over' }, { election: 'over', renew: true, voter_id: 'H1' }]) {
    const answer = await letters(confidential, more);
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.body).toContain('is over');
  }
  expect(await api.query('select letter_code_id, election_id from letter_codes')).toEqual(kept);
  // One that is being prepared.
  expect((await letters(confidential, { election: 'next' })).statusCode).toBe(200);
});

test('an election is over at the end of its day by the office’s clock', async () => {
  const day = api.clock.now().toISOString().slice(0, 10);
  const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  await api.query(
    `insert into elections (account_id, number, name, election_date, is_active)
     values ($1, 'last', 'Last', $2, false)`,
    [adams, day],
  );
  // In the evening in New York it is the next day by the clock of the server.
  api.clock.set(`${next}T02:30:00Z`);
  await confidential.signIn();
  expect((await letters(confidential, { election: 'last' })).statusCode).toBe(200);
  api.clock.set(`${next}T05:30:00Z`);
  await confidential.signIn();
  expect((await letters(confidential, { election: 'last', renew: true })).body).toContain(
    'is over',
  );
});

test('a letter names the last day on all of which its code works, by the office’s clock', async () => {
  // In the evening in New York it is the next day by the clock of the server. The code ends in the evening of the day after.
  const tomorrow = new Date(api.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10);
  api.clock.set(`${tomorrow}T02:30:00Z`);
  await confidential.signIn();
  const ends = api.clock.now().getTime() + letterCodeLifetimeMs;
  const [, letter] = rowsOf((await letters(confidential, { renew: true })).body);
  expect(letter?.[3]).toBe(new Date(ends - 2 * 86_400_000).toISOString().slice(0, 10));
});

test('each file is on record by name, and asks for a sign-in of the last five minutes', async () => {
  // The second time there is none left to draw.
  for (const _ of ['once', 'twice']) await ballots(importer);
  await letters(confidential, { renew: true });
  const recorded = await api.query<{ action: string; target: string; actor: string }>(
    "select action, target, actor, details from audit_log where action like '%-codes.print' order by audit_id desc limit 2",
  );
  expect(recorded).toMatchObject([
    { action: 'letter-codes.print', target: '7', actor: expect.stringMatching(/^person:passkey/) },
    {
      ...{ action: 'ballot-codes.print', target: '7' },
      ...{ actor: expect.stringMatching(/^person:passkey/), details: { drawn: 0, format: 'csv' } },
    },
  ]);
  const [{ count } = { count: 0 }] = await api.query<{ count: number }>(
    'select count(*)::int as count from letter_codes',
  );
  api.clock.advance(5 * 60_000);
  for (const late of [await ballots(importer), await letters(confidential, { renew: true })])
    expect(late.json()).toMatchObject({ status: 403, 'error-code': 7001 });
  expect(await api.query('select from letter_codes')).toHaveLength(count);
});
