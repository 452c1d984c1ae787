import { calls } from '@ballot-beacon/contract/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  type TestBrowser,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let lake: AccountId;
let unbranded: TestApi;

beforeAll(async () => {
  api = await createTestApi({ environment: { DEFAULT_ACCOUNT: 'adams' } });
  unbranded = await createTestApi();
  for (const one of [api, unbranded]) {
    adams = await addOffice(one.test, { subdomain: 'adams', name: 'Adams Elections' });
    lake = await addOffice(one.test, { subdomain: 'lake', name: 'Lake Elections' });
    const ann = await addVoter(one.test, adams, { registration_id: 'A1' });
    await addBallot(one.test, adams, ann, { events: [{ status: 'sent', on: '2026-11-02' }] });
    const bob = await addVoter(one.test, lake, { firstname: 'Bob', registration_id: 'B1' });
    await addBallot(one.test, lake, bob, { events: [{ status: 'accepted', on: '2026-11-03' }] });
  }
});
afterAll(async () => {
  await api.close();
  await unbranded.close();
});

const brandingOf = async (browser: TestBrowser) =>
  (await browser.get('/api/voter/branding')).json<{
    _embedded: { branding: Record<string, unknown>[] };
  }>()._embedded.branding[0];

describe('each host is one office', () => {
  test.each([
    ['adams.localhost:8080', 'Adams Elections'],
    ['LAKE.localhost', 'Lake Elections'],
    ['localhost:8080', 'Adams Elections'],
    ['127.0.0.1:8080', 'Adams Elections'],
  ])('%s shows %s', async (host, name) => {
    expect(await brandingOf(api.browser(host))).toMatchObject({ name, has_subdomain: true });
  });

  test('an unknown subdomain redirects elsewhere, and nobody can sign in there', async () => {
    const browser = api.browser('nowhere.localhost');
    expect(await brandingOf(browser)).toMatchObject({ account_id: -1, has_subdomain: true });
    expect((await browser.post('/api/voter/session', typed())).statusCode).toBe(401);
  });

  test.each(['evil.test', 'localhost.evil.test', 'adams.localhost.evil.test'])(
    'a host that is not ours (%s) is served nothing',
    async (host) => {
      const answer = await api.app.inject({ url: '/api/voter/branding', headers: { host } });
      expect(answer.json()).toMatchObject({ title: 'Misdirected Request', status: 421 });
      expect(answer.statusCode).toBe(421);
      expect(answer.body).not.toContain('Adams');
    },
  );

  test('forwarded hosts are not believed', async () => {
    const browser = api.browser('lake.localhost', { 'x-forwarded-host': 'adams.localhost' });
    expect(await brandingOf(browser)).toMatchObject({ name: 'Lake Elections' });
  });

  test('a change of an office’s content shows at the next request', async () => {
    const river = await addOffice(api.test, { subdomain: 'river', name: 'River Elections' });
    const browser = api.browser('river.localhost');
    expect(await brandingOf(browser)).toMatchObject({ name: 'River Elections' });
    await api.query(`update accounts set name = 'River Votes' where account_id = $1`, [river]);
    expect(await brandingOf(browser)).toMatchObject({ name: 'River Votes' });
  });

  test.each([
    [
      'account_images',
      `kind, content_type, bytes, sha256) values ($1, 'logo', 'image/png', '', '')`,
    ],
    ['account_languages', `language, position) values ($1, 'hawaiian', 9)`],
    ['flag_definitions', `flag_key, definition) values ($1, 'a', '{}')`],
    ['no_ballot_messages', `language, title, description) values ($1, 'english', 'a', 'b')`],
    ['office_pages', `page, language, html) values ($1, 'faq', 'english', 'a')`],
    ['release_notes', `html, published_at) values ($1, 'a', now())`],
    [
      'translation_overrides',
      `language, section, key, value) values ($1, 'english', 'a', 'b', 'c')`,
    ],
  ])('content of %s is new when it comes, changes and goes', async (table, row) => {
    const office = [await addOffice(api.test, { subdomain: table.replaceAll('_', '-') })];
    const versions = new Set<unknown>();
    for (const statement of [
      null,
      `insert into ${table} (account_id, ${row}`,
      `update ${table} set account_id = account_id where account_id = $1`,
      `delete from ${table} where account_id = $1`,
    ]) {
      if (statement !== null) await api.query(statement, office);
      const [now] = await api.query<{ content_version: string }>(
        'select content_version from accounts where account_id = $1',
        office,
      );
      versions.add(now?.content_version);
    }
    expect(versions.size).toBe(4);
  });

  test('a host shows its new office as soon as another office gives up the subdomain', async () => {
    const old = await addOffice(api.test, { subdomain: 'hill', name: 'Old Hill' });
    const [hill, moved] = [api.browser('hill.localhost'), api.browser('old-hill.localhost')];
    expect(await brandingOf(hill)).toMatchObject({ name: 'Old Hill' });
    const move = `update accounts set subdomain = 'old-hill' where account_id = $1`;
    await api.query(move, [old]);
    expect(await brandingOf(hill)).toMatchObject({ account_id: -1, has_subdomain: true });
    expect(await brandingOf(moved)).toMatchObject({ name: 'Old Hill' });
    await addOffice(api.test, { subdomain: 'hill', name: 'New Hill' });
    expect(await brandingOf(hill)).toMatchObject({ name: 'New Hill' });
    expect(await brandingOf(moved)).toMatchObject({ name: 'Old Hill' });
  });
});

