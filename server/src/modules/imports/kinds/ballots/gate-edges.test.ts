import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openListOffice, range } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import type { ImportOutcome } from '../../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice(60);
  await office.addElection('6', '2026-10-01');
});
afterEach(() => office.close());

interface Row {
  readonly status: string;
  readonly back?: string;
  readonly sentOn?: string;
}

/** @param rows by voter */
function importList(rows: readonly Row[], election = '7'): Promise<ImportOutcome> {
  const lines = rows.map(
    ({ status, back = '', sentOn = '2026-09-05' }, voter) =>
      `${voter},${election},${status},${sentOn},${back}`,
  );
  const header = 'registration_id,election,status,sent_on,returned_on';
  return office.import('beacon-ballots', [header, ...lines, ''].join('\n'));
}
const sent = (count: number): Row[] => range(0, count).map(() => ({ status: 'sent' }));
const codesOf = ({ report }: ImportOutcome) => (report.gate ?? []).map(({ code }) => code);

test.each([
  [2, 0, []],
  [3, 0, ['days-missing']],
  // Another status may allow no such day.
  [2, 1, []],
])(
  'a file without the day of return of %i ballots, and of %i with another status',
  async (count, counted, codes) => {
    const back = range(0, count + counted).map(() => ({ status: 'accepted', back: '2026-10-20' }));
    const rest = sent(60 - back.length);
    expect((await importList([...back, ...rest])).state).toBe('done');
    const undated = back.map((_, n) => ({ status: n < counted ? 'counted' : 'accepted' }));
    expect(codesOf(await importList([...undated, ...rest]))).toEqual(codes);
  },
);

test.each([
  ['mailed', 'sent', '2026-09-20', []],
  ['not mailed yet', 'reprinted', '2026-09-05', ['revived']],
])('replacements that were %s, accepted on one day', async (_, status, sentOn, codes) => {
  const list = (of: Row) => [...range(0, 8).map(() => of), ...sent(52)];
  await importList(list({ status: 'sent' }));
  await importList(list({ status, sentOn }));
  const accepted = await importList(list({ status: 'accepted', sentOn, back: '2026-10-20' }));
  expect(codesOf(accepted)).toEqual(codes);
});

test.each([
  ['7', 'returned', '2026-10-28', '2026-10-29'],
  ['7', 'mailed', '2026-12-27', '2026-12-28'],
  // Of the season of its election, November 3 or August 20.
  ['7', 'returned', '2026-07-06', '2026-07-05'],
  ['7', 'mailed', '2026-04-17', '2026-04-16'],
  ['5', 'returned', '2026-10-19', '2026-10-20'],
] as const)(
  'ballots of election %s may be %s on %s, and a file with %s waits',
  async (election, day, last, off) => {
    await office.addElection('5', '2026-08-20');
    const mailed = range(0, 60).map(() => ({ status: 'sent', sentOn: '2026-08-01' }));
    office.clock.set('2026-08-15T15:00:00Z');
    expect((await importList(mailed, election)).state).toBe('done');
    office.clock.set('2026-10-28T15:00:00Z');
    const codesWith = async (date: string) => {
      const row =
        day === 'mailed' ? { status: 'sent', sentOn: date } : { status: 'returned', back: date };
      return codesOf(
        await importList([...range(0, 12).map(() => row), ...mailed.slice(12)], election),
      );
    };
    expect(await codesWith(off)).toContain('dates-off');
    expect(await codesWith(last)).not.toContain('dates-off');
  },
);

test.each([
  [9, 36, []],
  [10, 40, ['unknown-statuses']],
  [10, 50, []],
])('%i statuses that no rule knows, of %i', async (unknown, all, codes) => {
  expect((await importList(sent(60))).state).toBe('done');
  const rows = [...range(0, unknown).map(() => ({ status: 'mystery' })), ...sent(all - unknown)];
  expect(codesOf(await importList(rows)).filter((code) => code === 'unknown-statuses')).toEqual(
    codes,
  );
});

test('the examples of ballots that appear as accepted are none that were listed before', async () => {
  const accepted = { status: 'accepted', back: '2026-10-20' };
  expect((await importList(sent(45))).state).toBe('done');
  const known = sent(45).map((row, voter) => (voter < 5 ? accepted : row));
  const { report } = await importList([...known, ...range(45, 60).map(() => accepted)]);
  const reason = report.gate?.find(({ code }) => code === 'first-status');
  expect(reason).toMatchObject({ rows: 15 });
  expect(reason?.examples).toEqual(
    range(45, 50).map((voter) => ({
      ...{ voter: `${voter}`, from: 'not listed', to: 'accepted', line: voter + 2 },
    })),
  );
});

test('the examples of statuses that no rule knows are none of the empty ones', async () => {
  expect((await importList(sent(60))).state).toBe('done');
  const rows = [{ status: '' }, ...range(0, 20).map(() => ({ status: 'mystery' })), ...sent(20)];
  const { report } = await importList(rows);
  const reason = report.gate?.find(({ code }) => code === 'unknown-statuses');
  expect(reason?.examples?.[0]).toEqual({
    ...{ voter: '1', from: 'status', to: '"mystery"', line: 3 },
  });
});

