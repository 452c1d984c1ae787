// Longer than 400 lines: every test loads lists of one office, which a list leaves in different ways, through the same helpers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { listElections } from '../../../accounts/index.ts';
import { setOfficeDeadline } from '../../../deadlines/index.ts';
import { correctImport } from '../../../notifications/index.ts';
import { putBackImport } from '../../index.ts';

/** An office's list of the voters who still have to put something right. */
const cureList = {
  name: 'cure-list',
  title: 'Ballots waiting for a cure',
  source: 'The office',
  holds: 'ballots',
  required: ['Voter', 'Election', 'Problem'],
  fields: {
    registration_id: 'Voter',
    election: 'Election',
    returned_on: 'Received',
    reason: 'Problem',
  },
  status: {
    columns: ['Problem'],
    rules: [
      { when: { Problem: 'Came back' }, becomes: 'undeliverable' },
      { when: { Problem: 'Not decided' }, becomes: 'returned' },
      { when: { Problem: 'Refused' }, becomes: 'rejected' },
      { when: { Problem: { filled: true } }, becomes: 'rejected-curable' },
    ],
  },
  missing_rows: 'succeeded',
};

let office: TestOffice;
let folder: string;
let format: string;

beforeEach(async () => {
  office = await createTestOffice();
  folder = mkdtempSync(join(tmpdir(), 'beacon-list-'));
  format = join(folder, 'cure-list.json');
  writeFileSync(format, JSON.stringify(cureList));
  await office.addElection('7', '2026-11-03');
  await office.addElection('8', '2026-12-08');
  const voters = Array.from({ length: 3_000 }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...voters].join('\n'));
});
afterEach(async () => {
  await office.close();
  rmSync(folder, { recursive: true });
});

const importList = (...rows: string[]) =>
  office.import(format, ['Voter,Election,Received,Problem', ...rows].join('\n'));
const importNamed = (name: string, ...rows: string[]) => {
  const bytes = Buffer.from(['Voter,Election,Received,Problem', ...rows].join('\n'));
  const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
  return office.import(format, bytes, { file });
};
/** Imports a file of all ballots. */
const importBallots = (voters: readonly number[], status: string) =>
  office.import(
    'beacon-ballots',
    [
      'registration_id,election,status,sent_on',
      ...voters.map((n) => `${n},7,${status},2026-10-05`),
    ].join('\n'),
  );
const nextDay = () => office.clock.advance(24 * 3_600_000);
const acceptedWarning = (count: number) => ({
  message: 'no longer on the list, and so accepted',
  count,
});
const leftWarning = (count: number) => ({
  message: 'no longer on the list: accepted once the list of another day does not have it either',
  count,
});
const waiting = (voter: number, election = 7) => `${voter},${election},10/20/2026,No signature`;

async function statuses(): Promise<Record<string, string>> {
  const { rows } = await sql<{ ballot: string; status: string }>`
    select e.number || '/' || v.registration_id as ballot, b.current_status as status
    from ballots b join voters v using (voter_id) join elections e using (election_id)`.execute(
    office.db.database.system,
  );
  return Object.fromEntries(rows.map(({ ballot, status }) => [ballot, status]));
}

test('a ballot that leaves a list of open cases is accepted on the second day, and waits again when it is listed again', async () => {
  await importList(waiting(1), waiting(2), waiting(1, 8));
  nextDay();
  const first = await importList(waiting(2));
  expect([first.state, first.report.warnings]).toEqual(['done', [leftWarning(1)]]);
  expect(first.report.rows).toMatchObject({ read: 1, changed: 0, unchanged: 1 });
  expect((await importList(waiting(2))).report.warnings).toEqual([]);
  // Of another election the file says nothing.
  const open = { '7/2': 'rejected-curable', '8/1': 'rejected-curable' };
  expect(await statuses()).toEqual({ '7/1': 'rejected-curable', ...open });
  nextDay();
  const { report } = await importList(waiting(2));
  expect(report.warnings).toEqual([acceptedWarning(1)]);
  expect(report.rows).toMatchObject({ read: 1, changed: 1, unchanged: 1 });
  // Later files are compared with the rows of this one, not with those that it lacks.
  expect(report.learned?.days).toMatchObject({ returned_on: 1 });
  expect(await statuses()).toEqual({ '7/1': 'accepted', ...open });
  const again = await importList(waiting(2), `3,7,10/21/2026,Late`);
  expect(again.report.rows).toMatchObject({ added: 1, changed: 0, unchanged: 1 });
  await importList(waiting(2), waiting(1));
  nextDay();
  await importList(waiting(2), waiting(1));
  expect(await statuses()).toMatchObject({ '7/1': 'rejected-curable', ...open, '7/3': 'accepted' });
});

