import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { judgePace } from './gate-pace.ts';

const ballots = 600;
let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await open(office);
  await load({});
});
afterEach(() => office.close());

async function open(one: TestOffice): Promise<void> {
  one.clock.set('2026-10-20T15:00:00Z');
  await one.addElection('7', '2026-11-03');
  const voters = Array.from({ length: ballots }, (_, n) => `${n},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await one.import('beacon-voters', [header, ...voters, ''].join('\n'));
}

interface Standing {
  readonly rejected?: number;
  readonly accepted?: number;
  /** In its name. */
  readonly fileDay?: string;
}

/** Imports the whole list, with so many ballots of each status and all others returned. */
async function load({ rejected = 0, accepted = 0, fileDay }: Standing, to = office) {
  const rows = Array.from({ length: ballots }, (_, n) => {
    const status = n < rejected ? 'rejected' : n >= ballots - accepted ? 'accepted' : 'returned';
    return `${n},7,${status},2026-10-01,2026-10-15`;
  });
  const header = 'registration_id,election,status,sent_on,returned_on';
  const text = [header, ...rows, ''].join('\n');
  const name = fileDay === undefined ? 'file.csv' : `ballots-${fileDay}.csv`;
  const file = { name, size: text.length, open: () => Readable.from([Buffer.from(text)]) };
  const { state, report } = await to.import('beacon-ballots', text, { file });
  return [state, ...(report.gate ?? []).map(({ detail }) => detail)];
}
const at = (moment: string) => office.clock.set(moment);

test('many files of a day may not reject more than one may, and the next day may again', async () => {
  at('2026-10-21T15:00:00Z');
  expect(await load({ rejected: 10 })).toEqual(['done']);
  // In the evening by the office’s clock, when UTC has the next day.
  at('2026-10-22T01:00:00Z');
  expect(await load({ rejected: 18 })).toEqual(['done']);
  at('2026-10-22T06:59:00Z');
  expect(await load({ rejected: 19 })).toEqual([
    'file-held',
    'Election 7: 19 of 600 ballots would become rejected today, with those of earlier files. Up to 18 in one day would be usual.',
  ]);
  at('2026-10-22T07:00:00Z');
  expect(await load({ rejected: 19 })).toEqual(['done']);
});

test('acceptances are not taken back a few at a time', async () => {
  at('2026-10-21T15:00:00Z');
  expect(await load({ accepted: 100 })).toEqual(['done']);
  expect(await load({ accepted: 97 })).toEqual(['done']);
  expect(await load({ accepted: 96 })).toEqual([
    'file-held',
    'Election 7: 4 of 100 ballots that are accepted or voted in person would become returned (4). Up to 3 in one file is usual. This includes earlier files of today.',
  ]);
});

test('a week may have as many as three such days', async () => {
  for (const [day, rejected] of [
    ['21', 18],
    ['22', 36],
    ['23', 54],
  ] as const) {
    at(`2026-10-${day}T15:00:00Z`);
    expect(await load({ rejected })).toEqual(['done']);
  }
  at('2026-10-27T15:00:00Z');
  expect(await load({ rejected: 55 })).toEqual([
    'file-held',
    'Election 7: 55 of 600 ballots would become rejected within a week, with those of earlier files. Up to 54 in a week would be usual.',
  ]);
  at('2026-10-28T15:00:00Z');
  expect(await load({ rejected: 55 })).toEqual(['done']);
});

test('an office that catches up sends the files of several days in one, which may change as much as three', async () => {
  at('2026-10-21T15:00:00Z');
  const send = (day: string, standing: Standing) =>
    load({ fileDay: `2026-10-${day}`, ...standing });
  expect(await send('16', { rejected: 18 })).toEqual(['done']);
  expect((await send('16', { rejected: 19 }))[0]).toBe('file-held');
  expect(await send('17', { rejected: 36 })).toEqual(['done']);
  expect(await send('18', { rejected: 54 })).toEqual(['done']);
  expect(await send('19', { rejected: 55 })).toEqual([
    'file-held',
    'Election 7: 55 of 600 ballots would become rejected within a week, with those of earlier files. Up to 54 in a week would be usual.',
  ]);
});

test('acceptances are taken back by the files of several days as by those of three', async () => {
  at('2026-10-21T15:00:00Z');
  expect(await load({ accepted: 200 })).toEqual(['done']);
  at('2026-10-22T15:00:00Z');
  for (const [day, accepted] of [
    ['16', 197],
    ['17', 194],
    ['18', 191],
  ] as const)
    expect(await load({ fileDay: `2026-10-${day}`, accepted })).toEqual(['done']);
  expect(await load({ fileDay: '2026-10-19', accepted: 190 })).toEqual([
    'file-held',
    'Election 7: 10 of 200 ballots that are accepted or voted in person would become returned (10). Up to 3 in one file is usual. This includes earlier files of today. For the files of 3 days, up to 3 times as many is usual.',
  ]);
});

test('acceptances are not taken back a few a day either', async () => {
  at('2026-10-21T15:00:00Z');
  expect(await load({ accepted: 200 })).toEqual(['done']);
  for (const [day, accepted] of [
    ['22', 197],
    ['23', 194],
    ['24', 191],
  ] as const) {
    at(`2026-10-${day}T15:00:00Z`);
    expect(await load({ accepted })).toEqual(['done']);
  }
  at('2026-10-28T15:00:00Z');
  expect(await load({ accepted: 190 })).toEqual([
    'file-held',
    'Election 7: 10 of 200 ballots that are accepted or voted in person would become returned (10). Up to 3 in one file is usual. This includes earlier files of this week. For a week, up to 3 times as many is usual.',
  ]);
  at('2026-10-29T15:00:00Z');
  expect(await load({ accepted: 190 })).toEqual(['done']);
});

test('what a second person approved, what was corrected, and what another office’s files did are not counted', async () => {
  at('2026-10-21T15:00:00Z');
  expect(await load({ rejected: 18 })).toEqual(['done']);
  const call = (state: string) =>
    sql`update imports set state = ${state} where import_id = (select max(import_id) from imports)`.execute(
      office.db.database.system,
    );
  await call('released');
  expect(await load({ rejected: 27 })).toEqual(['done']);
  await call('corrected');
  const other = await createTestOffice({ subdomain: 'baker' }, office);
  await open(other);
  other.clock.set('2026-10-21T15:00:00Z');
  await load({}, other);
  expect(await load({ rejected: 9 }, other)).toEqual(['done']);
  await other.close();
  expect(await load({ rejected: 36 })).toEqual(['done']);
  // What is loaded counts, also while its messages wait.
  await call('messages-held');
  expect(await load({ rejected: 45 })).toEqual(['done']);
  expect((await load({ rejected: 46 }))[0]).toBe('file-held');
});

test('files that decide the same ballots again are not counted twice', async () => {
  at('2026-10-21T15:00:00Z');
  expect(await load({ rejected: 18 })).toEqual(['done']);
  expect(await load({ rejected: 18, accepted: 200 })).toEqual(['done']);
  expect(await load({ rejected: 18, accepted: 210 })).toEqual(['done']);
  expect((await load({ rejected: 18, accepted: 211 }))[0]).toBe('file-held');
});

test('ballots that no file listed before do not come back a few at a time', () => {
  const today = '2026-10-21';
  const listed = { from: null, to: 'undeliverable' };
  const faults = { 'in-future': 0, 'out-of-season': 0, 'out-of-order': 0, 'late-too-soon': 0 };
  const judge = (count: number) =>
    judgePace(
      {
        ...{ number: '7', date: '2026-11-03', isActive: true, before: { sent: 500 } },
        changes: [{ ...listed, count, faults }],
      },
      {
        ...{
          today,
          fileDay: today,
          firstStatuses: [],
          isOfOpenCases: false,
          opensRefused: false,
          isOneElection: true,
          voters: 600,
        },
        ...{ gone: new Map(), fixableUntil: new Map(), earlier: [] },
      },
      [{ ...listed, day: today, fileDay: today, election: '7', count: 8 }],
      [],
    );
  expect(judge(3)).toEqual([]);
  expect(judge(4)).toMatchObject([
    {
      code: 'first-status',
      detail:
        'Election 7: 12 ballots that no file has listed before appear as undeliverable today, with those of earlier files. Up to 11 would be usual. If your files list only such ballots, add "first_statuses" to the format.',
      rows: 4,
    },
  ]);
});
