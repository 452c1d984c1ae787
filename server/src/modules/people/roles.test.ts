import { type OfficeCall, officeCalls } from '@ballot-beacon/contract/office/calls';
import { mayDo, permissionsOf, type Role, roleNames } from '@ballot-beacon/contract/office/roles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';

const adams = 'adams.localhost';
const lake = 'lake.localhost';
let api: TestApi;
const people = new Map<Role, TestPerson>();

beforeAll(async () => {
  api = await createTestApi();
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  await addVoter(api.test, accountId);
  for (const role of roleNames)
    people.set(role, await addPerson(api, { accountId, host: adams }, `A ${role}`, [role]));
});
afterAll(() => api.close());

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

  test('each role’s session names its permissions', async () => {
    for (const [role, { browser, signIn }] of people) {
      await signIn();
      const { roles, permissions } = (await browser.get('/api/office/session')).json();
      expect({ roles, permissions }).toEqual({ roles: [role], permissions: permissionsOf([role]) });
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