describe('an office’s rows belong to it alone', () => {
  test('a voter of one office cannot sign in at another’s host', async () => {
    const answer = await api.browser('lake.localhost').post('/api/voter/session', typed());
    expect(answer.json()).toMatchObject({ detail: 'Invalid credentials' });
  });

  test('a session of one office opens no call at another’s host', async () => {
    const browser = api.browser('adams.localhost');
    await browser.post('/api/voter/session', typed());
    const foreign = api.browser('lake.localhost');
    for (const [name, value] of browser.cookies) foreign.cookies.set(name, value);
    let checked = 0;
    for (const [name, call] of Object.entries(calls)) {
      if (call.access !== 'voter') continue;
      checked += 1;
      const answer = await foreign.request({
        method: call.method,
        url: call.path,
        ...(call.method === 'PATCH' && { payload: { email: 'x@example.org' } }),
      });
      expect(answer.statusCode, name).toBe(403);
      expect(answer.body, name).not.toContain('Rivera');
    }
    expect(checked).toBeGreaterThan(4);
    await foreign.delete('/api/voter/session');
    expect((await browser.get('/api/voter/information/me')).statusCode).toBe(200);
  });

  test('a query without its WHERE finds nothing of another office', async () => {
    const tables = await api.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c
       join information_schema.tables t using (table_schema, table_name)
       where c.table_schema = 'public' and c.column_name = 'account_id' and t.table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(12);
    for (const { name } of tables) {
      for (const office of [adams, undefined]) {
        const seen = await api
          .queryAs<{ account_id: number }>(office, `select account_id from "${name}"`)
          .catch((error: { code?: string }) => {
            expect(error.code, name).toBe('42501'); // not even allowed to look
            return [];
          });
        for (const row of seen) expect(row.account_id, name).toBe(office);
      }
    }
  });

  test('no row can be written into another office', async () => {
    const insert = api.queryAs(
      adams,
      `insert into contact_preferences (account_id, voter_id) select ${lake}, voter_id from voters`,
    );
    await expect(insert).rejects.toMatchObject({ code: '42501' });
  });
});

describe('the bare host without an office of its own', () => {
  test('is unbranded, finds a voter of any office, and from then on shows that office', async () => {
    const browser = unbranded.browser('localhost');
    expect(await brandingOf(browser)).toMatchObject({ account_id: -1, has_subdomain: false });
    const answer = await browser.post('/api/voter/session', typed({ firstname: 'Bob' }));
    expect(answer.statusCode).toBe(201);
    expect(await brandingOf(browser)).toMatchObject({
      name: 'Lake Elections',
      is_voter_authenticated: true,
    });
    const { ballots } = (await browser.get('/api/voter/ballot-status-progress/me')).json<{
      ballots: { status_summary: { current_status: { status: string } } }[];
    }>();
    expect(ballots.map((ballot) => ballot.status_summary.current_status.status)).toEqual([
      'accepted',
    ]);
    await browser.delete('/api/voter/session');
    expect(await brandingOf(browser)).toMatchObject({ account_id: -1 });
  });

  test.each(['is_active = false', 'is_confidential = true'])(
    'finds no voter who is %s, and says what it says of a person unknown',
    async (change) => {
      const lastname = change.startsWith('is_active') ? 'Inactive' : 'Protected';
      const voter = await addVoter(unbranded.test, lake, { lastname });
      const signIn = () =>
        unbranded.browser('localhost').post('/api/voter/session', typed({ lastname }));
      expect((await signIn()).statusCode).toBe(201);
      await unbranded.query(`update voters set ${change} where voter_id = $1`, [voter]);
      const unknown = typed({ lastname: 'Nobody' });
      const answer = await unbranded.browser('localhost').post('/api/voter/session', unknown);
      const refused = await signIn();
      expect([refused.statusCode, refused.json()]).toEqual([401, answer.json()]);
    },
  );

  test.each([
    { firstname: 'Bert' },
    { lastname: 'Other' },
    { birthdate: '02-04-1970' },
    { zipcode: '34812' },
  ])('finds nobody by what fits but for %j', async (wrong) => {
    const signIn = (more: object) =>
      unbranded
        .browser('localhost')
        .post('/api/voter/session', typed({ firstname: 'Bob', ...more }));
    expect((await signIn(wrong)).statusCode).toBe(401);
    expect((await signIn({})).statusCode).toBe(201);
  });

  test('asks two voters of two offices for the voter ID', async () => {
    for (const [office, registration_id] of [
      [adams, 'X1'],
      [lake, 'X2'],
    ] as const) {
      await addVoter(unbranded.test, office, { lastname: 'Both', registration_id });
    }
    const browser = unbranded.browser('localhost');
    const both = typed({ lastname: 'Both' });
    expect((await browser.post('/api/voter/session', both)).json()).toMatchObject({
      'error-code': 8889,
    });
    await browser.post('/api/voter/session', { ...both, provided_voter_id: 'X1' });
    expect(await brandingOf(browser)).toMatchObject({ name: 'Adams Elections' });
  });
});
