import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { createTestDatabase } from '../../../../testing/database.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { holdRoll } from '../../../../testing/roll.ts';
import { zip } from '../../../../testing/zip.ts';
import type { AccountId } from '../../platform/ids.ts';
import { tryBeginImport } from '../imports/index.ts';

const host = 'adams.localhost';
const reason = 'Checked with the county by phone.';
let api: TestApi;
let beacon: Beacon;
let accountId: AccountId;
let releaser: TestPerson;

// Each decides on files of the office, and counts its voters.
beforeEach(async () => {
  rollNumber = 0;
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  beacon = createBeacon(api.test.url, { clock: api.clock });
  releaser = await person('Rosa Kim', ['releaser']);
});
afterEach(async () => {
  await api.close();
  beacon.remove();
});

const person = (name: string, roles: Parameters<typeof addPerson>[3]) =>
  addPerson(api, { accountId, host }, name, roles);

let rollNumber = 0;

/** Each of its files is another than the one before. */
function holdFile(): Promise<number> {
  rollNumber += 1;
  const few = 10 + (rollNumber % 5);
  return holdRoll(api, beacon, 'adams', { few, lastname: `Fox${rollNumber}` });
}

const pathOf = (id: number, action = '') => `/api/office/files/${id}${action}`;
const stateOf = async (id: number) =>
  (await api.query<{ state: string }>('select state from imports where import_id = $1', [id]))[0]
    ?.state;
const activeVoters = async () =>
  (await api.query<{ count: number }>('select count(*) from voters where is_active'))[0]?.count;

async function decide(one: TestPerson, id: number, action: string, body: object = { reason }) {
  await one.signIn();
  return one.browser.post(pathOf(id, action), body);
}

describe('a file that waits', () => {
  test('shows why, with its example rows, and what it would change', async () => {
    const id = await holdFile();
    await releaser.signIn();
    const list = (await releaser.browser.get('/api/office/files')).json();
    expect(list.files[0]).toMatchObject({
      import_id: id,
      state: 'file-held',
      imported_by: 'tester',
    });
    const turned = (await releaser.browser.get('/api/office/files?order=oldest')).json();
    expect(turned.files).toEqual(list.files.toReversed());
    const newer = `?order=oldest&after=${turned.files[0].import_id}`;
    expect((await releaser.browser.get(`/api/office/files${newer}`)).json().files).toEqual(
      turned.files.slice(1),
    );
    const file = (await releaser.browser.get(pathOf(id))).json();
    expect(file).toMatchObject({ is_own: false, holds: 'voters', ended_because: null });
    expect(file.reasons[0].detail).toMatch(/missing from this file/);
    expect(file.counts).toContainEqual({ name: 'active', before: 40, after: 11 });
    await decide(releaser, id, '/return');
  });

  test('is returned with a written reason, and nothing of it is loaded', async () => {
    const id = await holdFile();
    const answer = await decide(releaser, id, '/return', { reason: 'A test file of the vendor.' });
    expect(answer.json()).toEqual({ state: 'discarded' });
    expect(await activeVoters()).toBe(40);
    const file = (await releaser.browser.get(pathOf(id))).json();
    expect(file.ended_because).toBe('Rosa Kim discarded it: A test file of the vendor.');
    expect(file.history.at(-1)).toMatchObject({
      who: 'Rosa Kim',
      what: 'import.discard',
      reason: 'A test file of the vendor.',
    });
  });

  test('says whether a file of its own office is being loaded', async () => {
    const id = await holdFile();
    await releaser.signIn();
    const isLoading = async () => (await releaser.browser.get(pathOf(id))).json().is_loading;
    const other = await addOffice(api.test, { subdomain: 'benton' });
    const whileLoading = (office: AccountId, { database } = api.test) =>
      database.transaction(async (tx) => {
        expect(await tryBeginImport(tx, office)).toBe(true);
        return isLoading();
      });
    expect(await whileLoading(accountId)).toBe(true);
    expect(await whileLoading(other)).toBe(false);
    // The server may have another installation's database, with an office of the same number.
    const elsewhere = await createTestDatabase();
    expect(await whileLoading(accountId, elsewhere)).toBe(false);
    await elsewhere.drop();
    expect(await isLoading()).toBe(false);
    await decide(releaser, id, '/return');
  });

  test('needs a reason', async () => {
    const id = await holdFile();
    for (const body of [{}, { reason: '' }, { reason: '  x ' }])
      expect((await decide(releaser, id, '/release', body)).statusCode).toBe(422);
    await decide(releaser, id, '/return');
  });

  test('of another office is not there', async () => {
    const id = await holdFile();
    const lake = await api.query<{ account_id: AccountId }>(
      `select account_id from accounts where subdomain = 'lake'`,
    );
    const office = { accountId: lake[0]?.account_id as AccountId, host: 'lake.localhost' };
    const stranger = await addPerson(api, office, 'Lou Lake', ['releaser']);
    expect((await stranger.browser.get(pathOf(id))).statusCode).toBe(404);
    for (const action of ['/release', '/return', '/correction'])
      expect((await decide(stranger, id, action)).statusCode, action).toBe(404);
    expect(await stateOf(id)).toBe('file-held');
    await decide(releaser, id, '/return');
  });

  test('is decided once, even when two decide at the same time', async () => {
    const id = await holdFile();
    const other = await person('Omar Diaz', ['releaser']);
    // Both have found it waiting when the first of them decides.
    const answers = await meetAtLock(
      api.test.database,
      async (tx) => expect(await tryBeginImport(tx, accountId)).toBe(true),
      () => [releaser, other].map((one) => decide(one, id, '/return')),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await decide(other, id, '/release')).statusCode).toBe(409);
  });
});

