import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let lake: AccountId;
let admin: TestPerson;

const election = {
  number: '2026G',
  name: 'General Election',
  election_date: '2026-11-24',
  is_active: false,
  return_deadline: { rule: 'received', date: '2026-11-24', time: '19:00', place: 'any drop box' },
  kind: 'general',
  certified_on: null,
  canvassed_on: null,
};

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  lake = await addOffice(api.test, { subdomain: 'lake' });
  admin = await addPerson(api, { accountId: adams, host: 'adams.localhost' }, 'Ada Park', [
    'admin',
  ]);
});
afterAll(() => api.close());

const address = '/api/office/elections';
const add = (more: object = {}) => admin.browser.post(address, { ...election, ...more });
const change = (id: number, body: object) => admin.browser.patch(`${address}/${id}`, body);

async function addOne(number: string, more: object = {}): Promise<number> {
  const added = await add({ number, ...more });
  expect(added.statusCode, added.body).toBe(201);
  return added.json<{ election_id: number }>().election_id;
}

async function read(id: number): Promise<Record<string, unknown> | undefined> {
  const { elections } = (await admin.browser.get(address)).json<{
    elections: { election_id: number }[];
  }>();
  return elections.find((one) => one.election_id === id);
}

async function lastEntries(count: number): Promise<object[]> {
  const log = (await admin.browser.get('/api/office/log?area=office')).json<{
    entries: object[];
  }>();
  return log.entries.slice(0, count);
}

test('an election is added, changed in what is named alone, and the log says from what to what', async () => {
  const id = await addOne('2026G');
  expect(await read(id)).toEqual({ election_id: id, ...election });
  expect((await change(id, { is_active: true, return_deadline: null })).statusCode).toBe(204);
  const changed = { is_active: true, return_deadline: null };
  expect(await read(id)).toEqual({ election_id: id, ...election, ...changed });
  const [entry] = await lastEntries(1);
  expect(entry).toMatchObject({
    ...{ who: 'Ada Park', action: 'election.set', target: '2026G' },
    details: [
      { name: 'is_active', value: 'false → true' },
      { name: 'return_deadline', value: expect.stringMatching(/^\{.*"19:00".*\} → –$/) },
    ],
  });
});

test('an election, whose day and deadline voters read at once, is changed only with a sign-in of the last five minutes', async () => {
  const before = api.clock.now();
  try {
    await admin.signIn();
    const id = await addOne('2026Late');
    api.clock.advance(5 * 60_000);
    const late = await change(id, { is_active: true });
    expect(late.json()).toMatchObject({ status: 403, 'error-code': 7001 });
    expect(await read(id)).toMatchObject({ is_active: false });
    await admin.signIn();
    expect((await change(id, { is_active: true })).statusCode).toBe(204);
  } finally {
    api.clock.set(before.toISOString());
  }
});

test('what somebody else changed meanwhile is not changed back, neither by a form that was open nor by an undo', async () => {
  const id = await addOne('2029G', { return_deadline: null });
  const due = (time: string) => ({
    return_deadline: { ...election.return_deadline, time },
  });
  expect((await change(id, { ...due('19:00'), from: { return_deadline: null } })).statusCode).toBe(
    204,
  );
  // Sent again, because the answer was lost.
  expect((await change(id, { ...due('19:00'), from: { return_deadline: null } })).statusCode).toBe(
    204,
  );
  expect((await change(id, { ...due('20:00'), from: due('19:00') })).statusCode).toBe(204);
  for (const stale of [
    { return_deadline: null, from: due('19:00') },
    { ...due('19:00'), from: { return_deadline: null } },
  ]) {
    const refused = await change(id, { ...stale, name: 'Renamed' });
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toContain('Open it anew');
  }
  expect(await read(id)).toMatchObject({ name: election.name, ...due('20:00') });
  // What else was changed is nobody's matter.
  const renamed = await change(id, { name: 'Renamed', from: { name: election.name } });
  expect(renamed.statusCode).toBe(204);
  expect(await read(id)).toMatchObject({ name: 'Renamed', ...due('20:00') });
});

test('a number is one election’s however its letters are written, for additions and new numbers', async () => {
  const id = await addOne('2027P', { election_date: '2027-03-09', return_deadline: null });
  expect((await add({ number: '2027p ' })).statusCode).toBe(409);
  const other = await addOne('2027S');
  expect((await change(other, { number: '2027p' })).statusCode).toBe(409);
  expect((await change(id, { number: '2027p' })).statusCode).toBe(204);
  expect(await read(id)).toMatchObject({ number: '2027p', election_date: '2027-03-09' });
  expect(await lastEntries(1)).toMatchObject([
    { action: 'election.rename', details: [{ name: 'from', value: '2027P' }] },
  ]);
});

