import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type Actor, recordAudit } from '../audit/index.ts';

let api: TestApi;
let admin: TestPerson;
let adams: AccountId;

interface Entry {
  readonly who: string;
  readonly action: string;
  readonly target: string;
  readonly details: { readonly name: string; readonly value: string }[];
}

const record = (accountId: AccountId, actor: Actor, action: string, details = {}) =>
  recordAudit(api.test.database.system, accountId, { actor, action, target: '7', details });

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  admin = await addPerson(api, { accountId: adams, host: 'adams.localhost' }, 'Ada Park', [
    'admin',
  ]);
  await record(adams, 'system', 'person.change-roles-by-groups');
  await record(adams, 'person:https://login.example|carl-7', 'person.change-roles');
  await record(adams, 'operator:Dana', 'file.import', { rows: 3, changed: ['name', 'phone'] });
  await record(adams, 'operator:=cmd()', 'import.release', { reason: '=HYPERLINK("x")' });
  await record(adams, 'voter:12', 'preferences.update');
  await record(adams, 'visitor:5f', 'session.refuse');
  await record(adams, 'network:5f', 'security.throttled');
  await record(lake, 'operator:Lou', 'file.import');
});
afterEach(() => api.close());

async function list(query = ''): Promise<{ entries: Entry[]; next: number | null }> {
  const answer = await admin.browser.get(`/api/office/log${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const actionsOf = ({ entries }: { entries: Entry[] }) => entries.map(({ action }) => action);

test('lists who did what in this office by name, newest first, without what voters did and without other offices', async () => {
  const { entries } = await list();
  expect(entries.slice(0, 3)).toEqual([
    expect.objectContaining({ who: 'network:5f', action: 'security.throttled' }),
    expect.objectContaining({ who: '=cmd()', action: 'import.release' }),
    expect.objectContaining({
      who: 'Dana',
      action: 'file.import',
      target: '7',
      details: [
        { name: 'rows', value: '3' },
        { name: 'changed', value: 'name, phone' },
      ],
    }),
  ]);
  // Of somebody who has no name here there is only what the provider says.
  const names = entries.map(({ who }) => who);
  expect(names).toEqual(expect.arrayContaining(['Ada Park', 'Ballot Beacon', 'carl-7']));
  const own = entries.filter(({ who }) => /^(voter|visitor):|^Lou$/.test(who));
  expect(own).toEqual([]);
  // Somebody of another provider by the same subject is another person, and keeps the name here after leaving.
  await api.query(
    `insert into people (account_id, issuer, subject, name, removed_at)
      values ($1, 'https://other.example', 'carl-7', 'Carla Ruiz', now())`,
    [adams],
  );
  await record(adams, 'person:https://other.example|carl-7', 'person.change-roles');
  const people = (await list('?area=people')).entries.map(({ who }) => who);
  expect(people).toEqual(expect.arrayContaining(['Carla Ruiz', 'carl-7']));
});

test('is filtered by what it is about, by person, and by days of the office’s time zone', async () => {
  expect(actionsOf(await list('?area=security'))).toEqual(['security.throttled']);
  expect(actionsOf(await list('?area=files'))).toEqual(['import.release', 'file.import']);
  expect(actionsOf(await list('?actor=operator:Dana'))).toEqual(['file.import']);
  expect(actionsOf(await list('?actor=voter:12'))).toEqual([]);

  const db = api.test.database.system;
  const { rows } = await sql<{ today: string; tomorrow: string }>`
    select (at at time zone 'America/New_York')::date::text as today,
      ((at at time zone 'America/New_York')::date + 1)::text as tomorrow
    from audit_log where actor = 'operator:Dana'`.execute(db);
  const { today = '', tomorrow = '' } = rows[0] ?? {};
  expect(actionsOf(await list(`?area=files&from=${today}&to=${today}`))).toHaveLength(2);
  expect(actionsOf(await list(`?area=files&from=${tomorrow}`))).toEqual([]);
  for (const wrong of [
    'from=yesterday',
    'to=0000-01-01',
    'actor=%00',
    'actor=',
    'before=0',
    'after=0',
    'order=best',
  ])
    expect((await admin.browser.get(`/api/office/log?${wrong}`)).statusCode, wrong).toBe(400);
});

test('a day is that of the office’s time zone, and what was not there before is said', async () => {
  // Half past eleven in the evening at the office, and another day by UTC.
  await sql`insert into audit_log (account_id, at, actor, action, target, details)
    values (${adams}, '2026-01-13T04:30:00Z', 'operator:Late', 'account.apply', 'adams',
      ${JSON.stringify({ url: { from: null, to: 'https://new.example' }, quiet_hours: null })})`.execute(
    api.test.database.system,
  );
  const on = (day: string) => list(`?actor=operator:Late&from=${day}&to=${day}`);
  expect(actionsOf(await on('2026-01-13'))).toEqual([]);
  expect((await on('2026-01-12')).entries.map(({ details }) => details)).toEqual([
    [
      { name: 'url', value: '– → https://new.example' },
      { name: 'quiet_hours', value: '–' },
    ],
  ]);
  // It begins with its first instant.
  await sql`insert into audit_log (account_id, at, actor, action, target)
    values (${adams}, '2026-02-10T05:00:00Z', 'operator:Late', 'account.apply', 'adams')`.execute(
    api.test.database.system,
  );
  expect(actionsOf(await on('2026-02-09'))).toEqual([]);
  expect(actionsOf(await on('2026-02-10'))).toEqual(['account.apply']);
});

test('pages by key, each entry once', async () => {
  for (let n = 0; n < 150; n += 1) await record(adams, 'operator:Many', 'flag.set', { n });
  const first = await list('?actor=operator:Many');
  const second = await list(`?actor=operator:Many&before=${first.next}`);
  expect([first.entries.length, second.entries.length, second.next]).toEqual([100, 50, null]);
  const numbers = [...first.entries, ...second.entries].map(({ details }) => details[0]?.value);
  expect(new Set(numbers).size).toBe(150);
  const oldest = await list('?actor=operator:Many&order=oldest');
  const next = await list(`?actor=operator:Many&order=oldest&after=${oldest.next}`);
  expect([...oldest.entries, ...next.entries]).toEqual(
    [...first.entries, ...second.entries].toReversed(),
  );
  expect(next.next).toBeNull();
});

test('ends with a full page where nothing comes after it', async () => {
  for (let n = 0; n < 100; n += 1) await record(adams, 'operator:Full', 'flag.set', { n });
  const { entries, next } = await list('?actor=operator:Full');
  expect([entries.length, next]).toEqual([100, null]);
  await record(adams, 'operator:Full', 'flag.set', { n: 100 });
  expect((await list('?actor=operator:Full')).next).not.toBeNull();
});

test('is downloaded with the same filter, and no cell runs as a formula', async () => {
  const answer = await admin.browser.get('/api/office/log.csv?area=files');
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  // The mark by which Excel reads it as UTF-8, so that names and arrows stay what they are.
  expect([...answer.rawPayload.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [header, ...lines] = answer.body.trim().split('\r\n');
  expect(header).toBe('at,who,actor,action,target,details');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain(`'=cmd()`);
  expect(lines[0]).not.toMatch(/,"?=/);
});

/** Of Dana's entries in the file, the moments alone. */
const readMoments = async (query: string) =>
  (await admin.browser.get(`/api/office/log.csv?${query}`)).body
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[0]);