test('the examples of words in which letters are lost are none of new ballots', async () => {
  const importReasons = (from: number, reason: string) => {
    const rows = range(from, 40).map((voter) => `${voter},7,sent,2026-09-05,${reason}`);
    const header = 'registration_id,election,status,sent_on,reason';
    return office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
  };
  expect((await importReasons(1, 'Señal')).state).toBe('done');
  const { report } = await importReasons(0, 'Se\ufffdal');
  expect(report.gate?.find(({ code }) => code === 'damaged-text')).toMatchObject({
    rows: 39,
    examples: range(1, 6).map((voter) => ({ voter: `${voter}` })),
  });
});

test.each([
  ['rejected', 3, '2026-10-12', 'returned', true],
  ['not-counted', 3, '2026-10-12', 'returned', true],
  ['rejected', 2, '2026-10-12', 'returned', false],
  ['rejected', 5, '2026-10-20', 'returned', false],
  // Of many that a file decides, a few may be so.
  ['rejected', 3, '2026-10-12', 'accepted', false],
  ['rejected', 3, '2026-10-12', 'counted', false],
  ['rejected', 3, '2026-10-12', 'rejected', false],
  ['rejected', 3, '2026-10-12', 'not-counted', false],
])(
  'a file that has %s for %i ballots as of Oct 12 and accepts them as of %s, beside others that are %s, contradicts itself: %s',
  async (refused, count, accepted, others, waits) => {
    expect((await importList(sent(60))).state).toBe('done');
    const lines = range(0, count).flatMap((voter) => [
      `${voter},7,${refused},2026-09-05,2026-10-12`,
      `${voter},7,accepted,2026-09-05,${accepted}`,
    ]);
    const rest = range(count, 60).map((voter) =>
      voter < 25 ? `${voter},7,${others},2026-09-05,2026-10-19` : `${voter},7,sent,2026-09-05,`,
    );
    const header = 'registration_id,election,status,sent_on,returned_on';
    const outcome = await office.import(
      'beacon-ballots',
      [header, ...lines, ...rest, ''].join('\n'),
    );
    expect(codesOf(outcome).includes('contradictory-rows')).toBe(waits);
  },
);

describe('a list that lacks ballots', () => {
  /** Twice the whole list, and then one in which other voters stand in the place of its last ballots. */
  const replace = async (all: number, left: number) => {
    const list = [{ status: 'returned', back: '2026-10-20' }, ...sent(all - 1)];
    expect((await importList(sent(all))).state).toBe('done');
    expect((await importList(list)).state).toBe('done');
    const rows = list.slice(0, left).map(({ status, back = '' }, voter) => [voter, status, back]);
    const others = range(all, 2 * all - left).map((voter) => [voter, 'sent', '']);
    const lines = [...rows, ...others].map(
      ([voter, status, back]) => `${voter},7,${status},2026-09-05,${back}`,
    );
    const header = 'registration_id,election,status,sent_on,returned_on';
    return codesOf(await office.import('beacon-ballots', [header, ...lines, ''].join('\n')));
  };

  test.each([
    [20, 18, false],
    [20, 17, true],
    [19, 16, false],
    [40, 36, false],
    [40, 35, true],
  ])('of %i it lists %i', async (all, left, waits) => {
    expect((await replace(all, left)).includes('ballots-missing')).toBe(waits);
  });
});

test.each([
  ['2026-08-29', 6, 3, []],
  ['2026-08-28', 6, 3, ['old-file']],
  ['2026-08-28', 5, 3, []],
  // Two days may be mistyped.
  ['2026-08-28', 6, 2, []],
])(
  'a file whose newest day is %s, and that moves %i ballots, after one with %i of Oct 28',
  async (back, count, newest, codes) => {
    const before = range(0, 6).map(() => ({ status: 'sent', sentOn: '2026-08-01' }));
    expect((await importList(before, '6')).state).toBe('done');
    const returned = range(0, newest).map(() => ({ status: 'returned', back: '2026-10-28' }));
    expect((await importList([...returned, ...sent(60 - newest)])).state).toBe('done');
    const old = before.map((row, voter) =>
      voter < count ? { ...row, status: 'returned', back } : row,
    );
    expect(codesOf(await importList(old, '6'))).toEqual(codes);
  },
);

test('the examples of an old file show first whose status it would change', async () => {
  const before = range(0, 12).map(() => ({ status: 'sent', sentOn: '2026-08-01' }));
  expect((await importList(before, '6')).state).toBe('done');
  const returned = range(0, 3).map(() => ({ status: 'returned', back: '2026-10-28' }));
  expect((await importList([...returned, ...sent(57)])).state).toBe('done');
  const old = before.map((row, voter) =>
    voter < 6
      ? { ...row, sentOn: '2026-07-31' }
      : { ...row, status: 'returned', back: '2026-08-28' },
  );
  const { report } = await importList(old, '6');
  const reason = report.gate?.find(({ code }) => code === 'old-file');
  expect(reason?.examples?.map(({ to }) => to)).toEqual(Array(5).fill('returned'));
});