test('a decision that fails on our side changes nothing, says so, and is on record', async () => {
  const id = await holdFile();
  await api.query(`create function fail() returns trigger language plpgsql as $$
    begin raise exception 'a bug'; end $$;
    create trigger fail before update on imports for each row execute function fail()`);
  try {
    const answer = await decide(releaser, id, '/return');
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      'It failed on our side, and nothing was changed. Try again, or ask your operator.',
    ]);
  } finally {
    await api.query('drop function fail() cascade');
  }
  expect(await stateOf(id)).toBe('file-held');
  const { history } = (await releaser.browser.get(pathOf(id))).json();
  expect(history.at(-1)).toMatchObject({
    ...{ who: 'Rosa Kim', what: 'import.fail', reason: expect.stringContaining('on our side') },
  });
  await decide(releaser, id, '/return');
});

describe('nobody decides on an import of their own', () => {
  test.each(['Tester', ' TESTER ', 'tester.', 'ｔｅｓｔｅｒ'])(
    'as %j, whom the command line knows as tester',
    async (name) => {
      const id = await holdFile();
      const own = await person(name, ['releaser', 'importer']);
      await own.signIn();
      expect((await own.browser.get(pathOf(id))).json()).toMatchObject({ is_own: true });
      for (const action of ['/release', '/return'])
        expect((await decide(own, id, action)).statusCode, action).toBe(403);
      expect(await stateOf(id)).toBe('file-held');
      await decide(releaser, id, '/return');
    },
  );

  test('as the person who imported it, under another name since', async () => {
    const id = await holdFile();
    const own = await person('Before Name', ['releaser']);
    await api.query(
      `update imports set operator = (select 'person:' || issuer || '|' || subject from people
        where person_id = $2) where import_id = $1`,
      [id, own.personId],
    );
    await api.query(`update people set name = 'After Name' where person_id = $1`, [own.personId]);
    const shown = await own.browser.get(pathOf(id));
    expect(shown.json()).toMatchObject({ imported_by: 'After Name', is_own: true });
    expect((await decide(own, id, '/release')).statusCode).toBe(403);
    await decide(releaser, id, '/return');
  });

  test('nor as a correction of it', async () => {
    await holdFile();
    const [loaded] = await api.query<{ import_id: number }>(
      `select import_id from imports where state = 'done' order by import_id desc limit 1`,
    );
    const own = await person('Tester', ['releaser']);
    expect((await decide(own, loaded?.import_id ?? 0, '/correction')).statusCode).toBe(403);
  });
});

test('the history of files goes on page by page until its last file, and no further', async () => {
  const notes = await addOffice(api.test, { subdomain: 'notes' });
  const at = { accountId: notes, host: 'notes.localhost' };
  const { browser } = await addPerson(api, at, 'Rosa Kim', ['releaser']);
  const add = (count: number) =>
    api.query(
      `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
         rows_read, rows_refused, report)
       select $1, 'x', 'x.csv', '', 'done', 'system', now(), now(), 1, 0, '{}' from generate_series(1, $2::integer)`,
      [notes, count],
    );
  const page = async (query = '') => (await browser.get(`/api/office/files${query}`)).json();
  await add(50);
  const full = await page();
  expect([full.files.length, full.next]).toEqual([50, null]);
  await add(1);
  const { files, next } = await page();
  expect(next).toBe(files.at(-1).import_id);
  const last = await page(`?before=${next}`);
  expect(last).toEqual({ files: [full.files.at(-1)], next: null });
});

