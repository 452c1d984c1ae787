import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, writeCasesFormat } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { findWaitingImport } from '../../index.ts';

/** An office exports its open cases in the morning and all of its ballots in the evening, and they come in any order. */
let office: TestOffice;
let cases: string;

beforeEach(async () => {
  office = await openListOffice();
  await office.addElection('8', '2026-12-08');
  cases = writeCasesFormat(office);
});
afterEach(() => office.close());

const onDay = (day: number) => office.clock.set(`2026-10-${day}T20:00:00Z`);
const importNamed = (format: string, name: string, lines: readonly string[], election?: string) => {
  const bytes = Buffer.from([...lines, ''].join('\n'));
  const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
  return office.import(format, bytes, { file, ...(election !== undefined && { election }) });
};

/** @param redated are back a day earlier than it said before */
async function importAll(
  name: string,
  accepted: readonly number[],
  redated: readonly number[] = [],
) {
  const rows = range(0, 300).map((voter) =>
    voter < 100 && !accepted.includes(voter)
      ? `${voter},7,returned,2026-10-05,2026-10-${redated.includes(voter) ? 19 : 20}`
      : `${voter},7,${voter < 200 ? 'accepted,2026-10-05,2026-10-21' : 'sent,2026-10-05,'}`,
  );
  const header = 'registration_id,election,status,sent_on,returned_on';
  expect((await importNamed('beacon-ballots', name, [header, ...rows])).state).toBe('done');
}

async function importCases(name: string, voters: readonly number[]) {
  const rows = voters.map((voter) => `${voter},2026-10-20,Not signed,Open`);
  const { state, report } = await importNamed(
    cases,
    name,
    ['Voter,Received,Problem,State', ...rows],
    '7',
  );
  expect([state, report.gate]).toEqual(['done', undefined]);
}

async function statusOf(voter: number) {
  const { rows } = await sql<{ current_status: string }>`
    select current_status from ballots join voters using (voter_id) join elections using (election_id)
    where registration_id = ${String(voter)} and number = '7'`.execute(office.db.database.system);
  return rows[0]?.current_status;
}

test.each([
  ['by their names', '-2026-10-29', '-2026-10-28'],
  ['by the days on which they come', '', ''],
])(
  'a list of open cases takes back no acceptance by the list of all ballots of its day, %s',
  async (_, next, first) => {
    await importAll(`all${first}.csv`, []);
    await importCases(`cases${first}.csv`, [1, 2, 3, 4, 5, 6]);
    onDay(29);
    await importAll(`all${next}.csv`, [1, 2, 3, 4, 5]);
    await importCases(`cases${next}.csv`, [1, 2, 3, 4, 5, 6, 7]);
    expect([await statusOf(1), await statusOf(6), await statusOf(7)]).toEqual([
      ...['accepted', 'rejected-curable', 'rejected-curable'],
    ]);
    // On the next day it is still open, whatever was said the day before.
    onDay(30);
    await importCases(`cases${next && '-2026-10-30'}.csv`, [1, 6, 7]);
    expect(await statusOf(1)).toBe('rejected-curable');
  },
);

test('a list of open cases takes back no acceptance that the list of all ballots has repeated since', async () => {
  await importAll('all-2026-10-28.csv', []);
  await importCases('cases-2026-10-28.csv', [1, 2]);
  onDay(29);
  await importAll('all-2026-10-29.csv', [1]);
  onDay(30);
  await importAll('all-2026-10-30.csv', [1, 8]);
  await importCases('cases-2026-10-30.csv', [1, 2]);
  expect([await statusOf(1), await statusOf(2)]).toEqual(['accepted', 'rejected-curable']);
  onDay(31);
  // A file of another election says nothing of this one.
  const runoff = ['registration_id,election,status,sent_on', '1,8,sent,2026-10-30'];
  expect((await importNamed('beacon-ballots', 'runoff-2026-10-31.csv', runoff)).state).toBe('done');
  await importCases('cases-2026-10-31.csv', [1, 2]);
  expect(await statusOf(1)).toBe('rejected-curable');
});