test('a ballot that one file lacks by mistake is never accepted', async () => {
  const all = [waiting(1), waiting(2)];
  const days = [all, [waiting(2)], all, [waiting(1)], [waiting(2)]];
  for (const [place, rows] of days.entries()) {
    office.clock.set(`2026-11-2${place}T15:00:00Z`);
    expect((await importNamed(`cures-2026-11-2${place}.csv`, ...rows)).state).toBe('done');
  }
  const open = { '7/1': 'rejected-curable', '7/2': 'rejected-curable' };
  expect(await statuses()).toEqual(open);
  // Of the same day by its name, although it comes a day later.
  nextDay();
  expect((await importNamed('cures-2026-11-24-b.csv', waiting(2))).state).toBe('done');
  expect(await statuses()).toEqual(open);
  await importNamed('cures-2026-11-25.csv', waiting(2));
  expect(await statuses()).toEqual({ ...open, '7/1': 'accepted' });
});

test('a list that is older than lists without any case waits, and opens no case again', async () => {
  for (const [day, rows] of [
    ['20', [waiting(1)]],
    ['22', []],
    ['23', []],
  ] as const) {
    office.clock.set(`2026-11-${day}T15:00:00Z`);
    expect((await importNamed(`cures-2026-11-${day}.csv`, ...rows)).state).toBe('done');
  }
  expect(await statuses()).toEqual({ '7/1': 'accepted' });
  const late = await importNamed('cures-2026-11-21.csv', waiting(1));
  expect([late.state, late.report.gate?.map(({ detail }) => detail)]).toEqual([
    'file-held',
    [
      expect.stringMatching(
        /^This is the file of Nov 21; the file of Nov 23 is already in \(import \d+\)\.$/,
      ),
    ],
  ]);
  expect(await statuses()).toEqual({ '7/1': 'accepted' });
});

test('a ballot that a list lacks which waits, or never was loaded, is not accepted on the next day', async () => {
  const open = { '7/1': 'rejected-curable', '7/2': 'rejected-curable', '7/3': 'rejected-curable' };
  await importList(waiting(1), waiting(2), waiting(3));
  nextDay();
  // It waits for days to come, and lacks the first as well.
  const ahead = [4, 5, 6, 7].map((voter) => `${voter},7,11/30/2026,No signature`);
  expect((await importList(waiting(2), waiting(3), ...ahead)).state).toBe('file-held');
  nextDay();
  const next = await importList(waiting(2), waiting(3));
  expect([next.state, next.report.warnings]).toEqual(['done', [leftWarning(1)]]);
  expect(await statuses()).toEqual(open);
  nextDay();
  await importList(waiting(2), waiting(3));
  expect(await statuses()).toEqual({ ...open, '7/1': 'accepted' });
});

test('a ballot that a list lacks which was corrected is not accepted on the next day', async () => {
  await importList(waiting(1), waiting(2));
  nextDay();
  const { importId } = await importList(waiting(2));
  await office.db.database.transaction((tx) =>
    correctImport(tx, importId as ImportId, 'Bea Deputy', office.clock.now()),
  );
  nextDay();
  expect((await importList(waiting(2))).report.warnings).toEqual([leftWarning(1)]);
  expect(await statuses()).toEqual({ '7/1': 'rejected-curable', '7/2': 'rejected-curable' });
});

test('a ballot that only another of the office’s lists has as an open case is not accepted by its absence', async () => {
  await importList(waiting(1));
  const other = 'registration_id,election,status,returned_on\n2,7,rejected-curable,2026-10-20';
  expect((await office.import('beacon-ballots', other)).state).toBe('done');
  const listed = [waiting(1)];
  for (const voter of [3, 4, 5]) {
    nextDay();
    listed.push(waiting(voter));
    const { state, report } = await importList(...listed);
    expect([state, report.warnings]).toEqual(['done', []]);
  }
  expect(await statuses()).toMatchObject({ '7/1': 'rejected-curable', '7/2': 'rejected-curable' });
});

