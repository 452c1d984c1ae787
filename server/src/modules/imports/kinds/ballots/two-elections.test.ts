import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';

/** Files with rows of two elections on one day: each election is judged by itself, and shows its own ballots. */
let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice(100);
  await office.addElection('8', '2026-11-03');
});
afterEach(() => office.close());

interface Row {
  readonly number?: string;
  readonly status?: string;
  readonly sentOn?: string;
}
/** Of these voters' ballots; those that are not `sent` came back on October 20. */
const list = (
  election: number,
  voters: readonly number[],
  row: (voter: number) => Row = () => ({}),
) =>
  voters.map((voter) => {
    const { number = 'A', status = 'sent', sentOn = '2026-10-05' } = row(voter);
    return [voter, election, number, status, sentOn, status === 'sent' ? '' : '2026-10-20'].join();
  });
async function load(...lists: string[][]) {
  const header = 'registration_id,election,ballot_number,status,sent_on,returned_on';
  const text = [header, ...lists.flat(), ''].join('\n');
  const { state, report } = await office.import('beacon-ballots', text);
  return [
    state,
    ...(report.gate ?? []).map(({ code, rows, examples }) => [
      ...[code, rows],
      examples?.map(({ voter }) => Number(voter)),
    ]),
  ];
}

/** Election 7 is of the first fifty voters, 8 of the others. */
const [first, second] = [range(0, 50), range(50, 100)];
const accepted = (voter: number): Row => (voter % 50 < 20 ? { status: 'accepted' } : {});

test('ballots that are taken back in both elections are counted and shown by election', async () => {
  expect(await load(list(7, first, accepted), list(8, second, accepted))).toEqual(['done']);
  const takenBack = (count: number) => (voter: number) =>
    voter % 50 < count ? { status: 'rejected' } : accepted(voter);
  expect(await load(list(7, first, takenBack(4)), list(8, second, takenBack(6)))).toEqual([
    'file-held',
    ['taken-back', 4, range(0, 4)],
    ['taken-back', 6, range(50, 55)],
  ]);
});

test('ballots that get another day of mailing in both elections are shown by election', async () => {
  expect(await load(list(7, first), list(8, second))).toEqual(['done']);
  const redated = () => ({ sentOn: '2026-10-04' });
  expect(await load(list(7, first, redated), list(8, second, redated))).toEqual([
    'file-held',
    ['other-dates', 50, range(0, 5)],
    ['other-dates', 50, range(50, 55)],
  ]);
});

test('ballots in the place of others in both elections are shown by election', async () => {
  expect(await load(list(7, first), list(8, second))).toEqual(['done']);
  const replaced = (count: number) => (voter: number) =>
    voter % 50 < count ? { number: 'B' } : {};
  expect(await load(list(7, first, replaced(4)), list(8, second, replaced(5)))).toEqual([
    'file-held',
    ['other-ballots', 4, range(0, 4)],
    ['other-ballots', 5, range(50, 55)],
  ]);
});

test('accepted ballots of one election are missing, although the file has the same voters in another', async () => {
  expect(await load(list(7, first, accepted), list(8, first))).toEqual(['done']);
  expect(
    await load(
      list(7, range(3, 50), accepted),
      list(8, first, (voter) => (voter < 9 ? { status: 'returned' } : {})),
    ),
  ).toEqual(['file-held', ['accepted-missing', 3, range(0, 3)]]);
});

test('accepted ballots are missing with all others of their election, until it is over', async () => {
  const small = list(8, range(0, 7), (voter) => (voter < 4 ? { status: 'accepted' } : {}));
  const large = (count: number) =>
    list(7, range(0, 93), (voter) => (voter < count ? { status: 'accepted' } : {}));
  expect(await load(large(10), small)).toEqual(['done']);
  expect(await load(large(11), small)).toEqual(['done']);
  expect(await load(large(12))).toEqual(['file-held', ['accepted-missing', 4, range(0, 4)]]);
  office.clock.set('2026-11-04T15:00:00Z');
  expect(await load(large(13))).toEqual(['done']);
});

test('what is usual of a large election does not allow all ballots of a small one to be accepted at once', async () => {
  await office.close();
  office = await openListOffice(300);
  await office.addElection('8', '2026-12-08');
  const accepted = (count: number) => (voter: number) =>
    voter < count ? { status: 'accepted' } : {};
  const small = (count: number) => list(8, range(0, 60), accepted(count));
  for (const [day, count] of [10, 60, 110].entries()) {
    office.clock.set(`2026-10-2${2 + 3 * day}T15:00:00Z`);
    expect(await load(list(7, range(0, 300), accepted(count)), small(2))).toEqual(['done']);
  }
  expect(await load(list(7, range(0, 300), accepted(111)), small(60))).toEqual([
    'file-held',
    ['volume', 58, range(2, 7)],
  ]);
});

test('a file of two elections that no file has listed yet names them in the order of their numbers', async () => {
  await office.addElection('9', '2026-12-08');
  expect(await load(list(7, first))).toEqual(['done']);
  const header = 'registration_id,election,ballot_number,status,sent_on,returned_on';
  const rows = [...list(9, second), ...list(8, first)];
  const { report } = await office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
  const other = report.gate?.find(({ code }) => code === 'other-election');
  expect(other?.detail).toContain('This file is of election 8, 9, which you have no ballots of');
});
