import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { describeReport, type ImportOutcome } from '../../index.ts';
import { findWaitingImport, type WaitingImport } from '../../run/waiting-store.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice(2_000);
});
afterEach(() => office.close());

/** Ballots by voter: the first are voted in person, those before `done` accepted, the others mailed. */
function importList(
  from: number,
  done: number,
  all: number,
  inPerson: number,
  released?: WaitingImport,
) {
  const rows = range(from, all).map((n) => {
    if (n < inPerson) return `${n},7,in-person,2026-10-05,,2026-10-20`;
    return n < done
      ? `${n},7,accepted,2026-10-05,2026-10-20,2026-10-20`
      : `${n},7,sent,2026-10-05,,`;
  });
  const header = 'registration_id,election,status,sent_on,returned_on,status_on';
  const content = [header, ...rows, ''].join('\n');
  return office.import('beacon-ballots', content, released ? { released } : {});
}

const detailsOf = ({ report }: ImportOutcome) => report.gate?.map(({ detail }) => detail);

test('a part of a list, with ballots that none before it had, is no list that has lost its rows', async () => {
  for (const [from, all] of [
    [0, 400],
    [400, 520],
    [520, 1_200],
    [1_200, 1_400],
  ] as const)
    expect(reasonsOf(await importList(from, 0, all, 0))).toEqual(['done']);
  // Nor does it hide what a list lacks that has known ballots.
  expect(reasonsOf(await importList(1_200, 0, 1_370, 0))).toEqual(['file-held', 'file-shrank']);
});

test.each([
  [40, '3 ballots that are voted in person are missing from this file.', 'voted in person'],
  [
    2,
    '3 ballots that are accepted or voted in person are missing from this file.',
    'accepted or voted in person',
  ],
  [0, '3 accepted ballots are missing from this file.', 'accepted'],
])(
  'with %i of 40 votes in person, a list without three of them says what is missing',
  async (inPerson, missing, kind) => {
    await importList(0, 40, 300, inPerson);
    const outcome = await importList(3, 41, 300, inPerson);
    expect(detailsOf(outcome)).toEqual([
      `${missing} Voters would still see them as ${kind}. Ask the office why the rows are gone.`,
    ]);
  },
);

test('of accepted ballots that are missing, the examples are the first by number', async () => {
  await importList(0, 40, 300, 0);
  const { report } = await importList(12, 41, 300, 0);
  expect(report.gate?.map(({ code, rows, examples = [] }) => [code, rows, examples])).toEqual([
    [
      'accepted-missing',
      12,
      range(0, 5).map((n) => ({ voter: `${n}`, from: 'accepted', to: 'missing', line: null })),
    ],
  ]);
});

test.each([
  [40, 20, 9, 'file-held'],
  [40, 20, 10, 'done'],
  [40, 10, 0, 'file-held'],
  [40, 9, 0, 'done'],
  // So few may come in parts, until a file has nearly all of them.
  [20, 10, 0, 'file-held'],
  [19, 10, 0, 'done'],
  [10, 8, 8, 'done'],
  [10, 9, 9, 'file-held'],
])(
  'of %i ballots, a second file of %i, %i of them with news, may lack an accepted one where lists may shrink: %s',
  async (known, listed, changed, state) => {
    await office.close();
    office = await openListOffice(40, { import_limits: { shrink_percent: 100 } });
    await importList(0, 1, known, 0);
    const outcome = await importList(1, 1 + changed, 1 + listed, 0);
    expect(reasonsOf(outcome)).toEqual(state === 'done' ? ['done'] : [state, 'accepted-missing']);
  },
);

test('a few votes in person that vanish from a large list stop nothing, and are called so', async () => {
  await importList(0, 300, 2000, 300);
  const next = await importList(2, 305, 2000, 300);
  expect(next.state).toBe('done');
  expect(describeReport(next.report, 'list.csv')).toContain(
    '2 rows: voted in person, and missing from this file (voters 0, 1). Voters still see these ballots as voted in person. Ask the office why the rows are gone.',
  );
});

test('what a list lacked and a second person approved is not asked about again', async () => {
  await importList(0, 40, 300, 0);
  const { importId, state } = await importList(3, 41, 300, 0);
  expect(state).toBe('file-held');
  const released = importId && (await findWaitingImport(office.db.database.system, importId));
  if (!released) throw new Error('The list does not wait.');
  expect((await importList(3, 41, 300, 0, released)).state).toBe('released');
  expect((await importList(3, 42, 300, 0)).state).toBe('done');
  expect((await importList(5, 43, 300, 0)).state).toBe('file-held');
});

describe('an office that sends all of its ballots once a week, and on other days what changed', () => {
  const approve = async (waiting: ImportOutcome, again: (released: WaitingImport) => unknown) => {
    const { importId } = waiting;
    const released = importId && (await findWaitingImport(office.db.database.system, importId));
    if (!released) throw new Error('The list does not wait.');
    await again(released);
  };
  const changes = (done: number, released?: WaitingImport) =>
    importList(done - 9, done, done, 0, released);
  /** Up to the second whole list, after which nine ballots more are back each day. */
  async function sendTwoWeeks() {
    for (const done of [31, 40])
      expect(reasonsOf(await importList(0, done, 300, 0))).toEqual(['done']);
    const first = await changes(49);
    expect(reasonsOf(first)).toEqual(['file-held', 'ballots-missing']);
    await approve(first, (released) => changes(49, released));
    expect(reasonsOf(await changes(58))).toEqual(['done']);
    expect(reasonsOf(await importList(0, 58, 300, 0))).toEqual(['done']);
  }

  test('asks a second person once', async () => {
    await sendTwoWeeks();
    expect(reasonsOf(await changes(67))).toEqual(['done']);
    expect(reasonsOf(await importList(0, 76, 300, 0))).toEqual(['done']);
    expect(reasonsOf(await changes(85))).toEqual(['done']);
  });

  test.each([
    ['a tenth of them, most of whose rows say nothing new', 0, 30],
    ['half of them', 0, 150],
  ])('asks about a file with %s', async (_, from, all) => {
    await sendTwoWeeks();
    const outcome = await importList(from, Math.min(all, 67), all, 0);
    expect(reasonsOf(outcome)).toEqual(['file-held', 'file-shrank']);
  });
});
