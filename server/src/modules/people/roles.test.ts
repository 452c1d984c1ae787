import { type OfficeCall, officeCalls } from '@ballot-beacon/contract/office/calls';
import { mayDo, type Permission, type Role, roleNames } from '@ballot-beacon/contract/office/roles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import {
  type LocalProvider,
  signInByProvider,
  startLocalProvider,
  visitProvider,
} from '../../../../testing/identity-provider.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';

const adams = 'adams.localhost';
const lake = 'lake.localhost';
let api: TestApi;
let provider: LocalProvider;
const people = new Map<Role, TestPerson>();

beforeAll(async () => {
  provider = await startLocalProvider();
  const groups = roleNames.flatMap((role) =>
    ['adams', 'lake'].map((one) => ({ group: `${one}-${role}`, roles: [role], accounts: [one] })),
  );
  api = await createTestApi({ environment: { OFFICE_PROVIDERS: provider.settings({ groups }) } });
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  await addVoter(api.test, accountId);
  for (const role of roleNames)
    people.set(role, await addPerson(api, { accountId, host: adams }, `A ${role}`, [role]));
});
afterAll(async () => {
  await api.close();
  await provider.close();
});

const calls = Object.entries(officeCalls) as [string, OfficeCall][];
const guarded = calls.filter(([, { access }]) => access !== 'anyone');

/** What a call answers beside the good answer, when the person may make it: the body or the number means nothing. */
const understood = [200, 204, 400, 404, 409, 422];

function request(call: OfficeCall, host = adams) {
  const url = call.path.replaceAll(/:\w+/g, '999999999');
  const hasBody = call.method === 'POST' || call.method === 'PATCH';
  if (call.bodyBytes !== undefined) {
    const headers = { host, 'content-type': 'application/octet-stream' };
    return { method: call.method, url, headers, payload: Buffer.alloc(1) };
  }
  return { method: call.method, url, headers: { host }, ...(hasBody && { payload: {} }) };
}

describe('every role and every call of the console', () => {
  test.each(guarded)('%s answers those alone whose role allows it', async (name, call) => {
    for (const [role, { browser, signIn }] of people) {
      await signIn();
      const may = call.access === 'signed-in' || mayDo([role], call.access as 'counts');
      const own = await browser.request(request(call));
      if (may) expect(understood, `${name} as ${role}: ${own.body}`).toContain(own.statusCode);
      else expect(own.statusCode, `${name} as ${role}`).toBe(403);
      const other = await browser.request(request(call, lake));
      expect(other.statusCode, `${name} as ${role} at another office`).toBe(401);
    }
    const nobody = api.browser(adams);
    expect((await nobody.request(request(call))).statusCode, `${name} as nobody`).toBe(401);
    const nowhere = api.browser('localhost');
    expect((await nowhere.request(request(call, 'localhost'))).statusCode).toBe(404);
  });

  test('a state’s person with a role in each of two offices has in each that role alone', async () => {
    for (const [index, here] of roleNames.entries()) {
      const there = roleNames[(index + 1) % roleNames.length] ?? here;
      const id = `state-${here}`;
      const offices = [
        { host: adams, role: here },
        { host: lake, role: there },
      ];
      provider.people.set(id, { id, name: id, groups: [`adams-${here}`, `lake-${there}`] });
      const visitor = visitProvider(provider);
      for (const { host, role } of offices) {
        const browser = api.browser(host);
        expect((await signInByProvider(browser, visitor, id)).statusCode).toBe(201);
        for (const [name, call] of guarded) {
          if (name === 'getOfficeSession') continue;
          const may = call.access === 'signed-in' || mayDo([role], call.access as 'counts');
          const { statusCode, body } = await browser.request(request(call, host));
          const says = `${name} as ${role} at ${host}: ${body}`;
          if (may) expect(understood, says).toContain(statusCode);
          else expect(statusCode, says).toBe(403);
        }
      }
    }
  });

  test('a voter’s session opens none of them', async () => {
    const voter = api.browser(adams);
    expect((await voter.post('/api/voter/session', typed())).statusCode).toBe(201);
    const [value = ''] = voter.cookies.values();
    voter.cookies.set('beacon_office', value);
    for (const [name, call] of guarded)
      expect((await voter.request(request(call))).statusCode, name).toBe(401);
  });

  test('a person’s session opens no call of a voter', async () => {
    const { browser, signIn } = people.get('admin') as TestPerson;
    await signIn();
    const value = browser.cookies.get('beacon_office') ?? '';
    const stranger = api.browser(adams);
    stranger.cookies.set('beacon_office', value);
    stranger.cookies.set('beacon_session', value);
    expect((await stranger.get('/api/voter/information')).statusCode).toBe(403);
  });

  // Written out: with one word more in the table of roles, somebody sees or decides what is not theirs.
  const allowed: Readonly<Record<Role, readonly Permission[]>> = {
    viewer: ['counts'],
    clerk: ['counts', 'voters'],
    'confidential-clerk': ['counts', 'voters', 'confidential'],
    importer: ['counts', 'files', 'import', 'codes'],
    releaser: ['counts', 'files', 'release'],
    editor: ['counts', 'words'],
    admin: ['counts', 'people', 'settings', 'log'],
    'state-observer': ['counts'],
  };

  test('no call that changes something is open to who may only look', () => {
    const looking = ['anyone', 'signed-in', 'counts', 'files', 'log'];
    const changing = calls.filter(
      ([, { method, access }]) => method !== 'GET' && looking.includes(access),
    );
    expect(changing.map(([name]) => name)).toEqual([
      ...['startPasskeySignIn', 'createOfficeSession', 'startProviderSignIn'],
      ...['createProviderSession', 'deleteOfficeSession', 'createCommandSession'],
      ...['readInvitation', 'startInvitation', 'acceptInvitation'],
    ]);
  });

  test('each role’s session names its permissions, and no other', async () => {
    for (const [role, { browser, signIn }] of people) {
      await signIn();
      const { roles, permissions } = (await browser.get('/api/office/session')).json();
      expect({ roles, permissions }).toEqual({ roles: [role], permissions: allowed[role] });
    }
  });

  test('a call that changes people asks for a sign-in of the last five minutes', async () => {
    const { browser, signIn } = people.get('admin') as TestPerson;
    await signIn();
    const proven = guarded.filter(([, { needsProof }]) => needsProof);
    expect(proven.length).toBeGreaterThan(3);
    api.clock.advance(5 * 60_000);
    for (const [name, call] of proven) {
      if (!mayDo(['admin'], call.access as 'counts')) continue;
      const late = await browser.request(request(call));
      expect(late.json(), name).toMatchObject({ status: 403, 'error-code': 7001 });
    }
    const body = { name: 'Nell Fox', roles: ['clerk'] };
    expect((await browser.post('/api/office/people', body)).statusCode).toBe(403);
    await signIn();
    expect((await browser.post('/api/office/people', body)).statusCode).toBe(201);
  });
});
