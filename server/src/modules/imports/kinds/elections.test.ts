import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  await office.addElection('8', '2026-12-08');
  await office.import(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,01/02/1950,99301\n2,Bo,Lee,01/02/1951,99301\n',
  );
});
afterEach(() => office.close());

const unnamed = 'registration_id,status\n1,sent\n2,sent\n';
const named = (...elections: string[]) =>
  `registration_id,election,status\n${elections.map((one, place) => `${place + 1},${one},sent\n`).join('')}`;

async function electionsOfBallots(): Promise<string[]> {
  const { rows } = await sql<{ number: string }>`
    select e.number from ballots b join elections e using (election_id) join voters v using (voter_id)
    order by v.registration_id`.execute(office.db.database.system);
  return rows.map(({ number }) => number);
}

test('a file that does not say which election it is for is refused with one sentence', async () => {
  const { state, report } = await office.import('beacon-ballots', unnamed);
  expect(state).toBe('refused');
  expect(report.refusals).toEqual([]);
  expect(report.refusedBecause).toBe(
    'The file does not say which election it is for: give --election. You have: 8, 7.',
  );
  const mail = 'registration_id,outbound_imb\n1,0027000012345678900199301\n';
  const pieces = await office.import('beacon-mailpieces', mail);
  expect(pieces.report.refusedBecause).toBe(report.refusedBecause);
});

test('a file for an election that does not exist is refused with one sentence', async () => {
  const { state, report } = await office.import('beacon-ballots', unnamed, { election: '9' });
  expect(state).toBe('refused');
  expect(report.refusals).toEqual([]);
  expect(report.refusedBecause).toBe('Election 9 does not exist. You have: 8, 7.');
});

test('an office without elections reads how to set one up', async () => {
  const fresh = await createTestOffice();
  const { report } = await fresh.import('beacon-ballots', unnamed);
  expect(report.refusedBecause).toBe(
    'The file does not say which election it is for. You have none yet: beacon election set.',
  );
  await fresh.close();
});

test('a row that names another of the office’s elections is not taken for one of the election given', async () => {
  const { state, report } = await office.import('beacon-ballots', named('7', '8'), {
    election: '7',
  });
  expect(state).toBe('done');
  expect(report.refusals).toEqual([
    {
      reason:
        'the row is of election 8, not of 7: give --election only for files that do not name theirs',
      count: 1,
      line: 3,
    },
  ]);
  expect(await electionsOfBallots()).toEqual(['7']);
});

test('rows that name no election, or an election that nobody set up, are of the election given', async () => {
  const { report } = await office.import('beacon-ballots', named('', 'GEN26'), { election: '7' });
  expect(report.refusals).toEqual([]);
  expect(await electionsOfBallots()).toEqual(['7', '7']);
});

test('rows that name their election by its day are not taken for those of another day', async () => {
  const header =
    'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status';
  const row = (voter: number, day: string) => `${voter},${day},MAIL,09/01/2026,10/05/2026,,`;
  const content = [header, row(1, '11/03/2026'), row(2, '12/08/2026'), ''].join('\n');
  const { report } = await office.import('nc-absentee', content, { election: '7' });
  expect(report.refusals.map(({ line, reason }) => [line, reason])).toEqual([
    [
      3,
      'the row is of election 12/08/2026, not of 7: give --election only for files that do not name theirs',
    ],
  ]);
});

test('a row that names its election by a day on which the office has two is taken for neither', async () => {
  await office.addElection('9', '2026-11-03');
  const content = [
    'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status',
    '1,12/08/2026,MAIL,09/01/2026,10/05/2026,,',
    '2,11/03/2026,MAIL,09/01/2026,10/05/2026,,',
    '',
  ].join('\n');
  const { report } = await office.import('nc-absentee', content);
  expect(report.refusals.map(({ line, reason }) => [line, reason])).toEqual([
    [3, expect.stringContaining('no one election is on 11/03/2026: give --election')],
  ]);
  expect(await electionsOfBallots()).toEqual(['8']);
});

const byDay = (...days: string[]) =>
  [
    'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status',
    ...days.map((day, place) => `${place + 1},${day},MAIL,09/01/2026,10/05/2026,,`),
    '',
  ].join('\n');
const none = 'the row names no election: give --election';
test.each([
  [none, 'beacon-ballots', named('8', '')],
  ['election 9 does not exist. You have: 8, 7', 'beacon-ballots', named('8', '9')],
  [none, 'nc-absentee', byDay('12/08/2026', '')],
  [
    'no one election is on 12/09/2026: give --election. You have: 8, 7',
    ...['nc-absentee', byDay('12/08/2026', '12/09/2026')],
  ],
])('without an election given, a row is refused where %s', async (reason, format, content) => {
  const { report } = await office.import(format, content);
  expect(report.refusals).toEqual([{ reason, count: 1, line: 3 }]);
  expect(await electionsOfBallots()).toEqual(['8']);
});
