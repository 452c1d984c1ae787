import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearBallots } from '../../../../../../testing/clear-ballots.ts';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { runs } from '../../../../../../testing/runs.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { type BallotEvent, deriveBallotStatus } from '../../../ballots/index.ts';
import { findWaitingImport } from '../../run/waiting-store.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  await office.addElection('8', '2026-12-08');
  const voters = [1, 2, 3, 4, 5, 6].map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode', ...voters].join('\n'),
  );
});
afterEach(() => office.close());

const header =
  'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';

let files = 0;

/**
 * Each file has bytes of its own, for the gate stops those of an older file; and each ends its last line, for it also stops
 * a file that doesn't when all before it did.
 */
function importBallots(...rows: string[]) {
  files = (files % 100) + 1;
  return office.import('voter-focus-ballots', [header, ...rows].join('\n') + '\n'.repeat(files));
}

/** The same for drawn files: a file that waits, such as for its many unknown statuses, is approved. */
async function importDrawn(...rows: string[]): Promise<void> {
  const { state, importId } = await importBallots(...rows);
  if (state !== 'file-held' || importId === null) return;
  const released = await findWaitingImport(office.db.database.system, importId);
  if (!released) throw new Error(`Import ${importId} does not wait.`);
  const content = [header, ...rows].join('\n') + '\n'.repeat(files);
  const approved = await office.import('voter-focus-ballots', content, { released });
  expect(approved.state).toBe('released');
}

