import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';

interface Deadline {
  readonly defect: string;
  readonly law: { readonly at: string | null; readonly missing: string[]; readonly rule: object };
  readonly own: Record<string, string> | null;
}
interface ShownElection {
  readonly election_id: number;
  readonly version: string;
  readonly deadlines: readonly Deadline[];
}

let api: TestApi;
let beacon: Beacon;
let adams: AccountId;
let lake: AccountId;
let admin: TestPerson;
let fall: number;

const court = { ends_on: '2026-11-24', ends_at: '17:00', reason: 'Court order 7' };

beforeAll(async () => {
  api = await createTestApi();
  beacon = createBeacon(api.test.url);
  const place = { state: 'WA', time_zone: 'America/Los_Angeles' };
  adams = await addOffice(api.test, { subdomain: 'adams', ...place });
  lake = await addOffice(api.test, { subdomain: 'lake', ...place });
  admin = await addPerson(api, { accountId: adams, host: 'adams.localhost' }, 'Ada Park', [
    'admin',
  ]);
  fall = await addElection(adams, 'Fall');
});
afterAll(async () => {
  beacon.remove();
  await api.close();
});

async function addElection(accountId: AccountId, number: string, isActive = true): Promise<number> {
  const { rows } = await sql<{ election_id: number }>`
    insert into elections (account_id, number, name, election_date, is_active)
    values (${accountId}, ${number}, ${`${number} Election`}, '2026-11-03', ${isActive})
    returning election_id`.execute(api.test.database.system);
  return rows[0]?.election_id ?? 0;
}

async function read(id = fall): Promise<ShownElection> {
  const answer = await admin.browser.get('/api/office/fix-deadlines');
  expect(answer.statusCode, answer.body).toBe(200);
  const { elections } = answer.json<{ elections: ShownElection[] }>();
  const found = elections.find((one) => one.election_id === id);
  if (!found) throw new Error(`Election ${id} is not listed.`);
  return found;
}

const of = ({ deadlines }: ShownElection, defect: string) =>
  deadlines.find((one) => one.defect === defect);

async function change(changes: object[], { id = fall, version = '' } = {}) {
  await admin.signIn();
  const seen = version || (await read(id)).version;
  const address = `/api/office/elections/${id}/fix-deadlines`;
  return admin.browser.patch(address, { version: seen, changes });
}

async function lastEntry(): Promise<object | undefined> {
  const log = await admin.browser.get('/api/office/log?area=office');
  return log.json<{ entries: object[] }>().entries[0];
}

test('each problem shows the rule of the state, what is missing, and the deadline once it is given', async () => {
  const before = of(await read(), 'signature-differs');
  expect(before).toMatchObject({ law: { at: null, missing: ['certification'] }, own: null });
  expect(before?.law.rule).toMatchObject({ source: expect.any(String) });
  const given = { certified_on: '2026-11-24', kind: 'general' };
  const answer = await admin.browser.patch(`/api/office/elections/${fall}`, given);
  expect(answer.statusCode).toBe(204);
  expect(of(await read(), 'signature-differs')?.law).toMatchObject({
    at: '2026-11-23T16:30:00-08:00',
    missing: [],
  });
  expect((await read()).deadlines).toHaveLength(6);
});

test('an administrator lays a deadline over the rule for some problems, and the command and the log show it', async () => {
  const changed = await change([
    { defect: 'signature-missing', own: court },
    { defect: 'wrong-envelope', own: court },
  ]);
  expect(changed.statusCode, changed.body).toBe(200);
  const shown = await read();
  expect(changed.json()).toEqual({ version: shown.version });
  expect(of(shown, 'wrong-envelope')?.own).toMatchObject({ ...court, who: 'Ada Park' });
  expect(of(shown, 'id-missing')?.own).toBeNull();
  const days = JSON.parse(await beacon.do('cure', 'days', '--account', 'adams', '--json'));
  expect(days).toContainEqual({
    ...{ election: 'Fall', defect: 'wrong-envelope', missing: [] },
    ...{ deadline: '2026-11-24T17:00:00-08:00', source: 'the office: Court order 7' },
  });
  expect(await lastEntry()).toMatchObject({
    ...{ who: 'Ada Park', action: 'deadline.set', target: 'Fall' },
    details: expect.arrayContaining([
      { name: 'reason', value: 'Court order 7' },
      { name: 'defect', value: 'signature-missing, wrong-envelope' },
    ]),
  });
});

test('a deadline that is set again was set then, and the others when they were', async () => {
  const both = ['signature-missing', 'wrong-envelope'];
  await change(both.map((defect) => ({ defect, own: court })));
  const setAt = async () => {
    const shown = await read();
    return both.map((defect) => Date.parse(of(shown, defect)?.own?.set_at ?? ''));
  };
  const [missing = Number.NaN, wrong] = await setAt();
  await change([{ defect: 'signature-missing', own: { ...court, reason: 'Court order 8' } }]);
  const after = await setAt();
  expect(after[0]).toBeGreaterThan(missing);
  expect(after[1]).toBe(wrong);
});