test('what the Postal Service pushed is not among the files', async () => {
  const id = await holdFile();
  for (const state of ['nothing-new', 'done', 'refused'])
    await api.query(
      `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
         rows_read, rows_refused, report)
       select account_id, 'usps-iv-mtr', 'push', '', $1, 'system', now(), now(), 1, 0, report
       from imports where import_id = $2`,
      [state, id],
    );
  await releaser.signIn();
  const { files } = (await releaser.browser.get('/api/office/files')).json();
  expect(files[0]).toMatchObject({ file_name: 'push', state: 'refused' });
  expect(files[1]).toMatchObject({ import_id: id });
});

test('an approved file is loaded, with issuer and subject of who approved it on record, and can be corrected', async () => {
  const own = await createTestApi({ environment: { BEACON_DATA: beacon.folder } });
  const ownBeacon = createBeacon(own.test.url, { clock: own.clock });
  const id = await addOffice(own.test, { subdomain: 'adams' });
  const rosa = await addPerson(own, { accountId: id, host }, 'Rosa Kim', ['releaser']);
  await holdRoll(own, ownBeacon, 'adams');
  const [waiting] = await own.query<{ import_id: number; sha: string }>(
    `select import_id, encode(file_sha256, 'hex') as sha from imports where state = 'file-held'`,
  );
  // The console serves from its own folder, as on another machine.
  const missing = await rosa.browser.post(pathOf(waiting?.import_id ?? 0, '/release'), { reason });
  expect(missing.json().detail).toContain('The copy of this file is not on the machine');
  cpSync(join(ownBeacon.folder, 'rejects'), join(beacon.folder, 'rejects'), { recursive: true });
  const answer = await rosa.browser.post(pathOf(waiting?.import_id ?? 0, '/release'), { reason });
  expect(answer.json()).toEqual({ state: 'released' });
  const active = () => own.query<{ count: number }>('select count(*) from voters where is_active');
  expect(await active()).toEqual([{ count: 10 }]);
  const file = (await rosa.browser.get(pathOf(waiting?.import_id ?? 0))).json();
  expect(file.history.map(({ who, what }: Record<string, string>) => `${who} ${what}`)).toEqual([
    'tester file.import',
    'Rosa Kim import.approve',
    'Rosa Kim import.fail',
    'Rosa Kim import.approve',
    'Rosa Kim import.release',
  ]);
  expect(file.history[1].reason).toBe(reason);
  const actors = await own.query<{ actor: string }>(
    `select actor from audit_log where action = 'import.release'`,
  );
  expect(actors[0]?.actor).toMatch(/^person:passkey\|[\w-]{43}$/);
  const corrected = await rosa.browser.post(pathOf(waiting?.import_id ?? 0, '/correction'), {
    reason: 'The county sent the wrong file.',
  });
  expect(corrected.json()).toEqual({ state: 'corrected' });
  expect(await active()).toEqual([{ count: 40 }]);
  await own.close();
  ownBeacon.remove();
});

test('an approved file is read as it was imported: as of its day and its election, and of a packed file its county’s part', async () => {
  const own = await createTestApi({ environment: { BEACON_DATA: beacon.folder } });
  own.clock.set('2026-11-21T15:00:00Z');
  const ownBeacon = createBeacon(own.test.url, { clock: own.clock });
  const id = await addOffice(own.test, { subdomain: 'adams', county: 'Adams' });
  const rosa = await addPerson(own, { accountId: id, host }, 'Rosa Kim', ['releaser']);
  for (const number of ['100', '200'])
    await ownBeacon.do(
      ...['election', 'set', '--account', 'adams', '--number', number, '--name', `No. ${number}`],
      ...['--date', '12/8/2026', '--active', 'true'],
    );
  // Every envelope comes back after today, so the file waits.
  const write = (ids: readonly number[]) =>
    `registration_id,status,returned_on\n${ids.map((one) => `V${one},returned,12/01/2026\n`).join('')}`;
  for (const one of [1, 2, 3, 4, 5, 6, 7, 8])
    await addVoter(own.test, id, { registration_id: `V${one}` });
  const packed = zip({ 'Adams.csv': write([1, 2, 3, 4, 5]), 'Benton.csv': write([6, 7, 8]) });
  const imported = await ownBeacon.run(
    ...['import', ownBeacon.write('ballots-2026-11-20.zip', packed), '--account', 'adams'],
    ...['--format', 'beacon-ballots', '--election', '200'],
  );
  expect(imported.code, imported.stderr).toBe(3);
  cpSync(join(ownBeacon.folder, 'rejects'), join(beacon.folder, 'rejects'), { recursive: true });
  const [waiting] = await own.query<{ import_id: number }>(
    `select import_id from imports where state = 'file-held'`,
  );
  const answer = await rosa.browser.post(pathOf(waiting?.import_id ?? 0, '/release'), { reason });
  expect(answer.json()).toEqual({ state: 'released' });
  const loaded = await own.query(`
    select e.number, string_agg(v.registration_id, ' ' order by v.registration_id) as voters
    from ballots b join elections e using (election_id) join voters v using (voter_id) group by 1`);
  expect(loaded).toEqual([{ number: '200', voters: 'V1 V2 V3 V4 V5' }]);
  expect(
    await own.query(`select report->>'fileDay' as day from imports where state = 'released'`),
  ).toEqual([{ day: '2026-11-20' }]);
  await own.close();
  ownBeacon.remove();
});

