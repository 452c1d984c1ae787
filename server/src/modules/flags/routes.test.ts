import { anonymousTargetingKey, defaultFlags } from '@ballot-beacon/contract/flags';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';
import { defineConstant, saveFlagDefinition } from './index.ts';

const host = 'adams.localhost';
let api: TestApi;
let adams: AccountId;

beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
});
afterAll(() => api.close());

describe('flags', () => {
  const evaluate = (path: string, payload: object, headers: Record<string, string> = {}) =>
    api.browser(host, headers).post(`/ofrep/v1/evaluate/flags${path}`, payload);
  const context = { targetingKey: 'voter:FL:Test', state: 'FL', county: 'Test' };

  test('are the defaults until the office sets one, and then at once', async () => {
    const read = async () =>
      (await evaluate('', { context })).json<{ flags: { key: string; value: boolean }[] }>().flags;
    expect(Object.fromEntries((await read()).map(({ key, value }) => [key, value]))).toEqual(
      defaultFlags,
    );
    await saveFlagDefinition(api.test.database.system, adams, 'tabbedBallots', {
      ...defineConstant(false),
      targeting: { if: [{ '==': [{ var: 'county' }, 'Test'] }, 'on', 'off'] },
    });
    expect((await read()).find(({ key }) => key === 'tabbedBallots')).toMatchObject({
      value: true,
      variant: 'on',
      reason: 'TARGETING_MATCH',
    });
    const anonymous = { context: { targetingKey: anonymousTargetingKey } };
    expect((await evaluate('/tabbedBallots', anonymous)).json()).toMatchObject({ value: false });
  });

  test('are a signed-in voter’s by state and county of the roll, whatever the browser says', async () => {
    const office = await addOffice(api.test, { subdomain: 'roll', county: 'Roll County' });
    await addVoter(api.test, office);
    await saveFlagDefinition(api.test.database.system, office, 'tabbedBallots', {
      ...defineConstant(false),
      targeting: { if: [{ '==': [{ var: 'targetingKey' }, 'voter:FL:Test'] }, 'on', 'off'] },
    });
    const browser = api.browser('roll.localhost');
    const ask = async () => {
      const answer = await browser.post('/ofrep/v1/evaluate/flags/tabbedBallots', { context: {} });
      return answer.json<{ value: boolean }>().value;
    };
    expect(await ask()).toBe(false);
    expect((await browser.post('/api/voter/session', typed())).statusCode).toBe(201);
    expect(await ask()).toBe(true);
  });

  test('are by what a browser says of itself in at most 200 letters', async () => {
    const office = await addOffice(api.test, { subdomain: 'notes' });
    await saveFlagDefinition(api.test.database.system, office, 'tabbedBallots', {
      ...defineConstant(false),
      targeting: { if: [{ in: ['end', { var: 'note' }] }, 'on', 'off'] },
    });
    const ask = async (length: number) =>
      (
        await api.browser('notes.localhost').post('/ofrep/v1/evaluate/flags/tabbedBallots', {
          context: { note: 'end'.padStart(length, 'x') },
        })
      ).json<{ value: boolean }>().value;
    expect([await ask(199), await ask(200), await ask(201)]).toEqual([true, true, false]);
  });

  test('are asked for one by one, together, and only again when changed', async () => {
    expect((await evaluate('/voterOutage', { context })).json()).toMatchObject({
      key: 'voterOutage',
      value: false,
    });
    const all = await evaluate('', { context });
    const again = () => evaluate('', { context }, { 'if-none-match': String(all.headers.etag) });
    expect((await again()).statusCode).toBe(304);
    const { system } = api.test.database;
    await saveFlagDefinition(system, adams, 'voterOutage', defineConstant(true));
    const changed = await again();
    expect(changed.statusCode).toBe(200);
    expect(changed.json().flags).toContainEqual(
      expect.objectContaining({ key: 'voterOutage', value: true }),
    );
    await saveFlagDefinition(system, adams, 'voterOutage', null);
    expect((await again()).statusCode).toBe(304);
  });

  test('that do not exist, or are asked for in another way, are refused', async () => {
    expect((await evaluate('/nothing', { context })).json()).toEqual({
      key: 'nothing',
      errorCode: 'FLAG_NOT_FOUND',
    });
    expect((await evaluate('/constructor', { context })).statusCode).toBe(404);
    expect((await evaluate('', { context: 'x' })).json()).toEqual({ errorCode: 'PARSE_ERROR' });
    expect((await evaluate('', { context: { targetingKey: 1 } })).statusCode).toBe(400);
  });

  test('come from LaunchDarkly where the office has a client id', async () => {
    expect((await api.browser(host).get('/api/ldclient.php')).json()).toEqual({ client_id: null });
    await addOffice(api.test, {
      subdomain: 'dark',
      launchdarkly_client_id: '0123456789abcdef01234567',
    });
    expect((await api.browser('dark.localhost').get('/api/ldclient.php')).json()).toEqual({
      client_id: '0123456789abcdef01234567',
    });
  });
});