test('many additions of one number at once add one election', async () => {
  const writings = ['2028g', '2028G', '2028g ', ' 2028G', '2028G'];
  const answers = await Promise.all(writings.map((number) => add({ number })));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409, 409]);
});

test('days that do not exist or are far away are refused at their field', async () => {
  const wrong = {
    election_date: ['2026-02-30', '1999-11-02', '2062-11-03', ''],
    certified_on: ['soon', '2026-13-01', '2026-11-23', '2025-12-08', '2028-12-08'],
    canvassed_on: ['2026-11-01'],
    number: ['', '   '],
    name: [''],
    kind: ['royal', 'Runoff'],
  };
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) {
      const answer = await add({ number: 'W', [field]: value });
      expect(answer.statusCode, `${field} ${value}`).toBe(422);
      const { validation_messages: messages } = answer.json<{ validation_messages: object }>();
      expect(Object.keys(messages)).toEqual([field]);
    }
  const deadline = { ...election.return_deadline, time: '25:00' };
  expect((await add({ number: 'W', return_deadline: deadline })).statusCode).toBe(422);
});

test('a new election day keeps the days that are left near it, and the same day again is no change', async () => {
  const id = await addOne('Moved', { certified_on: '2026-12-08' });
  const { return_deadline } = (await read(id)) ?? {};
  const due = (date: string) => ({ ...election.return_deadline, date });
  for (const [body, field] of [
    [{ election_date: '2027-11-23', return_deadline: null }, 'certified_on'],
    [{ election_date: '2026-12-09' }, 'return_deadline/date'],
    [{ return_deadline: due('2025-11-24') }, 'return_deadline/date'],
    [{ return_deadline: { ...due('2026-11-25'), rule: 'postmarked' } }, 'return_deadline/date'],
  ] as const) {
    const far = await change(id, body);
    expect([far.statusCode, Object.keys(far.json().validation_messages)]).toEqual([422, [field]]);
  }
  expect((await change(id, { return_deadline, name: 'Moved day' })).statusCode).toBe(204);
  const [entry] = await lastEntries(1);
  expect(entry).toMatchObject({ action: 'election.set', details: [{ name: 'name' }] });
  expect((await admin.browser.delete(`${address}/${id}`)).statusCode).toBe(204);
});

test('an election with ballots is not removed, one without is', async () => {
  const voter = await addVoter(api.test, adams);
  await addBallot(api.test, adams, voter, { election: 'Spring', events: [] });
  const { rows } = await sql<{ election_id: number }>`
    select election_id from elections where number = 'Spring'`.execute(api.test.database.system);
  const used = rows[0]?.election_id ?? 0;
  expect((await admin.browser.delete(`${address}/${used}`)).statusCode).toBe(409);
  expect(await read(used)).toBeDefined();
  const unused = await addOne('2026U');
  const [added] = await lastEntries(1);
  expect(added).toMatchObject({
    ...{ action: 'election.set', target: '2026U' },
    details: expect.arrayContaining([expect.objectContaining({ name: 'name' })]),
  });
  expect((await admin.browser.delete(`${address}/${unused}`)).statusCode).toBe(204);
  const [gone] = await lastEntries(1);
  expect(gone).toMatchObject({ action: 'election.remove', target: '2026U' });
  expect(await read(unused)).toBeUndefined();
  expect((await change(unused, { name: 'X' })).statusCode).toBe(404);
});

test('an election whose letter codes were printed before its ballots is removed with them', async () => {
  const of = { accountId: adams, host: 'adams.localhost' };
  const writer = await addPerson(api, of, 'Cora Wu', ['confidential-clerk']);
  await addVoter(api.test, adams, { registration_id: 'H1', is_confidential: true });
  const id = await addOne('2026Q');
  const letters = { election: '2026Q', renew: false };
  const printed = await writer.browser.post('/api/office/letter-codes.csv', letters);
  expect(printed.statusCode, printed.body).toBe(200);
  const removed = await admin.browser.delete(`${address}/${id}`);
  expect(removed.statusCode, removed.body).toBe(204);
  expect(await read(id)).toBeUndefined();
  expect(await api.query('select from letter_codes')).toEqual([]);
});

