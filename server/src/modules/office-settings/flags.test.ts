import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId } from '../../platform/ids.ts';
import { recordAudit } from '../audit/index.ts';
import { changeFlag, defineState } from '../flags/index.ts';

let api: TestApi;
let adams: AccountId;
let lake: AccountId;
let admin: TestPerson;
const key = 'tabbedBallots';
const rule = {
  ...defineState('off'),
  targeting: { if: [{ '==': [{ var: 'county' }, 'Test'] }, 'on', 'off'] },
};

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  lake = await addOffice(api.test, { subdomain: 'lake' });
  admin = await addPerson(api, { accountId: adams, host: 'adams.localhost' }, 'Ada Park', [
    'admin',
  ]);
});
afterAll(() => api.close());
beforeEach(async () => {
  await byOperator(adams, null);
  await byOperator(lake, null);
});

interface Flag {
  readonly key: string;
  readonly state: string;
  readonly last_change: { readonly audit_id: number } | null;
}

async function read(): Promise<Flag | undefined> {
  const { flags } = (await admin.browser.get('/api/office/flags')).json<{ flags: Flag[] }>();
  return flags.find((one) => one.key === key);
}

const set = (to: string) => admin.browser.patch(`/api/office/flags/${key}`, { to });
const undo = (id: number | undefined) =>
  admin.browser.post(`/api/office/flags/${key}/undo`, { audit_id: id });

/** As `beacon flag set` does it. */
function byOperator(accountId: AccountId, definition: object | null): Promise<void> {
  const by = { accountId, actor: 'operator:Dana' } as const;
  return api.test.database.transaction((tx) =>
    changeFlag(tx, by, key, definition as Record<string, unknown> | null),
  );
}

/** What a voter's page has. */
async function evaluate(host = 'adams.localhost'): Promise<boolean> {
  const asked = await api.browser(host).post(`/ofrep/v1/evaluate/flags/${key}`, {
    context: { county: 'Test' },
  });
  return asked.json<{ value: boolean }>().value;
}

test('a switch, which voters see at once, is set and set back only with a sign-in of the last five minutes', async () => {
  const before = api.clock.now();
  try {
    await admin.signIn();
    expect((await set('on')).statusCode).toBe(204);
    const id = (await read())?.last_change?.audit_id;
    api.clock.advance(5 * 60_000);
    for (const late of [await set('off'), await undo(id)])
      expect(late.json()).toMatchObject({ status: 403, 'error-code': 7001 });
    expect(await read()).toMatchObject({ state: 'on' });
    await admin.signIn();
    expect((await undo(id)).statusCode).toBe(204);
  } finally {
    api.clock.set(before.toISOString());
  }
});

test('two people who set a switch to the same at once change it once, and one undo takes it back', async () => {
  const host = 'adams.localhost';
  const colleague = await addPerson(api, { accountId: adams, host }, 'Bo Li', ['admin', 'editor']);
  expect((await set('on')).statusCode).toBe(204);
  const again = await colleague.browser.patch(`/api/office/flags/${key}`, { to: 'on' });
  expect(again.statusCode).toBe(204);
  const shown = await read();
  expect(shown).toMatchObject({ last_change: { who: 'Ada Park', from: 'default', to: 'on' } });
  expect((await undo(shown?.last_change?.audit_id)).statusCode).toBe(204);
  expect(await read()).toMatchObject({ state: 'default' });
  expect(await evaluate()).toBe(false);
});

test('a switch counts at once for this office alone, and the log says from what to what', async () => {
  expect(await evaluate()).toBe(false);
  expect((await set('on')).statusCode).toBe(204);
  expect([await evaluate(), await evaluate('lake.localhost')]).toEqual([true, false]);
  expect(await read()).toMatchObject({
    state: 'on',
    last_change: { who: 'Ada Park', from: 'default', to: 'on' },
  });
  const log = (await admin.browser.get('/api/office/log?area=office')).json<{
    entries: object[];
  }>();
  expect(log.entries[0]).toMatchObject({
    ...{ action: 'flag.set', target: key, details: [{ name: 'setting', value: 'default → on' }] },
  });
  expect((await set('default')).statusCode).toBe(204);
  expect([await evaluate(), (await read())?.state]).toEqual([false, 'default']);
});

