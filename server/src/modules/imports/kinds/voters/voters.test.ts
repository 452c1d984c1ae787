import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { runs } from '../../../../../../testing/runs.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { findWaitingImport } from '../../run/waiting-store.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
});
afterEach(() => office.close());

const header = 'registration_id,firstname,lastname,birthdate,zipcode,precinct,is_active';
/** Imports a roll, and approves it where it waits, as most changes of so small a roll do. */
async function importVoters(rows: readonly string[]) {
  const content = [header, ...rows].join('\n');
  const outcome = await office.import('beacon-voters', content);
  if (outcome.state !== 'file-held' || outcome.importId === null) return outcome;
  const released = await findWaitingImport(office.db.database.system, outcome.importId);
  return office.import('beacon-voters', content, released ? { released } : {});
}

async function clearRoll(): Promise<void> {
  const db = office.db.database.system;
  await sql`delete from voters`.execute(db);
  await sql`delete from imports`.execute(db);
}

/** All that a file says of each voter. */
async function roll(): Promise<string[]> {
  const { rows } = await sql<{ voter: string }>`
    select concat_ws(',', registration_id, firstname, lastname, birthdate, zipcode, precinct, is_active) as voter
    from voters order by registration_id`.execute(office.db.database.system);
  return rows.map(({ voter }) => voter);
}

const row = fc
  .tuple(
    fc.constantFrom('1', '2', '3', '4', '5'),
    fc.constantFrom('Ann', ' Ann ', 'José', '"Ann, ""Nan"""', '"Ann\nLou"'),
    fc.constantFrom('Lee', "O'Brien"),
    fc.constantFrom('', '01/02/1950', '1950-01-02', '02/30/1950'),
    fc.constantFrom('99301', '99301-1234', '9930'),
    fc.constantFrom('1', '2'),
    fc.constantFrom('true', 'false', 'maybe'),
  )
  .map((cells) => cells.join(','));
const idOf = (text: string) => text.split(',')[0];
const file = fc.uniqueArray(row, { minLength: 1, selector: idOf });

/** Takes files in one after the other. @returns the roll then */
async function take(...files: (readonly string[])[]): Promise<string[]> {
  await clearRoll();
  for (const rows of files) if (rows.length > 0) await importVoters(rows);
  return roll();
}

test('the report counts active and inactive voters, whatever the rows change, and no voter twice', async () => {
  const voter = (id: number, isActive: boolean, last = 'Lee') =>
    `${id},Ann,${last},01/02/1950,99301,1,${isActive}`;
  const [active, inactive] = [
    [1, 2, 3, 4, 5, 6],
    [7, 8, 9],
  ];
  const first = [...active.map((id) => voter(id, true)), ...inactive.map((id) => voter(id, false))];
  expect((await importVoters(first)).report).toMatchObject({ after: { active: 6, inactive: 3 } });
  const rows = [
    ...[voter(1, false), voter(7, true), voter(2, true, 'Ek'), voter(8, false, 'Ek')],
    ...[voter(10, true), voter(11, true), voter(12, false), voter(2, true), voter(8, false)],
  ];
  const { report } = await importVoters(rows);
  expect(report).toMatchObject({
    before: { active: 6, inactive: 3 },
    after: { active: 8, inactive: 4 },
    rows: { added: 3, changed: 4, refused: 2 },
  });
});

test('a roll cut into several files, in any order and however often, ends as the roll does', async () => {
  const cuts = file.chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      cut: fc.nat(rows.length),
      repeated: fc.array(fc.subarray(rows, { minLength: 1 }), { maxLength: 3 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(cuts, async ({ rows, cut, repeated }) => {
      const usable = await usableRows(rows);
      const only = (part: readonly string[]) => part.filter((text) => usable.includes(text));
      const parts = [rows.slice(cut), rows.slice(0, cut)].map(only);
      expect(await take(...parts, ...repeated.map(only), ...parts)).toEqual(await take(usable));
    }),
    { numRuns: runs(20) },
  );
});

/** Those that are not refused: with more than half of its rows refused a file is the wrong file. */
async function usableRows(rows: readonly string[]): Promise<string[]> {
  const good = 'G,Ann,Lee,01/02/1950,99301,1,true';
  const padding = Array.from({ length: 9 }, (_, n) => good.replace('G', `G${n}`));
  await clearRoll();
  await importVoters([...padding, ...rows]);
  const known = new Set((await roll()).map(idOf));
  return rows.filter((text) => known.has(idOf(text) ?? ''));
}

test('whatever a roll said before, each voter is as the last file says, as if it had come alone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(file, { minLength: 2, maxLength: 4 }), async (files) => {
      const usable: string[][] = [];
      for (const rows of files) usable.push(await usableRows(rows));
      fc.pre(usable.flat().length > 0);
      const last = new Map(usable.flat().map((text) => [idOf(text), text]));
      const alone = await take([...last.values()]);
      expect(await take(...usable)).toEqual(alone);
      // And a day later once more.
      const { report } = await importVoters([...last.values()].toReversed());
      expect(report.rows).toMatchObject({ added: 0, changed: 0 });
    }),
    { numRuns: runs(15) },
  );
});

