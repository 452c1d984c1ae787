import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportOutcome } from '../../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
});
afterEach(() => office.close());

interface Row {
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly birth: string;
  readonly county: string;
  readonly state: string;
}
const roll: readonly Row[] = Array.from({ length: 400 }, (_, n) => ({
  id: String(n + 1).padStart(6, '0'),
  first: `Ann${n}`,
  last: `Lee${n}`,
  birth: '01/02/1950',
  county: 'Adams',
  state: 'WA',
}));
const write = (rows: readonly Row[]) =>
  [
    'registration_id,firstname,lastname,birthdate,zipcode,county,state',
    ...rows.map((row) =>
      [row.id, row.first, row.last, row.birth, '99301', row.county, row.state].join(','),
    ),
  ].join('\n');
const importRoll = (rows: readonly Row[], isFull = false) =>
  office.import('beacon-voters', write(rows), { isFull });

async function activeVoters(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from voters
    where is_active`.execute(office.db.database.system);
  return rows[0]?.count;
}

function expectWaiting(outcome: ImportOutcome, code: string, detail: string): void {
  expect([outcome.state, outcome.report.gate?.map((reason) => reason.code)]).toEqual([
    'file-held',
    expect.arrayContaining([code]),
  ]);
  const reason = outcome.report.gate?.find((one) => one.code === code);
  expect(reason?.detail).toContain(detail);
  expect(reason?.examples?.length).toBeGreaterThan(0);
}

test('a roll that has the birth dates, ZIP codes and states that an earlier one lacked is loaded', async () => {
  const without = write(roll).replaceAll(',01/02/1950,99301,', ',,,').replaceAll(',WA', ',');
  expect((await office.import('beacon-voters', without)).state).toBe('done');
  const { state, report } = await importRoll(roll);
  expect([state, report.gate]).toEqual(['done', undefined]);
});

test('many rolls of a day may not change more than one may, nor those of a week more than three', async () => {
  office.clock.set('2026-10-20T15:00:00Z');
  await importRoll(roll);
  const changed = (count: number) =>
    importRoll(roll.map((row, n) => (n < count ? { ...row, last: `Ek${n}` } : row)));
  for (const count of [5, 9]) expect((await changed(count)).state).toBe('done');
  expectWaiting(
    await changed(10),
    'names-changed',
    'With earlier files of today it is 10; up to 9 would be usual.',
  );
  for (const [day, count] of [
    ['21', 18],
    ['22', 27],
  ] as const) {
    office.clock.set(`2026-10-${day}T15:00:00Z`);
    expect((await changed(count)).state).toBe('done');
  }
  office.clock.set('2026-10-26T15:00:00Z');
  expectWaiting(
    await changed(28),
    'names-changed',
    'With earlier files of this week it is 28; up to 27 would be usual.',
  );
  office.clock.set('2026-10-27T15:00:00Z');
  expect((await changed(28)).state).toBe('done');
});

test('a whole roll does not lose its voters a few at a time', async () => {
  office.clock.set('2026-10-20T15:00:00Z');
  await importRoll(roll);
  // One in twenty is the limit of an office that has not set another.
  for (const missing of [12, 20])
    expect((await importRoll(roll.slice(missing), true)).state).toBe('done');
  const waiting = await importRoll(roll.slice(26), true);
  expectWaiting(waiting, 'made-inactive', '6 active voters would become inactive');
  expect(await activeVoters()).toBe(380);
});

test('a refused row changes nobody, so it stops no file', async () => {
  await importRoll(roll);
  const changed = roll.map((row, n) => (n < 9 ? { ...row, last: `Ek${n}` } : row));
  const repeated = roll.slice(0, 9).map((row, n) => ({ ...row, last: `Ib${n}`, county: 'Benton' }));
  const { state, report } = await importRoll([...changed, ...repeated]);
  expect([state, report.rows.refused]).toEqual(['done', 9]);
});

test('names that were damaged before, or are those of new voters, stop no file', async () => {
  const broken = roll.map((row, n) => (n < 3 ? { ...row, first: 'Jos?' } : row));
  expect((await importRoll(broken)).state).toBe('done');
  const later = broken.map((row, n) => (n < 3 ? { ...row, last: `Ek${n}` } : row));
  const added = later.slice(0, 3).map((row) => ({ ...row, id: `9${row.id}` }));
  expect((await importRoll([...later, ...added])).state).toBe('done');
});

describe('a wrong roll is not learned', () => {
  beforeEach(async () => {
    expect((await importRoll(roll)).state).toBe('done');
  });

  test.each(['Jos\ufffd', 'Jos?', 'Jos\u00c3\u00a9'])(
    'from a file in another encoding, of which few voters have accents: %s',
    async (damaged) => {
      const named = (first: string, right: readonly Row[]) =>
        right.map((row, n) => (n < 3 ? { ...row, first } : row));
      expect((await importRoll(named('José', roll))).state).toBe('done');
      const outcome = await importRoll(named(damaged, roll));
      expectWaiting(outcome, 'names-damaged', 'In the names of 3 voters, letters with accents');
      expect((await importRoll(named('JOSÉ', roll))).state).toBe('done');
    },
  );

  test('from a file that a spreadsheet saved without leading zeros', async () => {
    const outcome = await importRoll(roll.map((row) => ({ ...row, id: String(Number(row.id)) })));
    expectWaiting(outcome, 'lost-zeros', '400 voter IDs');
    expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
      voter: '1',
      from: '000001',
      to: '1',
      line: 2,
    });
    expect(await activeVoters()).toBe(400);
  });

  test('in which an export cut off the end or the start of the IDs', async () => {
    const cut = (id: string) => `${Number(id) + 300_000}`.slice(0, -2);
    // Of a roll whose export lost two digits, the first row of each ID counts.
    const ended = [...new Set(roll.map(({ id }) => cut(id)))].map((id) => ({ ...roll[0], id }));
    expectWaiting(
      await importRoll(ended as Row[]),
      'ids-shortened',
      '5 voter IDs are new, and shorter than the 6 characters of the known ones. Did the export cut them off?',
    );
    const begun = roll
      .slice(0, 30)
      .map((row, n) => ({ ...row, id: `7${String(n).padStart(3, '0')}` }));
    // The known voter is none of them, although the ID is short.
    const known = { ...(roll[0] as Row), id: '9' };
    expect((await importRoll([known])).state).toBe('done');
    const outcome = await importRoll([{ ...known, first: 'Bo' }, ...begun]);
    expectWaiting(outcome, 'ids-shortened', '30 voter IDs are new');
    expect(outcome.report.gate?.[0]?.examples?.[0]?.voter).toBe('7000');
    expect(await activeVoters()).toBe(401);
  });

  test('whose first and last names changed places', async () => {
    const outcome = await importRoll(
      roll.map((row) => ({ ...row, first: row.last, last: row.first })),
    );
    expectWaiting(outcome, 'names-swapped', '400 voters');
    const { rows } =
      await sql`select firstname from voters where registration_id = '000001'`.execute(
        office.db.database.system,
      );
    expect(rows).toEqual([{ firstname: 'Ann0' }]);
  });

  test('that lacks many voters, of whom it shows none that was missing before', async () => {
    expect((await importRoll(roll.slice(1), true)).state).toBe('done');
    const outcome = await importRoll(roll.slice(100), true);
    expectWaiting(outcome, 'file-shrank', '99 active voters');
    expect(outcome.report.gate?.[0]?.examples?.[0]?.voter).toBe('000002');
  });

  test('that makes many voters inactive, each of whom it lists', async () => {
    const lines = write(roll).split('\n');
    const withStatus = lines.map((line, n) => `${line},${n === 0 ? 'is_active' : n > 300}`);
    const outcome = await office.import('beacon-voters', withStatus.join('\n'));
    expectWaiting(outcome, 'made-inactive', '300 active voters would become inactive');
    expect(await activeVoters()).toBe(400);
  });

  test('in which the IDs stand for other people, or everybody was born on another day', async () => {
    expectWaiting(
      await importRoll(roll.map((row, n) => ({ ...row, first: `Bo${n}`, last: `Ek${n}` }))),
      'other-people',
      '400 voters',
    );
    expectWaiting(
      await importRoll(roll.map((row) => ({ ...row, birth: '02/01/1950' }))),
      'birthdates-changed',
      '400 voters',
    );
  });

  test('that has lost the first names, the birth dates or the ZIP codes', async () => {
    const cut = (column: number) =>
      write(roll)
        .split('\n')
        .map((line, n) =>
          line
            .split(',')
            .map((cell, place) => (n > 0 && place === column ? '' : cell))
            .join(','),
        )
        .join('\n');
    const importCut = (column: number) => office.import('beacon-voters', cut(column));
    expectWaiting(await importCut(1), 'names-changed', '400 voters would get another first');
    expectWaiting(await importCut(3), 'birthdates-changed', 'or is the column empty?');
    expectWaiting(await importCut(4), 'zipcodes-changed', 'or the column empty?');
    expect(await activeVoters()).toBe(400);
  });

  test('whose ZIP codes or last names are those of the row below', async () => {
    const shifted = (part: 'last' | 'id') =>
      roll.map((row, n) => ({ ...row, [part]: roll[n + 1]?.[part] ?? row[part] }));
    expectWaiting(await importRoll(shifted('last')), 'names-changed', '399 voters');
    const zipcodes = write(roll).replaceAll('99301', '99302');
    expectWaiting(
      await office.import('beacon-voters', zipcodes),
      'zipcodes-changed',
      '400 voters would get another ZIP code, or none',
    );
  });

  test.each([
    ['phone', 'contacts-changed', (n: number) => `850555${String(n).padStart(4, '0')}`],
    ['email', 'contacts-changed', (n: number) => `voter${n}@example.com`],
    ['address', 'addresses-changed', (n: number) => `${n} Heron Way`],
  ] as const)('whose column "%s" is that of the row below', async (column, code, value) => {
    const file = (offset: number) =>
      write(roll)
        .split('\n')
        .map((line, n) => `${line},${n === 0 ? column : value(n + offset)}`)
        .join('\n');
    expect((await office.import('beacon-voters', file(0))).state).toBe('done');
    const outcome = await office.import('beacon-voters', file(1));
    expectWaiting(outcome, code, '400 voters would get another');
    // The examples contain nothing that is somebody else's.
    expect(JSON.stringify(outcome.report.gate)).not.toContain(value(2));
  });

  test('that has lost who is inactive, or whose record is protected', async () => {
    const file = (column: string, value: (n: number) => string) =>
      write(roll)
        .split('\n')
        .map((line, n) => `${line},${n === 0 ? column : value(n)}`)
        .join('\n');
    const inactive = file('is_active', (n) => String(n > 15));
    expect((await office.import('beacon-voters', inactive)).state).toBe('done');
    expectWaiting(
      await office.import(
        'beacon-voters',
        file('is_active', () => ''),
      ),
      'made-active',
      '15 of 15 inactive voters would become active',
    );
    const few = file('is_active', (n) => String(n > 13));
    expect((await office.import('beacon-voters', few)).state).toBe('done');

    const isProtected = file('is_confidential', (n) => String(n <= 4));
    expect((await office.import('beacon-voters', isProtected)).state).toBe('done');
    expectWaiting(
      await office.import(
        'beacon-voters',
        file('is_confidential', () => ''),
      ),
      'protection-lost',
      '4 voters would lose the protection of their record',
    );
    expectWaiting(
      await office.import(
        'beacon-voters',
        file('is_confidential', () => 'true'),
      ),
      'protection-added',
      '396 voters would get a protected record, and could no longer sign in',
    );
    const one = file('is_confidential', (n) => String(n <= 3));
    expect((await office.import('beacon-voters', one)).state).toBe('done');
    // What changes of voters who stay inactive makes nobody so.
    const moved = few.replaceAll('99301,Adams,WA,false', '99302,Adams,WA,false');
    expect((await office.import('beacon-voters', moved)).state).toBe('done');
  });

  test('without birth dates, where the year of birth is another for everybody', async () => {
    const file = (year: number) =>
      [
        'county_desc\tncid\tlast_name\tfirst_name\tstatus_cd\tzip_code\tbirth_year',
        ...roll.slice(0, 60).map((row) => {
          const cells = [row.county, row.id, row.last, row.first, 'A', '99301', year];
          return cells.join('\t');
        }),
      ].join('\n');
    expect((await office.import('nc-voters', file(1950))).state).toBe('done');
    expectWaiting(await office.import('nc-voters', file(1949)), 'birthdates-changed', '60 voters');
  });

  test('of which every row is of another county of the state', async () => {
    const file = (county: string) =>
      [
        'county_id\tcounty_desc\tncid\tlast_name\tfirst_name\tmiddle_name\tstatus_cd\tzip_code\tbirth_year\tconfidential_ind',
        ...roll.slice(0, 30).map(({ id }) => `1\t${county}\t${id}\tLEE\tANN\t\tA\t99301\t1950\tN`),
      ].join('\n');
    const { state, report } = await office.import('nc-voters', file('WAKE'), { isFull: true });
    expect([state, report.refusedBecause]).toEqual([
      'refused',
      'All 30 rows are of WAKE county. This account is for Adams county. Nothing was imported.',
    ]);
    expect(await activeVoters()).toBe(400);
  });

  test('of another county, or another state', async () => {
    const other = (more: Partial<Row>) => roll.map((row, n) => ({ ...row, id: `X${n}`, ...more }));
    const county = await importRoll(other({ county: 'Benton County' }));
    expectWaiting(county, 'other-county', 'Benton County');
    expectWaiting(county, 'new-voters', '400 voters');
    expectWaiting(await importRoll(other({ state: 'OR' })), 'other-state', 'OR');
    // Named is where most of those rows are, also where more are of its own.
    const places = [
      ...Array.from({ length: 30 }, () => ({ county: 'Pike', state: 'ID' })),
      ...Array.from({ length: 40 }, () => ({ county: 'Clay', state: 'OR' })),
    ];
    const mixed = await importRoll(other({}).map((row, n) => ({ ...row, ...places[n] })));
    expectWaiting(mixed, 'other-county', '70 rows are of another county, such as Clay.');
    expectWaiting(mixed, 'other-state', '70 rows are of another state, such as OR.');
    expect(await activeVoters()).toBe(400);
  });

  test.each([
    ['Clay', 'file-held'],
    ['CLAY COUNTY', 'file-held'],
    // A code says nothing.
    ['Lee', 'done'],
    ['03', 'done'],
    ['ADAMS', 'done'],
    ['Adams County', 'done'],
  ])('whose voters all move to %s is %s', async (county, state) => {
    const outcome = await importRoll(roll.map((row) => ({ ...row, county })));
    expect(outcome.state).toBe(state);
    if (state === 'file-held') expectWaiting(outcome, 'other-county', county);
  });

  test('of which only the voters that have moved are its examples', async () => {
    const some = roll.map((row, n) => (n < 2 ? { ...row, county: 'Benton' } : row));
    expect((await importRoll(some)).state).toBe('done');
    // A new column, in which nothing stands yet, is no change.
    const moved = write(some.map((row, n) => (n < 2 ? row : { ...row, county: 'Clay' })))
      .split('\n')
      .map((line, n) => `${line},${n === 0 ? 'phone' : ''}`);
    const outcome = await office.import('beacon-voters', moved.join('\n'));
    expectWaiting(outcome, 'other-county', '398 rows');
    expect(outcome.report.gate?.[0]?.examples?.[0]).toMatchObject({ voter: '000003', to: 'Clay' });
  });

  test('while weddings, moves, new voters and a corrected day of birth are everyday life', async () => {
    const next = roll.map((row, n) =>
      n < 8 ? { ...row, last: `Wed${n}` } : n < 10 ? { ...row, birth: '03/04/1951' } : row,
    );
    const added = roll.slice(0, 15).map((row, n) => ({ ...row, id: `9000${10 + n}` }));
    expect((await importRoll([...next, ...added])).state).toBe('done');
  });
});

test.each([
  ['JOSE', 'MUNOZ OBRIEN'],
  ['Jose\u0301', 'Mun\u0303oz O’Brien'],
  ['JOSÉ', 'MUÑOZ-OBRIEN'],
])(
  'a roll may write the same names another way, such as %s %s: nobody is another person',
  async (first, last) => {
    const named = (more: Partial<Row>) => roll.map((row) => ({ ...row, ...more }));
    expect((await importRoll(named({ first: 'José', last: "Muñoz O'Brien" }))).state).toBe('done');
    const { state, report } = await importRoll(named({ first, last }));
    expect([state, report.gate ?? []]).toEqual(['done', []]);
  },
);

test('a first roll that names another county waits too', async () => {
  expectWaiting(
    await importRoll(roll.map((row) => ({ ...row, county: 'Benton' }))),
    'other-county',
    'Benton',
  );
  expect(await activeVoters()).toBe(0);
  const { rows } = await sql`select from voters`.execute(office.db.database.system);
  expect(rows).toEqual([]);
});
