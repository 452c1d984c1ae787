import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportOutcome } from '../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-11-01T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  const voters = Array.from({ length: 100 }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...voters].join('\n'));
});
afterEach(() => office.close());

/** A list of 60 ballots of which so many were accepted by the day. */
const list = (count: number, day: string) =>
  [
    'registration_id,election,status,sent_on,returned_on',
    ...Array.from({ length: 60 }, (_, n) =>
      n < count ? `${n},7,accepted,2026-10-05,${day}` : `${n},7,sent,2026-10-05,`,
    ),
  ].join('\n');

async function importList(content: string, name = 'ballots.csv'): Promise<ImportOutcome> {
  const bytes = Buffer.from(content);
  const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
  return office.import('beacon-ballots', content, { file });
}

async function acceptedCount(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ballots
    where current_status = 'accepted'`.execute(office.db.database.system);
  return rows[0]?.count;
}

test('an old file that only lacks accepted ballots is called old before anything else', async () => {
  const [header = '', ...rows] = list(12, '2026-10-30').split('\n');
  const all = [header, ...rows].join('\n');
  await importList(all, 'ballots-20261031.csv');
  const old = await importList([header, ...rows.slice(1)].join('\n'), 'ballots-20261030.csv');
  expect(old.state).toBe('file-held');
  expect(old.report.gate?.map(({ code }) => code)).toEqual(['old-file', 'accepted-missing']);
});

describe('a file that was imported before', () => {
  test('does nothing while it is the newest, and waits for approval once a newer file is in', async () => {
    const yesterday = list(10, '2026-10-30');
    await importList(yesterday);
    expect((await importList(yesterday)).state).toBe('nothing-new');
    await importList(list(14, '2026-10-31'));
    const again = await importList(yesterday);
    expect([again.state, again.report.gate?.[0]?.code]).toEqual(['file-held', 'old-file']);
    expect(again.report.gate?.[0]?.detail).toMatch(/the same file as import \d+/);
    expect(await acceptedCount()).toBe(14);
    expect((await importList(list(16, '2026-10-31'))).state).toBe('done');
  });

  test('is right when it would change nothing, because nothing has moved since', async () => {
    const file = list(10, '2026-10-30');
    const [header = '', ...rows] = file.split('\n');
    await importList(file, 'ballots-20261030.csv');
    await importList([header, ...rows.reverse()].join('\n'), 'ballots-20261031.csv');
    const again = await importList(file, 'ballots-20261101.csv');
    expect([again.state, again.report.gate ?? []]).toEqual(['done', []]);
    expect(again.report.rows).toMatchObject({ added: 0, changed: 0, unchanged: 60 });
  });
});

describe('a file that is older than the newest', () => {
  test('by the date in its name waits, and the report names both days', async () => {
    await importList(list(10, '2026-10-20'), 'ballots-20261031.csv');
    const [header = '', , ...rows] = list(11, '2026-10-20').split('\n');
    const changed = [
      header,
      '99,7,sent,2026-10-05,',
      '0,7,accepted,2026-10-04,2026-10-20',
      ...rows,
    ];
    const older = await importList(changed.join('\n'), 'ballots_10-30-2026.csv');
    expect([older.state, older.report.gate?.[0]?.code]).toEqual(['file-held', 'old-file']);
    expect(older.report.gate?.[0]?.examples).toEqual([
      { voter: '99', from: 'not listed', to: 'sent', line: 2 },
      { voter: '10', from: 'sent', to: 'accepted', line: 13 },
      { voter: '0', from: 'sent 10/05/2026', to: 'sent 10/04/2026', line: 3 },
    ]);
    expect(older.report.gate?.[0]?.detail).toContain(
      'This is the file of Oct 30; the file of Oct 31 is already in',
    );
    expect((await importList(list(12, '2026-10-20'), 'ballots-20261101.csv')).state).toBe('done');
  });

  test('by a name with a time right after the day waits, though it takes back a single acceptance', async () => {
    await importList(list(10, '2026-10-20'), 'ballots-20261031063000.csv');
    const older = await importList(list(9, '2026-10-20'), 'ballots-20261030063000.csv');
    expect([older.state, older.report.gate?.[0]?.code]).toEqual(['file-held', 'old-file']);
    expect(await acceptedCount()).toBe(10);
  });

  test('by the newest dates in its rows waits', async () => {
    await importList(list(10, '2026-10-31'));
    const older = await importList(list(8, '2026-10-30'));
    expect([older.state, older.report.gate?.map(({ code }) => code)]).toEqual([
      'file-held',
      expect.arrayContaining(['old-file']),
    ]);
    expect(await acceptedCount()).toBe(10);
  });

  test('by more than two months waits, though it takes nothing back', async () => {
    await importList(list(10, '2026-10-31'));
    await office.addElection('6', '2026-08-04');
    const rows = Array.from({ length: 60 }, (_, n) => `${n},6,accepted,2026-07-10,2026-07-30`);
    const old = await importList([list(0, '').split('\n')[0], ...rows].join('\n'));
    expect([old.state, old.report.gate?.map(({ code }) => code)]).toEqual([
      'file-held',
      expect.arrayContaining(['old-file']),
    ]);
    expect(old.report.gate?.find(({ code }) => code === 'old-file')?.detail).toMatch(
      /^The newest date in this file is Jul 30. A file with dates up to Oct 31 is already in \(import \d+\)\.$/,
    );
    expect(await acceptedCount()).toBe(10);
  });

  test('because it lists an election that was over before the newest file waits', async () => {
    await importList(list(10, '2026-10-31'));
    await office.addElection('6', '2025-11-04', false);
    const header = list(0, '').split('\n')[0];
    const rows = (count: number) => Array.from({ length: count }, (_, n) => `${n},6,accepted,,`);
    const old = await importList([header, ...rows(60)].join('\n'));
    expect([old.state, old.report.gate?.map(({ code }) => code)]).toEqual([
      'file-held',
      expect.arrayContaining(['election-over']),
    ]);
    const reason = old.report.gate?.find(({ code }) => code === 'election-over');
    expect(reason?.detail).toBe(
      'Election 6 was on Nov 4, 2025, and 60 of its ballots would be new. It is not active.',
    );
    expect(reason?.examples).toHaveLength(5);
    expect(await acceptedCount()).toBe(10);
    expect((await importList([header, ...rows(3)].join('\n'))).state).toBe('file-held');
    // A few ballots of an archive, beside those of today.
    const current = list(11, '2026-10-31');
    expect((await importList([current, ...rows(3)].join('\n'))).state).toBe('done');
  });

  test('by its name waits on election day too, when the name of the newest has that day', async () => {
    office.clock.set('2026-11-03T15:00:00Z');
    await importList(list(11, '2026-11-02'), 'ballots-20261103.csv');
    const { report } = await importList(list(12, '2026-11-02'), 'ballots-20261102.csv');
    expect(report.gate?.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^This is the file of Nov 2; the file of Nov 3 is already in/),
    ]);
  });

  test('by its name alone is not, where the name has the day of the election', async () => {
    await office.addElection('8', '2026-12-08');
    await importList(list(10, '2026-10-31'), 'absentee_20261208.csv');
    expect((await importList(list(11, '2026-10-31'), 'absentee_20261103.csv')).state).toBe('done');
  });
});

test('a whole roll of an earlier day waits, also where all that it does is to lack the voters who are new', async () => {
  const voters = (count: number) =>
    Array.from({ length: count }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
  const importRoll = (count: number) =>
    office.import(
      'beacon-voters',
      ['registration_id,firstname,lastname,birthdate,zipcode', ...voters(count)].join('\n'),
      { isFull: true },
    );
  expect((await importRoll(102)).report.after).toEqual({ active: 102, inactive: 0 });
  expect((await importRoll(103)).report.after).toEqual({ active: 103, inactive: 0 });
  const { state, report } = await importRoll(102);
  expect([state, report.after]).toEqual(['file-held', { active: 103, inactive: 0 }]);
  expect(report.gate).toMatchObject([
    {
      code: 'old-file',
      detail: expect.stringContaining('the same file as import'),
      examples: [{ voter: '102', from: 'active', to: 'missing' }],
    },
  ]);
  // A roll that nobody had before may lack as many.
  expect((await importRoll(101)).report.after).toEqual({ active: 101, inactive: 2 });
});