test('a file of another election says nothing of a ballot that the file before it lacked', async () => {
  const days = [
    [waiting(1), waiting(2), waiting(3, 8)],
    [waiting(2)],
    [waiting(3, 8)],
    [waiting(2)],
  ];
  for (const [place, rows] of days.entries()) {
    expect(await statuses()).not.toMatchObject({ '7/1': 'accepted' });
    office.clock.set(`2026-11-2${place}T15:00:00Z`);
    expect((await importNamed(`cures-2026-11-2${place}.csv`, ...rows)).state).toBe('done');
  }
  const open = { '7/2': 'rejected-curable', '8/3': 'rejected-curable' };
  expect(await statuses()).toEqual({ '7/1': 'accepted', ...open });
});

test('a list without rows is a day without open cases: on the second, the last ones were accepted', async () => {
  expect((await importList()).report.rows).toMatchObject({ read: 0, changed: 0 });
  await importList(waiting(1), waiting(2), waiting(3));
  await office.addElection('8', '2026-12-08', false);
  nextDay();
  await importList(waiting(3), waiting(5, 8));
  nextDay();
  const first = await importList();
  expect([first.state, first.report.gate, first.report.warnings]).toEqual([
    'done',
    undefined,
    [acceptedWarning(2), leftWarning(1)],
  ]);
  const closed = { '7/1': 'accepted', '7/2': 'accepted' };
  // Voters no longer see an election that is not active, and the list says nothing of it.
  const open = { '7/3': 'rejected-curable', '8/5': 'rejected-curable' };
  expect(await statuses()).toEqual({ ...closed, ...open });
  nextDay();
  await importList();
  expect(await statuses()).toEqual({ ...closed, ...open, '7/3': 'accepted' });
  nextDay();
  expect((await importList()).state).toBe('nothing-new');
  await importList(waiting(4));
  nextDay();
  expect((await importList('')).state).toBe('done');
  nextDay();
  expect((await importList('')).state).toBe('done');
  expect(await statuses()).toMatchObject({ '7/4': 'accepted' });
});

test('a list without rows waits where it would close many cases at once', async () => {
  await importList(...Array.from({ length: 8 }, (_, n) => waiting(n)));
  const { state, report } = await importList();
  expect([state, report.gate?.map(({ detail }) => detail)]).toEqual([
    'file-held',
    ['It has no rows, so all 8 open cases would count as accepted. Did the export fail?'],
  ]);
});

test('a list without rows waits where it would close several cases, and closes a single one on the second day', async () => {
  await importList(waiting(1), waiting(2));
  const { state, report } = await importList();
  expect([state, report.gate]).toEqual([
    'file-held',
    [
      {
        code: 'file-shrank',
        detail: 'It has no rows, so all 2 open cases would count as accepted. Did the export fail?',
        examples: ['1', '2'].map((voter) => ({
          ...{ voter, from: 'rejected-curable', to: 'accepted', line: null },
        })),
      },
    ],
  ]);
  expect(await statuses()).toEqual({ '7/1': 'rejected-curable', '7/2': 'rejected-curable' });
  expect((await importList(waiting(2))).state).toBe('done');
  expect((await importList()).state).toBe('done');
  expect(await statuses()).toEqual({ '7/1': 'rejected-curable', '7/2': 'rejected-curable' });
  nextDay();
  expect((await importList()).state).toBe('done');
  expect(await statuses()).toEqual({ '7/1': 'accepted', '7/2': 'accepted' });
});

test('a list without rows is refused where a missing row means nothing', async () => {
  const header =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';
  const { state, report } = await office.import('voter-focus-ballots', header);
  expect([state, report.refusedBecause]).toEqual([
    'refused',
    'The file has a header but no rows. Nothing was imported.',
  ]);
});

test('what another file was the last to speak of does not leave the list', async () => {
  await importList(waiting(1), waiting(2));
  const header =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';
  await office.import(
    'voter-focus-ballots',
    `${header}\n7,1,Rejected,10/05/2026,10/22/2026,L,Late\n`,
  );
  await importList(waiting(2));
  expect(await statuses()).toEqual({ '7/1': 'rejected', '7/2': 'rejected-curable' });
});

