import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addOffice,
  createTestApi,
  type TestApi,
  type TestBrowser,
} from '../../../../testing/api.ts';
import {
  type LocalProvider,
  signInByProvider,
  startLocalProvider,
  visitProvider,
} from '../../../../testing/identity-provider.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
const people = '/api/office/people';
let api: TestApi;
let provider: LocalProvider;
let adams: AccountId;
let ada: TestPerson;
let bob: TestPerson;

beforeEach(async () => {
  provider = await startLocalProvider();
  const groups = [
    { group: 'admins', roles: ['admin'] },
    { group: 'clerks', roles: ['clerk'] },
  ];
  api = await createTestApi({ environment: { OFFICE_PROVIDERS: provider.settings({ groups }) } });
  adams = await addOffice(api.test, { subdomain: 'adams' });
  [ada, bob] = [await addAdmin('Ada Wu'), await addAdmin('Bob Orr')];
});
afterEach(async () => {
  await api.close();
  await provider.close();
});

const addAdmin = (name: string) => addPerson(api, { accountId: adams, host }, name, ['admin']);

/** Invites somebody. @returns the status with which the link is answered now */
async function invite(browser: TestBrowser, path = people): Promise<() => Promise<number>> {
  const invited = await browser.post(path, { name: 'Friend', roles: ['admin'] });
  expect(invited.statusCode, invited.body).toBe(201);
  const token = invited.json<{ url: string }>().url.split('#')[1];
  return async () => (await api.browser(host).post('/api/office/invitation', { token })).statusCode;
}

test('what an administrator invited with is good for nothing once that person is removed', async () => {
  const [open, own] = [await invite(bob.browser), await invite(ada.browser)];
  const again = await invite(bob.browser, `${people}/${ada.personId}/invitation`);
  expect([await open(), await again(), await own()]).toEqual([200, 200, 200]);
  expect((await ada.browser.delete(`${people}/${bob.personId}`)).statusCode).toBe(204);
  expect([await open(), await again(), await own()]).toEqual([404, 404, 200]);
  const { invitations } = (await ada.browser.get(people)).json();
  expect(invitations).toHaveLength(1);
});

test('so it is once the person may invite nobody any more, and not before', async () => {
  const open = await invite(bob.browser);
  const change = async (...roles: string[]) =>
    (await ada.browser.patch(`${people}/${bob.personId}`, { roles })).statusCode;
  expect([await change('admin', 'clerk'), await open()]).toEqual([204, 200]);
  expect([await change('clerk'), await open()]).toEqual([204, 404]);
});

test('so it is once the directory names no group of administrators', async () => {
  const browser = api.browser(host);
  const signIn = async (...groups: string[]) => {
    provider.people.set('cy', { id: 'cy', name: 'Cy Lee', groups });
    return (await signInByProvider(browser, visitProvider(provider), 'cy')).statusCode;
  };
  expect(await signIn('admins')).toBe(201);
  const open = await invite(browser);
  expect([await signIn('admins', 'clerks'), await open()]).toEqual([201, 200]);
  expect([await signIn('clerks'), await open()]).toEqual([201, 404]);
});

test('an invitation at the moment of the removal does not outlast it', async () => {
  const [, removed] = await meetAtLock(
    api.test.database,
    // Where each comes last, before anything of it is committed.
    (tx) => sql`lock table audit_log in share mode`.execute(tx),
    () => [
      bob.browser.post(people, { name: 'Friend', roles: ['admin'] }),
      ada.browser.delete(`${people}/${bob.personId}`),
    ],
  );
  expect(removed?.statusCode).toBe(204);
  expect((await ada.browser.get(people)).json().invitations).toEqual([]);
});