async function eventsOf(voter: string): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    select concat_ws(' ', coalesce(e.status, '?' || e.raw_status), e.occurred_on, nullif(e.reason_code, '')) as event
    from ballot_events e join ballots b using (ballot_id) join voters v using (voter_id)
    where v.registration_id = ${voter} order by e.event_id`.execute(office.db.database.system);
  return rows.map((row) => row.event);
}

async function statusOf(voter: string): Promise<string | undefined> {
  const { rows } = await sql<{ current_status: string }>`
    select b.current_status from ballots b join voters v using (voter_id)
    where v.registration_id = ${voter}`.execute(office.db.database.system);
  return rows[0]?.current_status;
}

test('a ballot’s first record reports its whole way so far, in order', async () => {
  await importBallots(
    '7,1,Requested,,,,',
    '7,2,Outbound,10/05/2026,,,',
    '7,3,Accepted,10/05/2026,10/20/2026,,',
    '7,4,RejectedCurable,10/05/2026,10/20/2026,N,No signature',
    '7,5,Undeliverable,10/05/2026,10/12/2026,,',
    '7,6,Outbound,10/05/2026,10/20/2026,,',
  );
  expect(await eventsOf('1')).toEqual(['requested']);
  expect(await eventsOf('2')).toEqual(['sent 2026-10-05']);
  expect(await eventsOf('3')).toEqual([
    'sent 2026-10-05',
    'returned 2026-10-20',
    'accepted 2026-10-20',
  ]);
  expect(await eventsOf('4')).toEqual([
    'sent 2026-10-05',
    'returned 2026-10-20',
    'rejected-curable 2026-10-20 N',
  ]);
  // The day of return of an undeliverable ballot is the post office's, not the voter's.
  expect(await eventsOf('5')).toEqual(['sent 2026-10-05', 'undeliverable 2026-10-12']);
  // An envelope that came back without a verdict is with the office.
  expect(await eventsOf('6')).toEqual(['sent 2026-10-05', 'returned 2026-10-20']);
});

test('a later file adds only what changed, and a missing row is not a cancellation', async () => {
  await importBallots('7,1,Outbound,10/05/2026,,,', '7,2,Outbound,10/05/2026,,,');
  const { report } = await importBallots('7,1,Accepted,10/05/2026,10/20/2026,,');
  expect(report.rows).toMatchObject({ added: 0, changed: 1, unchanged: 0 });
  const { report: shouted } = await importBallots('7,1,ACCEPTED,10/05/2026,10/20/2026,,');
  expect(shouted.rows).toMatchObject({ added: 0, changed: 0, unchanged: 1 });
  expect(await eventsOf('1')).toEqual([
    'sent 2026-10-05',
    'returned 2026-10-20',
    'accepted 2026-10-20',
  ]);
  expect(await statusOf('2')).toBe('sent');
});

test('a status moves backwards when the office says so', async () => {
  await importBallots('7,1,Accepted,10/05/2026,10/20/2026,,');
  await importBallots('7,1,Rejected,10/05/2026,10/20/2026,S,Signature differs');
  expect(await statusOf('1')).toBe('rejected');
  await importBallots('7,1,Outbound,10/05/2026,,,');
  expect(await statusOf('1')).toBe('sent');
  expect((await eventsOf('1')).slice(3)).toEqual(['rejected 2026-10-20 S', 'sent 2026-10-05']);
});

test('several rows of one ballot are its records in the order of mailing', async () => {
  const rows = ['7,1,Outbound,10/15/2026,,,', '7,1,Undeliverable,10/05/2026,10/12/2026,,'] as const;
  const first = await importBallots(...rows);
  expect(first.report.rows).toMatchObject({ added: 1, passedOver: 1, refused: 0 });
  const events = ['sent 2026-10-05', 'undeliverable 2026-10-12', 'reprinted 2026-10-15'];
  expect(await eventsOf('1')).toEqual(events);
  const again = await importBallots(...rows, '7,2,Requested,,,,');
  expect(again.report.rows).toMatchObject({ added: 1, changed: 0, passedOver: 1, unchanged: 1 });
  expect(await eventsOf('1')).toEqual(events);
});

test('of several new rows of a ballot in a file without the known one, each later mailing is reported', async () => {
  await importBallots('7,1,Requested,10/01/2026,,,', '7,2,Outbound,10/05/2026,,,');
  await importBallots(
    '7,1,Outbound,10/05/2026,,,',
    '7,1,Outbound,10/12/2026,,,',
    '7,2,Undeliverable,10/05/2026,10/09/2026,,',
    '7,2,Undeliverable,10/12/2026,10/14/2026,,',
    '7,2,Outbound,10/15/2026,,,',
  );
  expect(await eventsOf('1')).toEqual(['requested', 'sent 2026-10-05', 'reprinted 2026-10-12']);
  expect(await eventsOf('2')).toEqual([
    'sent 2026-10-05',
    'reprinted 2026-10-12',
    'undeliverable 2026-10-14',
    'reprinted 2026-10-15',
  ]);
  // Earlier mailings are not reported again when the last row changes.
  await importBallots('7,1,Outbound,10/05/2026,,,', '7,1,Accepted,10/12/2026,10/20/2026,,');
  expect((await eventsOf('1')).slice(3)).toEqual(['returned 2026-10-20', 'accepted 2026-10-20']);
});

test('an unknown status is kept as written, the last known one is shown, and the report names it', async () => {
  await importBallots('7,1,Outbound,10/05/2026,,,');
  const { report } = await importBallots('7,1,Canvassing,10/05/2026,10/20/2026,,');
  expect(report.unknownStatuses).toEqual([{ value: 'Canvassing', count: 1 }]);
  expect(await eventsOf('1')).toEqual(['sent 2026-10-05', 'returned 2026-10-20', '?Canvassing']);
  expect(await statusOf('1')).toBe('returned');
  // The day of what is shown stays known, whatever word comes after it.
  await importBallots('7,1,Counting,10/05/2026,10/20/2026,,');
  const { rows } = await sql<{ day: string }>`
    select e.occurred_on as day from ballots b
    join ballot_events e on e.ballot_id = b.ballot_id and e.event_id = b.current_event_id`.execute(
    office.db.database.system,
  );
  expect(rows).toEqual([{ day: '2026-10-20' }]);
  const first = await importBallots('7,2,Canvassing,,,,');
  expect(await statusOf('2')).toBe('requested');
  expect(first.report.after).toEqual({ '7 requested': 1, '7 returned': 1 });
});

test('of several rows of a ballot, the last of which have unknown statuses, the last known step is shown', async () => {
  const unknown = ['Canvassing', 'Counting'];
  await importBallots(
    '7,1,Outbound,10/05/2026,,,',
    ...unknown.map((status) => `7,1,${status},10/05/2026,10/20/2026,,`),
    '7,2,Outbound,10/05/2026,,,',
    ...unknown.map((status) => `7,2,${status},10/12/2026,,,`),
  );
  expect([await statusOf('1'), await statusOf('2')]).toEqual(['returned', 'reprinted']);
});

test('rows of voters who are not on the roll are refused once each, beside several rows of a ballot', async () => {
  const sent = (voter: number) => `7,${voter},Outbound,10/05/2026,,,`;
  const { report } = await importBallots(sent(98), sent(1), sent(99), sent(1), sent(2));
  expect(report.rows).toMatchObject({ added: 2, refused: 2, passedOver: 1, unchanged: 0 });
  const listed = readFileSync(report.rejectsFile ?? '', 'utf8')
    .trim()
    .split('\n');
  expect(listed.slice(1).map((row) => row.split(',')[0])).toEqual(['2', '4']);
});

describe('a row is refused, and no other', () => {
  test.each([
    [
      'of a voter who is not on the roll',
      '7,99,Outbound,10/05/2026,,,',
      'no voter has this VoterID. Did Excel drop the leading zeros? Otherwise import the voter file first',
    ],
    [
      'of an election that does not exist',
      '9,1,Outbound,10/05/2026,,,',
      'election 9 does not exist. You have: 8, 7',
    ],
    [
      'with a day that is none',
      '7,1,Outbound,02/30/2026,,,',
      'MailedDate is a date that does not exist',
    ],
    ['of the year 202', '7,1,Outbound,11/08/0202,,,', 'MailedDate is before 01/01/2000'],
    [
      'of the year 7020',
      '7,1,Accepted,10/05/2026,10/20/7020,,',
      'ReturnedDate is after 12/31/2027',
    ],
    ['without a voter', '7,,Outbound,10/05/2026,,,', 'VoterID is empty'],
  ])('%s', async (_what, row, reason) => {
    const { state, report } = await importBallots(row, '7,2,Requested,,,,');
    expect(state).toBe('done');
    expect(report.refusals).toEqual([{ reason, count: 1, line: 2 }]);
    expect(await statusOf('2')).toBe('requested');
    expect(await eventsOf('1')).toEqual([]);
  });
});

test('a refused row is imported once its cause is gone, from the very same file', async () => {
  const content = [header, '7,1,Requested,,,,', '9,1,Requested,,,,'].join('\n');
  const importSame = async () => (await office.import('voter-focus-ballots', content)).report;
  expect((await importSame()).rows).toMatchObject({ added: 1, refused: 1 });
  await office.addElection('9', '2027-02-02');
  expect((await importSame()).rows).toMatchObject({ added: 1, refused: 0 });
  expect((await importSame()).isRepeat).toBe(true);
});

const statuses = [
  'Requested',
  'Outbound',
  'Accepted',
  'Rejected',
  'RejectedCurable',
  'Undeliverable',
  'Canvassing',
];
const day = fc.constantFrom('', '10/05/2026', '10/12/2026', '2026-10-20');
const row = fc
  .tuple(
    fc.constantFrom('7', '8'),
    fc.constantFrom('1', '2', '3'),
    fc.constantFrom(...statuses),
    day,
    day,
  )
  .map(([election, voter, status, mailed, returned]) =>
    [election, voter, status, mailed, returned, '', ''].join(','),
  );

/** Every ballot by its office key, with all that decides what its voter sees. */
async function allBallots(): Promise<Map<string, { status: string; record: string; id: number }>> {
  const { rows } = await sql<{ key: string; status: string; record: string; id: number }>`
    select e.number || ' ' || v.registration_id as key, b.current_status as status,
      b.office_record as record, b.ballot_id as id
    from ballots b join voters v using (voter_id) join elections e using (election_id)
    order by 1`.execute(office.db.database.system);
  return new Map(rows.map(({ key, ...rest }) => [key, rest]));
}

test('whatever files come, each ballot’s stored status is what its events say', async () => {
  const file = fc.array(row, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 1, maxLength: 4 }), async (files) => {
      await clearBallots(office.db.database.system);
      for (const rows of files) await importDrawn(...rows);
      const { rows } = await sql<BallotEvent & { ballotId: number }>`
        select ballot_id as "ballotId", event_id as "eventId", kind, status, occurred_on as "occurredOn",
          occurred_at as "occurredAt", recorded_at::date::text as "recordedOn"
        from ballot_events`.execute(office.db.database.system);
      const events = Map.groupBy(rows, (event) => event.ballotId);
      for (const { id, status } of (await allBallots()).values()) {
        expect(status).toBe(deriveBallotStatus(events.get(id) ?? []).status);
      }
    }),
    { numRuns: runs(25) },
  );
});

test('a file cut into several, in any order and however often, ends as the file does', async () => {
  const oneRowEach = fc.uniqueArray(row, {
    minLength: 1,
    selector: (text) => text.split(',').slice(0, 2).join(),
  });
  const cuts = oneRowEach.chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      parts: fc.array(fc.subarray(rows, { minLength: 1 }), { maxLength: 4 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cuts, async ({ rows, parts }) => {
      await clearBallots(office.db.database.system);
      await importDrawn(...rows);
      const whole = [...(await allBallots())].map(([key, { status, record }]) => [
        key,
        status,
        record,
      ]);
      await clearBallots(office.db.database.system);
      for (const part of [...parts, rows.slice(0, 1), rows, ...parts]) await importDrawn(...part);
      const pieces = [...(await allBallots())].map(([key, { status, record }]) => [
        key,
        status,
        record,
      ]);
      expect(pieces).toEqual(whole);
    }),
    { numRuns: runs(15) },
  );
});

test('several rows of each ballot, reported file by file as they happened, end as in one file', async () => {
  const days = [5, 8, 12, 14, 19, 22].map((day) => `10/${String(day).padStart(2, '0')}/2026`);
  const history = fc.uniqueArray(row, { minLength: 1, maxLength: 6 }).map((rows) =>
    // Each row of a ballot is of a later mailing than the one before it.
    rows.map((text, place) => {
      const [election, voter, status, , returned] = text.split(',');
      return [election, voter, status, days[place], returned, '', ''].join(',');
    }),
  );
  const plan = history.chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      cuts: fc.array(fc.nat(rows.length), { maxLength: 3 }),
      times: fc.integer({ min: 1, max: 2 }),
    }),
  );
  const seen = async () =>
    [...(await allBallots())].map(([key, { status, record }]) => [key, status, record]);
  await fc.assert(
    fc.asyncProperty(plan, async ({ rows, cuts, times }) => {
      await clearBallots(office.db.database.system);
      await importDrawn(...rows);
      const whole = await seen();
      await clearBallots(office.db.database.system);
      const places = [0, ...cuts.toSorted((a, b) => a - b), rows.length];
      for (const [at, end] of places.slice(1).entries()) {
        const part = rows.slice(places[at], end);
        for (let time = 0; part.length > 0 && time < times; time += 1) await importDrawn(...part);
      }
      expect(await seen()).toEqual(whole);
      await importDrawn(...rows);
      expect(await seen()).toEqual(whole);
    }),
    {
      numRuns: runs(20),
      // A day of mailing on a ballot asked for again is a plan, and still later than that of the one before. What comes
      // before a status that nobody knows decides what is shown.
      examples: [
        [
          {
            rows: [
              '7,2,Rejected,10/05/2026,10/12/2026,,',
              '7,2,Requested,10/12/2026,10/05/2026,,',
              '7,2,Canvassing,10/12/2026,,,',
            ],
            cuts: [1],
            times: 1,
          },
        ],
        [
          {
            rows: ['7,2,Requested,10/05/2026,10/12/2026,,', '7,2,Requested,10/12/2026,,,'],
            cuts: [1],
            times: 1,
          },
        ],
        // A file of hardly anything but unknown statuses waits for approval.
        [
          {
            rows: [
              '7,1,Requested,10/05/2026,,,',
              '7,1,Canvassing,10/08/2026,,,',
              '7,1,Requested,10/12/2026,,,',
              '8,1,Canvassing,10/14/2026,,,',
              '7,1,Canvassing,10/19/2026,,,',
            ],
            cuts: [1],
            times: 1,
          },
        ],
        // What nobody understands hides nothing that came between.
        [
          {
            rows: [
              '7,2,Requested,10/05/2026,,,',
              '7,2,Accepted,10/12/2026,10/12/2026,,',
              '7,2,Canvassing,10/19/2026,,,',
            ],
            cuts: [1],
            times: 1,
          },
        ],
      ],
    },
  );
});
