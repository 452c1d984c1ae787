import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { range } from '../../../../../testing/ballot-list.ts';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';
import { type Cell, workbook, workbookOf } from '../../../../../testing/zip.ts';
import { openSourceFile } from '../index.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-10-28T15:00:00Z');
  await office.addElection('7', '2026-11-03');
});
afterEach(() => office.close());

const roll = 'registration_id,firstname,lastname,birthdate,zipcode,address\n';

test('what a database writes for no value is empty, but Null is a surname', async () => {
  const voters = '1,Ann,NULL,01/02/1950,99301,NULL\n2,Bo,Lee,01/03/1950,99301,\\N\n';
  const { report } = await office.import('beacon-voters', roll + voters);
  expect([report.rows.added, report.refusals]).toEqual([2, []]);
  const found = await sql<{ lastname: string; address: string }>`
    select lastname, address from voters order by registration_id`.execute(
    office.db.database.system,
  );
  expect(found.rows).toEqual([
    { lastname: 'NULL', address: '' },
    { lastname: 'Lee', address: '' },
  ]);

  const ballots = [
    'registration_id,election,status,sent_on,returned_on,reason',
    '1,7,sent,2026-10-05,NULL,NULL',
    '2,7,rejected-curable,2026-10-05,2026-10-20,(null)',
    '',
  ].join('\n');
  const outcome = await office.import('beacon-ballots', ballots);
  expect([outcome.state, outcome.report.refusals]).toEqual(['done', []]);
  const events = await sql<{ status: string; reason: string | null }>`
    select status, reason from ballot_events order by event_id`.execute(office.db.database.system);
  expect(events.rows.every(({ reason }) => (reason ?? '') === '')).toBe(true);
});

test('a state’s rule that asks whether a cell is filled does not take NULL for a value', async () => {
  await office.import('beacon-voters', `${roll}1,Ann,Lee,01/02/1950,99301,\n`);
  const row = '1|10/01/2026|NULL|MV|NULL|NULL|NULL';
  const file = `VOTER ID|ISSDATE|RECDATE|RECTYPE|ACC OR REJ|REJRSN|DUP\n${row}\n`;
  const { report } = await office.import('me-absentee', file, { election: '7' });
  expect([report.refusals, report.after]).toEqual([[], { '7 sent': 1 }]);
});

test.each([
  ['1,203', 'has commas, such as 1,203: a program took the ID for a number'],
  ['-1203', 'has a minus sign, such as -1203: a program took the ID for a number'],
  ['“1203”', 'is in curly quotation marks: the file was saved by a word processor'],
  ['1203\u200b', 'has an invisible character in it'],
  ['1203\ufeff4', 'has an invisible character in it'],
])('the ID %j is refused with what happened to it', async (id, problem) => {
  const { report } = await office.import(
    'beacon-voters',
    `${roll}"${id}",Ann,Lee,01/02/1950,99301,\n`,
  );
  expect(report.refusals.map(({ reason }) => reason)).toEqual([
    `registration_id ${problem}. Import the file as it was exported`,
  ]);
});

test('an ID that stands in a workbook as text keeps its letters, and is refused where Excel shortened it', async () => {
  const path = join(office.folder, 'roll.xlsx');
  const names = ['Ann', 'Lee', '01/02/1950', '99301', ''];
  const ids = ['104E5', '1.04E+08', { number: '1.5E+5' }];
  writeFileSync(path, workbook([roll.trim().split(','), ...ids.map((id) => [id, ...names])]));
  const file = await openSourceFile(path, 'Adams');
  const { report } = await office.import('beacon-voters', '', { file });
  expect(report.refusals).toMatchObject([
    { line: 3, reason: expect.stringContaining('is a number that Excel has shortened') },
  ]);
  const found = await sql<{ id: string }>`
    select registration_id as id from voters order by registration_id`.execute(
    office.db.database.system,
  );
  expect(found.rows).toEqual([{ id: '104E5' }, { id: '150000' }]);
});

