import type { Appearance } from '@ballot-beacon/contract/office/appearance';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { changeFlag, defineState } from '../flags/index.ts';

const host = 'adams.localhost';
const office = '/api/office/appearance';
let api: TestApi;
let adams: AccountId;
let editor: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  editor = await addPerson(api, { accountId: adams, host }, 'Edda Moss', ['editor']);
});
afterEach(() => api.close());
beforeEach(() => editor.signIn());

const read = async () => (await editor.browser.get(office)).json<Appearance>();
const changeColor = (from: string, to: string) =>
  editor.browser.patch(`${office}/color`, { from, to });
const setOutage = (to: string) => editor.browser.patch(`${office}/outage`, { to });
const undoOutage = (id: number | undefined) =>
  editor.browser.post(`${office}/outage/undo`, { audit_id: id });

/** What a voter's page has, here or at the other office. */
async function visit(at = host) {
  const { body } = await api.browser(at).get('/api/voter/branding');
  const asked = await api.browser(at).post('/ofrep/v1/evaluate/flags/voterOutage', { context: {} });
  const { _embedded } = JSON.parse(body);
  return { color: _embedded.branding[0].accent_color.light, outage: asked.json().value };
}

test('an editor changes the color of this office alone, each change on record with who made it', async () => {
  const { color: before } = await read();
  const elsewhere = await visit('lake.localhost');
  expect((await changeColor(before.now, '#7a1f5c')).statusCode).toBe(204);
  expect((await visit()).color).toBe('#7a1f5c');
  expect(await visit('lake.localhost')).toEqual(elsewhere);
  // Back again is a change like another.
  expect((await changeColor('#7a1f5c', before.now)).statusCode).toBe(204);
  expect((await read()).color).toMatchObject({
    now: before.now,
    changes: [
      { who: 'Edda Moss', from: '#7a1f5c', to: before.now },
      { who: 'Edda Moss', from: before.now, to: '#7a1f5c' },
    ],
  });
});

test('a color that somebody changed meanwhile, or that is none, is not changed', async () => {
  const { now } = (await read()).color;
  expect((await changeColor('#000000', '#7a1f5c')).statusCode).toBe(409);
  for (const no of ['#7a1f5', '#7a1f5cc', 'red', '#7a1f5g'])
    expect((await changeColor(now, no)).statusCode, no).toBe(422);
  expect((await read()).color.now).toBe(now);
});

test('of two editors who change the color at once, one does', async () => {
  const { now } = (await read()).color;
  const answers = await meetAtLock(
    api.test.database,
    (tx) => lockAccount(tx, adams),
    () => ['#7a1f5c', '#14466b'].map((to) => changeColor(now, to)),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
});

test('of many changes the newest twenty are shown, and none is made elsewhere', async () => {
  const { color, outage } = await read();
  expect(outage.is_elsewhere).toBe(false);
  let now = color.now;
  for (let count = 10; count < 32; count += 1) {
    expect((await changeColor(now, `#7a1f${count}`)).statusCode).toBe(204);
    now = `#7a1f${count}`;
  }
  const { changes } = (await read()).color;
  expect(changes).toHaveLength(20);
  expect(changes.at(0)?.to).toBe('#7a1f31');
  expect(changes.at(-1)?.to).toBe('#7a1f12');
  await changeColor(now, color.now);
});

test('the outage notice is shown and undone, also after a command, and not over a later change', async () => {
  expect((await setOutage('on')).statusCode).toBe(204);
  expect((await visit()).outage).toBe(true);
  expect((await visit('lake.localhost')).outage).toBe(false);
  const [mine] = (await read()).outage.changes;
  expect(mine).toMatchObject({ who: 'Edda Moss', from: 'default', to: 'on' });
  const dana = { accountId: adams, actor: 'operator:Dana' } as const;
  await api.test.database.transaction((tx) =>
    changeFlag(tx, dana, 'voterOutage', defineState('off')),
  );
  expect((await undoOutage(mine?.audit_id)).statusCode).toBe(409);
  const { state, changes } = (await read()).outage;
  expect([state, changes[0]?.who]).toEqual(['off', 'Dana']);
  expect((await undoOutage(changes[0]?.audit_id)).statusCode).toBe(204);
  expect((await visit()).outage).toBe(true);
  expect((await setOutage('default')).statusCode).toBe(204);
});

test('another switch is not among the changes of the notice', async () => {
  const before = (await read()).outage.changes;
  const dana = { accountId: adams, actor: 'operator:Dana' } as const;
  await api.test.database.transaction((tx) =>
    changeFlag(tx, dana, 'tabbedBallots', defineState('on')),
  );
  expect((await read()).outage.changes).toEqual(before);
});

test('an office whose switches are turned elsewhere is said to be one, beside the notice and the switches', async () => {
  const admin = await addPerson(api, { accountId: adams, host }, 'Ada Park', ['admin']);
  const areElsewhere = async () => [
    (await read()).outage.is_elsewhere,
    (await admin.browser.get('/api/office/flags')).json().is_elsewhere,
  ];
  expect(await areElsewhere()).toEqual([false, false]);
  await api.query(
    `update accounts set settings = settings || '{"launchdarkly_client_id": "0123456789abcdef01234567"}'
     where account_id = $1`,
    [adams],
  );
  expect(await areElsewhere()).toEqual([true, true]);
});

test('each change asks for a sign-in of the last five minutes', async () => {
  const { now } = (await read()).color;
  api.clock.advance(5 * 60_000);
  for (const answer of [
    await changeColor(now, '#7a1f5c'),
    await setOutage('on'),
    await undoOutage(1),
  ])
    expect(answer.json()).toMatchObject({ status: 403, 'error-code': 7001 });
});
