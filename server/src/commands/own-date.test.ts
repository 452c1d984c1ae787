import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';
import { sql } from '../../../testing/sql.ts';
import { type Cell, workbookOf } from '../../../testing/zip.ts';

let office: TestOffice;
let beacon: Beacon;

const voterHeader = 'registration_id,firstname,lastname,birthdate,zipcode';
const voters = Array.from({ length: 30 }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-11-01T20:00:00Z');
  beacon = createBeacon(office.db.url, { clock: office.clock });
  await office.addElection('7', '2026-11-03');
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

const loadVoters = () => office.import('beacon-voters', [voterHeader, ...voters].join('\n'));

function importFile(name: string, content: string | Uint8Array, ...more: string[]) {
  return beacon.run('import', beacon.write(name, content), '--account', 'adams', ...more);
}

async function acceptedCount(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ballots
    where current_status = 'accepted'`.execute(office.db.database.system);
  return rows[0]?.count;
}

/** An office's own format of ballots. @returns its path */
const writeFormat = (more: object) =>
  beacon.write(
    'own.json',
    JSON.stringify({
      name: 'own',
      title: 'Own',
      source: 'test',
      holds: 'ballots',
      required: ['ID', 'STATUS'],
      fields: { registration_id: 'ID', returned_on: 'BACK' },
      status: {
        columns: ['STATUS'],
        rules: [
          { when: { STATUS: 'Out' }, becomes: 'sent' },
          { when: { STATUS: 'Counted' }, becomes: 'accepted' },
        ],
      },
      ...more,
    }),
  );

describe('a file that names its own day is old by that day, whatever its name', () => {
  const rows = (accepted: number, exportedOn: string) =>
    voters.map((_, n) => `${n},7,${n < accepted ? 'accepted' : 'sent'},${exportedOn}`);
  const list = (accepted: number, exportedOn: string) =>
    ['registration_id,election,status,exported_on', ...rows(accepted, exportedOn)].join('\n');

  test('in a column', async () => {
    await loadVoters();
    await importFile('list.csv', list(5, '10/31/2026'));
    const old = await importFile('ballots-20261101.csv', list(6, '10/30/2026'));
    expect([old.code, old.stderr]).toEqual([
      3,
      expect.stringMatching(
        /This is the file of Oct 30; the file of Oct 31 is already in \(import \d+\)/,
      ),
    ]);
    expect(await acceptedCount()).toBe(5);
    expect(await importFile('list.csv', list(7, '2026-11-01'))).toMatchObject({ code: 0 });
    expect(await acceptedCount()).toBe(7);
  });

  test('in a line above the column names', async () => {
    await loadVoters();
    const format = writeFormat({
      preamble: ['Absentee list', 'Run date'],
      file_date: { after: 'Run date' },
      dates: ['MON DD, YYYY', 'MM/DD/YYYY'],
    });
    const own = ['--format', format, '--election', '7'];
    const report = (date: string, accepted: number) => [
      '"Absentee list, all precincts",,',
      `Run date:,"${date}",`,
      ',,',
      'ID,STATUS,BACK',
      ...voters.map((_, n) => `${n},${n < accepted ? 'Counted' : 'Out'},`),
    ];
    const newest = report('October 31, 2026', 5).join('\n');
    expect(await importFile('list.csv', newest, ...own)).toMatchObject({ code: 0, stderr: '' });
    const old = await importFile('list.csv', report('10/30/2026', 6).join('\n'), ...own);
    expect(old).toMatchObject({ code: 3 });
    expect(old.stderr).toContain('This is the file of Oct 30; the file of Oct 31 is already in');
    expect(await acceptedCount()).toBe(5);
    const sample = beacon.write('sample.csv', newest);
    expect(await beacon.do('format', 'check', format, '--sample', sample)).toContain(
      "The file's own date: 10/31/2026",
    );
  });

  test('of a voter roll, of which only the changed rows count as changed', async () => {
    const roll = (day: string, name: string) =>
      [`${voterHeader},exported_on`, ...voters.map((row) => `${row},${day}`)]
        .join('\n')
        .replace('Ann', name);
    await importFile('roll.csv', roll('10/30/2026', 'Ann'));
    const next = await importFile('roll.csv', roll('10/31/2026', 'Eve'));
    expect(next.stdout).toContain('voters new 0, changed 1, unchanged 29');
    expect(await importFile('roll-20261101.csv', roll('10/30/2026', 'Joy'))).toMatchObject({
      code: 3,
    });
  });

  test('which is the latest of its rows, up to today', async () => {
    await loadVoters();
    const [header, first, ...more] = list(5, '10/31/2026').split('\n');
    const earlier = more.map((row) => row.replace('10/31', '10/30'));
    const mixed = [header, earlier[0], first, ...earlier.slice(1)].join('\n');
    expect(await importFile('list.csv', mixed)).toMatchObject({ code: 0 });
    expect(await importFile('list.csv', list(6, '10/30/2026'))).toMatchObject({ code: 3 });
    const ofToday = await importFile('list.csv', list(7, '11/01/2026'));
    expect(ofToday.stdout).not.toContain('ignored');
    expect(await importFile('list.csv', list(8, '10/31/2026'))).toMatchObject({ code: 3 });
    expect(await acceptedCount()).toBe(7);
  });

  test('except by a day that is still to come or cannot be read, of which the report warns', async () => {
    await loadVoters();
    const typo = await importFile('list.csv', list(5, '10/31/2062'));
    expect(typo.stdout).toContain(
      '30 rows: The file’s own date (exported_on) is after 12/31/2027, and was ignored.',
    );
    const ahead = await importFile('list.csv', list(6, '11/02/2026'));
    expect(ahead.stdout).toContain('(exported_on) is after today');
    expect(await importFile('list.csv', list(7, '10/31/2026'))).toMatchObject({ code: 0 });
  });
});

describe('a workbook of several sheets', () => {
  const table: Cell[][] = [
    ['ID', 'STATUS', 'BACK'],
    ['1', 'Counted', { day: '2026-10-30' }],
  ];
  const file = workbookOf({ Notes: [['Do not edit'], ['Ask Pat']], 'All Ballots': table });

  test.each([['all ballots'], [2]])(
    'is read from the sheet that the format names: %s',
    async (sheet) => {
      await loadVoters();
      const format = writeFormat({ sheet });
      const done = await importFile('list.xlsx', file, '--format', format, '--election', '7');
      expect(done).toMatchObject({ code: 0, stderr: '' });
      expect(await acceptedCount()).toBe(1);
      const sample = beacon.write('sample.xlsx', file);
      expect(await beacon.do('format', 'check', format, '--sample', sample)).toContain(
        'returned_on: 10/30/2026',
      );
      expect(await beacon.do('format', 'show', format)).toContain(
        'Of an Excel workbook, the sheet',
      );
    },
  );

  test('waits for approval and is then read from the same sheet', async () => {
    await loadVoters();
    const format = writeFormat({ sheet: 'all ballots' });
    const rowsOf = (count: number, status: string): Cell[][] => [
      ['ID', 'STATUS', 'BACK'],
      ...voters.slice(0, count).map((_, n) => [String(n), status, { day: '2026-10-30' }]),
    ];
    const load = (rows: Cell[][]) => {
      const workbook = workbookOf({ Notes: [['Do not edit']], 'All Ballots': rows });
      return importFile('list.xlsx', workbook, '--format', format, '--election', '7');
    };
    expect(await load(rowsOf(30, 'Out'))).toMatchObject({ code: 0 });
    expect(await load(rowsOf(10, 'Counted'))).toMatchObject({ code: 3 });
    const { rows } = await sql<{ id: number }>`select max(import_id) as id from imports`.execute(
      office.db.database.system,
    );
    const again = ['--by', 'Bea Deputy', '--file', beacon.path('list.xlsx')];
    expect(await beacon.do('release', String(rows[0]?.id), ...again)).toContain(
      'approved and loaded',
    );
    expect(await acceptedCount()).toBe(10);
  });

  test.each([
    ['Ballots', 'sheet named Ballots'],
    [3, 'sheet 3'],
  ])('without the sheet %s names the sheets that it has', async (sheet, asked) => {
    const format = writeFormat({ sheet });
    const refused = await importFile('list.xlsx', file, '--format', format, '--election', '7');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `The Excel workbook list.xlsx has no ${asked}. Its sheets are: Notes, All Ballots.`,
    );
  });

  test('with the table on two of them is refused, unless the format names one', async () => {
    await loadVoters();
    const more: Cell[][] = [table[0] ?? [], ['2', 'Counted', { day: '2026-10-31' }]];
    const divided = workbookOf({ 'Page 1': table, Chart: [], 'Page 2': more });
    const format = (sheet?: number) => ['--format', writeFormat(sheet ? { sheet } : {})];
    const refused = await importFile('list.xlsx', divided, ...format(), '--election', '7');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      'The Excel workbook list.xlsx has the same columns on its first sheet and on sheet 3, and only one sheet is read. Put all rows on one sheet, or delete the sheet that does not count.',
    );
    const done = await importFile('list.xlsx', divided, ...format(3), '--election', '7');
    expect(done).toMatchObject({ code: 0, stderr: '' });
  });

  test('is read from the first that Excel shows', async () => {
    await loadVoters();
    const hidden = ['Notes'];
    const first = workbookOf({ Notes: [['Do not edit']], 'All Ballots': table }, [], { hidden });
    const options = ['--format', writeFormat({}), '--election', '7'];
    const done = await importFile('list.xlsx', first, ...options);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(await acceptedCount()).toBe(1);
    const twice = workbookOf({ Notes: table, 'All Ballots': table }, [], { hidden });
    const refused = await importFile('list.xlsx', twice, ...options);
    expect(refused.stderr).toContain(
      'has the same columns on sheet 2 and on sheet 1, which is hidden, and only one sheet is read.',
    );
  });

  test('that is not recognized by its first sheet says that only that was read', async () => {
    const refused = await importFile('list.xlsx', file);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/several sheets, and only its first was read/);
  });
});

test.each([
  [{ file_date: { after: 'Run date' } }, 'file_date.after'],
  [{ header: false, columns: ['ID', 'STATUS', 'BACK'], preamble: ['List'] }, 'preamble'],
])('a format that contradicts itself is refused with the key to correct: %j', async (more, at) => {
  const sample = beacon.write('sample.csv', 'ID,STATUS,BACK\n1,Out,');
  const refused = await beacon.run('format', 'check', writeFormat(more), '--sample', sample);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(at);
});