test('a formula that failed is no empty cell: nobody loses a name or a day by it', async () => {
  const columns = ['registration_id', 'firstname', 'lastname', 'birthdate', 'zipcode'];
  const voter = (id: string): Cell[] => [id, 'Ann', 'Lee', { day: '1950-01-02' }, '99301'];
  const failedAt = (id: string, place: number) => voter(id).with(place, { error: '#REF!' });
  const good = ['1', '2', '3', '4', '5', '6'].map(voter);
  await importWorkbook(workbook([columns, ...good]));
  const { report } = await importWorkbook(
    workbook([
      columns,
      ...[failedAt('1', 1), failedAt('2', 3), failedAt('3', 4)],
      ...good.slice(3),
    ]),
  );
  expect(report.refusals.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '2 firstname is an error of a spreadsheet, such as #N/A',
    expect.stringMatching(/^3 birthdate is not a date/),
    '4 zipcode is not 5 or 9 digits',
  ]);
  const { rows } = await sql<{ voter: string }>`
    select concat_ws(' ', firstname, birthdate, zipcode) as voter from voters`.execute(
    office.db.database.system,
  );
  expect(new Set(rows.map((one) => one.voter))).toEqual(new Set(['Ann 1950-01-02 99301']));
});

test('a formula that failed on another sheet says nothing of the rows', async () => {
  const rows: Cell[][] = [
    ['registration_id', 'firstname', 'lastname', 'birthdate', 'zipcode'],
    ['1', '', 'Lee', '01/02/1950', '99301'],
  ];
  const other: Cell[][] = [['Total'], ['1', { error: '#N/A' }]];
  const { report } = await importWorkbook(workbookOf({ 'A & B': rows, Totals: other }));
  expect([report.rows.added, report.refusals]).toEqual([1, []]);
});

test.each([
  ['date1904="true"', 16_803],
  ['date1904="1"', 16_803],
  ['date1904="false"', 18_265],
])('a workbook that says %s has the days that its office sees', async (properties, serial) => {
  const rows: Cell[][] = [
    ['registration_id', 'firstname', 'lastname', 'birthdate', 'zipcode'],
    ['1', 'Ann', 'Lee', { serial }, '99301'],
  ];
  await importWorkbook(workbookOf({ Roll: rows }, [], { properties }));
  const { rows: voters } = await sql`select birthdate from voters`.execute(
    office.db.database.system,
  );
  expect(voters).toEqual([{ birthdate: '1950-01-02' }]);
});

test('a reason that a formula could not find is not shown to the voter, and a ballot number refuses its row', async () => {
  const voters = range(0, 4).map((n) => `${n},Ann,Lee,01/02/1950,99301,`);
  await office.import('beacon-voters', `${roll}${voters.join('\n')}\n`);
  const { report } = await office.import(
    'beacon-ballots',
    [
      'registration_id,election,ballot_number,status,sent_on,returned_on,reason',
      '0,7,1,rejected-curable,2026-10-05,2026-10-20,#N/A',
      '1,7,#N/A,sent,2026-10-05,,',
      '2,7,3,sent,2026-10-05,,',
      '',
    ].join('\n'),
  );
  expect(report.refusals).toMatchObject([
    { line: 3, reason: 'ballot_number is an error of a spreadsheet, such as #N/A' },
  ]);
  const { rows } = await sql<{ reason: string | null }>`
    select reason from ballot_events where status = 'rejected-curable'`.execute(
    office.db.database.system,
  );
  expect(rows).toEqual([{ reason: '' }]);
});

test('a value in quotation marks after a space is read without them, and may contain the delimiter', async () => {
  const names = '"registration_id", "firstname", "lastname", "birthdate", "zipcode"';
  const rows = [
    '"1", "Ann", "Lee, Jr.", "01/02/1950", "99301"',
    '2, "Bo" , Lee, 01/03/1950, 99301',
    '3, "Al" Bert, "Lee, 01/04/1950, 99301',
    '4, Di, "Lee", 01/05/1950, 99301',
  ];
  const { report } = await office.import('beacon-voters', [names, ...rows, ''].join('\n'));
  expect([report.rows.added, report.refusals]).toEqual([4, []]);
  const { rows: voters } = await sql<{ name: string }>`
    select firstname || '/' || lastname as name from voters order by registration_id`.execute(
    office.db.database.system,
  );
  expect(voters.map(({ name }) => name)).toEqual([
    'Ann/Lee, Jr.',
    'Bo/Lee',
    // A mark that nothing closes before the delimiter is a nickname's or an inch's.
    '"Al" Bert/"Lee',
    'Di/Lee',
  ]);
});

/** Imports a voter roll as an office saved it in Excel. */
async function importWorkbook(content: Buffer) {
  const path = join(office.folder, 'roll.xlsx');
  writeFileSync(path, content);
  return office.import('beacon-voters', '', { file: await openSourceFile(path, 'Adams') });
}