test('a list of all ballots that repeats what it said last takes nothing from the list of open cases', async () => {
  await importAll('all-2026-10-28.csv', []);
  await importCases('cases-2026-10-28.csv', [1, 2]);
  onDay(29);
  await importAll('all-2026-10-29.csv', [], [1]);
  expect([await statusOf(1), await statusOf(2)]).toEqual(['returned', 'rejected-curable']);
  await importCases('cases-2026-10-29.csv', [1, 2]);
  onDay(30);
  await importAll('all-2026-10-30.csv', [8], [1]);
  expect([await statusOf(1), await statusOf(2)]).toEqual(['rejected-curable', 'rejected-curable']);
});

test('a list of open cases that waited for approval is of the day on which it came', async () => {
  await importAll('all.csv', []);
  const list = ['Voter,Received,Problem,State', '1,2026-10-20,Not signed,Open', ''].join('\n');
  const askedReason = { code: 'asked', detail: 'Please look at it.' };
  const { importId } = await office.import(cases, list, { election: '7', askedReason });
  onDay(29);
  await importAll('all.csv', [1]);
  onDay(30);
  const released = importId && (await findWaitingImport(office.db.database.system, importId));
  if (!released) throw new Error('The list does not wait.');
  expect((await office.import(cases, list, { election: '7', released })).state).toBe('released');
  expect(await statusOf(1)).toBe('accepted');
});

test('the only case of a list, which the list of all ballots has accepted meanwhile, shows that it is the same list', async () => {
  await importAll('all-2026-10-28.csv', []);
  await importCases('cases-2026-10-28.csv', [1]);
  onDay(29);
  await importAll('all-2026-10-29.csv', [1]);
  await importCases('cases-2026-10-29.csv', [1]);
  expect(await statusOf(1)).toBe('accepted');
});

test('a list of open cases may open all that the list of all ballots has refused, for which it has no word', async () => {
  const header = 'registration_id,election,status,sent_on,returned_on';
  const importRefused = (name: string, refused: number) => {
    const rows = range(0, 300).map(
      (voter) =>
        `${voter},7,${voter < refused ? 'rejected' : 'sent'},2026-10-05,${voter < refused ? '2026-10-20' : ''}`,
    );
    return importNamed('beacon-ballots', name, [header, ...rows]);
  };
  for (const day of [28, 29, 30]) {
    onDay(day);
    const cases = range(0, 4 * (day - 27));
    expect((await importRefused(`all-2026-10-${day}.csv`, cases.length)).state).toBe('done');
    await importCases(`cases-2026-10-${day}.csv`, cases);
    expect(await statusOf(0)).toBe('rejected-curable');
  }
});

test('a list without rows says which of its cases would count as refused, because the list of all ballots refuses them', async () => {
  const header = 'registration_id,election,status,sent_on,returned_on';
  const importRefused = (name: string, refused: number) =>
    importNamed('beacon-ballots', name, [
      header,
      ...range(0, 300).map((voter) =>
        voter < 6
          ? `${voter},7,${voter < refused ? 'rejected' : 'returned'},2026-10-05,2026-10-20`
          : `${voter},7,sent,2026-10-05,`,
      ),
    ]);
  for (const [refused, closed] of [
    [6, 'each would count as refused, as on another list'],
    [4, '2 would count as accepted, and 4 as refused, as on another list'],
  ] as const) {
    await office.close();
    office = await openListOffice();
    cases = writeCasesFormat(office);
    onDay(29);
    expect((await importRefused('all-2026-10-29.csv', refused)).state).toBe('done');
    await importCases('cases-2026-10-29.csv', range(0, 6));
    onDay(30);
    const none = await importNamed(
      cases,
      'cases-2026-10-30.csv',
      ['Voter,Received,Problem,State'],
      '7',
    );
    const detail = none.report.gate?.find(({ code }) => code === 'file-shrank')?.detail;
    expect(detail).toBe(
      `It has no rows, so all 6 open cases would be closed: ${closed}. Did the export fail?`,
    );
  }
});
