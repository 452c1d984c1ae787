import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBallot, addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { signInNewVoter } from '../../../../testing/new-voter.ts';
import type { AccountId } from '../../platform/ids.ts';

const me = '/api/voter/information/me';
let api: TestApi;
let adams: AccountId;
beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
});
afterAll(() => api.close());

test.each(['is_active = false', 'is_confidential = true'])(
  'a voter of whom the roll says meanwhile %s is signed out with the next request',
  async (change) => {
    const { voterId, browser } = await signInNewVoter(api, {
      ...{ accountId: adams, host: 'adams.localhost' },
    });
    const other = await signInNewVoter(api, { accountId: adams, host: 'adams.localhost' });
    await addBallot(api.test, adams, voterId, { events: [{ status: 'sent' }] });
    expect((await browser.get(me)).statusCode).toBe(200);
    await api.query(`update voters set ${change} where voter_id = $1`, [voterId]);
    for (const url of [me, '/api/voter/information', '/api/voter/ballot-status-progress/me'])
      expect((await browser.get(url)).statusCode, url).toBe(403);
    expect((await browser.patch(me, { language_preference: 'spanish' })).statusCode).toBe(403);
    expect((await other.browser.get(me)).statusCode).toBe(200);
  },
);
