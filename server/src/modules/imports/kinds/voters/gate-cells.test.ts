import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import type { ImportOutcome } from '../../index.ts';

/** Rolls in which a few voters have the cells of others: fewer than change on an ordinary day. */
let office: TestOffice;

const columns = [
  ...['registration_id', 'firstname', 'lastname', 'birthdate', 'address', 'phone', 'zipcode'],
];
type Row = readonly string[];
const births = (n: number) => `19${40 + (n % 60)}-0${1 + (n % 9)}-1${n % 10}`;
const roll: readonly Row[] = Array.from({ length: 600 }, (_, n) => [
  ...[String(100_000 + n), `Ann${n}`, `Lee${n}`, births(n), `${n + 1} Heron Way`],
  ...[`352555${String(n).padStart(4, '0')}`, '99301'],
]);
const importRoll = (rows: readonly Row[]): Promise<ImportOutcome> =>
  office.import('beacon-voters', [columns, ...rows, []].map((row) => row.join()).join('\n'));
/** @param change is given the place among the last eight voters */
const changeLast = (column: string, change: (row: Row, place: number) => string) =>
  roll.map((row, n) => {
    const place = n - (roll.length - 8);
    const at = columns.indexOf(column);
    return place < 0 ? row : row.map((cell, c) => (c === at ? change(row, place) : cell));
  });
const cellOf = (n: number, column: string) => roll[n]?.[columns.indexOf(column)] ?? '';

beforeEach(async () => {
  office = await createTestOffice();
  expect((await importRoll(roll)).state).toBe('done');
});
afterEach(() => office.close());

test.each([
  ['lastname', 'last name', 'could no longer sign in with their own', 'Fox'],
  ['birthdate', 'birth date', 'could no longer sign in with their own', '1931-05-06'],
  ['address', 'address', 'would see it on their page', '7 Elm St'],
  ['phone', 'phone number', 'Messages would reach other people', '3525559999'],
])(
  'a column "%s" that has moved up by a row at the end waits',
  async (column, name, effect, other) => {
    const moved = changeLast(column, (_, place) => cellOf(592 + ((place + 1) % 8), column)).map(
      // A clerk's change besides.
      (row, n) => row.map((cell, c) => (n === 9 && c === columns.indexOf(column) ? other : cell)),
    );
    const { state, report } = await importRoll(moved);
    expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['cells-moved']]);
    const [reason] = report.gate ?? [];
    expect(reason?.detail).toContain(
      `8 voters would get the ${name} that another voter had before, who would get another one, too.`,
    );
    expect(reason?.detail).toContain(effect);
    expect(reason?.rows).toBe(8);
    expect(reason?.examples).toHaveLength(5);
    // The examples contain nothing that is somebody else's.
    expect(JSON.stringify(report.gate)).not.toContain(cellOf(595, column));
  },
);

test('first and last names that have moved up together wait, although each voter would be another person', async () => {
  const moved = roll.map((row, n) => {
    const next = 592 + ((n + 1) % 8);
    const names = [cellOf(next, 'firstname'), cellOf(next, 'lastname')];
    return n < 592 ? row : row.toSpliced(1, 2, ...names);
  });
  const { state, report } = await importRoll(moved);
  expect([state, report.gate?.map(({ code, rows }) => [code, rows])]).toEqual([
    'file-held',
    [['cells-moved', 8]],
  ]);
});

test.each([
  ['lastname', 'Lee9', 'Moreno'],
  ['birthdate', '1900-01-01', '1941-05-06'],
  ['phone', '3525559999', '3525551111'],
])('a cell "%s" that was copied down over other voters waits', async (column, value, other) => {
  const copied = changeLast(column, () => value);
  // A couple besides, whose new value is the same as well.
  const couple = copied.map((row, n) =>
    n === 9 || n === 10 ? row.with(columns.indexOf(column), other) : row,
  );
  const { state, report } = await importRoll(couple);
  expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['cell-copied']]);
  expect(report.gate?.[0]?.detail).toContain('8 voters would all get the same');
  const examples = report.gate?.[0]?.examples?.map(({ voter }) => voter);
  expect(examples).toEqual(['100592', '100593', '100594', '100595', '100596']);
});

test.each([
  [11, ['cell-copied']],
  [12, []],
])(
  'of six voters with one telephone, the last is %i lines after the first',
  async (lines, codes) => {
    const phone = columns.indexOf('phone');
    const shared = [100, 101, 102, 103, 104, 100 + lines];
    const { report } = await importRoll(
      roll.map((row, n) => (shared.includes(n) ? row.with(phone, '3525559999') : row)),
    );
    expect(report.gate?.map(({ code }) => code) ?? []).toEqual(codes);
  },
);

test.each([
  ['lastname', 'names-changed'],
  ['birthdate', 'birthdates-changed'],
  ['address', 'addresses-changed'],
  ['phone', 'contacts-changed'],
])('a column "%s" that has moved in the whole roll is one reason: %s', async (column, code) => {
  const at = columns.indexOf(column);
  const moved = roll.map((row, n) => row.with(at, cellOf((n + 1) % roll.length, column)));
  const { state, report } = await importRoll(moved);
  expect([state, report.gate?.map((reason) => reason.code)]).toEqual(['file-held', [code]]);
});

test('of two columns that were copied down, each has its own examples', async () => {
  const rows = changeLast('phone', () => '3525559999').map((row, n) =>
    n < 594 ? row : row.with(columns.indexOf('lastname'), 'Lee9'),
  );
  const { report } = await importRoll(rows);
  expect(report.gate?.map(({ code, examples }) => [code, examples?.[0]])).toEqual(
    ['100594', '100592'].map((voter) => [
      'cell-copied',
      expect.objectContaining({ voter, to: 'the same as others' }),
    ]),
  );
});