test('a cell keeps the tabs and backslashes inside it, and ends of lines are spaces', async () => {
  await importVoters(['1,Ann,Lee,1950-01-02,99301,"A\tB\\C\rD\nE\\N",true']);
  expect(await roll()).toEqual(['1,Ann,Lee,1950-01-02,99301,A\tB\\C D E\\N,t']);
});

test('a year of birth is 1900 at the earliest and this year at the latest', async () => {
  const good = Array.from({ length: 9 }, (_, n) => `G${n},Ann,Lee,,99301,1950`);
  const years = ['1899', '1900', '2026', '2027'].map((year) => `${year},Ann,Lee,,99301,${year}`);
  const { report } = await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode,birthyear', ...good, ...years].join(
      '\n',
    ),
  );
  expect(report.refusals).toMatchObject([{ reason: 'birthyear is not a year of birth', count: 2 }]);
  expect((await roll()).map(idOf).slice(0, 2)).toEqual(['1900', '2026']);
});

test('a row is read again once what was kept of its voter is no longer what it says', async () => {
  const rows = ['1,Ann,Lee,01/02/1950,99301,1,true', '2,Bo,Lee,01/02/1950,99301,1,true'];
  const before = await take(rows);
  // Another file of the office changes one column of one voter, and the first says it again.
  await office.import(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode,precinct\n2,Bo,Lee,01/02/1950,99301,9\n',
  );
  expect(await roll()).not.toEqual(before);
  // In another order: the same bytes would be an old file.
  const { report } = await importVoters(rows.toReversed());
  expect(report.rows).toMatchObject({ read: 2, added: 0, changed: 1, unchanged: 1 });
  expect(await roll()).toEqual(before);
});

test.each([
  ['with every value in quotation marks', ',', (value: string) => `"${value}"`],
  ['with semicolons', ';', (value: string) => value],
])(
  'a roll that another program saved again, %s, changes nobody',
  async (_how, delimiter, write) => {
    const rows = ['1,Ann,Lee,01/02/1950,99301,1,true', '2,Bo,Lee,01/02/1950,99301,1,true'];
    const before = await take(rows);
    const saved = [header, ...rows].map((one) => one.split(',').map(write).join(delimiter));
    const { report } = await office.import('beacon-voters', saved.join('\n'));
    expect(report.rows).toMatchObject({ read: 2, added: 0, changed: 0, unchanged: 2 });
    expect(await roll()).toEqual(before);
  },
);

test('of several rows of one voter the first counts, also when it says nothing new', async () => {
  const first = '1,Ann,Lee,01/02/1950,99301,1,true';
  await take([first, '2,Bo,Lee,01/02/1950,99301,1,true']);
  const { report } = await importVoters([
    first,
    '2,Bob,Lee,01/02/1950,99301,1,true',
    '1,Anna,Lee,01/02/1950,99301,1,true',
  ]);
  expect(report.rows).toMatchObject({ changed: 1, unchanged: 1, refused: 1 });
  expect(report.refusals).toEqual([
    { reason: 'this registration_id also appears earlier in the file', count: 1, line: 4 },
  ]);
  expect(await roll()).toEqual([
    '1,Ann,Lee,1950-01-02,99301,1,t',
    '2,Bob,Lee,1950-01-02,99301,1,t',
  ]);
});

test.each([
  ['beacon-voters', `${header}\n1.04E+08,Ann,Lee,01/02/1950,99301,1,true`],
  ['beacon-ballots', 'registration_id,election,status\n1.04e+8,7,sent'],
  ['beacon-mailpieces', 'registration_id,election,imb\n1E+08,7,00741123456000000001'],
])('an ID that Excel has shortened is refused, not added: %s', async (format, content) => {
  await office.addElection('7', '2026-11-03');
  const { state, report } = await office.import(format, content);
  expect([state, report.refusals.map(({ reason }) => reason)]).toEqual([
    'refused',
    [
      'registration_id is a number that Excel has shortened, such as 1.04E+08: its digits are lost. Import the file as it was exported',
    ],
  ]);
});

