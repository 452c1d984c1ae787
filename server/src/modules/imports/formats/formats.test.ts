// Longer than 400 lines: what each format's file becomes is one table, to be compared with each other.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { clearBallots } from '../../../../../testing/clear-ballots.ts';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';
import { findFormat, listFormats, recognizeFormat } from '../index.ts';

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
});
afterEach(() => office.close());

/** Puts voters 1 to 60 on the roll, with Georgia's padding too, and no ballots. */
async function startAnew(): Promise<void> {
  await clearBallots(office.db.database.system);
  const ids = Array.from({ length: 60 }, (_, n) => [
    `${n + 1}`,
    `${n + 1}`.padStart(8, '0'),
  ]).flat();
  const rows = [...new Set(ids)].map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode', ...rows].join('\n'),
  );
}

/** Each voter's ballots as `status`, several joined by `, `, in the order of the voters. */
async function ballots(): Promise<Record<string, string>> {
  const { rows } = await sql<{ voter: number; statuses: string }>`
    select v.registration_id::integer as voter,
      string_agg(b.current_status, ', ' order by b.ballot_number) as statuses
    from ballots b join voters v using (voter_id) group by 1 order by 1`.execute(
    office.db.database.system,
  );
  return Object.fromEntries(rows.map(({ voter, statuses }) => [voter, statuses]));
}

