import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
beforeAll(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
});
afterAll(() => api.close());

const voters = '10.62.0.1';

test.each([
  ['strangers’ guesses from other networks count on', 'Guessed', '10.61.0.1', false],
  ['the voter’s own mistakes from there are taken back', 'Mistyped', voters, true],
])('once a voter signs in after failures, %s', async (_what, lastname, network, isTakenBack) => {
  await addVoter(api.test, adams, { lastname });
  let guesses = 0;
  const signIn = async (remoteAddress: string, birthdate?: string) => {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/api/voter/session',
      headers: { host: 'adams.localhost' },
      remoteAddress,
      payload: typed({ lastname, ...(birthdate !== undefined && { birthdate }) }),
    });
    return answer.statusCode;
  };
  const fail = async (times: number, from?: string) => {
    for (let n = 0; n < times; n += 1) {
      guesses += 1;
      const birthdate = `05-${1 + (guesses % 28)}-${1930 + Math.floor(guesses / 28)}`;
      expect(await signIn(from ?? `10.60.${guesses}.1`, birthdate)).toBe(401);
    }
  };
  await fail(94);
  await fail(3, network);
  expect(await signIn(voters)).toBe(201);
  await fail(3);
  // A hundred failures end sign-in by details alone.
  expect(await signIn('10.63.0.1')).toBe(isTakenBack ? 201 : 401);
});