test('what USPS saw since, or a file that was put back, keeps no ballot on the list', async () => {
  await importList(waiting(1), waiting(2), waiting(3));
  const imb = '00777123456000000001';
  await office.import('beacon-mailpieces', `registration_id,election,inbound_imb\n1,7,${imb}`);
  const scan = { imb: `${imb}99301`, scanDatetime: '2026-10-19T09:00:00', mailPhase: '1' };
  const event = { ...scan, handlingEventType: 'A', scanEventCode: '517', scanFacilityState: 'WA' };
  expect((await office.import('usps-iv-mtr', JSON.stringify(event))).report.events).toBe(1);
  const other = 'registration_id,election,status,returned_on\n2,7,rejected,2026-10-20';
  const { importId } = await office.import('beacon-ballots', other);
  await office.db.database.transaction((tx) =>
    putBackImport(tx, importId as ImportId, office.clock.now()),
  );
  for (let day = 0; day < 2; day += 1) {
    nextDay();
    expect((await importList(waiting(3))).state).toBe('done');
  }
  const accepted = { '7/1': 'accepted', '7/2': 'accepted' };
  expect(await statuses()).toEqual({ ...accepted, '7/3': 'rejected-curable' });
});

test('when one of a voter’s two ballots leaves the list, the other stays an open case', async () => {
  const fields = { ...cureList.fields, ballot_number: 'Number' };
  writeFileSync(format, JSON.stringify({ ...cureList, name: 'numbered', fields }));
  const importNumbers = (...numbers: string[]) => {
    const rows = numbers.map((number) => `${waiting(1)},${number}`);
    return office.import(format, ['Voter,Election,Received,Problem,Number', ...rows].join('\n'));
  };
  await importNumbers('A', 'B');
  for (let day = 0; day < 2; day += 1) {
    nextDay();
    expect((await importNumbers('B')).state).toBe('done');
  }
  const { rows } = await sql`select ballot_number, current_status from ballots order by 1`.execute(
    office.db.database.system,
  );
  expect(rows).toEqual([
    { ballot_number: 'A', current_status: 'accepted' },
    { ballot_number: 'B', current_status: 'rejected-curable' },
  ]);
});

test('a refused row keeps every ballot on the list', async () => {
  await importList(waiting(1), waiting(2));
  const { report } = await importList(waiting(2), '1,7,10/50/2026,No signature');
  expect(report.rows).toMatchObject({ refused: 1 });
  expect(await statuses()).toEqual({ '7/1': 'rejected-curable', '7/2': 'rejected-curable' });
});

test('a list of other cases alone waits, for it may be that of another county', async () => {
  await importList(waiting(1));
  const { state, report } = await importList(waiting(5), waiting(6));
  expect([state, report.gate?.map(({ detail }) => detail)]).toEqual([
    'file-held',
    [
      'The case of your last list is not on this one, only others; it would count as accepted. Is it the list of another county or election?',
    ],
  ]);
  expect(await statuses()).toEqual({ '7/1': 'rejected-curable' });
  nextDay();
  await importList();
  // The list had no case any more.
  expect((await importList(waiting(5), waiting(6))).state).toBe('done');
  await importList(waiting(6));
  expect((await importList(waiting(5), waiting(7))).state).toBe('done');
  expect((await importList(waiting(8))).report.gate?.map(({ detail }) => detail)).toEqual([
    'None of the 2 cases of your last list is on this one, only others; each would count as accepted. Is it the list of another county or election?',
  ]);
});

test('a list of other cases alone waits also where their ballots are known as mailed', async () => {
  await importBallots([1, 5, 6], 'sent');
  await importList(waiting(1));
  const { state, report } = await importList(waiting(5), waiting(6));
  expect([state, report.gate?.[0]?.detail]).toEqual([
    'file-held',
    expect.stringContaining('is not on this one, only others'),
  ]);
});

test('a list of other cases alone waits with a refused row among them, too', async () => {
  await importList(waiting(1), waiting(2));
  const { state, report } = await importList(waiting(5), waiting(6), '7,7,31/31/2026,No signature');
  expect([state, report.gate?.map(({ detail }) => detail)]).toEqual([
    'file-held',
    [
      'None of the 2 cases of your last list is on this one, only others. Is it the list of another county or election?',
    ],
  ]);
});

