import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addLoadingOffice } from '../../../../testing/api-imports.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import type { ImportId } from '../../platform/ids.ts';
import { markCorrected, putBackImport } from '../imports/index.ts';

let api: TestApi;
let importer: TestPerson;

beforeAll(async () => {
  api = await createTestApi();
  const office = await addLoadingOffice(api, { subdomain: 'adams' }, '2026-12-08');
  await office.load(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\nA1,Ann,Lee,01/02/1950,99301\nA2,Bo,Lee,01/02/1960,99301',
  );
  await office.load(
    'beacon-applications',
    'registration_id,election,application_status,received_on\nA1,7,approved,2026-10-01\nA2,7,approved,2026-10-01',
  );
  const ballots = (voter: string) =>
    office.load(
      'beacon-ballots',
      `registration_id,election,ballot_number,status,sent_on\n${voter},7,5017,sent,2026-11-02`,
    );
  await ballots('A2');
  const [wrong] = await api.query<{ import_id: ImportId }>(
    'select import_id from imports order by import_id desc limit 1',
  );
  if (!wrong) throw new Error('It was not loaded.');
  await api.test.database.transaction(async (tx) => {
    await markCorrected(tx, wrong.import_id, new Date());
    await putBackImport(tx, wrong.import_id, new Date());
  });
  await ballots('A1');
  const of = { accountId: office.accountId, host: 'adams.localhost' };
  importer = await addPerson(api, of, 'Ina Moss', ['importer', 'viewer', 'clerk']);
  await importer.signIn();
});
afterAll(() => api.close());

const get = (path: string) => importer.browser.get(`/api/office/${path}`);

test('codes are drawn for ballots alone, and for none that only a corrected file had', async () => {
  const answer = await importer.browser.post('/api/office/ballot-codes.csv', { election: '7' });
  const [, ...rows] = answer.body.trim().split('\r\n');
  expect(rows.map((row) => row.split(',').slice(0, 2))).toEqual([['A1', '5017']]);
});

test('the console counts and lists no ballot that only a corrected file had', async () => {
  const today = (await get('today')).json();
  expect(today.elections[0].ballots).toEqual([
    // A1's is part of the ballot that it became.
    { status: 'application-approved', count: 1 },
    { status: 'sent', count: 1 },
  ]);
  const list = (await get('ballots?election=7')).json();
  const numbers = list.ballots.map((one: { ballot_number: string }) => one.ballot_number);
  expect(numbers.sort()).toEqual(['5017', 'application']);
  const { rows } = (await get('report?report=status&election=7')).json();
  expect(rows.map((row: string[]) => row[3])).not.toContain('requested');
  const found = await importer.browser.post('/api/office/voter-search', { text: '5017' });
  expect(found.json()).toMatchObject({ voters: [{ registration_id: 'A1' }] });
});
