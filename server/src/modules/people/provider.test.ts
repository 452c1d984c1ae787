import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addOffice,
  createTestApi,
  type TestApi,
  type TestBrowser,
} from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import {
  type LocalProvider,
  signInByProvider,
  startLocalProvider,
  visitProvider,
} from '../../../../testing/identity-provider.ts';
import { addPerson as addPasskeyPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

const minute = 60_000;
const adams = 'adams.localhost';
const lake = 'lake.localhost';
const session = '/api/office/session';
const invitation = { name: 'Nell Fox', roles: ['clerk'] };
let provider: LocalProvider;
let api: TestApi;
let accountId: AccountId;

beforeAll(async () => {
  provider = await startLocalProvider();
  api = await createTestApi({
    environment: {
      OFFICE_PROVIDERS: provider.settings({
        groups: [
          { group: 'viewers', roles: ['viewer'] },
          { group: 'clerks', roles: ['clerk'] },
          { group: 'admins', roles: ['admin'], accounts: ['adams'] },
          { group: 'admins', roles: ['viewer'], accounts: ['lake'] },
        ],
      }),
    },
  });
  accountId = await addOffice(api.test, { subdomain: 'adams', name: 'Adams Elections' });
  await addOffice(api.test, { subdomain: 'lake' });
});
afterAll(async () => {
  await api.close();
  await provider.close();
});

let person = 0;
/** A person of these groups, whom nobody knows yet. */
function addPerson(...groups: string[]): string {
  person += 1;
  const id = `p${person}`;
  provider.people.set(id, { id, name: `Person ${person}`, groups });
  return id;
}
const regroup = (id: string, ...groups: string[]) =>
  provider.people.set(id, { id, name: `Person of ${id}`, groups });

const rolesOf = async (browser: TestBrowser) =>
  (await browser.get(session)).json<{ roles: string[] }>().roles;

let browser: TestBrowser;
beforeEach(() => {
  provider.backdate = 0;
  browser = api.browser(adams);
});

describe('signing in by the identity provider', () => {
  test('opens the console to the roles of the person’s groups, as a person of the issuer', async () => {
    const id = addPerson('clerks', 'somewhere-else', 'viewers');
    // Whom another issuer calls the same is another person; a slash at its end is part of an issuer.
    for (const other of ['https://other.example', `${provider.issuer}/`])
      await api.query(
        `insert into people (account_id, issuer, subject, name) values ($1, $2, $3, 'Other Issuer')`,
        [accountId, other, id],
      );
    expect((await browser.get('/api/office/options')).json()).toEqual({
      office: 'Adams Elections',
      provider: 'Local provider',
    });
    const answer = await signInByProvider(browser, visitProvider(provider), id);
    expect(answer.json()).toMatchObject({ roles: ['clerk', 'viewer'], method: 'provider' });
    expect((await browser.get(session)).statusCode).toBe(200);
    const [row] = await api.query(
      'select issuer, subject, name from people order by person_id desc',
    );
    expect(row).toEqual({ issuer: provider.issuer, subject: id, name: `Person ${person}` });
    const actors = await api.query<{ action: string; actor: string }>(
      'select action, actor from audit_log order by audit_id desc limit 2',
    );
    expect(actors.reverse()).toEqual([
      { action: 'person.join-by-groups', actor: 'system' },
      { action: 'office-session.create', actor: `person:${provider.issuer}|${id}` },
    ]);
  });

  test('is the only way of its people: an invitation would give them a passkey beside it', async () => {
    const admin = await addPasskeyPerson(api, { accountId, host: adams }, 'Ada Park', ['admin']);
    await signInByProvider(browser, visitProvider(provider), addPerson('clerks'));
    const { person_id: id } = (await browser.get(session)).json<{ person_id: number }>();
    const invited = await admin.browser.post(`/api/office/people/${id}/invitation`, {});
    const detail = 'This person signs in with the identity provider. Help is there.';
    expect([invited.statusCode, invited.json().detail]).toEqual([409, detail]);
  });

  test('asks the provider for groups that its token does not have, and keeps the name that it has', async () => {
    const id = addPerson('clerks');
    provider.people.set(id, { id, name: 'Nora Token', groups: ['clerks'], isAskedForGroups: true });
    const answer = await signInByProvider(browser, visitProvider(provider), id);
    expect(answer.json()).toMatchObject({ name: 'Nora Token', roles: ['clerk'] });
  });

  test('asks the provider nothing where its token has name and groups: not every provider answers', async () => {
    const id = addPerson();
    provider.people.set(id, { id, name: 'Ted Token', groups: ['clerks'], isTokenAll: true });
    const answer = await signInByProvider(browser, visitProvider(provider), id);
    expect(answer.json()).toMatchObject({ name: 'Ted Token', roles: ['clerk'] });
  });

  test('maps groups anew each time: a group that is gone takes its role along, everywhere', async () => {
    await signInByProvider(api.browser(adams), visitProvider(provider), addPerson('viewers'));
    const id = addPerson('clerks', 'viewers');
    const visitor = visitProvider(provider);
    await signInByProvider(browser, visitor, id);
    regroup(id, 'viewers');
    // Until the next sign-in nobody has said so.
    expect(await rolesOf(browser)).toEqual(['clerk', 'viewer']);
    const other = api.browser(adams);
    await signInByProvider(other, visitor, id);
    expect(await rolesOf(other)).toEqual(['viewer']);
    expect((await browser.get(session)).statusCode).toBe(401);
    // One group for another, under the name that the provider says now.
    regroup(id, 'clerks');
    await signInByProvider(other, visitor, id);
    const now = (await other.get(session)).json();
    expect([now.name, now.roles]).toEqual([`Person of ${id}`, ['clerk']]);
    const named = await api.query('select from people where name = $1', [`Person of ${id}`]);
    expect(named).toHaveLength(1);
  });

  test('refuses whom no group admits, and ends what was open', async () => {
    const stranger = await signInByProvider(
      browser,
      visitProvider(provider),
      addPerson('visitors'),
    );
    expect(stranger.json()).toMatchObject({ status: 403 });
    expect(stranger.json().detail).toContain('names no group of yours');
    const id = addPerson('clerks');
    const visitor = visitProvider(provider);
    await signInByProvider(browser, visitor, id);
    regroup(id);
    const again = api.browser(adams);
    expect((await signInByProvider(again, visitor, id)).statusCode).toBe(403);
    expect((await browser.get(session)).statusCode).toBe(401);
    expect((await again.get(session)).statusCode).toBe(401);
  });

  test('is one identity with roles of its own in each of several offices', async () => {
    const id = addPerson('admins');
    const visitor = visitProvider(provider);
    await signInByProvider(browser, visitor, id);
    const elsewhere = api.browser(lake);
    const there = await signInByProvider(elsewhere, visitor, id);
    expect(await rolesOf(browser)).toEqual(['admin']);
    expect(there.json()).toMatchObject({ roles: ['viewer'] });
    expect((await elsewhere.get('/api/office/people')).statusCode).toBe(403);
  });

  test('keeps out whom an administrator removed, until an operator lets the person in again', async () => {
    const id = addPerson('clerks');
    const visitor = visitProvider(provider);
    const { person_id: personId } = (await signInByProvider(browser, visitor, id)).json();
    const admin = api.browser(adams);
    await signInByProvider(admin, visitProvider(provider), addPerson('admins'));
    expect((await admin.delete(`/api/office/people/${personId}`)).statusCode).toBe(204);
    expect((await browser.get(session)).statusCode).toBe(401);
    const refused = await signInByProvider(browser, visitor, id);
    expect(refused.json().detail).toContain('You were removed from this office.');
    const change = await admin.patch(`/api/office/people/${personId}`, { roles: ['clerk'] });
    expect(change.statusCode).toBe(404);
    const beacon = createBeacon(api.test.url, { clock: api.clock });
    await beacon.do('person', 'readmit', String(personId), '--account', 'adams');
    beacon.remove();
    expect((await signInByProvider(browser, visitor, id)).statusCode).toBe(201);
    expect(await rolesOf(browser)).toEqual(['clerk']);
  });

  test('leaves roles to the provider’s groups', async () => {
    const admin = api.browser(adams);
    await signInByProvider(admin, visitProvider(provider), addPerson('admins'));
    const answer = await signInByProvider(browser, visitProvider(provider), addPerson('viewers'));
    const path = `/api/office/people/${answer.json().person_id}`;
    const change = await admin.patch(path, { roles: ['admin'] });
    expect(change.json()).toMatchObject({ status: 409 });
    expect(await rolesOf(browser)).toEqual(['viewer']);
  });

  test('takes each answer of the provider once, from the browser and office that asked, within ten minutes', async () => {
    const id = addPerson('clerks');
    const visitor = visitProvider(provider);
    const begin = async (from: TestBrowser) => {
      const start = await from.post('/api/office/provider-sign-in', { again: false });
      return (await visitor.signIn(start.json<{ url: string }>().url, id)).search;
    };
    const finish = async (at: TestBrowser, answer: string) =>
      (await at.post('/api/office/provider-session', { answer })).statusCode;

    const answer = await begin(browser);
    expect(await finish(api.browser(adams), answer), 'another browser').toBe(400);
    const moved = api.browser(lake);
    for (const [name, value] of browser.cookies) moved.cookies.set(name, value);
    expect(await finish(moved, answer), 'another office').toBe(400);
    expect(await finish(browser, answer)).toBe(201);
    expect(await finish(browser, answer), 'again').toBe(400);

    const forged = await begin(browser);
    expect(await finish(browser, forged.replace(/state=[^&]+/, 'state=mine'))).toBe(401);
    const stolen = await begin(browser);
    await begin(browser);
    expect(await finish(browser, stolen), 'of an earlier attempt').toBe(401);
    expect(await finish(browser, '?error=access_denied')).toBe(400);

    const late = await begin(browser);
    api.clock.advance(10 * minute);
    expect(await finish(browser, late), 'too late').toBe(400);
  });

  test('says so when the provider refuses or does not answer', async () => {
    const visitor = visitProvider(provider);
    const refused = await signInByProvider(browser, visitor, 'nobody');
    expect(refused.json().detail).toBe(
      'Local provider did not let you in. Try again, or ask the people who manage it.',
    );
    const gone = await startLocalProvider();
    await gone.close();
    const own = await createTestApi({ environment: { OFFICE_PROVIDERS: gone.settings() } });
    await addOffice(own.test, { subdomain: 'adams' });
    const answer = await own.browser(adams).post('/api/office/provider-sign-in', { again: false });
    expect(answer.json()).toMatchObject({ status: 503 });
    expect(answer.json().detail).toContain('Local provider does not answer.');
    expect((await own.browser(adams).get('/api/office/options')).statusCode).toBe(200);
    // Nobody waits for more than the provider's return.
    const back = await startLocalProvider(gone.port);
    const retried = await own.browser(adams).post('/api/office/provider-sign-in', { again: false });
    expect(retried.statusCode, retried.body).toBe(200);
    await back.close();
    await own.close();
  });
});

describe('a fresh proof', () => {
  test('is a sign-in at the provider within five minutes, and none that the provider took from memory', async () => {
    const id = addPerson('admins');
    const visitor = visitProvider(provider);
    // The person signed in at the provider six minutes ago, for something else.
    provider.backdate = 6 * 60;
    await signInByProvider(browser, visitor, id);
    const late = await browser.post('/api/office/people', invitation);
    expect(late.json()).toMatchObject({ status: 403, 'error-code': 7001 });
    // It asks, and says that the person signed in six minutes ago all the same.
    const refused = await signInByProvider(browser, visitor, id, { again: true });
    expect(refused.json().detail).toContain('did not ask you to sign in again');
    expect((await browser.post('/api/office/people', invitation)).statusCode).toBe(403);
    provider.backdate = 0;
    const proven = await signInByProvider(browser, visitor, id, { again: true });
    expect(proven.statusCode, proven.body).toBe(201);
    expect((await browser.post('/api/office/people', invitation)).statusCode).toBe(201);
    api.clock.advance(5 * minute);
    expect((await browser.post('/api/office/people', invitation)).statusCode).toBe(403);
  });

  test('replaces the browser’s session, so that one is open at a time', async () => {
    const id = addPerson('viewers');
    const visitor = visitProvider(provider);
    await signInByProvider(browser, visitor, id);
    const earlier = browser.cookies.get('beacon_office') ?? '';
    await signInByProvider(browser, visitor, id, { again: true });
    const thief = api.browser(adams);
    thief.cookies.set('beacon_office', earlier);
    expect((await thief.get(session)).statusCode).toBe(401);
  });
});

test('an address that makes up answers of the provider has to wait', async () => {
  const remoteAddress = '203.0.113.9';
  const post = (url: string, payload: object) =>
    browser.request({ method: 'POST', url, payload, remoteAddress });
  const attempt = async () => {
    await post('/api/office/provider-sign-in', { again: false });
    const answer = '?code=made-up&state=made-up';
    return (await post('/api/office/provider-session', { answer })).statusCode;
  };
  for (let n = 0; n < 20; n += 1) expect(await attempt()).toBe(401);
  expect(await attempt()).toBe(429);
});

test('signing out ends the session, and says where the provider’s own ends', async () => {
  await signInByProvider(browser, visitProvider(provider), addPerson('viewers'));
  const answer = await browser.delete(session);
  expect(answer.json().provider_sign_out).toMatch(
    new RegExp(`^${provider.issuer}/session/end\\?.*post_logout_redirect_uri=`),
  );
  expect((await browser.get(session)).statusCode).toBe(401);
  // Of somebody with a passkey, the provider knows nothing.
  const byPasskey = await addPasskeyPerson(api, { accountId, host: adams }, 'Pat Lee', ['viewer']);
  await byPasskey.signIn();
  const { provider_sign_out: none } = (await byPasskey.browser.delete(session)).json();
  expect(none).toBeNull();
});

test('a person of a provider that the office had before, who can no longer sign in, is no administrator beside the last', async () => {
  const hill = {
    accountId: await addOffice(api.test, { subdomain: 'hill' }),
    host: 'hill.localhost',
  };
  const pat = await addPasskeyPerson(api, hill, 'Pat Hill', ['admin']);
  const addAdmin = async (issuer: string) => {
    const [row] = await api.query<{ id: number }>(
      `insert into people (account_id, issuer, subject, name) values ($1, $2, 'ada', 'Ada Hill') returning person_id as id`,
      [hill.accountId, issuer],
    );
    await api.query(
      `insert into person_roles (account_id, person_id, role) values ($1, $2, 'admin')`,
      [...[hill.accountId, row?.id]],
    );
    return row?.id;
  };
  const earlier = await addAdmin('https://earlier.example');
  const beacon = createBeacon(api.test.url, {
    environment: { OFFICE_PROVIDERS: provider.settings() },
  });
  const remove = (id: unknown) => beacon.run('person', 'remove', String(id), '--account', 'hill');
  const demote = () =>
    pat.browser.patch(`/api/office/people/${pat.personId}`, { roles: ['viewer'] });
  expect((await demote()).statusCode).toBe(409);
  expect((await pat.browser.delete(`/api/office/people/${pat.personId}`)).statusCode).toBe(409);
  expect((await remove(pat.personId)).stderr).toContain('the last administrator');
  expect((await remove(earlier)).code).toBe(0);
  await addAdmin(provider.issuer);
  expect((await demote()).statusCode).toBe(204);
  beacon.remove();
});

test('the cookie of a sign-in goes to no script, no other site and no other host', async () => {
  const secure = await createTestApi({
    environment: {
      OFFICE_PROVIDERS: provider.settings(),
      PUBLIC_URL: 'https://vote.example.gov',
      BASE_DOMAIN: 'vote.example.gov',
    },
  });
  await addOffice(secure.test, { subdomain: 'adams' });
  const start = await secure
    .browser('adams.vote.example.gov')
    .post('/api/office/provider-sign-in', { again: true });
  expect(String(start.headers['set-cookie'])).toMatch(
    /^__Host-beacon_office_sign_in=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
  const { searchParams } = new URL(start.json<{ url: string }>().url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    redirect_uri: 'https://adams.vote.example.gov/office/signed-in',
    response_type: 'code',
    code_challenge_method: 'S256',
    max_age: '0',
    prompt: 'login',
  });
  await secure.close();
});
