import type { BallotStatusProgress } from '@ballot-beacon/contract/ballot-status-progress';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addBallot,
  addOffice,
  addVoter,
  createTestApi,
  type TestApi,
  typed,
} from '../../../../testing/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const year = new Date().getUTCFullYear() + 1;
const electionDay = `${year}-06-02`;

const letters = 'abcdefghijkl';
const scans = new Set(['in-transit', 'delivered', 'return-in-transit']);

/** An office in Florida with a ballot of each status; what its voters are asked to do at a moment. */
async function openOffice(subdomain: string, statuses: readonly string[]) {
  const accountId = await addOffice(api.test, { subdomain });
  for (const [index, status] of statuses.entries()) {
    const voter = await addVoter(api.test, accountId, { firstname: `Avery${letters[index]}` });
    await addBallot(api.test, accountId, voter, {
      date: electionDay,
      events: scans.has(status)
        ? [
            { status: 'sent', on: `${year}-05-01` },
            { status, on: `${year}-05-02`, kind: 'scan' },
          ]
        : [{ status, on: `${year}-05-02` }],
    });
  }
  return async (now: string) => {
    api.clock.set(now);
    const asked: Record<string, string> = {};
    for (const index of statuses.keys()) {
      const browser = api.browser(`${subdomain}.localhost`);
      await browser.post('/api/voter/session', {
        ...typed(),
        firstname: `Avery${letters[index]}`,
      });
      const answer = await browser.get('/api/voter/ballot-status-progress/me');
      for (const { status_summary } of answer.json<BallotStatusProgress>().ballots) {
        const { status, display_next_step } = status_summary.current_status;
        asked[status] = display_next_step;
      }
    }
    return asked;
  };
}

const notBack = [
  'application-received',
  'application-incomplete',
  'application-approved',
  'requested',
  'printed',
  'sent',
  'in-transit',
  'delivered',
  'reprinted',
] as const;

test('after election day nobody is asked to wait for a ballot or to send it back, and all else stays', async () => {
  const ask = await openOffice('marsh', [
    ...notBack,
    'return-in-transit',
    'returned',
    'undeliverable',
  ]);
  const before = await ask(`${electionDay}T23:00:00Z`);
  expect(before).toMatchObject({ sent: expect.stringContaining('send it back early') });
  expect(Object.values(before)).not.toContain('');
  // Still the second of June in the county, then the third.
  expect(await ask(`${year}-06-03T03:59:00Z`)).toEqual(before);
  expect(await ask(`${year}-06-03T04:00:00Z`)).toEqual({
    ...before,
    ...Object.fromEntries(notBack.map((status) => [status, ''])),
  });
});

test('from the moment by which a ballot must be back, nobody is asked to send it', async () => {
  const ask = await openOffice('creek', ['sent']);
  await api.query(
    `update elections set return_deadline = $1 where account_id =
      (select account_id from accounts where subdomain = 'creek')`,
    [JSON.stringify({ rule: 'received', date: electionDay, time: '19:00', place: '' })],
  );
  expect(await ask(`${electionDay}T22:59:00Z`)).toMatchObject({
    sent: expect.stringContaining('send it back early'),
  });
  expect(await ask(`${electionDay}T23:00:00Z`)).toEqual({ sent: '' });
});
