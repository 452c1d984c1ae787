import type { BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApi, type TestApi, typed } from '../../../../../../testing/api.ts';
import { addLoadingOffice } from '../../../../../../testing/api-imports.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const voters = Array.from({ length: 60 }, (_, n) => n + 1);
const people = voters.map((id) => `${id},${id === 1 ? 'Ann' : 'Bo'},Rivera,02/03/1970,34811`);
const roll = ['registration_id,firstname,lastname,birthdate,zipcode', ...people].join('\n');

async function createOffice(subdomain: string) {
  const office = await addLoadingOffice(api, { subdomain }, '2026-12-08');
  await office.load('beacon-voters', roll);
  return {
    applications: (rows: readonly string[]) =>
      office.load(
        'beacon-applications',
        ['registration_id,election,application_status,received_on,decided_on,reason', ...rows].join(
          '\n',
        ),
      ),
    ballots: (rows: readonly string[]) =>
      office.load(
        'beacon-ballots',
        ['registration_id,election,status,sent_on,returned_on,status_on,reason', ...rows].join(
          '\n',
        ),
      ),
    async show() {
      const browser = api.browser(`${subdomain}.localhost`);
      await browser.post('/api/voter/session', typed());
      const answer = await browser.get('/api/voter/ballot-status-progress/me?language=english');
      return answer.json<BallotStatusProgress>().ballots.map((ballot) => ({
        status: ballot.status_summary.current_status.status,
        reason: ballot.status_summary.current_status.display_reason,
        history: ballot.status_history
          .filter(({ is_reached }) => is_reached)
          .map(({ status, datetime }) => `${status} ${datetime}`),
      }));
    },
  };
}

const received = '1,7,received,2026-10-01,,';
const incomplete = '1,7,incomplete,2026-10-01,2026-10-02,The signature is missing';
const approved = '1,7,approved,2026-10-01,2026-10-05,';
const sent = '1,7,sent,2026-10-20,,,';

test('a voter follows the application, reads why it is incomplete, and then the ballot with the application in its history', async () => {
  const { applications, ballots, show } = await createOffice('adams');
  await applications([received]);
  expect(await show()).toMatchObject([{ status: 'application-received', reason: '' }]);
  await applications([incomplete]);
  expect(await show()).toMatchObject([
    {
      status: 'application-incomplete',
      reason: 'Reason given by the election office: The signature is missing',
    },
  ]);
  await applications([approved]);
  expect(await show()).toMatchObject([{ status: 'application-approved', reason: '' }]);

  await ballots([sent]);
  const [ballot, ...others] = await show();
  expect(others).toEqual([]);
  expect(ballot?.status).toBe('sent');
  expect(ballot?.history).toEqual([
    'application-received 2026-10-01',
    'application-incomplete 2026-10-02',
    'application-approved 2026-10-05',
    'printed null',
    'sent 2026-10-20',
  ]);
});

test('the same in the other order of files, and a repeated file of applications changes nothing', async () => {
  const { applications, ballots, show } = await createOffice('bell');
  await ballots([sent]);
  await applications([approved]);
  const first = await show();
  expect(first).toMatchObject([{ status: 'sent' }]);
  await ballots([sent]);
  await applications([approved]);
  expect(await show()).toEqual(first);
});

test('a vote that was not counted says why', async () => {
  const { ballots, show } = await createOffice('clay');
  await ballots(['1,7,counted,2026-10-20,2026-10-28,2026-11-05,']);
  expect(await show()).toMatchObject([{ status: 'counted', reason: '' }]);
  await ballots(['1,7,not-counted,2026-10-20,2026-10-28,2026-11-06,It came too late']);
  expect(await show()).toMatchObject([
    { status: 'not-counted', reason: 'Reason given by the election office: It came too late' },
  ]);
});

test('a file that refuses many applications at once, or takes back counted ballots, waits for approval', async () => {
  const { applications, ballots } = await createOffice('dade');
  expect(await applications(voters.map((id) => `${id},7,approved,2026-10-01,2026-10-05,`))).toBe(
    'done',
  );
  expect(
    await applications(voters.map((id) => `${id},7,refused,2026-10-01,2026-10-06,Not signed`)),
  ).toBe('file-held');
  // Columns that changed places, and decisions that are to come: the statuses stay.
  expect(await applications(voters.map((id) => `${id},7,approved,2026-10-05,2026-10-01,`))).toBe(
    'file-held',
  );
  expect(await applications(voters.map((id) => `${id},7,approved,2026-10-01,2026-12-05,`))).toBe(
    'file-held',
  );

  expect(await ballots(voters.map((id) => `${id},7,sent,2026-10-20,,,`))).toBe('done');
  const decided = (status: string, day: string) =>
    voters.map((id) =>
      id <= 20 ? `${id},7,${status},2026-10-20,2026-10-28,${day},` : `${id},7,sent,2026-10-20,,,`,
    );
  expect(await ballots(decided('accepted', '2026-10-29'))).toBe('done');
  expect(await ballots(decided('counted', '2026-11-05'))).toBe('done');
  expect(await ballots(decided('not-counted', '2026-11-06'))).toBe('file-held');
});
