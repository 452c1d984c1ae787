import { getDocumentProxy } from 'unpdf';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { AccountId } from '../../platform/ids.ts';

let api: TestApi;
let adams: AccountId;
let person: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  adams = await addOffice(api.test, { subdomain: 'adams' });
  const roles = ['importer', 'confidential-clerk'] as const;
  const at = { accountId: adams, host: 'adams.localhost' };
  person = await addPerson(api, at, 'Ina Moss', roles);
  const voterId = await addVoter(api.test, adams, { registration_id: 'A1' });
  await addBallot(api.test, adams, voterId, { election: '7', events: [] });
});
afterEach(() => api.close());

const post = (what: string, more: object = {}) =>
  person.browser.post(`/api/office/${what}`, { election: '7', ...more });
const tooMany = {
  status: 422,
  validation_messages: { election: { invalid: expect.stringContaining('at most 1,000 codes') } },
};
const countRows = (csv: string) => csv.trim().split('\r\n').length - 1;
const countOnRecord = async () =>
  (await api.query("select from audit_log where action like '%-codes.print'")).length;

test('a sheet of ballots has a thousand codes at most, and a table any number', async () => {
  const add = (from: number, to: number) =>
    api.query(
      `with voter as (
         insert into voters (account_id, registration_id, firstname, lastname)
         select $1, 'S' || n, 'Ann', 'Sheet' from generate_series($2::integer, $3::integer) n returning voter_id)
       insert into ballots (account_id, voter_id, election_id, ballot_number)
       select $1, voter_id, election_id, '' from voter, elections`,
      [adams, from, to],
    );
  await add(1, 999);
  const full = await post('ballot-codes.pdf');
  expect(full.statusCode).toBe(200);
  const { numPages } = await getDocumentProxy(new Uint8Array(full.rawPayload));
  expect(numPages).toBe(Math.ceil(1_000 / 12));
  await add(1_000, 1_000);
  expect((await post('ballot-codes.pdf')).json()).toMatchObject(tooMany);
  expect(await countOnRecord()).toBe(1);
  expect(countRows((await post('ballot-codes.csv')).body)).toBe(1_001);
  expect((await post('ballot-codes.pdf', { voter_id: 'A1' })).statusCode).toBe(200);
});

test('a sheet of letters has a thousand codes at most, and a table any number', async () => {
  await api.query(
    `insert into voters (account_id, registration_id, firstname, lastname, birthdate, is_confidential)
     select $1, 'H' || n, 'Ann', 'Hidden', '1970-02-03', true from generate_series(1, 1001) n`,
    [adams],
  );
  expect((await post('letter-codes.pdf', { renew: false })).json()).toMatchObject(tooMany);
  expect(await countOnRecord()).toBe(0);
  expect(await api.query('select from letter_codes')).toEqual([]);
  expect(countRows((await post('letter-codes.csv', { renew: false })).body)).toBe(1_001);
});
