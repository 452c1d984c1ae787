import { Temporal } from 'temporal-polyfill';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { checkUpload, uploadFile } from '../../../../testing/uploads.ts';
import type { AccountId } from '../../platform/ids.ts';

const host = 'adams.localhost';
let api: TestApi;
let accountId: AccountId;
let importer: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'adams' });
  importer = await addPerson(api, { accountId, host }, 'Ina Wolf', ['importer']);
});
afterEach(() => api.close());

const today = () =>
  Temporal.Instant.from(api.clock.now().toISOString())
    .toZonedDateTimeISO('America/New_York')
    .toPlainDate();
const addVoterOf = async (status: 'proven' | 'unproven') => {
  const voterId = await addVoter(api.test, accountId, { registration_id: 'R1' });
  await api.query(
    `insert into elections (account_id, number, name, election_date, is_active)
     values ($1, '2026G', 'General Election', $2, true)`,
    [accountId, today().add({ days: 14 }).toString()],
  );
  await api.query(
    `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
     values ($1, $2, 'email', 'ann@example.com', $3, true)`,
    [accountId, voterId, status],
  );
};
const messageOf = async (expectedOn = today()) => {
  const mailedOn = today().subtract({ days: 3 });
  const file = `registration_id,election,status,sent_on,expected_on\nR1,2026G,sent,${mailedOn},${expectedOn}\n`;
  const id = await uploadFile(importer.browser, 'ballots.csv', file);
  const { preview } = await checkUpload(api, importer.browser, id);
  return preview?.messages[0];
};

test('a check leaves out an expected day that has passed at the office, as the message does', async () => {
  await addVoterOf('proven');
  expect((await messageOf())?.text).toContain('Expected in your mailbox');
  const yesterday = today().subtract({ days: 1 });
  expect((await messageOf(yesterday))?.text).not.toContain('Expected in your mailbox');
});

test('a check shows the news for an address that is not confirmed as an office without a number sends it', async () => {
  await addVoterOf('unproven');
  await api.query(`update accounts set settings = settings || '{"contact_phone": ""}'`);
  const message = await messageOf();
  expect(message?.about).toBe('news-waiting');
  expect(message?.text).not.toContain('{{');
});
