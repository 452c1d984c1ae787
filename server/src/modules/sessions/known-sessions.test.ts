import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';

const host = 'adams.localhost:8080';
let api: TestApi;
beforeAll(async () => {
  // One request at a time, and a stranger waits for nobody.
  api = await createTestApi({ limits: { requestsAtOnce: 1, strangerWaitMs: 1 } });
  await addVoter(api.test, await addOffice(api.test, { subdomain: 'adams' }));
});
afterAll(() => api.close());

test('under load a voter who is signed in is answered, and a cookie that somebody made up brings nobody forward', async () => {
  const voter = api.browser(host);
  expect((await voter.post('/api/voter/session', typed())).statusCode).toBe(201);
  const stranger = api.browser(host);
  stranger.cookies.set('beacon_session', 'x'.repeat(43));
  const ask = ({ get }: typeof voter) => get('/api/voter/information/me');
  expect((await ask(voter)).statusCode).toBe(200);

  const [voters, strangers] = await Promise.all(
    [voter, stranger].map((browser) =>
      Promise.all(Array.from({ length: 20 }, async () => (await ask(browser)).statusCode)),
    ),
  );
  expect(voters).toEqual(Array.from({ length: 20 }, () => 200));
  expect(strangers).toContain(503);
  expect(strangers).not.toContain(200);
});
