import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createTestPasskey } from '../../../../testing/authenticator.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import {
  type LocalProvider,
  signInByProvider,
  startLocalProvider,
  visitProvider,
} from '../../../../testing/identity-provider.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
const people = '/api/office/people';
let api: TestApi;
let provider: LocalProvider;
let admin: TestPerson;
let adams: AccountId;

interface Listed {
  readonly people: {
    readonly name: string;
    readonly person_id: number;
    readonly roles: string[];
  }[];
  readonly removed: { readonly name: string; readonly person_id: number }[];
}

beforeEach(async () => {
  provider = await startLocalProvider();
  const groups = [{ group: 'clerks', roles: ['clerk'] }];
  api = await createTestApi({ environment: { OFFICE_PROVIDERS: provider.settings({ groups }) } });
  adams = await addOffice(api.test, { subdomain: 'adams' });
  admin = await addPerson(api, { accountId: adams, host }, 'Ada Wu', ['admin']);
});
afterEach(async () => {
  await api.close();
  await provider.close();
});

const list = async () => (await admin.browser.get(people)).json<Listed>();
const readmit = async (id: number) =>
  (await admin.browser.post(`${people}/${id}/readmission`, {})).statusCode;
const remove = async (id: number) => (await admin.browser.delete(`${people}/${id}`)).statusCode;

test('a person of the directory who was removed by mistake is let in again by an administrator, with the roles of the groups', async () => {
  provider.people.set('carl', { id: 'carl', name: 'Carl Reed', groups: ['clerks'] });
  const visitor = visitProvider(provider);
  const browser = api.browser(host);
  expect((await signInByProvider(browser, visitor, 'carl')).statusCode).toBe(201);
  const id = (await list()).people.find(({ name }) => name === 'Carl Reed')?.person_id ?? 0;
  expect(await readmit(id)).toBe(404);
  expect(await remove(id)).toBe(204);
  expect((await list()).removed).toEqual([
    expect.objectContaining({ name: 'Carl Reed', person_id: id, method: 'provider' }),
  ]);
  expect((await signInByProvider(browser, visitor, 'carl')).statusCode).toBe(403);

  expect(await readmit(id)).toBe(204);
  expect(await list()).toMatchObject({ removed: [] });
  expect((await signInByProvider(browser, visitor, 'carl')).statusCode).toBe(201);
  expect((await browser.get('/api/office/session')).json()).toMatchObject({ roles: ['clerk'] });
  const beacon = createBeacon(api.test.url, { clock: api.clock });
  const role = ['--account', 'adams', '--role', 'admin'];
  expect(await beacon.run('person', 'roles', String(id), ...role)).toMatchObject({
    ...{ code: 1, stdout: '', stderr: expect.stringContaining('come from groups') },
  });
  beacon.remove();
  expect((await browser.get('/api/office/session')).json()).toMatchObject({ roles: ['clerk'] });
  const log = await admin.browser.get('/api/office/log?area=people');
  expect(log.json<{ entries: object[] }>().entries).toContainEqual(
    expect.objectContaining({ action: 'person.readmit', who: 'Ada Wu', target: String(id) }),
  );
});

test('a person with a passkey is the same person again, with a new role and a new passkey alone', async () => {
  const nell = await addPerson(api, { accountId: adams, host }, 'Nell Fox', ['releaser']);
  expect(await remove(nell.personId)).toBe(204);
  expect(await readmit(nell.personId)).toBe(204);
  const challenge = await nell.browser.post('/api/office/passkey-challenge', {});
  const old = { passkey: nell.passkey.signIn(challenge.json()) };
  expect((await nell.browser.post('/api/office/session', old)).statusCode).toBe(401);
  const listed = (await list()).people.find(({ name }) => name === 'Nell Fox');
  expect(listed).toMatchObject({ person_id: nell.personId, roles: [], passkeys: 0 });

  await admin.browser.patch(`${people}/${nell.personId}`, { roles: ['clerk'] });
  await admin.browser.post(people, { name: 'Otto Ray', roles: ['viewer'] });
  await admin.browser.post(`${people}/${nell.personId}/invitation`, {});
  // A new link ends the one before, and nobody else's.
  const invited = await admin.browser.post(`${people}/${nell.personId}/invitation`, {});
  const { invitations } = (await admin.browser.get(people)).json();
  expect(invitations.map(({ name }: { name: string }) => name).sort()).toEqual([
    ...['Nell Fox', 'Otto Ray'],
  ]);
  const token = invited.json<{ url: string }>().url.split('#')[1] ?? '';
  const browser = api.browser(host);
  const options = await browser.post('/api/office/invitation/passkey-challenge', { token });
  // To the person's device it replaces the passkey before, instead of one more to choose from.
  const [{ subject } = { subject: '' }] = await api.query<{ subject: string }>(
    'select subject from people where person_id = $1',
    [nell.personId],
  );
  expect(options.json()).toMatchObject({ user: { id: subject, name: 'Nell Fox' } });
  const passkey = createTestPasskey(`http://${host}`).register(options.json());
  const accepted = await browser.post('/api/office/invitation/acceptance', { token, passkey });
  expect(accepted.json()).toMatchObject({ person_id: nell.personId, roles: ['clerk'] });
});

test('nobody of another office, nobody unknown, and only after a sign-in of the last five minutes', async () => {
  const nell = await addPerson(api, { accountId: adams, host }, 'Nell Gray', ['clerk']);
  await remove(nell.personId);
  const lake = await addOffice(api.test, { subdomain: 'lake' });
  const place = { accountId: lake, host: 'lake.localhost' };
  const other = await addPerson(api, place, 'Bo Li', ['admin']);
  const theirs = await other.browser.post(`${people}/${nell.personId}/readmission`, {});
  expect(theirs.statusCode).toBe(404);
  expect(await readmit(999_999_999)).toBe(404);
  api.clock.advance(5 * 60_000);
  const late = await admin.browser.post(`${people}/${nell.personId}/readmission`, {});
  expect(late.json()).toMatchObject({ status: 403, 'error-code': 7001 });
});

test('of two administrators either can be removed, and who was removed last comes first', async () => {
  const already = (await list()).removed;
  for (const [name, role] of [
    ['Bo Li', 'viewer'],
    ['aaron Fox', 'admin'],
  ] as const) {
    await addPerson(api, { accountId: adams, host }, name, [role]);
    await admin.signIn();
    const listed = (await list()).people;
    const id = listed.find((one) => one.name === name)?.person_id ?? 0;
    // By name, whatever the case of its letters.
    if (role === 'admin') expect(listed[0]).toMatchObject({ person_id: id });
    expect(await remove(id), name).toBe(204);
    api.clock.advance(1000);
  }
  const { removed } = await list();
  const names = removed.slice(0, removed.length - already.length).map(({ name }) => name);
  expect(names).toEqual(['aaron Fox', 'Bo Li']);
});