test('a line end within a quoted value becomes a space', async () => {
  await importVoters(['1,"Ann\r\nLou","Lee\n",01/02/1950,99301,"North\rSide",true']);
  expect(await roll()).toEqual(['1,Ann Lou,Lee,1950-01-02,99301,North Side,t']);
});

test.each([
  ['without the voter ID', ',Bo,Lee,01/02/1950,99301,1,true'],
  ['of a voter who is in it already', '1,Ann,Lee,01/02/1950,99301,2,true'],
])(
  'a whole roll with a refused row, %s, makes nobody inactive for being missing',
  async (_, refused) => {
    const rows = Array.from({ length: 60 }, (_, n) => `${n + 1},Ann,Lee,01/02/1950,99301,1,true`);
    await importVoters(rows);
    const most = rows.slice(0, -1);
    const importWhole = (...of: string[]) =>
      office.import('beacon-voters', [header, ...of].join('\n'), { isFull: true });
    const { state, report } = await importWhole(...most, refused);
    expect([state, report.after]).toEqual(['done', { active: 60, inactive: 0 }]);
    expect(report.warnings).toEqual([
      {
        message:
          'refused, and may be of any voter, so no voter was made inactive for being missing',
        count: 1,
      },
    ]);
    expect((await importWhole(...most)).report.after).toEqual({ active: 59, inactive: 1 });
    expect((await roll()).filter((voter) => voter.endsWith(',f'))).toHaveLength(1);
  },
);

test('a single voter who is missing from a whole roll is one voter', async () => {
  const rows = ['1', '2'].map((id) => `${id},Ann,Lee,01/02/1950,99301,1,true`);
  const content = (...kept: string[]) => [header, ...kept].join('\n');
  await office.import('beacon-voters', content(...rows), { isFull: true });
  const { report } = await office.import('beacon-voters', content(...rows.slice(1)), {
    isFull: true,
  });
  expect(report.gate?.[0]?.detail).toBe(
    '1 active voter (50%) is missing from this file and would become inactive. Your limit is 5%.',
  );
});

test('a phone number has ten digits, or eleven that begin with 1; any other is left empty, and the report says so', async () => {
  const phones = [
    '(352) 555-0101',
    '1-352-555-0102',
    '23525550103',
    '352555010',
    '+1 352 555 0105',
  ];
  const lines = phones.map((phone, n) => `P${n},Ann,Lee,01/02/1950,99301,${phone}`);
  const { report } = await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode,phone', ...lines].join('\n'),
  );
  expect(report.warnings).toEqual([
    { message: 'phone is not a phone number, and was left empty', count: 2 },
  ]);
  const { rows } = await sql<{
    phone: string;
  }>`select phone from voters order by registration_id`.execute(office.db.database.system);
  expect(rows.map(({ phone }) => phone)).toEqual([
    ...['+13525550101', '+13525550102', '', '', '+13525550105'],
  ]);
});

test('a voter of whom a roll does not say so is active, and not confidential', async () => {
  const names = 'registration_id,firstname,lastname,birthdate,zipcode,is_active,is_confidential';
  const lines = ['1,Ann,Lee,01/02/1950,99301,,', '2,Ann,Lee,01/02/1950,99301,No,Yes'];
  await office.import('beacon-voters', [names, ...lines].join('\n'));
  const { rows } =
    await sql<object>`select is_active, is_confidential from voters order by registration_id`.execute(
      office.db.database.system,
    );
  expect(rows).toEqual([
    { is_active: true, is_confidential: false },
    { is_active: false, is_confidential: true },
  ]);
});

test('a cell that is neither yes nor no costs its row alone, even the word constructor', async () => {
  const words = ['maybe', 'constructor', ...Array.from({ length: 198 }, () => 'yes')];
  const { state, report } = await importVoters(
    words.map((word, n) => `${n},Ann,Lee,01/02/1950,99301,1,${word}`),
  );
  const reason = 'is_active must be yes or no';
  expect([state, report.refusals]).toEqual(['done', [{ reason, count: 2, line: 2 }]]);
  expect(await roll()).toHaveLength(198);
});

test('an inactive voter stays so in a file that has no such column', async () => {
  const rows = ['1', '2', '3'].map((id) => `${id},Ann,Lee,01/02/1950,99301,1,${id !== '3'}`);
  await importVoters(rows);
  const file = 'registration_id,firstname,lastname,birthdate,zipcode\n3,Ann,Ek,01/02/1950,99301\n';
  const { state, report } = await office.import('beacon-voters', file);
  expect([state, report.after]).toEqual(['done', { active: 2, inactive: 1 }]);
  expect((await roll()).at(-1)).toBe('3,Ann,Ek,1950-01-02,99301,1,f');
});
