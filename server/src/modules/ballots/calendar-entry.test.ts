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
import { localDay } from '../../platform/clock.ts';
import { writeCalendar } from './calendar-entry.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

/** Its summer, whose time is the same in any year. */
const year = new Date().getUTCFullYear() + 1;
const problem = [
  { status: 'sent', on: `${year}-05-02` },
  { status: 'returned', on: `${year}-05-12` },
  { status: 'rejected-curable', on: `${year}-05-13`, reason: 'No signature' },
];

/** An office with a voter, whose ballot is of next year's second of June; and that voter's browser. */
async function openBallot(subdomain: string, events: readonly { status: string; on: string }[]) {
  const accountId = await addOffice(api.test, { subdomain });
  const voter = await addVoter(api.test, accountId);
  await addBallot(api.test, accountId, voter, { date: `${year}-06-02`, events: [...events] });
  const browser = api.browser(`${subdomain}.localhost`);
  await browser.post('/api/voter/session', typed());
  const progress = await browser.get('/api/voter/ballot-status-progress/me');
  const [ballot] = progress.json<BallotStatusProgress>().ballots;
  return { browser, path: `/api/voter/ballot/${ballot?.ballot_id}/calendar` };
}

/** The lines of a calendar file, each whole again. */
function linesOf(file: string): string[] {
  return file.replaceAll('\r\n ', '').split('\r\n');
}

test('the last moment to fix an envelope is an entry that a calendar reads, and announces a day ahead', async () => {
  const { browser, path } = await openBallot('harbor', problem);
  const answer = await browser.get(`${path}?deadline=fix`);
  expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
  expect(answer.headers['content-disposition']).toBe('attachment; filename="ballot.ics"');
  const lines = linesOf(answer.body);
  // Florida: two days after the election, 5 PM Eastern time.
  expect(lines).toContain(`DTEND:${year}0604T210000Z`);
  expect(lines).toContain(`DTSTART:${year}0604T200000Z`);
  expect(lines).toContain('SUMMARY:Last day to fix your ballot envelope');
  expect(lines).toContain('TRIGGER:-P1D');
  expect(answer.body).not.toMatch(/Rivera|Avery/i);

  const spanish = linesOf((await browser.get(`${path}?deadline=fix&language=spanish`)).body);
  expect(spanish).toContain('SUMMARY:Último día para corregir el sobre de su boleta');
  // The same entry: a calendar that has it changes it.
  const uid = (all: readonly string[]) => all.find((line) => line.startsWith('UID:'));
  expect(uid(spanish)).toBe(uid(lines));
});

test('the day by which a ballot must be back is an entry for that whole day, with its place', async () => {
  const { browser, path } = await openBallot('pier', problem.slice(0, 1));
  expect((await browser.get(`${path}?deadline=return`)).statusCode).toBe(404);
  await api.query(
    `update elections set return_deadline = $1 where account_id =
    (select account_id from accounts where subdomain = 'pier')`,
    [
      JSON.stringify({
        ...{ rule: 'received', date: `${year}-12-31`, time: '19:00' },
        place: 'Elections Office; 100 Pier Street, Port Addison',
      }),
    ],
  );
  const lines = linesOf((await browser.get(`${path}?deadline=return`)).body);
  expect(lines).toContain(`DTSTART;VALUE=DATE:${year}1231`);
  expect(lines).toContain(`DTEND;VALUE=DATE:${year + 1}0101`);
  expect(lines).toContain('LOCATION:Elections Office\\; 100 Pier Street\\, Port Addison');
  expect(lines).toContain('TRIGGER:-P2D');
});

test('the day by which a ballot must be back is an entry until that day is over by the office’s clock', async () => {
  const { browser, path } = await openBallot('slip', problem.slice(0, 1));
  const today = localDay(api.clock.now(), 'America/New_York');
  const yesterday = localDay(new Date(api.clock.now().getTime() - 86_400_000), 'America/New_York');
  for (const [date, status] of [
    [today, 200],
    [yesterday, 404],
  ] as const) {
    await api.query(
      `update elections set return_deadline = $1 where account_id =
        (select account_id from accounts where subdomain = 'slip')`,
      [JSON.stringify({ rule: 'received', date, time: '19:00', place: '' })],
    );
    expect((await browser.get(`${path}?deadline=return`)).statusCode).toBe(status);
  }
});

test('nobody gets the entry of another voter’s ballot, of a deadline that has passed, or without signing in', async () => {
  const { browser, path } = await openBallot('quay', problem);
  const other = await openBallot('wharf', problem);
  expect((await other.browser.get(`${path}?deadline=fix`)).statusCode).toBe(404);
  expect((await api.browser('quay.localhost').get(`${path}?deadline=fix`)).statusCode).toBe(403);
  expect((await browser.get(`${path}?deadline=fix`)).statusCode).toBe(200);
  const tenDaysAgo = new Date(api.clock.now().getTime() - 10 * 86_400_000);
  await api.query(
    `update elections set election_date = $1 where account_id =
    (select account_id from accounts where subdomain = 'quay')`,
    [localDay(tenDaysAgo, 'America/New_York')],
  );
  expect((await browser.get(`${path}?deadline=fix`)).statusCode).toBe(404);
});

test('at the last moment to fix an envelope there is no entry of it any more', async () => {
  const before = api.clock.now();
  try {
    api.clock.set(`${year}-06-04T20:59:59Z`);
    const { browser, path } = await openBallot('basin', problem);
    expect((await browser.get(`${path}?deadline=fix`)).statusCode).toBe(200);
    api.clock.set(`${year}-06-04T21:00:00Z`);
    expect((await browser.get(`${path}?deadline=fix`)).statusCode).toBe(404);
  } finally {
    api.clock.set(before.toISOString());
  }
});

test('no line of the file has more than 75 octets, in any script', async () => {
  const text = 'সন্লহ '.repeat(60);
  const entry = {
    ...{ id: 'fix-1@harbor.ballot-beacon', title: text, text, place: text },
    ...{ start: new Date(), end: new Date(), isWholeDay: false, alarmSeconds: 60 },
  };
  for (const line of (await writeCalendar(entry, new Date())).split('\r\n'))
    expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
});