/** What is known of a voter's ballots, each event as `status day reason-code reason`. */
async function events(voter: number): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    select concat_ws(' ', coalesce(e.status, '?'), e.occurred_on, nullif(e.reason_code, ''), nullif(e.reason, '')) as event
    from ballot_events e join ballots using (ballot_id) join voters v using (voter_id)
    where v.registration_id::integer = ${voter} order by e.event_id`.execute(
    office.db.database.system,
  );
  return rows.map(({ event }) => event);
}

/** `{ 1: 'accepted', 2: 'accepted', 3: 'returned' }` from `[['accepted', 2], ['returned', 1]]`. */
function inOrder(...runs: readonly (readonly [string, number])[]): Record<string, string> {
  const statuses = runs.flatMap(([status, count]) => Array<string>(count).fill(status));
  return Object.fromEntries(statuses.map((status, n) => [n + 1, status]));
}

/** What formats.md says of each value of the fixture, row by row. */
const expected: Record<
  string,
  {
    format: string;
    election?: string;
    becomes: Record<string, string>;
    /** Of one voter. */
    says?: readonly [number, ...string[]];
  }
> = {
  'nc-absentee.csv': {
    format: 'nc-absentee',
    says: [
      9,
      ...['requested 2026-09-01', 'sent 2026-09-20', 'returned 2026-10-12'],
      'rejected-curable 2026-10-12 PHOTO ID CURABLE',
    ],
    becomes: {
      ...inOrder(
        ['accepted', 4],
        ['returned', 1],
        ['rejected-curable', 6],
        ['rejected', 6],
        ['reprinted', 2],
        ['undeliverable', 1],
        ['rejected', 5],
        // It waits for staff: what is known is that the county has the envelope.
        ['returned', 6],
        ['sent', 1],
        ['requested', 1],
        ['in-person', 1],
      ),
      36: 'reprinted, accepted',
      37: 'returned',
      38: 'in-person',
    },
  },
  'nc-absentee-2020.csv': { format: 'nc-absentee', becomes: { 1: 'accepted' } },
  'wa-ballots.csv': {
    format: 'wa-ballots',
    says: [
      3,
      ...['sent 2026-10-16', 'returned 2026-10-22'],
      'rejected-curable 2026-10-22 Signature Does Not Match',
    ],
    becomes: inOrder(
      ['accepted', 1],
      ['returned', 1],
      ['rejected-curable', 2],
      ['rejected', 1],
      ['in-person', 1],
      ['accepted', 1],
      ['sent', 1],
      ['requested', 1],
      ['accepted', 1],
    ),
  },
  'wa-ballots-2024.csv': { format: 'wa-ballots', becomes: { 1: 'accepted' } },
  'ga-absentee.csv': {
    format: 'ga-absentee',
    election: '7',
    says: [
      2,
      ...['requested 2026-09-01', 'sent 2026-10-06', 'returned 2026-10-20'],
      'rejected 2026-10-20 Missing signature',
    ],
    becomes: {
      ...inOrder(
        ['accepted', 1],
        ['rejected', 1],
        ['undeliverable', 1],
        ['cancelled', 1],
        ['sent', 1],
        ['returned', 1],
        ['sent', 1],
        ['requested', 1],
      ),
      // 9 and 11 are refused and pending applications: no ballots.
      10: 'in-person',
      12: 'cancelled, sent',
      13: 'sent',
      // A ballot was issued before the application was refused.
      14: 'sent',
    },
  },
  'pa-ballots.csv': {
    format: 'pa-ballots',
    election: '7',
    says: [
      14,
      ...['requested 2026-08-12', 'printed 2026-10-01', 'returned 2026-10-20'],
      'rejected 2026-10-20 CANC – RETURNED AFTER DEADLINE',
    ],
    becomes: {
      ...inOrder(
        ['sent', 1],
        ['rejected-curable', 5],
        ['rejected', 5],
        ['undeliverable', 2],
        ['rejected', 1],
        ['reprinted', 1],
        ['cancelled', 4],
        ['accepted', 1],
      ),
      // Returned, it says, before it was sent: the verdict is what counts.
      22: 'accepted',
    },
  },
  'pa-ballots-2020.csv': {
    format: 'pa-ballots',
    election: '7',
    // From 4 on the day of return is 1800, which stands for none.
    becomes: {
      1: 'returned',
      2: 'printed',
      3: 'requested',
      4: 'printed',
      5: 'printed',
      6: 'printed',
    },
  },
  'me-absentee-2024.txt': {
    format: 'me-absentee',
    election: '7',
    says: [
      6,
      ...['requested 2026-09-01', 'sent 2026-10-05', 'returned 2026-10-20'],
      'rejected 2026-10-20 SNR',
    ],
    becomes: {
      ...inOrder(
        ['accepted', 4],
        ['rejected-curable', 1],
        ['rejected', 1],
        // Rejected, it says, and nothing came back.
        ['sent', 1],
        ['rejected', 1],
        ['returned', 1],
        ['in-person', 1],
        ['returned', 1],
        ['sent', 1],
        ['requested', 1],
      ),
      14: 'rejected, accepted',
      15: 'accepted',
      16: 'accepted',
      // It waits for a fix, it says, and nothing came back.
      17: 'sent',
    },
  },
  'me-absentee-2026.txt': {
    format: 'me-absentee',
    election: '7',
    says: [
      2,
      ...['requested 2026-09-01', 'sent 2026-10-05', 'returned 2026-10-20'],
      'rejected-curable 2026-10-20',
    ],
    becomes: { 1: 'accepted', 2: 'rejected-curable' },
  },
  'fl-1s-2-043.txt': {
    format: 'fl-1s-2-043',
    says: [1, 'requested 2026-09-01', 'cancelled 2026-10-01'],
    becomes: inOrder(['cancelled', 1], ['returned', 1], ['sent', 7]),
  },
  'co-ce-068-2022.txt': {
    format: 'co-ce-068',
    election: '7',
    becomes: inOrder(['returned', 1], ['in-person', 1], ['sent', 1]),
  },
  'co-ce-068-2024.txt': { format: 'co-ce-068', election: '7', becomes: { 1: 'returned' } },
  'co-ce-068-2026.txt': {
    format: 'co-ce-068',
    election: '7',
    says: [2, 'in-person 2026-10-28'],
    becomes: inOrder(['returned', 1], ['in-person', 1], ['sent', 1]),
  },
  'nv-clark-2024.csv': {
    format: 'nv-clark',
    becomes: inOrder(['accepted', 1], ['sent', 1], ['requested', 1], ['returned', 2]),
  },
  'nv-clark.csv': {
    format: 'nv-clark',
    says: [4, ...['requested 2026-09-01', 'sent 2026-10-05', 'returned 2026-10-20'], '? SG'],
    becomes: inOrder(['returned', 1], ['sent', 1], ['requested', 1], ['returned', 1]),
  },
  'voter-focus-ballots.csv': {
    format: 'voter-focus-ballots',
    says: [
      6,
      'sent 2026-10-05',
      'returned 2026-10-20',
      'rejected-curable 2026-10-20 S No signature',
    ],
    becomes: inOrder(
      ['requested', 1],
      ['sent', 1],
      ['returned', 1],
      ['accepted', 1],
      ['rejected', 1],
      ['rejected-curable', 2],
      ['undeliverable', 1],
    ),
  },
  'beacon-ballots.csv': {
    format: 'beacon-ballots',
    says: [
      13,
      ...['requested 2026-09-01', 'printed 2026-09-20', 'sent 2026-10-05', 'returned 2026-10-20'],
      'not-counted 2026-11-05 L It came after the deadline',
    ],
    becomes: inOrder(
      // A day of return on a ballot that was on its way: the office has it.
      ['returned', 4],
      ['accepted', 1],
      ['in-person', 1],
      ['rejected', 1],
      ['rejected-curable', 1],
      ['undeliverable', 1],
      ['cancelled', 1],
      ['reprinted', 1],
      ['counted', 1],
      ['not-counted', 1],
    ),
  },
  'beacon-applications.csv': {
    format: 'beacon-applications',
    says: [4, 'application-refused 2026-10-06 R Not registered in this county'],
    becomes: inOrder(
      ['application-received', 1],
      ['application-incomplete', 1],
      ['application-approved', 1],
      ['application-refused', 1],
    ),
  },
};

describe('each office’s file is known by its first line and becomes what its values mean', () => {
  test.each(Object.entries(expected))('%s', async (name, { format, election, becomes, says }) => {
    await startAnew();
    const content = fixture(name);
    const recognized = await recognizeFormat(
      { name, open: () => Readable.from([content]) },
      await listFormats(),
    );
    expect(recognized).toMatchObject({ ok: true, format: { name: format } });
    const first = await office.import(format, content, { election });
    expect(first.state).toBe('done');
    expect(first.report.unknownColumns).toEqual([]);
    expect(await ballots()).toEqual(becomes);
    if (says) expect([says[0], ...(await events(says[0]))]).toEqual(says);

    const again = await office.import(format, Buffer.concat([content, Buffer.from('\n')]), {
      election,
    });
    expect(again.report.events).toBe(0);
  });
});

test('what no source explains is kept as written, never guessed, and what is new is named', async () => {
  await startAnew();
  const florida = fixture('fl-1s-2-043.txt').toString('latin1');
  const { report } = await office.import('fl-1s-2-043', florida.replace('\tX\t', '\tQ\t'));
  expect(report.unknownStatuses).toEqual([{ value: 'Q', count: 1 }]);
  const { rows } = await sql<{ seen: string }>`
    select distinct current_status || ' ' || raw_status as seen
    from ballots b join ballot_events e using (ballot_id) where e.status is null order by 1`.execute(
    office.db.database.system,
  );
  expect(rows.map(({ seen }) => seen)).toEqual([...'ENPQRSU'].map((letter) => `sent ${letter}`));
  const carolina = await office.import('nc-absentee', fixture('nc-absentee.csv'));
  expect(carolina.report.unknownStatuses).toEqual([{ value: 'SOMETHING NEW', count: 1 }]);
  const clark = await office.import('nv-clark', fixture('nv-clark.csv'));
  expect(clark.report.unknownStatuses).toEqual([{ value: 'SG', count: 1 }]);
});

test('dates that cannot be are refused, and their rows alone', async () => {
  await startAnew();
  const reasons = async (format: string, name: string) =>
    (await office.import(format, fixture(name), { election: '7' })).report.refusals;
  expect(await reasons('co-ce-068', 'co-ce-068-2022.txt')).toEqual([
    { reason: 'MAIL_BALLOT_RECEIVE_DATE is before 01/01/2000', count: 1, line: 5 },
  ]);
  expect(await reasons('pa-ballots', 'pa-ballots.csv')).toEqual([
    { reason: 'ballotsentdate is after 12/31/2027', count: 1, line: 22 },
  ]);
});

test('of a state’s file an office takes its own county, and totals are no rows', async () => {
  await startAnew();
  const carolina = await office.import('nc-absentee', fixture('nc-absentee.csv'));
  expect(carolina.report.rows).toMatchObject({ passedOver: 2, refused: 0 });
  const named = fixture('nc-absentee.csv')
    .toString('latin1')
    .replaceAll('"ADAMS"', '"Adams County"');
  const again = await office.import('nc-absentee', Buffer.from(named, 'latin1'));
  expect(again.report.rows).toMatchObject({ added: 0, passedOver: 2, refused: 0 });
  const maine = await office.import('me-absentee', fixture('me-absentee-2024.txt'), {
    election: '7',
  });
  expect(maine.report.rows).toMatchObject({ read: 18, refused: 0 });
});

test('Georgia’s application that is pending is no ballot, with a P or with nothing', async () => {
  await startAnew();
  const [header = '', ...rows] = fixture('ga-absentee.csv').toString().trim().split('\n');
  const pending = rows.find((row) => row.includes('"00000011"')) ?? '';
  const named = pending.replace('"00000011"', '"00000015"').split(',');
  const place = header.split(',').findIndex((name) => name.includes('Application Status'));
  named[place] = '"P"';
  const { report } = await office.import(
    'ga-absentee',
    [header, pending, named.join(','), ''].join('\n'),
    { election: '7' },
  );
  expect(report.unknownStatuses).toEqual([]);
  expect(report.rows).toMatchObject({ read: 2, passedOver: 2, added: 0 });
});

test('Maine’s first ballot of a voter has no number, or 1', async () => {
  await startAnew();
  const maine = fixture('me-absentee-2026.txt').toString();
  await office.import('me-absentee', maine, { election: '7' });
  const numbered = maine.replace('||ACC||', '|1|ACC||');
  const { report } = await office.import('me-absentee', numbered, { election: '7' });
  expect(report.rows).toMatchObject({ read: 2, added: 0 });
});

test('North Carolina’s roll has no birth dates, and removed voters may not sign in', async () => {
  const carolina = await createTestOffice({ state: 'NC' });
  const { report } = await carolina.import('nc-voters', fixture('nc-voters.txt'));
  expect(report.rows).toMatchObject({ added: 6, passedOver: 1, refused: 0 });
  const later = Buffer.concat([fixture('nc-voters.txt'), Buffer.from('\n')]);
  const { report: again } = await carolina.import('nc-voters', later);
  expect(again.rows).toMatchObject({ read: 7, unchanged: 6, passedOver: 1 });
  const { rows } =
    await sql<object>`select registration_id, lastname, birthdate, birthyear, is_active, is_confidential
    from voters order by 1`.execute(carolina.db.database.system);
  await carolina.close();
  const voter = { lastname: 'PEÑA', birthdate: null, birthyear: 1960 };
  expect(rows).toEqual([
    { ...voter, registration_id: 'A1', is_active: true, is_confidential: false },
    { ...voter, registration_id: 'C1', is_active: true, is_confidential: true },
    { ...voter, registration_id: 'D1', is_active: false, is_confidential: false },
    { ...voter, registration_id: 'I1', is_active: true, is_confidential: false },
    { ...voter, registration_id: 'R1', is_active: false, is_confidential: false },
    { ...voter, registration_id: 'S1', is_active: true, is_confidential: false },
  ]);
});

test('of Voter Focus’s numbers and addresses the private ones come first', async () => {
  const contacts = [
    '3525550101,3525550102,352,5550103,own@mail.example,public@mail.example',
    '3525550101,,352,5550103,,public@mail.example',
    ',,352,5550103,,',
  ];
  const header =
    'Voter ID,First Name,Last Name,Middle Name,Birth Date,Zip Code,County of Residence,Private Home Phone,Private Mobile Phone,Area Code,Phone Number,Email Address,Public Email Address';
  const rows = contacts.map((one, n) => `VF${n},Ann,Lee,,01/02/1950,99301,Adams,${one}`);
  await office.import('voter-focus-voters', [header, ...rows].join('\n'));
  const known = await sql`select phone, email from voters
    where registration_id like 'VF%' order by registration_id`.execute(office.db.database.system);
  expect(known.rows).toEqual([
    { phone: '+13525550102', email: 'own@mail.example' },
    { phone: '+13525550101', email: 'public@mail.example' },
    { phone: '+13525550103', email: '' },
  ]);
});

test('every format the product brings is sound, and has a fixture or a demo file', async () => {
  const formats = await listFormats();
  const covered = new Set([
    ...Object.values(expected).map(({ format }) => format),
    ...['nc-voters', 'beacon-voters', 'voter-focus-voters', 'voter-focus-ballots'],
    // In mail-pieces.test.ts.
    'beacon-mailpieces',
    // In scans.test.ts.
    ...['usps-iv-mtr', 'usps-scan-records'],
  ]);
  expect(formats.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([]);
  expect(await findFormat('no-such')).toMatchObject({ ok: false });
});