test('a list whose last case makes room for new ones does not wait, and one of envelopes that came back long ago does', async () => {
  office.clock.set('2026-10-26T15:00:00Z');
  const received = (voter: number, day: number, problem = 'No signature') =>
    `${voter},7,10/${day}/2026,${problem}`;
  await importList(received(1, 20));
  nextDay();
  expect((await importList(received(2, 24), received(3, 25))).state).toBe('done');
  nextDay();
  await importList(received(3, 25), received(4, 26, 'Refused'));
  nextDay();
  await importList(received(4, 26, 'Refused'), received(5, 28));
  nextDay();
  // The case that was refused shows that it is the same list.
  expect((await importList(received(4, 26, 'Refused'), received(6, 29))).state).toBe('done');
  nextDay();
  const stale = await importList(received(4, 26, 'Refused'), received(7, 15), received(8, 16));
  expect([stale.state, stale.report.gate?.map(({ detail }) => detail)]).toEqual([
    'file-held',
    [
      '2 of 2 new cases came back more than 8 days before, and none of your lists since had them. Is it the list of another county or election?',
    ],
  ]);
  expect((await importList(received(4, 26, 'Refused'), received(7, 15))).state).toBe('done');
});

test('after a list without cases, one of envelopes that came back long ago waits', async () => {
  office.clock.set('2026-10-26T15:00:00Z');
  await importList();
  nextDay();
  const { state, report } = await importList('1,7,10/02/2026,No signature');
  expect([state, report.gate?.map(({ detail }) => detail)]).toEqual([
    'file-held',
    [
      'The new case came back more than 8 days before, and none of your lists since had it. Is it the list of another county or election?',
    ],
  ]);
  expect(report.gate?.[0]?.examples).toEqual([
    { voter: '1', from: 'not listed', to: 'rejected-curable', line: 2 },
  ]);
  // Several that begin a list together came back in the last days, or most of them.
  const together = (...days: number[]) =>
    importList(...days.map((day, voter) => `${voter},7,10/${day}/2026,No signature`));
  expect((await together(21, 22)).report.gate?.map(({ detail }) => detail)).toEqual([
    '2 of 2 new cases came back more than 4 days before, and none of your lists since had them. Is it the list of another county or election?',
  ]);
  expect(await statuses()).toEqual({});
  expect((await together(21, 24)).state).toBe('done');
  expect((await importList('1,7,10/22/2026,No signature')).state).toBe('done');
});

test.each([
  ['2026-11-03', 'file-held'],
  ['2026-11-04', 'done'],
])('a list that begins with an envelope of October 20 is, on %s: %s', async (day, expected) => {
  office.clock.set('2026-11-02T18:00:00Z');
  await importList();
  office.clock.set(`${day}T18:00:00Z`);
  // Election day is November 3. From the day after, boards look at all of them once more.
  expect((await importList(waiting(1))).state).toBe(expected);
});

test('a list from which many are gone at once waits for approval, and no message reports an acceptance', async () => {
  const all = Array.from({ length: 50 }, (_, n) => waiting(n));
  await importList(...all);
  // What another list alone has as open is no part of this one.
  expect((await importBallots([100, 101, 102, 103, 104], 'returned')).state).toBe('done');
  const { state, report } = await importList(...all.slice(0, 30));
  expect(state).toBe('file-held');
  expect(report.gate?.[0]?.detail).toContain('20 of 50 ballots are no longer on the list');
  expect(new Set(Object.values(await statuses()))).toEqual(
    new Set(['returned', 'rejected-curable']),
  );
});

test('a list whose cases are closed by the dozen is measured by its own days, and half of it at once still waits', async () => {
  const list = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => waiting(from + n));
  await importList(...list(0, 30));
  expect((await importList(...list(5, 35))).state).toBe('done');
  expect((await importList(...list(10, 40))).state).toBe('done');
  expect((await importList(...list(18, 48))).state).toBe('done');
  const { state, report } = await importList(...list(33, 50));
  expect(state).toBe('file-held');
  expect(report.gate?.[0]?.detail).toBe(
    '15 of 30 ballots are no longer on the list, more than the 33% that are usual; each would count as accepted.',
  );
});

test('after election day, late ballots fill the list, and all its cases refused at once wait', async () => {
  const refused = (voter: number, on = '11/05/2026') => `${voter},7,${on},Refused`;
  const open = Array.from({ length: 20 }, (_, n) => waiting(n));
  office.clock.set('2026-11-06T15:00:00Z');
  await importList(...open);
  const late = Array.from({ length: 25 }, (_, n) => refused(1_000 + n));
  expect((await importList(...open, ...late)).state).toBe('done');
  const all = [...open.map((_, n) => refused(n, '10/20/2026')), ...late];
  const { state, report } = await importList(...all);
  expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['volume']]);
});

