import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearBallots } from '../../../../../../testing/clear-ballots.ts';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { runs } from '../../../../../../testing/runs.ts';
import { sql } from '../../../../../../testing/sql.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  const voters = [1, 2, 3].map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode', ...voters].join('\n'),
  );
});
afterEach(() => office.close());

const header =
  'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';
const importBallots = (...rows: string[]) =>
  office.import('voter-focus-ballots', [header, ...rows].join('\n'));
const carolina =
  'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status';
const importCarolina = (...rows: string[]) =>
  office.import('nc-absentee', [carolina, ...rows].join('\n'));

/** Each voter's ballot: what its page shows and what the office last said of it. */
async function seen(): Promise<string[]> {
  const { rows } = await sql<{ seen: string }>`
    select concat_ws(' ', v.registration_id, b.ballot_number, b.current_status, b.office_record) as seen
    from ballots b join voters v using (voter_id) order by 1`.execute(office.db.database.system);
  return rows.map((row) => row.seen);
}

async function statusOf(voter: string): Promise<string | undefined> {
  const { rows } = await sql<{ current_status: string }>`
    select b.current_status from ballots b join voters v using (voter_id)
    where v.registration_id = ${voter}`.execute(office.db.database.system);
  return rows[0]?.current_status;
}

describe('of two rows of a ballot with the same day of mailing', () => {
  const refused = '7,1,Rejected,10/05/2026,10/12/2026,N,No signature';
  const accepted = '7,1,Accepted,10/05/2026,10/20/2026,,';

  test.each([
    ['the first row is the later one', [accepted, refused]],
    ['the last row is the later one', [refused, accepted]],
  ])('the later day of return decides when %s', async (_what, rows) => {
    await importBallots(...rows);
    expect(await statusOf('1')).toBe('accepted');
  });

  test('the lines may change places from file to file, and nothing happens', async () => {
    await importBallots(refused, accepted);
    for (const rows of [
      [accepted, refused],
      [refused, accepted],
    ]) {
      const { report } = await importBallots(...rows, '');
      expect(report.events).toBe(0);
    }
  });

  test('of one day of return, the verdict decides over the pending row, and acceptance over both', async () => {
    const row = (status: string) => `1,11/03/2026,MAIL,09/01/2026,09/20/2026,10/12/2026,${status}`;
    await importCarolina(row('WITNESS INFO INCOMPLETE'), row('PENDING'));
    expect(await statusOf('1')).toBe('rejected-curable');
    await importCarolina(row('ACCEPTED'), row('WITNESS INFO INCOMPLETE'), row('PENDING'));
    expect(await statusOf('1')).toBe('accepted');
  });
});

const statuses = ['Requested', 'Outbound', 'Accepted', 'Rejected', 'RejectedCurable', 'Canvassing'];
const day = fc.constantFrom('', '10/05/2026', '10/12/2026', '10/20/2026');
const row = fc
  .tuple(fc.constantFrom('1', '2'), fc.constantFrom(...statuses), day, day)
  .map(([voter, status, mailed, returned]) =>
    ['7', voter, status, mailed, returned, '', ''].join(','),
  );
const carolinaRow = fc
  .tuple(
    fc.constantFrom('1', '2'),
    fc.constantFrom('ACCEPTED', 'PENDING', 'SPOILED', 'WITNESS INFO INCOMPLETE', 'CONFLICT', ' '),
    fc.constantFrom(' ', '09/20/2026', '10/02/2026'),
    fc.constantFrom(' ', '10/05/2026', '10/12/2026'),
  )
  .map(
    ([voter, status, sent, returned]) =>
      `${voter},11/03/2026,MAIL,09/01/2026,${sent},${returned},${status}`,
  );

test.each([
  ['Voter Focus', importBallots, row],
  ['North Carolina', importCarolina, carolinaRow],
] as const)(
  'any order of the lines of a file of %s ends the same, and the same lines in another order say nothing new',
  async (_format, importRows, oneRow) => {
    const files = fc.array(oneRow, { minLength: 2, maxLength: 7 }).chain((rows) =>
      fc.tuple(
        fc.constant(rows),
        fc.shuffledSubarray(
          rows.map((_, index) => index),
          { minLength: rows.length },
        ),
      ),
    );
    await fc.assert(
      fc.asyncProperty(files, async ([rows, order]) => {
        const shuffled = order.map((index) => rows[index] ?? '');
        await clearBallots(office.db.database.system);
        await importRows(...rows);
        const first = await seen();
        const again = await importRows(...shuffled, '');
        expect(again.report.events).toBe(0);
        expect(await seen()).toEqual(first);
        await clearBallots(office.db.database.system);
        await importRows(...shuffled);
        expect(await seen()).toEqual(first);
      }),
      { numRuns: runs(25) },
    );
  },
);
