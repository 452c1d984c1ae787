import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import type { ImportOutcome } from '../../index.ts';

/** Files in which some rows have the cells of other rows. */
let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice();
});
afterEach(() => office.close());

/** `[asked, sent, back, status]` */
type Row = readonly [asked: string, sent: string, back: string, status: string];
const september = (day: number) => `2026-09-${String(1 + (day % 30)).padStart(2, '0')}`;

/** Each was asked for on a day of its own, every twentieth is back. */
const known: readonly Row[] = range(0, 300).map((voter) => {
  const [asked, sent] = [september(voter), '2026-10-05'];
  return voter % 20 === 0 ? [asked, sent, '2026-10-20', 'accepted'] : [asked, sent, '', 'sent'];
});

function importList(rows: readonly Row[]): Promise<ImportOutcome> {
  const header = 'registration_id,election,requested_on,sent_on,returned_on,status';
  const lines = rows.map((cells, voter) => `${voter},7,${cells.join()}`);
  return office.import('beacon-ballots', [header, ...lines, ''].join('\n'));
}

test('a few rows that have each other’s cells wait, and corrected days do not', async () => {
  await importList(known);
  // Each of seven has the cells of the next, and the last those of the first.
  const turned = known.map((row, voter) => {
    if (voter < 100 || voter >= 107) return row;
    return known[voter === 106 ? 100 : voter + 1] ?? row;
  });
  const outcome = await importList(turned);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'exchanged-rows']);
  expect(outcome.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 7 known ballots would get exactly the days that another ballot had before. Were cells moved from voter to voter?',
    rows: 7,
  });
  expect(outcome.report.gate?.[0]?.examples).toHaveLength(5);
  expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
    voter: '100',
    from: 'accepted, requested 09/11/2026',
    to: 'sent, requested 09/12/2026',
    line: 102,
  });
  // A clerk moves two trays by a day, of which one gets the day that the other had.
  const [first, second] = [september(0), september(1)];
  const moved = known.map((row, voter): Row => {
    const [asked, ...others] = row;
    if (voter % 30 > 1) return row;
    return [asked === first ? second : september(2), ...others];
  });
  expect(second).toBe(september(1));
  expect(reasonsOf(await importList(moved))).toEqual(['done']);
});

test('days of return that moved to other ballots wait, where a file dates nothing else', async () => {
  // Every fourth is back, on one of nine days.
  const list = known.map((_, voter): Row => {
    const back = `2026-10-1${1 + (voter % 9)}`;
    return voter % 4 === 0 ? ['', '', back, 'returned'] : ['', '', '', 'sent'];
  });
  await importList(list);
  // The cells of some rows moved up by one.
  const moved = list.map((row, voter) =>
    voter >= 200 && voter < 220 ? (list[voter + 1] ?? row) : row,
  );
  const outcome = await importList(moved);
  expect(reasonsOf(outcome)).toContain('exchanged-rows');
  expect(outcome.report.gate?.find(({ code }) => code === 'exchanged-rows')).toMatchObject({
    detail:
      'Election 7: 4 known ballots would get exactly the days that another ballot had before. Were cells moved from voter to voter?',
    rows: 4,
  });
  // Three are not back after all, and others came on the same day.
  const ordinary = list.map((row, voter): Row => {
    if (voter % 36 === 0 && voter < 100) return ['', '', '', 'sent'];
    return voter % 36 === 1 ? ['', '', '2026-10-11', 'returned'] : row;
  });
  expect(reasonsOf(await importList(ordinary))).toEqual(['done']);
  // A day later three more are not, and others came on the days of envelopes that are accepted now.
  office.clock.advance(24 * 3_600_000);
  const accepted = [12, 20, 28];
  const next = ordinary.map((row, voter): Row => {
    if (voter % 36 === 0 && voter > 100 && voter < 220) return ['', '', '', 'sent'];
    if (accepted.includes(voter)) return [row[0], row[1], row[2], 'accepted'];
    const same = ordinary[accepted[voter - 5] ?? -1];
    return same ?? row;
  });
  expect(reasonsOf(await importList(next))).toEqual(['done']);
});

test('a tray that gets another day of mailing does not wait, however different its ballots are', async () => {
  await importList(known);
  const moved = known.map((row, voter): Row => {
    const [asked, , ...others] = row;
    return voter > 200 && voter < 260 ? [asked, '2026-10-04', ...others] : row;
  });
  expect(reasonsOf(await importList(moved))).toEqual(['done']);
});

test('returns of one day that were others’ do not wait, however different the ballots are', async () => {
  const load = (back: readonly number[]) => {
    const rows = range(0, 100).map((voter) => {
      const day = back.includes(voter) ? '2026-10-20' : '2026-10-19';
      const end = voter > 50 || back.includes(voter) ? `${day},returned` : ',sent';
      return `${voter},7,${september(voter)},${end}`;
    });
    const header = 'registration_id,election,printed_on,returned_on,status';
    return office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
  };
  expect(reasonsOf(await load([0, 1, 2]))).toEqual(['done']);
  expect(reasonsOf(await load([10, 11, 12]))).toEqual(['done']);
});

