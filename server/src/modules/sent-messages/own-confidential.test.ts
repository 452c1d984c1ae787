import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
} from '../../../../testing/api.ts';
import { addPerson } from '../../../../testing/people.ts';

const host = 'adams.localhost';
let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

test('a voter whose record became confidential sees by a letter’s code no message of before, and has none sent again', async () => {
  const adams = await addOffice(api.test, { subdomain: 'adams' });
  const voterId = await addVoter(api.test, adams, {
    registration_id: 'H-1',
    is_confidential: true,
  });
  const ballotId = await addBallot(api.test, adams, voterId, {
    election: '7',
    events: [{ status: 'sent' }],
  });
  const at = api.clock.now();
  const [message] = await api.query<{ id: number }>(
    `insert into messages (account_id, kind, status, voter_id, ballot_id, channel, address, language, cause, created_at, deliver_after, sent_at, state)
     values ($1, 'status', 'sent', $2, $3, 'email', 'ann@mail.example', 'english', 'a file', $4, $4, $4, 'sent') returning message_id as id`,
    [adams, voterId, ballotId, at],
  );
  await api.query(
    `insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
     values ($1, $2, 'email', 'ann@mail.example', 'proven', true)`,
    [adams, voterId],
  );
  await api.query(
    `insert into consents (account_id, voter_id, channel, address, action, source, wording, at)
     values ($1, $2, 'email', 'ann@mail.example', 'confirmed', 'page', '1', $3)`,
    [adams, voterId, at],
  );
  const clerk = await addPerson(api, { accountId: adams, host }, 'Tess Hall', [
    'confidential-clerk',
  ]);
  const letters = await clerk.browser.post('/api/office/letter-codes.csv', {
    ...{ election: '7', voter_id: 'H-1', renew: false },
  });
  const voter = api.browser(host);
  const entered = await voter.post('/api/voter/ballot-login', {
    ballot_guid: letters.body.split('\r\n')[1]?.split(',')[1] ?? '',
    date_of_birth: '02-03-1970',
  });
  expect(entered.statusCode, entered.body).toBe(201);
  expect((await voter.get('/api/voter/message')).json()).toEqual({ messages: [], consents: [] });
  const again = await voter.post(`/api/voter/message/${message?.id}/again`, {});
  expect(again.statusCode).toBe(404);
  const rows = await api.query<{ count: number }>('select count(*)::int as count from messages');
  expect(rows).toEqual([{ count: 1 }]);
});
