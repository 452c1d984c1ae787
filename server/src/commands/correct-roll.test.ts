import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sql } from '../../../testing/sql.ts';

let db: TestDatabase;
let beacon: Beacon;

beforeEach(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url);
  const account = { subdomain: 'adams', name: 'Adams', county: 'Adams', state: 'WA' };
  const file = beacon.write('account.json', JSON.stringify({ ...account, time_zone: 'UTC' }));
  await beacon.do('account', 'apply', file);
});
afterEach(async () => {
  beacon.remove();
  await db.drop();
});

const rollOf = (rows: readonly string[]) =>
  ['registration_id,firstname,lastname,birthdate,zipcode', ...rows].join('\n');
const voter = (n: number, first = 'Ann', last = `Lee${n}`) =>
  `${String(n).padStart(4, '0')},${first},${last},01/02/1950,99301`;
const numbers = Array.from({ length: 120 }, (_, n) => n);

const importRoll = (rows: readonly string[], ...more: string[]) =>
  beacon.run('import', beacon.write('roll.csv', rollOf(rows)), '--account', 'adams', ...more);

async function roll(): Promise<string[]> {
  const { rows } = await sql<{ voter: string }>`
    select concat_ws(' ', registration_id, firstname, lastname, is_active) as voter from voters
    order by registration_id`.execute(db.database.system);
  return rows.map((row) => row.voter);
}

async function newest(): Promise<{ import_id: number; state: string }> {
  const [first] = JSON.parse(await beacon.do('imports', '--account', 'adams', '--json'));
  return first;
}