test('of two columns that have moved, each has its own examples', async () => {
  const name = columns.indexOf('lastname');
  const moved = changeLast('phone', (_, place) => cellOf(592 + ((place + 1) % 8), 'phone'));
  const rows = moved.map((row, n) =>
    n < 100 || n > 107 ? row : row.with(name, cellOf(100 + ((n + 1) % 8), 'lastname')),
  );
  const { report } = await importRoll(rows);
  expect(
    report.gate?.map(({ code, examples }) => [code, examples?.map(({ voter }) => voter)]),
  ).toEqual(
    [100_100, 100_592].map((first) => [
      'cells-moved',
      Array.from({ length: 5 }, (_, n) => `${first + n}`),
    ]),
  );
});

test.each([
  [-1, 'earlier'],
  [1, 'later'],
])('birth dates that a time zone has moved by %i day wait', async (days, direction) => {
  const shifted = (row: Row) => {
    const day = new Date(`${row[3]}T00:00:00Z`);
    day.setUTCDate(day.getUTCDate() + days);
    return day.toISOString().slice(0, 10);
  };
  const { state, report } = await importRoll(changeLast('birthdate', shifted));
  expect([state, report.gate?.map(({ code }) => code)]).toEqual([
    'file-held',
    ['birthdates-shifted'],
  ]);
  expect(report.gate?.[0]?.detail).toBe(
    `8 of 8 voters whose birth date changes would be born exactly one day ${direction}, and could no longer sign in with their own. Did a program change the time zone of dates?`,
  );
  expect(report.gate?.[0]?.examples?.[0]).toMatchObject({ to: 'a day before or after' });
});

test('a family that takes one name, voters who move into each other’s houses, and a home’s new address and telephone are everyday life', async () => {
  const family = changeLast('lastname', (row, place) => (place < 5 ? 'Moreno' : (row[2] ?? '')));
  expect((await importRoll(family)).state).toBe('done');
  const chain = changeLast('address', (row, place) =>
    place < 5 ? cellOf(593 + place, 'address') : (row[4] ?? ''),
  );
  expect((await importRoll(chain)).state).toBe('done');
  expect((await importRoll(changeLast('address', () => '7 Elm Street'))).state).toBe('done');
  // Residents of a home have IDs all over the roll.
  const phone = columns.indexOf('phone');
  const residents = roll.map((row, n) => (n % 70 === 0 ? row.with(phone, '3525559999') : row));
  expect((await importRoll(residents)).state).toBe('done');
});

test('people of one name who move from home to home, get and lose its telephone, and are spelled another way are everyday life', async () => {
  const importHome = (address: string, phone: string, name = 'Muñoz') => {
    const sisters = Array.from({ length: 8 }, (_, n) => [
      ...[String(200_000 + n), `Ann${n}`, name, births(n), address, phone, '99301'],
    ]);
    return importRoll([...roll, ...sisters]);
  };
  expect((await importHome('1 Elm Street', '')).state).toBe('done');
  expect((await importHome('2 Elm Street', '3525559999')).state).toBe('done');
  expect((await importHome('3 Elm Street', '')).state).toBe('done');
  expect((await importHome('3 Elm Street', '', 'MUNOZ')).state).toBe('done');
});

test('a family whose rows are listed twice is no more people', async () => {
  const name = columns.indexOf('lastname');
  const family = roll.flatMap((row, n) =>
    n > 20 && n < 25 ? [row.with(name, 'Moreno'), row.with(name, 'Moreno')] : [row],
  );
  const { state, report } = await importRoll(family);
  expect([state, report.rows.refused]).toEqual(['done', 4]);
});

test('of many who marry, one may leave the name that another takes', async () => {
  const name = columns.indexOf('lastname');
  const married = roll.map((row, n) =>
    n % 70 === 0 ? row.with(name, cellOf((n + 70) % 630, 'lastname')) : row,
  );
  expect((await importRoll(married)).state).toBe('done');
});

test('a whole roll that was cut at the end of a line waits, and voters who left it here and there do not', async () => {
  const importWhole = (rows: readonly Row[]) =>
    office.import('beacon-voters', [columns, ...rows, []].map((row) => row.join()).join('\n'), {
      isFull: true,
    });
  const leavers = roll.filter((_, n) => n % 60 !== 0);
  expect((await importWhole(leavers)).state).toBe('done');
  const { state, report } = await importWhole(leavers.slice(0, -8));
  expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['roll-cut']]);
  expect(report.gate?.[0]).toMatchObject({
    detail:
      'The 8 voters whose IDs are higher than all in this file are missing. They would become inactive, and could no longer sign in. Was the end of the file cut off?',
    rows: 8,
  });
  expect(report.gate?.[0]?.examples).toHaveLength(5);
  expect(report.gate?.[0]?.examples?.[0]).toEqual({
    ...{ voter: '100592', from: 'active', to: 'missing', line: null },
  });
});

test.each([
  [5, []],
  [6, ['roll-cut']],
])('a whole roll without its last %i voters', async (count, codes) => {
  const rows = roll.slice(0, -count);
  const { report } = await office.import(
    'beacon-voters',
    [columns, ...rows, []].map((row) => row.join()).join('\n'),
    { isFull: true },
  );
  expect(report.gate?.map(({ code }) => code) ?? []).toEqual(codes);
});

test('voters with the highest IDs who left the roll before do not count as cut off by a later file', async () => {
  const importWhole = (rows: readonly Row[]) =>
    office.import('beacon-voters', [columns, ...rows, []].map((row) => row.join()).join('\n'), {
      isFull: true,
    });
  expect((await importWhole(roll.slice(0, -5))).state).toBe('done');
  expect((await importWhole(roll.slice(2, -10))).state).toBe('done');
});
