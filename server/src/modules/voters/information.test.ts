import type { VoterInformationAnswer } from '@ballot-beacon/contract/voter-information';
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
  const office = await addOffice(api.test, { subdomain: 'adams', county: 'Adams', state: 'WA' });
  await addVoter(api.test, office);
  await addVoter(api.test, office, { firstname: 'Bare' });
  await api.query(`update voters set state = '', county = '' where firstname = 'Bare'`);
});
afterAll(() => api.close());

test('a voter whose roll names no state is of the office’s state and county, also where a flag is asked', async () => {
  const placeOf = async (firstname: string) => {
    const browser = api.browser('adams.localhost');
    await browser.post('/api/voter/session', typed({ firstname }));
    const answer = await browser.get('/api/voter/information');
    const [voter] = answer.json<VoterInformationAnswer>()._embedded.voter_information;
    return [voter?.state, voter?.county];
  };
  expect(await placeOf('Bare')).toEqual(['WA', 'Adams']);
  expect(await placeOf('Ann')).toEqual(['FL', 'Test']);
});