test('a wrong roll that was approved is put back: voters it changed, added or made inactive are as before', async () => {
  await importRoll(numbers.map((n) => voter(n)));
  const before = await roll();
  const wrong = [
    ...numbers.slice(0, 60).map((n) => voter(n, `Lee${n}`, 'Ann')),
    ...numbers.slice(60, 100).map((n) => voter(n)),
    ...numbers.slice(0, 40).map((n) => voter(5000 + n)),
  ];
  const waiting = await importRoll(wrong, '--full');
  expect(waiting.code).toBe(3);
  expect(waiting.stderr).toContain('The first and last names of 60 voters would change places');
  expect(waiting.stderr).toContain('voter 0000: first, last → last, first (line 2)');
  const { import_id: number } = await newest();
  await beacon.do('release', String(number), '--by', 'Bea Deputy');
  expect(await newest()).toMatchObject({ import_id: number, state: 'released' });
  expect(await roll()).toHaveLength(160);

  expect(await beacon.do('correct', String(number), '--by', 'Ann Clerk')).toContain(
    'voters put back as they were: 80. Voters that it added, now inactive: 40.',
  );
  expect(await newest()).toMatchObject({ import_id: number, state: 'corrected' });
  expect((await roll()).slice(0, 120)).toEqual(before);
  expect((await roll()).slice(120).every((row) => row.endsWith(' f'))).toBe(true);
  expect(await beacon.run('release', String(number), '--by', 'Bea Deputy')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Import ${number} was corrected. Its messages`),
  });
  expect(await beacon.run('correct', String(number), '--by', 'Bea Deputy')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`Import ${number} was already corrected. Nothing more`),
  });

  // The right file is read again, row by row.
  expect((await importRoll(numbers.map((n) => voter(n)))).code).toBe(0);
  expect((await roll()).slice(0, 120)).toEqual(before);
  // And so is a voter whom the wrong one brought too early.
  const withOne = await importRoll(
    [...numbers, 5000].map((n) => voter(n)),
    '--full',
  );
  expect(withOne).toMatchObject({ code: 0, stderr: '' });
  expect((await roll()).filter((row) => row.endsWith(' t')).slice(120)).toEqual([
    '5000 Ann Lee5000 t',
  ]);
});

test('a voter whom a later file changed again stays as that file has them', async () => {
  await importRoll(numbers.map((n) => voter(n)));
  await importRoll([voter(0, 'Bo'), voter(1, 'Bo')]);
  const { import_id: number } = await newest();
  await importRoll([voter(1, 'Cy')]);
  const text = await beacon.do('correct', String(number), '--by', 'Ann Clerk');
  expect(text).toContain('voters put back as they were: 1.');
  expect(text).not.toContain('messages');
  expect(text).toContain('Voters that a later file changed again, left as they are: 1.');
  expect((await roll()).slice(0, 2)).toEqual(['0000 Ann Lee0 t', '0001 Cy Lee1 t']);
});

test('two wrong rolls are put back one after the other, and the right file is read again when it comes again', async () => {
  await importRoll(numbers.map((n) => voter(n)));
  const right = [voter(0, 'Bo'), voter(1)];
  for (const rows of [right, [voter(0, 'Cy'), voter(5000)]]) await importRoll(rows);
  const { import_id: last } = await newest();
  for (const [number, first] of [
    [last, 'Bo'],
    [last - 1, 'Ann'],
  ] as const) {
    await beacon.do('correct', String(number), '--by', 'Ann Clerk');
    expect((await roll())[0]).toBe(`0000 ${first} Lee0 t`);
  }
  expect((await roll()).at(-1)).toBe('5000 Ann Lee5000 f');
  expect((await importRoll(right)).code).toBe(0);
  expect((await roll())[0]).toBe('0000 Bo Lee0 t');
});

test('two wrong rolls are put back the older one first, and nothing of either stays', async () => {
  await importRoll(numbers.map((n) => voter(n)));
  const before = await roll();
  await importRoll([voter(0, 'Bo'), voter(1, 'Bo'), voter(5000, 'Bo')]);
  const { import_id: older } = await newest();
  await importRoll([voter(0, 'Cy'), voter(5000, 'Cy')]);
  const first = await beacon.do('correct', String(older), '--by', 'Ann Clerk');
  expect(first).toContain('Voters that a later file changed again, left as they are: 1.');
  expect(await beacon.do('correct', String(older + 1), '--by', 'Ann Clerk')).toContain(
    'voters put back as they were: 1. Voters that it added, now inactive: 1.',
  );
  expect((await roll()).slice(0, 120)).toEqual(before);
  expect((await roll())[120]).toMatch(/^5000 .* f$/);
});

test('after a roll with another status column was approved, the right file waits until that roll is corrected, and so does the very file of before', async () => {
  const header = 'registration_id,firstname,lastname,birthdate,zipcode,is_active';
  const importDay = (day: number, status: (n: number) => string, first = 'Ann') => {
    const rows = numbers.map((n) => `${voter(n, n === 0 ? first : 'Ann')},${status(n)}`);
    const path = beacon.write(`roll-2026010${day}.csv`, [header, ...rows].join('\n'));
    return beacon.run('import', path, '--account', 'adams');
  };
  const right = () => 'yes';
  await importDay(1, right);
  const before = await roll();
  const wrong = await importDay(2, (n) => (n < 60 ? 'no' : 'yes'));
  expect(wrong.stderr).toContain('60 active voters would become inactive');
  const { import_id: released } = await newest();
  await beacon.do('release', String(released), '--by', 'Bea Deputy');

  const next = await importDay(3, right, 'Eve');
  expect(next.code).toBe(3);
  expect(next.stderr).toContain('60 of 60 inactive voters would become active');
  await beacon.do('correct', String(released), '--by', 'Ann Clerk');
  expect(await importDay(3, right, 'Eve')).toMatchObject({ code: 0, stderr: '' });
  expect((await roll()).every((row) => row.endsWith(' t'))).toBe(true);

  await importDay(4, (n) => (n < 60 ? 'no' : 'yes'), 'Eve');
  const { import_id: again } = await newest();
  await beacon.do('release', String(again), '--by', 'Bea Deputy');
  const same = await importDay(1, right);
  expect(same).toMatchObject({ code: 3 });
  expect(same.stderr).toContain(
    `If import ${again} was wrong, correct it first: beacon correct ${again} --by NAME`,
  );
  for (const { import_id: number, state } of JSON.parse(
    await beacon.do('imports', '--account', 'adams', '--json'),
  ).slice(1, -1))
    if (['done', 'released'].includes(state))
      await beacon.do('correct', String(number), '--by', 'Ann Clerk');
  expect(await importDay(1, right)).toMatchObject({ code: 0, stderr: '' });
  expect(await roll()).toEqual(before);
});