test('is downloaded with the office’s time, also in the hour that its clocks have twice', async () => {
  await sql`
    insert into audit_log (account_id, actor, action, target, at)
    select ${adams}::int, 'operator:Dana', 'flag.set', '7', at::timestamptz
    from unnest(array['2026-07-02T03:30:05Z', '2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z']) at`.execute(
    api.test.database.system,
  );
  expect(await readMoments('area=office')).toEqual([
    ...['2026-11-01 01:30:00 EST', '2026-11-01 01:30:00 EDT', '2026-07-01 23:30:05 EDT'],
  ]);
  // As the days by which the list is filtered.
  expect(await readMoments('area=office&from=2026-07-01&to=2026-07-01')).toHaveLength(1);
});

test('says at its end when it is cut: one more entry than it has room for', async () => {
  const add = (count: number) =>
    sql`insert into audit_log (account_id, actor, action, target)
      select ${adams}::int, 'operator:Dana', 'flag.set', n::text from generate_series(1, ${count}) n`.execute(
      api.test.database.system,
    );
  const readLines = async () =>
    (await admin.browser.get('/api/office/log.csv?area=office')).body.trim().split('\r\n').slice(1);
  await add(50_000);
  const all = await readLines();
  expect([all.length, all.at(-1)]).toEqual([50_000, expect.stringMatching(/,flag\.set,1,$/)]);
  await add(1);
  const cut = await readLines();
  expect(cut).toHaveLength(50_001);
  expect(cut.at(-1)).toBe(
    ',,,,,The file ends here: it has the newest 50000 entries. Choose days to get the others.',
  );
});