test('the last change is undone, and so is the undoing; a rule of the command line comes back whole', async () => {
  await byOperator(adams, rule);
  expect(await read()).toMatchObject({ state: 'rule', last_change: { who: 'Dana', to: 'rule' } });
  expect(await evaluate()).toBe(true);
  await set('off');
  expect(await evaluate()).toBe(false);
  expect((await undo((await read())?.last_change?.audit_id)).statusCode).toBe(204);
  expect([await evaluate(), (await read())?.state]).toEqual([true, 'rule']);
  const { rows } = await sql<{ definition: object }>`
    select definition from flag_definitions where account_id = ${adams}`.execute(
    api.test.database.system,
  );
  expect(rows).toEqual([{ definition: rule }]);
  expect((await undo((await read())?.last_change?.audit_id)).statusCode).toBe(204);
  expect(await read()).toMatchObject({ state: 'off' });
});

test('a change after which another came is not undone', async () => {
  await set('on');
  const seen = (await read())?.last_change?.audit_id;
  await byOperator(adams, defineState('off'));
  expect((await undo(seen)).statusCode).toBe(409);
  expect(await read()).toMatchObject({ state: 'off' });
  expect((await undo(Number.MAX_SAFE_INTEGER)).statusCode).toBe(409);
});

test('a change by the command line stands under the name of its operator', async () => {
  const beacon = createBeacon(api.test.url, { clock: api.clock });
  await beacon.do('flag', 'set', key, 'on', '--account', 'adams');
  beacon.remove();
  expect(await read()).toMatchObject({ state: 'on', last_change: { who: 'tester', to: 'on' } });
});

test('of several who undo a change at once, one does', async () => {
  await set('on');
  const seen = (await read())?.last_change?.audit_id;
  const undone = await meetAtLock(
    api.test.database,
    (tx) => sql`select from accounts for update`.execute(tx),
    () => [undo(seen), undo(seen)],
  );
  expect(undone.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409]);
  expect(await read()).toMatchObject({ state: 'default' });
});

test('an entry of another office, and one from before states were recorded, is not undone', async () => {
  await set('on');
  await byOperator(lake, defineState('on'));
  const { rows } = await sql<{ audit_id: number }>`
    select max(audit_id) as audit_id from audit_log where account_id = ${lake}`.execute(
    api.test.database.system,
  );
  expect((await undo(Number(rows[0]?.audit_id))).statusCode).toBe(409);
  const details = { definition: defineState('off') };
  const actor = 'operator:Dana';
  await recordAudit(api.test.database.system, adams, {
    ...{ actor, action: 'flag.set', target: key, details },
  });
  expect(await read()).toMatchObject({ state: 'on', last_change: null });
});

test('only flags of the product, and only on, off and default, are taken', async () => {
  expect((await admin.browser.patch('/api/office/flags/nonsense', { to: 'on' })).statusCode).toBe(
    400,
  );
  expect((await set('rule')).statusCode).toBe(422);
  expect((await set('default')).statusCode).toBe(204);
});

test('of many who change a switch at once, each changes what the one before left', async () => {
  const before = await api.query('select max(audit_id) as id from audit_log');
  await Promise.all(
    Array.from({ length: 8 }, (_, n) => byOperator(adams, defineState(n % 2 ? 'on' : 'off'))),
  );
  const changes = await api.query<{ from: string; to: string }>(
    `select details -> 'setting' ->> 'from' as from, details -> 'setting' ->> 'to' as to from audit_log
     where account_id = $1 and action = 'flag.set' and audit_id > $2 order by audit_id`,
    [adams, (before[0] as { id: number }).id],
  );
  // Who found it as wanted changed nothing.
  expect(changes.length).toBeGreaterThan(1);
  expect(changes.filter(({ from, to }) => from === to)).toEqual([]);
  expect(await read()).toMatchObject({ state: changes.at(-1)?.to });
  expect(changes.map(({ from }) => from)).toEqual([
    'default',
    ...changes.slice(0, -1).map(({ to }) => to),
  ]);
});