test('an election with ballots is put off by weeks, and not moved to another year', async () => {
  const voter = await addVoter(api.test, adams);
  const late = { election: 'Runoff', date: '2026-12-01', events: [] };
  await addBallot(api.test, adams, voter, late);
  const { rows } = await sql<{ election_id: number }>`
    select election_id from elections where number = 'Runoff'`.execute(api.test.database.system);
  const used = rows[0]?.election_id ?? 0;
  const far = await change(used, { election_date: '2025-12-01' });
  const because = expect.stringContaining('is on 12/01/2026 and has ballots');
  expect([far.statusCode, far.json().validation_messages]).toEqual([
    ...[422, { election_date: { unlikely: because } }],
  ]);
  expect(await read(used)).toMatchObject({ election_date: '2026-12-01' });
  expect((await change(used, { election_date: '2026-12-15' })).statusCode).toBe(204);
  const empty = await addOne('2026E', { return_deadline: null });
  expect((await change(empty, { election_date: '2027-11-02' })).statusCode).toBe(204);
});

test('an election does not move away from deadlines that the office set, and their removal frees it', async () => {
  const [moved, other] = [await addOne('2026M'), await addOne('2026N')];
  const set = async (id: number, defect: string, endsOn: string) => {
    await sql`insert into office_deadlines (account_id, election_id, defect, ends_on, ends_at, reason, set_by)
      values (${adams}, ${id}, ${defect}, ${endsOn}, '17:00', 'A court’s order', 'tester')`.execute(
      api.test.database.system,
    );
  };
  // Election day is November 24: a deadline may end from November 10 on, and until January 8.
  await set(moved, 'signature-missing', '2026-12-14');
  await set(moved, 'signature-differs', '2026-12-15');
  await set(other, 'signature-differs', '2026-11-10');
  const move = (id: number, day: string) =>
    change(id, { election_date: day, return_deadline: null });
  expect((await move(moved, '2026-12-28')).statusCode).toBe(204);
  const refused = await move(moved, '2026-12-29');
  const because =
    'Check election day: your own deadline to fix an envelope, 12/14/2026, does not fit an election on 12/29/2026. Remove this deadline first, and set it again afterward.';
  expect([refused.statusCode, refused.json().validation_messages]).toEqual([
    ...[422, { election_date: { unlikely: because } }],
  ]);
  expect(await read(moved)).toMatchObject({ election_date: '2026-12-28' });
  expect((await change(moved, { is_active: false })).statusCode).toBe(204);
  await api.query(
    `delete from office_deadlines where election_id = $1 and ends_on = '2026-12-14'`,
    [moved],
  );
  expect((await move(moved, '2026-12-29')).statusCode).toBe(204);
});

test('while a file is imported no number changes and no election goes', async () => {
  const id = await addOne('2026I');
  await api.test.database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('import'), ${adams})`.execute(tx);
    expect((await change(id, { number: '2026J' })).statusCode).toBe(409);
    expect((await admin.browser.delete(`${address}/${id}`)).statusCode).toBe(409);
    expect((await change(id, { name: 'Winter Election' })).statusCode).toBe(204);
  });
  expect((await change(id, { number: '2026J' })).statusCode).toBe(204);
});

test('another office’s elections are neither listed nor changed', async () => {
  const { rows } = await sql<{ election_id: number }>`
    insert into elections (account_id, number, name, election_date, is_active)
    values (${lake}, '2026G', 'Of Lake', '2026-11-24', true) returning election_id`.execute(
    api.test.database.system,
  );
  const id = rows[0]?.election_id ?? 0;
  expect(await read(id)).toBeUndefined();
  expect((await change(id, { name: 'Mine' })).statusCode).toBe(404);
  expect((await admin.browser.delete(`${address}/${id}`)).statusCode).toBe(404);
});

test('the number of a deleted election is taken by no other, however it is written', async () => {
  const deleted = { election_date: '2024-11-05', kind: 'local', return_deadline: null };
  const id = await addOne('2024L', deleted);
  const other = await addOne('2026L');
  await api.query(`select discard_election($1, $2, 'system', '{}')`, [id, api.clock.now()]);
  expect(await read(id)).toBeUndefined();
  for (const number of ['2024L', ' 2024l '])
    for (const answer of [await add({ number, ...deleted }), await change(other, { number })]) {
      expect(answer.statusCode, answer.body).toBe(409);
      expect(answer.json()).toMatchObject({
        detail: 'Election 2024L was deleted: its number is not used again.',
      });
    }
  expect(await read(other)).toMatchObject({ number: '2026L' });
  // Another office may have used the same number, and goes on using it.
  const stranger = await addPerson(api, { accountId: lake, host: 'lake.localhost' }, 'Lee Marsh', [
    'admin',
  ]);
  const theirs = await stranger.browser.post(address, {
    ...election,
    ...{ number: '2024L', ...deleted },
  });
  expect(theirs.statusCode, theirs.body).toBe(201);
});
