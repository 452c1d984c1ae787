// Longer than 400 lines: every test imports lists of one office through the same helpers, and looks at what waits.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { correctImport } from '../../../notifications/index.ts';
import {
  describeReport,
  findWaitingImport,
  type ImportOutcome,
  putBackImport,
} from '../../index.ts';

let office: TestOffice;
let files = 0;

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-10-20T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  const voters = Array.from({ length: 2000 }, (_, n) => `${id(n)},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...voters].join('\n'));
});
afterEach(() => office.close());

const id = (n: number) => `V${String(n).padStart(4, '0')}`;
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);
const rows = (numbers: readonly number[], status: string, returned = '', election = 7) =>
  numbers.map((n) => `${id(n)},${election},${status},2026-10-05,${returned}`);
const sent = (from: number, to: number) => rows(range(from, to), 'sent');
const accepted = (from: number, to: number, on = '2026-10-15') =>
  rows(range(from, to), 'accepted', on);

function importBallots(...lines: string[]): Promise<ImportOutcome> {
  files += 1;
  const header = 'registration_id,election,status,sent_on,returned_on';
  const bytes = [header, ...lines].join('\n');
  return office.import('beacon-ballots', `${bytes}${'\n'.repeat(files)}`);
}

async function statuses(): Promise<Record<string, number>> {
  const { rows: counted } = await sql<{ status: string; count: number }>`
    select current_status as status, count(*) as count from ballots group by 1`.execute(
    office.db.database.system,
  );
  return Object.fromEntries(counted.map(({ status, count }) => [status, count]));
}

const codes = ({ report }: ImportOutcome) => report.gate?.map(({ code }) => code);

async function expectWaiting(outcome: ImportOutcome, code: string): Promise<void> {
  expect([outcome.state, codes(outcome)]).toEqual(['file-held', expect.arrayContaining([code])]);
  const { rows: left } = await sql`select from ballot_events where import_id = ${outcome.importId}
    union all select from messages where import_id = ${outcome.importId}`.execute(
    office.db.database.system,
  );
  expect(left).toEqual([]);
}

test('a few accepted ballots that vanish from a large list stop nothing, but the report warns once and names the voters', async () => {
  await importBallots(...accepted(0, 300), ...sent(300, 2000));
  const next = await importBallots(...accepted(2, 305), ...sent(305, 2000));
  expect(next.state).toBe('done');
  expect(describeReport(next.report, 'list.csv')).toContain(
    '2 rows: accepted, and missing from this file (voters V0000, V0001). Voters still see these ballots as accepted. Ask the office why the rows are gone.',
  );
  const later = await importBallots(...accepted(2, 309), ...sent(309, 2000));
  expect([later.state, later.report.warnings]).toEqual(['done', []]);
});

describe('a county of 300 ballots, 40 of them accepted', () => {
  beforeEach(async () => {
    await importBallots(...accepted(0, 40), ...sent(40, 300));
  });

  test('shows no voter a rejection of every ballot before election day, though nobody has signed up', async () => {
    const outcome = await importBallots(...rows(range(0, 300), 'rejected', '2026-10-18'));
    await expectWaiting(outcome, 'taken-back');
    expect(await statuses()).toEqual({ accepted: 40, sent: 260 });
    const [reason] = outcome.report.gate ?? [];
    expect(reason?.rows).toBe(40);
    expect(reason?.examples).toEqual(
      range(0, 5).map((n) => ({ voter: id(n), from: 'accepted', to: 'rejected', line: 2 + n })),
    );
    expect(outcome.report.after).toEqual(outcome.report.before);
    expect(outcome.report.ifApproved).toEqual({ '7 rejected': 300 });
  });

  test('waits when the 40 accepted ballots are rejected, or sent again, and all else stays', async () => {
    for (const status of ['rejected', 'sent', 'undeliverable', 'cancelled'])
      await expectWaiting(
        await importBallots(...rows(range(0, 40), status), ...sent(40, 300)),
        'taken-back',
      );
    expect(await statuses()).toEqual({ accepted: 40, sent: 260 });
  });

  test('is corrected by a clerk or a court, a few ballots at a time', async () => {
    const outcome = await importBallots(
      ...rows([0], 'rejected', '2026-10-15'),
      ...rows([1], 'sent'),
      ...accepted(2, 40),
      ...sent(40, 300),
    );
    expect(outcome.state).toBe('done');
  });

  test('waits when ballots are returned or decided in the future', async () => {
    await expectWaiting(
      await importBallots(...accepted(0, 60, '2026-11-20'), ...sent(60, 300)),
      'dates-off',
    );
    // The status stays as it is: the date alone would be wrong on the page.
    await expectWaiting(
      await importBallots(...accepted(0, 40, '2027-10-15'), ...sent(40, 300)),
      'dates-off',
    );
    await expectWaiting(
      await importBallots(...accepted(0, 40, '2025-10-15'), ...sent(40, 300)),
      'dates-off',
    );
  });

  test('waits when several of a day’s few returns are in the future; the report names a single one', async () => {
    const known = [...accepted(0, 51), ...accepted(51, 52, '2026-11-01')];
    const one = await importBallots(...known, ...sent(52, 300));
    expect([one.state, one.report.warnings]).toEqual([
      'done',
      [
        {
          message:
            'a date after today (voters V0051), which these voters see. Ask the office to correct it.',
          count: 1,
        },
      ],
    ]);
    await expectWaiting(
      await importBallots(
        ...known,
        ...accepted(52, 61),
        ...accepted(61, 64, '2026-11-01'),
        ...sent(64, 300),
      ),
      'dates-off',
    );
  });

  test('waits when one of two changes is in the future', async () => {
    const known = accepted(0, 40);
    await expectWaiting(
      await importBallots(
        ...known,
        ...accepted(40, 41),
        ...accepted(41, 42, '2026-11-01'),
        ...sent(42, 300),
      ),
      'dates-off',
    );
  });

  test('waits when ballots are returned before they were sent, as with columns that changed places', async () => {
    await expectWaiting(
      await importBallots(...accepted(0, 60, '2026-10-01'), ...sent(60, 300)),
      'dates-out-of-order',
    );
  });

  test('waits when accepted ballots are missing, and the report says how many', async () => {
    await importBallots(...accepted(0, 44), ...sent(44, 300));
    // Two that were sent are missing as well.
    const outcome = await importBallots(...accepted(3, 46), ...sent(48, 300));
    await expectWaiting(outcome, 'accepted-missing');
    expect(outcome.report.gate?.[0]?.detail).toContain('3 accepted ballots are missing');
    expect(outcome.report.gate?.[0]?.examples).toEqual(
      range(0, 3).map((n) => ({ voter: id(n), from: 'accepted', to: 'missing', line: null })),
    );
  });

  test('waits when the values of the status column mean nothing', async () => {
    const shifted = range(0, 300).map((n) => `${id(n)},7,${n % 7} Main St,2026-10-05,`);
    await expectWaiting(await importBallots(...shifted), 'unknown-statuses');
  });

  test('waits when the file is of another election, whose ballots nobody has listed before', async () => {
    await importBallots(...accepted(0, 44), ...sent(44, 300));
    await office.addElection('8', '2026-12-08');
    await expectWaiting(
      await importBallots(...rows(range(0, 300), 'sent', '', 8)),
      'other-election',
    );
  });
});

test('ballots that are back and would be cancelled wait, however few they are of a large list', async () => {
  const returned = (from: number, to: number) => rows(range(from, to), 'returned', '2026-10-15');
  await importBallots(...returned(0, 600), ...sent(600, 1000));
  const cancelled = rows(range(0, 40), 'cancelled', '2026-10-15');
  const outcome = await importBallots(...cancelled, ...returned(40, 600), ...sent(600, 1000));
  await expectWaiting(outcome, 'went-back');
  expect(outcome.report.gate?.[0]?.detail).toBe(
    'Election 7: 40 ballots would go back to an earlier step or be cancelled after their return: cancelled (40). Up to 5 in one file is usual. Is this an old file?',
  );
});

describe('a few ballots that are most of what there is', () => {
  test('wait when they go back to an earlier step, or are taken back', async () => {
    const undated = (from: number, to: number, status: string) =>
      range(from, to).map((n) => `${id(n)},7,${status},,`);
    await importBallots(...undated(0, 5, 'returned'), ...undated(5, 300, 'sent'));
    const outcome = await importBallots(...undated(0, 300, 'sent'));
    await expectWaiting(outcome, 'went-back');
    expect(outcome.report.gate?.[0]?.detail).toContain('That is all of the ballots that');
    const two = [...undated(2, 5, 'returned'), ...undated(5, 300, 'sent')];
    expect((await importBallots(...undated(0, 2, 'sent'), ...two)).state).toBe('done');
    office.clock.set('2026-10-21T15:00:00Z');
    const accepted = [...undated(0, 4, 'accepted'), ...undated(4, 300, 'sent')];
    expect((await importBallots(...accepted)).state).toBe('done');
    const left = [...undated(0, 1, 'accepted'), ...undated(1, 300, 'sent')];
    const takenBack = await importBallots(...left);
    await expectWaiting(takenBack, 'taken-back');
    expect(takenBack.report.gate?.[0]?.detail).toContain('That is most of the ballots that');
  });

  test('wait when the statuses of all rows mean nothing', async () => {
    await importBallots(...rows(range(0, 4), 'returned', '2026-10-19'));
    const shifted = range(0, 4).map((n) => `${id(n)},7,${n} Main St,2026-10-05,2026-10-19`);
    await expectWaiting(await importBallots(...shifted), 'unknown-statuses');
  });

  test('wait when they are all of an old election that is not active', async () => {
    await office.addElection('5', '2025-11-04', false);
    await importBallots(...sent(0, 30), ...rows(range(30, 34), 'returned', '2026-10-19'));
    const old = range(0, 3).map((n) => `${id(n)},5,rejected,2025-10-05,2025-10-25`);
    await expectWaiting(await importBallots(...old), 'election-over');
  });
});

describe('after election day', () => {
  const header = 'registration_id,election,status,sent_on,returned_on';
  beforeEach(async () => {
    await importBallots(...accepted(0, 100), ...sent(100, 200));
    await office.addElection('8', '2026-12-08');
    office.clock.set('2026-11-10T20:00:00Z');
  });

  test('a file whose rows name the next election waits, because its first ballots are back already', async () => {
    const wrong = [
      ...rows(range(0, 100), 'accepted', '2026-10-15', 8),
      ...rows(range(100, 200), 'sent', '', 8),
    ];
    const outcome = await office.import('beacon-ballots', [header, ...wrong].join('\n'));
    await expectWaiting(outcome, 'other-election');
    expect(outcome.report.gate?.[0]?.detail).toBe(
      'This file is of election 8, which you have no ballots of, and 100 of them are back or decided already. Your last file was of election 7, which was on Nov 3.',
    );
  });

  test('a file whose rows name the next election waits again after it was approved and corrected', async () => {
    const wrong = rows(range(0, 200), 'accepted', '2026-10-15', 8);
    const outcome = await importBallots(...wrong);
    await expectWaiting(outcome, 'other-election');
    await release(outcome);
    await office.db.database.transaction(async (tx) => {
      const now = office.clock.now();
      await correctImport(tx, outcome.importId as ImportId, 'Bea Deputy', now);
      await putBackImport(tx, outcome.importId as ImportId, now);
    });
    const again = await importBallots(...wrong);
    await expectWaiting(again, 'other-election');
    expect(again.report.before).toEqual({ '7 accepted': 100, '7 sent': 100 });
  });

  test('the first file of the next election is loaded', async () => {
    const next = [
      ...rows(range(0, 3), 'returned', '2026-11-09', 8),
      ...range(3, 200).map((n) => `${id(n)},8,sent,2026-11-08,`),
    ];
    const outcome = await office.import('beacon-ballots', [header, ...next].join('\n'));
    expect([outcome.state, outcome.report.gate ?? []]).toEqual(['done', []]);
  });
});

describe('a list of a whole state', () => {
  const header =
    'County,Ballot ID,Voter ID,Election,Ballot Status,Challenge Reason,Sent Date,Received Date,Return Method';
  const line = (n: number, county = 'Adams', status = 'Accepted') =>
    `${county},B${n},${id(n)},7,${status},,10/05/2026,10/15/2026,Mail,`;
  const importState = (...lines: string[]) =>
    office.import('wa-ballots', [header, ...lines].join('\n'));

  test('of returned ballots alone is measured by the active voters of the roll', async () => {
    await sql`insert into voters (account_id, registration_id, lastname, is_active)
      select ${office.account.accountId}, 'moved ' || n, 'Lee', false from generate_series(1, 12000) n`.execute(
      office.db.database.system,
    );
    await importState(
      ...range(0, 60).map((n) => line(n, 'Adams', n < 40 ? 'Accepted' : 'Received')),
    );
    const day = await importState(
      ...range(0, 60).map((n) => line(n)),
      ...range(60, 260).map((n) => line(n)),
    );
    expect([day.state, day.report.gate ?? []]).toEqual(['done', []]);
    await expectWaiting(await importState(...range(0, 800).map((n) => line(n))), 'volume');
  });

  test('is refused when all its rows are of another county', async () => {
    await importState(...range(0, 60).map((n) => line(n)));
    const other = await importState(...range(0, 70).map((n) => line(n, 'BENTON')));
    expect([other.state, other.report.refusedBecause]).toEqual([
      'refused',
      'All 70 rows are of BENTON county. This account is for Adams county. Nothing was imported.',
    ]);
  });

  test('counts the rows of its own county alone', async () => {
    const own = range(0, 60).map((n) => line(n));
    await importState(...own, ...range(0, 100).map((n) => line(n, 'BENTON')));
    const next = await importState(...own, ...range(0, 20).map((n) => line(n, 'BENTON')));
    expect([next.state, next.report.gate ?? []]).toEqual(['done', []]);
    const short = await importState(
      ...range(0, 30).map((n) => line(n)),
      ...range(0, 200).map((n) => line(n, 'BENTON')),
    );
    await expectWaiting(short, 'file-shrank');
  });
});

describe('an ordinary season', () => {
  test('of daily files waits on no day', async () => {
    await importBallots(...sent(0, 400));
    let done = 0;
    for (const day of range(6, 20)) {
      office.clock.set(`2026-10-${String(day).padStart(2, '0')}T15:00:00Z`);
      const from = done;
      done += day % 7 === 5 ? 60 : day % 7 === 3 ? 0 : 12;
      const outcome = await importBallots(
        ...accepted(0, from, '2026-10-06'),
        ...accepted(from, done, '2026-10-06'),
        ...rows([398, 399].slice(day % 2), 'rejected-curable', '2026-10-06'),
        ...sent(done, 398 + (day % 2)),
      );
      expect([day, outcome.state, outcome.report.gate ?? []]).toEqual([day, 'done', []]);
    }
  });

  test('is not measured by one large file: after it, 169 accepted ballots taken back wait as ever', async () => {
    const large = await importBallots(
      ...rows(range(0, 600), 'rejected', '2026-10-15'),
      ...accepted(600, 900),
    );
    await expectWaiting(large, 'many-at-first');
    await release(large);
    expect(await statuses()).toEqual({ accepted: 300, rejected: 600 });
    await expectWaiting(
      await importBallots(
        ...rows(range(0, 600), 'rejected', '2026-10-15'),
        ...rows(range(600, 769), 'rejected', '2026-10-15'),
        ...accepted(769, 900),
      ),
      'taken-back',
    );
    await expectWaiting(
      await importBallots(
        ...rows(range(0, 600), 'rejected', '2026-10-15'),
        ...accepted(600, 900),
        ...rows(range(900, 1069), 'rejected', '2026-10-15'),
      ),
      'volume',
    );
  });

  test('of a format that lists ballots only once they are returned has no unusual first status', async () => {
    await office.addElection('9', '2026-11-10');
    const header =
      'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status';
    const line = (n: number) =>
      `${id(n)},11/10/2026,MAIL,09/10/2026,09/20/2026,10/${10 + Math.floor(n / 60)}/2026,${n % 40 === 7 ? 'PENDING CURE' : 'ACCEPTED'}`;
    for (const [day, count] of [20, 50, 110, 180, 230, 300].entries()) {
      office.clock.set(`2026-10-${20 + day}T15:00:00Z`);
      const outcome = await office.import(
        'nc-absentee',
        [header, ...range(0, count).map(line)].join('\n'),
      );
      expect([count, outcome.state, outcome.report.gate ?? []]).toEqual([count, 'done', []]);
    }
  });
});

async function release(outcome: ImportOutcome): Promise<void> {
  const { rows: found } = await sql<{ path: string }>`select encode(file_sha256, 'hex') as path
    from imports where import_id = ${outcome.importId}`.execute(office.db.database.system);
  const waiting = await findWaitingImport(office.db.database.system, outcome.importId as ImportId);
  if (!waiting) throw new Error('The import does not wait.');
  const kept = readFileSync(join(office.folder, 'held', found[0]?.path ?? ''));
  const released = await office.import('beacon-ballots', kept, {
    released: waiting,
    operator: 'operator:second',
  });
  expect(released.state).toBe('released');
}