test('most open cases of a list refused before election day is over wait, however few they are', async () => {
  const refused = (voter: number) => `${voter},7,10/20/2026,Refused`;
  office.clock.set('2026-10-22T15:00:00Z');
  await importList(waiting(1), waiting(2), waiting(3));
  expect((await importList(refused(1), waiting(2), waiting(3))).state).toBe('done');
  const { state, report } = await importList(refused(1), refused(2), refused(3));
  expect(state).toBe('file-held');
  expect(report.gate).toEqual([
    expect.objectContaining({
      code: 'rejected-too-soon',
      rows: 2,
      detail:
        'Election 7: 2 of 2 open cases would be rejected, and election day is not over: these voters can still fix their envelopes. Is the status right?',
    }),
  ]);
  office.clock.set('2026-11-10T15:00:00Z');
  expect((await importList(refused(1), refused(2), refused(3))).state).toBe('done');
});

async function setDeadline(number: string, endsOn: string): Promise<void> {
  const { accountId } = office.account;
  const elections = await listElections(office.db.database.system, accountId);
  const electionId = elections.find((one) => one.number === number)?.electionId ?? 0;
  const deadline = { endsOn, endsAt: '17:00', reason: 'Decided', setBy: 'tester' };
  await office.db.database.transaction((tx) =>
    setOfficeDeadline(tx, accountId, { ...deadline, electionId, defect: 'signature-differs' }),
  );
}

test('the only open case of a list waits when it is refused before its deadline, where the office or the law has one', async () => {
  const refused = '1,7,10/20/2026,Refused';
  const sentenceOf = async () =>
    (await importList(refused)).report.gate?.map(({ detail }) => detail);
  office.clock.set('2026-10-22T15:00:00Z');
  await importList(waiting(1));
  const start = 'Election 7: 1 of 1 open cases would be rejected, and ';
  const end = ': this voter can still fix the envelope. Is the status right?';
  expect(await sentenceOf()).toEqual([`${start}election day is not over${end}`]);
  await importList(waiting(1), waiting(2));
  // The other case is gone, and perhaps fixed.
  expect(await sentenceOf()).toEqual([`${start}election day is not over${end}`]);
  await importList(waiting(1));
  await setDeadline('7', '2026-11-12');
  office.clock.set('2026-11-10T15:00:00Z');
  expect(await sentenceOf()).toEqual([`${start}the deadline is Nov 12${end}`]);
  office.clock.set('2026-11-13T15:00:00Z');
  expect((await importList(refused)).state).toBe('done');
});

test('the only open case waits so also beside a new case of an election that comes first', async () => {
  await office.addElection('6', '2026-11-03');
  office.clock.set('2026-10-22T15:00:00Z');
  await importList(waiting(1), waiting(2, 6));
  await setDeadline('7', '2026-11-12');
  office.clock.set('2026-11-10T15:00:00Z');
  const { report } = await importList('1,7,10/20/2026,Refused', waiting(2, 6), waiting(3, 6));
  expect(report.gate?.map(({ detail }) => detail)).toEqual([
    'Election 7: 1 of 1 open cases would be rejected, and the deadline is Nov 12: this voter can still fix the envelope. Is the status right?',
  ]);
});

test('the deadline of another election says nothing of a case', async () => {
  office.clock.set('2026-10-22T15:00:00Z');
  await importList(waiting(1));
  await setDeadline('8', '2026-12-12');
  office.clock.set('2026-11-10T15:00:00Z');
  expect((await importList('1,7,10/20/2026,Refused')).state).toBe('done');
});

test('cases that begin as refused wait where they are all of a list before election day, from two on', async () => {
  office.clock.set('2026-10-22T15:00:00Z');
  const refused = (voter: number) => `${voter},7,10/20/2026,Refused`;
  const { state, report } = await importList(refused(1), refused(2));
  expect([state, report.gate?.map(({ code }) => code)]).toEqual([
    ...['file-held', ['rejected-too-soon']],
  ]);
  expect((await importList(refused(3))).state).toBe('done');
  const open = '6,7,10/20/2026,No signature';
  expect((await importList(refused(3), refused(4), refused(5), open)).state).toBe('done');
});

