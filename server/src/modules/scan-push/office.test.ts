import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { createBeacon } from '../../../../testing/beacon.ts';
import { meetAtLock } from '../../../../testing/meet-at-lock.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';
import { lockAccount } from '../accounts/index.ts';
import { pushPath } from './index.ts';

interface Push {
  readonly url: string;
  readonly user: string;
  readonly made_at: string | null;
}

let api: TestApi;
let accountId: AccountId;
let admin: TestPerson;
const host = 'adams.localhost';
const address = '/api/office/scan-push';

beforeAll(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  await addOffice(api.test, { subdomain: 'lake' });
  admin = await addPerson(api, { accountId, host }, 'Ada Park', ['admin']);
});
afterAll(() => api.close());

const read = async () => (await admin.browser.get(address)).json<Push>();
const make = (madeAt: string | null) =>
  admin.browser.post(`${address}/password`, { made_at: madeAt });

async function push(password: string, to = host): Promise<number> {
  const authorization = `Basic ${Buffer.from(`usps:${password}`).toString('base64')}`;
  const headers = { host: to, authorization, 'content-type': 'application/json' };
  const payload = JSON.stringify({ msgGrpId: '1', recCnt: 0, events: [] });
  return (await api.app.inject({ method: 'POST', url: pushPath, headers, payload })).statusCode;
}

test('an administrator makes the password, which USPS pushes with at this office alone, and the log says who', async () => {
  expect(await read()).toEqual({
    ...{ url: expect.stringMatching(/\/\/adams\..*\/api\/usps\/iv-mtr$/), user: 'usps' },
    made_at: null,
  });
  const made = await make(null);
  expect(made.statusCode, made.body).toBe(201);
  expect(made.headers['cache-control']).toContain('no-store');
  const { password, made_at: madeAt } = made.json<Push & { password: string }>();
  expect(password).toMatch(/^[\w-]{43}$/);
  expect(await read()).toMatchObject({ made_at: madeAt });
  expect(JSON.stringify(await read())).not.toContain(password);
  expect(await push(password)).toBe(200);
  expect(await push(password, 'lake.localhost')).toBe(401);
  const log = await admin.browser.get('/api/office/log?area=office');
  const [entry] = log.json<{ entries: object[] }>().entries;
  expect(entry).toMatchObject({ who: 'Ada Park', action: 'scan-push.draw', target: 'adams' });
  expect(api.logLines.join('') + log.body).not.toContain(password);
});

test('a new password ends the one before, and names it', async () => {
  const { made_at: first } = await read();
  api.clock.advance(1000);
  const one = (await make(first)).json<{ password: string; made_at: string }>();
  api.clock.advance(1000);
  expect((await make(first)).statusCode).toBe(409);
  expect(await push(one.password)).toBe(200);
  const two = (await make(one.made_at)).json<{ password: string; made_at: string }>();
  expect([await push(one.password), await push(two.password)]).toEqual([401, 200]);
  // The command's counts, too.
  const beacon = createBeacon(api.test.url);
  await beacon.do('scan-push', '--account', 'adams', '--json');
  beacon.remove();
  expect((await make(two.made_at)).statusCode).toBe(409);
});

test('of two people who make one at the same moment, one does, whose password works', async () => {
  const { made_at: madeAt } = await read();
  const made = await meetAtLock(
    api.test.database,
    (tx) => lockAccount(tx, accountId),
    () => [make(madeAt), make(madeAt)],
  );
  expect(made.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
  const { password } = made.find(({ statusCode }) => statusCode === 201)?.json() ?? {};
  expect(await push(password)).toBe(200);
});

test.each(['yesterday', '', 5, undefined])('refuses a password made at %j', async (madeAt) => {
  const answer = await admin.browser.post(`${address}/password`, { made_at: madeAt });
  expect(answer.statusCode).toBe(422);
});