test('a file whose messages wait can be corrected instead, and they never leave', async () => {
  await decide(releaser, await holdFile(), '/return');
  const [{ import_id: id = 0 } = {}] = await api.query<{ import_id: number }>(
    `select import_id from imports where state = 'done' order by import_id desc limit 1`,
  );
  await api.query(`update imports set state = 'messages-held' where import_id = $1`, [id]);
  await api.query(
    `insert into messages (account_id, kind, channel, address, language, cause, deliver_after, created_at, import_id, state, error_code)
      values ($1, 'change', 'sms', '+13525550000', 'english', 'correct', $2, $2, $3, 'held', 'gate')`,
    [accountId, api.clock.now(), id],
  );
  expect((await decide(releaser, id, '/return')).body).toContain('Somebody decided on this file');
  expect((await decide(releaser, id, '/correction')).json()).toEqual({ state: 'corrected' });
  expect(await api.query('select state from messages where import_id = $1', [id])).toEqual([
    { state: 'withdrawn' },
  ]);
  expect((await decide(releaser, id, '/correction')).statusCode).toBe(409);
});

test('messages that wait say when the last of them would leave, and after their approval when it does', async () => {
  const id = await holdFile();
  await api.query(`update imports set state = 'messages-held' where import_id = $1`, [id]);
  await api.query(
    `insert into messages (account_id, kind, channel, address, language, cause, deliver_after, created_at, import_id, state, error_code)
      select $1, 'change', 'sms', '+1352' || n, 'arabic', 'wait:' || n, $2, $2, $3, 'held', 'gate'
      from generate_series(5550000, 5567999) n`,
    [accountId, api.clock.now(), id],
  );
  const readFinish = async () => {
    const { finish } = (await releaser.browser.get(pathOf(id))).json();
    return (Date.parse(finish.latest_at) - api.clock.now().getTime()) / 60_000;
  };
  await releaser.signIn();
  const minutes = await readFinish();
  // 18,000 texts of two parts at 100 parts a second.
  expect(minutes).toBeCloseTo(6, 0);
  expect((await decide(releaser, id, '/release')).json()).toEqual({ state: 'released' });
  expect(await readFinish()).toBeCloseTo(minutes, 1);
  await api.query('delete from messages where import_id = $1', [id]);
  const { finish } = (await releaser.browser.get(pathOf(id))).json();
  expect(finish).toBeNull();
});

test('a file shows how many of its messages have left, those on their way included, and how many have not', async () => {
  const id = await holdFile();
  const states = ['created', 'held', 'sending', 'sent', 'delivered', 'outcome-unknown'];
  await api.query(
    `insert into messages (account_id, kind, channel, address, language, cause, deliver_after, created_at, claimed_at, import_id, state)
      select $1, 'change', 'sms', '+1352555000' || n, 'english', 'shown:' || n, $2, $2,
        case state when 'sending' then $2::timestamptz end, $3, state::message_state
      from unnest($4::text[]) with ordinality _ (state, n)`,
    [accountId, api.clock.now(), id, [...states, 'expired', 'withdrawn', 'failed-permanent']],
  );
  // Another file's are not among them.
  await api.query(
    `insert into messages (account_id, kind, channel, address, language, cause, deliver_after, import_id, state)
      select account_id, kind, channel, address, language, 'other ' || cause, deliver_after, $2, state
      from messages where import_id = $1 and state in ('held', 'sent')`,
    [id, await holdFile()],
  );
  await releaser.signIn();
  const { messages } = (await releaser.browser.get(pathOf(id))).json();
  await api.query('delete from messages where import_id >= $1', [id]);
  expect(messages).toEqual({ unsent: 2, sent: 4 });
});