test('a list whose only row says nothing in the column of the status waits', async () => {
  await importList(waiting(1));
  nextDay();
  const { state, report } = await importList('2,7,10/20/2026,');
  expect(state).toBe('file-held');
  expect(report.gate?.map(({ code }) => code)).toContain('unknown-statuses');
  expect((await importList(waiting(1), '2,7,10/20/2026,')).state).toBe('done');
});

test('a list of cases of an election that is long over waits, however short it is', async () => {
  await office.addElection('5', '2025-11-04', false);
  await importList(waiting(1), waiting(2));
  nextDay();
  const { state, report } = await importList('3,5,10/20/2025,No signature');
  expect([state, report.gate?.map(({ code }) => code)]).toEqual([
    ...['file-held', ['election-over']],
  ]);
});

test('a short list may become what it was before, on a later day by its name', async () => {
  const importDay = (day: number, ...rows: string[]) =>
    importNamed(`cures-2026-10-${day}.csv`, ...rows);
  office.clock.set('2026-10-29T15:00:00Z');
  await importDay(20, waiting(1));
  await importDay(21, waiting(1), waiting(2));
  expect((await importDay(22, waiting(1))).state).toBe('done');
  await importDay(23, waiting(1), waiting(2));
  const { state, report } = await importDay(22, waiting(1));
  expect(state).toBe('file-held');
  expect(report.gate).toEqual([
    expect.objectContaining({
      code: 'old-file',
      examples: [{ voter: '2', from: 'rejected-curable', to: 'missing', line: null }],
    }),
  ]);
});

test('a list that comes again shows first the ballots that it would close, and then what it would change', async () => {
  const late = '3,7,10/20/2026,Late';
  await importList(waiting(2), waiting(3));
  await importList(waiting(1), waiting(2), late);
  expect((await importList(waiting(2), late, waiting(4))).state).toBe('done');
  nextDay();
  const { report } = await importList(waiting(2), waiting(3));
  expect(report.gate).toMatchObject([
    {
      code: 'old-file',
      examples: [
        { voter: '1', from: 'rejected-curable', to: 'accepted', line: null },
        { voter: '3', from: 'status Late', to: 'status No signature', line: 3 },
      ],
    },
  ]);
});

test.each([
  [19, 'done'],
  [20, 'file-held'],
])('a list of %i cases that comes again under a later day: %s', async (count, state) => {
  const importDay = (day: number, ...rows: string[]) =>
    importNamed(`cures-2026-10-${day}.csv`, ...rows);
  office.clock.set('2026-10-29T15:00:00Z');
  const cases = Array.from({ length: count }, (_, n) => waiting(n));
  await importDay(20, ...cases);
  await importDay(21, ...cases, waiting(40));
  expect((await importDay(22, ...cases)).state).toBe(state);
});

test('a short list may lose most of its cases in a day; all of them at once are looked at first', async () => {
  const all = Array.from({ length: 8 }, (_, n) => waiting(n));
  await importList(...all);
  expect((await importList(waiting(0), waiting(40))).state).toBe('done');
  await importList(...Array.from({ length: 8 }, (_, n) => waiting(40 + n)));
  const { state, report } = await importList(waiting(50), waiting(51));
  expect(state).toBe('file-held');
  expect(report.gate?.[0]?.detail).toBe(
    '8 of 8 ballots are no longer on the list; each would count as accepted.',
  );
});

test('an undeliverable ballot that leaves the list is never accepted, and a format can limit who is', async () => {
  const list = [waiting(1), '2,7,10/20/2026,Came back', '3,7,10/20/2026,Not decided', waiting(4)];
  await importList(...list);
  await importList(waiting(4));
  nextDay();
  await importList(waiting(4));
  const open = { '7/2': 'undeliverable', '7/4': 'rejected-curable' };
  expect(await statuses()).toEqual({ '7/1': 'accepted', '7/3': 'accepted', ...open });

  const limited = {
    ...cureList,
    name: 'limited',
    missing_rows: { succeeded: ['rejected-curable'] },
  };
  writeFileSync(format, JSON.stringify(limited));
  await importList('5,7,10/20/2026,Not decided', waiting(6), waiting(4));
  await importList(waiting(4));
  nextDay();
  await importList(waiting(4));
  expect(await statuses()).toMatchObject({ '7/5': 'returned', '7/6': 'accepted', ...open });
});
