import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
  const adams = await addOffice(api.test, { subdomain: 'adams', is_token_required: true });
  for (const lastname of ['Flooding', 'Waiting'])
    await addVoter(api.test, adams, { lastname, token: 'K7QM-3XPD' });
});
afterAll(() => api.close());

const signIn = async (lastname: string, remoteAddress: string) => {
  const payload = typed({ lastname, token: 'K7QM-3XPD' });
  const headers = { host: 'adams.localhost' };
  const url = '/api/voter/session';
  const answer = await api.app.inject({ method: 'POST', url, headers, remoteAddress, payload });
  return answer.statusCode;
};

test('a flood of tokens from one network keeps another voter waiting for the work at hand, not for the flood', async () => {
  const most = 20; // more at once are not let in from one address
  let done = 0;
  const flood = Array.from({ length: most }, async () => {
    const status = await signIn('Flooding', '10.50.0.1');
    done += 1;
    return status;
  });
  await Promise.race(flood);
  const before = done;
  expect(await signIn('Waiting', '10.50.0.2')).toBe(201);
  // Two are at hand; some more end while the voter's request is read.
  expect(done - before).toBeLessThanOrEqual(6);
  expect(new Set(await Promise.all(flood))).toEqual(new Set([201]));
}, 60_000);