test('a few returns of a large county that were mistakes say nothing of the many that came since those days', async () => {
  await office.close();
  office = await openListOffice(5_000);
  const day = (voter: number) => `2026-10-2${voter % 3}`;
  const list = range(0, 5_000).map((voter): Row => {
    return voter % 2 === 0 ? ['', '', day(voter), 'returned'] : ['', '', '', 'sent'];
  });
  await importList(list);
  const ordinary = list.map((row, voter): Row => {
    if (voter < 6) return ['', '', '', 'sent'];
    return voter % 20 === 1 ? ['', '', day(voter), 'returned'] : row;
  });
  expect(reasonsOf(await importList(ordinary))).toEqual(['done']);
});

test('a row that was filled down waits, though the status changes with the days', async () => {
  await importList(known);
  const source: Row = ['2026-09-30', '2026-10-05', '', 'sent'];
  const filled = known.map((row, voter) => (voter >= 150 && voter < 171 ? source : row));
  const outcome = await importList(filled);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'scattered-dates']);
  expect(outcome.report.gate?.[0]).toMatchObject({ rows: 21 });
});

test('days that moved to the next column wait: a day of mailing is no day of return', async () => {
  // The office does not say when a ballot was asked for.
  const list = known.map(([, ...others]): Row => ['', ...others]);
  await importList(list);
  const shift = ([, sent, , status]: Row): Row => ['', '', sent, status];
  const shifted = list.map((row, voter) => (voter % 75 === 1 ? shift(row) : row));
  const outcome = await importList(shifted);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'moved-days']);
  expect(outcome.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 4 known ballots would have a day in another column than before, such as the day of mailing as the day of return. Was a cell inserted or deleted in these rows?',
    rows: 4,
  });
  expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
    voter: '1',
    from: 'sent 10/05/2026',
    to: 'returned 10/05/2026',
    line: 3,
  });
  // Of two rows, a clerk may have mistyped each.
  const two = list.map((row, voter) => (voter === 1 || voter === 76 ? shift(row) : row));
  expect(reasonsOf(await importList(two))).toEqual(['done']);
});

test('reasons that moved to other ballots wait: voters read there what to fix', async () => {
  const header = 'registration_id,election,sent_on,returned_on,status,reason';
  const isOpen = (voter: number) => voter % 50 === 3;
  const load = (reasonOf: (voter: number) => string) => {
    const lines = range(0, 300).map((voter) =>
      isOpen(voter)
        ? `${voter},7,2026-10-05,2026-10-20,rejected-curable,${reasonOf(voter)}`
        : `${voter},7,2026-10-05,,sent,${reasonOf(voter)}`,
    );
    return office.import('beacon-ballots', [header, ...lines, ''].join('\n'));
  };
  const reasons = ['No signature', 'Signature differs'];
  const right = (voter: number) => (isOpen(voter) ? (reasons[voter % 4 === 3 ? 0 : 1] ?? '') : '');
  await load(right);
  const outcome = await load((voter) => right((voter + 1) % 300));
  expect(reasonsOf(outcome)).toEqual(['file-held', 'reasons-moved']);
  expect(outcome.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 6 known ballots would have another reason or none, and 6 that need none would get one. Voters read there what is wrong. Did the column of reasons move, or was one copied down?',
    rows: 6,
  });
  expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
    ...{ voter: '3', from: 'No signature', to: 'no reason', line: 5 },
  });
  const copied = await load(() => 'No signature');
  expect(reasonsOf(copied)).toEqual(['file-held', 'reasons-moved']);
  // An office may begin to say more of every ballot, and correct a reason.
  const more = (voter: number) => (isOpen(voter) ? right(voter) : 'On its way');
  expect(reasonsOf(await load(more))).toEqual(['done']);
  // What needs no reason and had one says it in other words.
  const reworded = (voter: number) => (isOpen(voter) ? 'Sign it' : 'In the mail');
  expect(reasonsOf(await load(reworded))).toEqual(['done']);
});

test('applications that are decided again later are everyday life, and earlier decisions are not', async () => {
  const header = 'registration_id,election,application_status,received_on,decided_on';
  const load = (decidedOn: (voter: number) => string) => {
    const lines = range(0, 300).map(
      (n) => `${n},7,approved,2026-09-0${1 + (n % 9)},${decidedOn(n)}`,
    );
    return office.import('beacon-applications', [header, ...lines, ''].join('\n'));
  };
  const first = (voter: number) => `2026-10-0${1 + (voter % 9)}`;
  await load(first);
  const isOther = (voter: number) => voter % 15 === 4;
  const again = await load((voter) => (isOther(voter) ? `2026-10-2${voter % 7}` : first(voter)));
  expect(reasonsOf(again)).toEqual(['done']);
  const earlier = await load((voter) => (isOther(voter) ? `2026-09-1${voter % 7}` : first(voter)));
  expect(reasonsOf(earlier)).toEqual(['file-held', 'scattered-dates']);
});

test('votes in person in the place of envelopes are no other ballots, and new envelopes are', async () => {
  const load = (changed: number, row: string) => {
    const lines = range(0, 300).map((voter) =>
      voter < changed ? `${voter},7,${row}` : `${voter},7,mail,sent,2026-10-05,`,
    );
    const header = 'registration_id,election,ballot_number,status,sent_on,status_on';
    return office.import('beacon-ballots', [header, ...lines, ''].join('\n'));
  };
  expect(reasonsOf(await load(0, ''))).toEqual(['done']);
  expect(reasonsOf(await load(4, 'mail 2,sent,2026-10-27,'))).toEqual([
    'file-held',
    'other-ballots',
  ]);
  expect(reasonsOf(await load(4, 'early,in-person,,2026-10-27'))).toEqual(['done']);
});