test('taking it away lets the rule apply again, and the log keeps what was there', async () => {
  const given = await change([
    { defect: 'signature-missing', own: court },
    { defect: 'wrong-envelope', own: court },
    { defect: 'other', own: null },
  ]);
  expect(given.statusCode, given.body).toBe(200);
  const gone = await change([
    { defect: 'signature-missing', own: null },
    { defect: 'wrong-envelope', own: null },
    { defect: 'other', own: null },
  ]);
  expect(gone.statusCode, gone.body).toBe(200);
  expect((await read()).deadlines.filter(({ own }) => own)).toEqual([]);
  expect(await lastEntry()).toMatchObject({
    action: 'deadline.unset',
    details: expect.arrayContaining([
      { name: 'defect', value: 'signature-missing, wrong-envelope' },
      { name: 'from', value: expect.stringContaining('2026-11-24 17:00 (Court order 7)') },
    ]),
  });
});

test('a change of what somebody changed meanwhile is refused, the command’s change too', async () => {
  const { version } = await read();
  const by = ['--by', '11/20/2026 12:00', '--reason', 'Board decision'];
  await beacon.do('cure', 'set', '--account', 'adams', '--election', 'Fall', ...by);
  const own = [{ defect: 'other', own: court }];
  expect((await change(own, { version })).statusCode).toBe(409);
  expect(of(await read(), 'other')?.own).toMatchObject({ ends_on: '2026-11-20', who: 'tester' });
  expect((await change(own)).statusCode).toBe(200);
  expect(of(await read(), 'other')?.own).toMatchObject({ ...court, who: 'Ada Park' });
  await beacon.do('cure', 'unset', '--account', 'adams', '--election', 'Fall');
});

test('of many changes at once of the same deadlines one is made', async () => {
  await admin.signIn();
  const { version } = await read();
  const reasons = ['A', 'B', 'C', 'D', 'E'];
  const answers = await Promise.all(
    reasons.map((reason) =>
      admin.browser.patch(`/api/office/elections/${fall}/fix-deadlines`, {
        ...{ version, changes: [{ defect: 'other', own: { ...court, reason } }] },
      }),
    ),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409, 409, 409]);
});

test('days, hours and reasons that cannot be meant are refused at their field', async () => {
  const wrong = {
    ends_on: ['', '2026-02-30', '2025-11-24', '2026-10-19', '2026-12-19', '2027-11-24'],
    ends_at: ['', 'noon', '24:00', '7:00'],
    reason: ['', '   ', 'x'.repeat(501)],
  };
  for (const [field, values] of Object.entries(wrong))
    for (const value of values) {
      const answer = await change([{ defect: 'other', own: { ...court, [field]: value } }]);
      expect(answer.statusCode, `${field} "${value}"`).toBe(422);
      const { validation_messages: messages } = answer.json<{ validation_messages: object }>();
      const [name = ''] = Object.keys(messages);
      expect(name.split('/').at(-1)).toBe(field);
    }
  const early = await change([{ defect: 'other', own: { ...court, ends_on: '2026-10-19' } }]);
  expect(early.json().validation_messages).toEqual({
    ends_on: {
      unlikely:
        'Check this day: the time to fix an envelope of an election on 11/03/2026 cannot end on 10/19/2026.',
    },
  });
  const twice = { defect: 'other', own: null };
  for (const changes of [[], [twice, twice], [{ defect: 'ink', own: null }]])
    expect((await change(changes)).statusCode).toBe(422);
});

test.each([
  ['day', { ends_on: '2026-11-25' }],
  ['time', { ends_at: '16:00' }],
  ['reason', { reason: 'Court order 9' }],
])('a deadline whose %s alone was changed meanwhile was changed', async (_, other) => {
  const set = (own: object) => change([{ defect: 'other', own: { ...court, ...own } }]);
  await set({});
  const { version } = await read();
  await set(other);
  expect((await change([{ defect: 'other', own: null }], { version })).statusCode).toBe(409);
  expect(of(await read(), 'other')?.own).toMatchObject({ ...court, ...other });
});

test('another office’s election and a deleted election are not there, and an election that is over is not listed', async () => {
  const theirs = await addElection(lake, 'Fall');
  const own = [{ defect: 'other', own: court }];
  const { version } = await read();
  for (const id of [theirs, 999_999_999])
    expect((await change(own, { id, version })).statusCode).toBe(404);
  await addElection(adams, 'Over', false);
  const listed = await admin.browser.get('/api/office/fix-deadlines');
  const { elections } = listed.json<{ elections: ShownElection[] }>();
  expect(elections.map(({ election_id: id }) => id)).toEqual([fall]);
  // The next election comes first.
  const [spring, winter] = [await addElection(adams, 'A'), await addElection(adams, 'B')];
  await sql`update elections set election_date = case when election_id = ${spring} then '2026-10-06'::date
    else '2026-12-08'::date end where election_id in (${spring}, ${winter})`.execute(
    api.test.database.system,
  );
  const ordered = (await admin.browser.get('/api/office/fix-deadlines')).json<{
    elections: ShownElection[];
  }>();
  expect(ordered.elections.map(({ election_id: id }) => id)).toEqual([spring, fall, winter]);
  // Each has its own deadlines alone, which are set and taken away without another's.
  expect(ordered.elections.map(({ deadlines }) => deadlines.length)).toEqual([6, 6, 6]);
  const december = { defect: 'id-missing', own: { ...court, ends_on: '2026-12-01' } };
  for (const id of [fall, winter]) expect((await change([december], { id })).statusCode).toBe(200);
  await change([{ ...december, own: null }]);
  expect(of(await read(winter), 'id-missing')?.own).toMatchObject(december.own);
});
