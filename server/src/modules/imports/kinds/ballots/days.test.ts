import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import type { ImportOutcome } from '../../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice();
});
afterEach(() => office.close());

interface Row {
  readonly voter: number;
  readonly status: string;
  readonly sent: string;
  readonly back: string;
}
const sent = (from: number, to: number): Row[] =>
  range(from, to).map((voter) => ({ voter, status: 'sent', sent: '2026-10-05', back: '' }));
const accepted = (from: number, to: number): Row[] =>
  sent(from, to).map((row) => ({ ...row, status: 'accepted', back: '2026-10-20' }));

/** @param columns of which the file consists */
function importList(
  rows: readonly Row[],
  columns: readonly (keyof Row)[] = ['voter', 'status', 'sent', 'back'],
): Promise<ImportOutcome> {
  const names = {
    voter: 'registration_id',
    status: 'status',
    sent: 'sent_on',
    back: 'returned_on',
  };
  const lines = rows.map((row) => ['7', ...columns.map((column) => row[column])].join(','));
  const header = ['election', ...columns.map((column) => names[column])].join(',');
  return office.import('beacon-ballots', [header, ...lines, ''].join('\n'));
}

test('a status that was filled down over ballots that never came back waits', async () => {
  await importList([...accepted(0, 40), ...sent(40, 300)]);
  const filled = sent(48, 60).map((row) => ({ ...row, status: 'accepted' }));
  const outcome = await importList([...accepted(0, 48), ...filled, ...sent(60, 300)]);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'accepted-undated']);
  expect(outcome.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 12 of 20 ballots that would become accepted have no day of return; 48 accepted ballots in this file have one. Is the status right, or was it filled in for too many rows?',
    rows: 12,
  });
  expect(outcome.report.gate?.[0]?.examples).toHaveLength(5);
  expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
    ...{ voter: '48', from: 'sent', to: 'accepted, no return day', line: 50 },
  });
});

test('an office that does not date every return is not asked about it each day', async () => {
  const undated = (from: number, to: number) =>
    accepted(from, to).map((row) => ({ ...row, back: row.voter % 4 === 0 ? '' : row.back }));
  await importList([...undated(0, 40), ...sent(40, 300)]);
  expect(reasonsOf(await importList([...undated(0, 60), ...sent(60, 300)]))).toEqual(['done']);
});

test('votes in person that the office now calls accepted are no new acceptances', async () => {
  const inPerson = sent(40, 60).map((row) => ({ ...row, status: 'in-person' }));
  await importList([...accepted(0, 40), ...inPerson, ...sent(60, 300)]);
  const called = inPerson.map((row) => ({ ...row, status: 'accepted' }));
  const outcome = await importList([...accepted(0, 44), ...called, ...sent(60, 300)]);
  expect(reasonsOf(outcome)).not.toContain('accepted-undated');
});

test('a status that makes ballots returned without a day waits, where those that are back have one', async () => {
  const returned = (from: number, to: number, back: string) =>
    sent(from, to).map((row) => ({ ...row, status: 'returned', back }));
  await importList([...returned(0, 40, '2026-10-20'), ...sent(40, 300)]);
  const outcome = await importList([
    ...returned(0, 48, '2026-10-20'),
    ...returned(48, 52, ''),
    ...sent(52, 300),
  ]);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'returned-undated']);
  expect(outcome.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 4 of 12 ballots that would become returned have no day of return; 48 ballots that are back in this file have one. Is the status right, or was it filled in for too many rows?',
    rows: 4,
  });
  expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
    ...{ voter: '48', from: 'sent', to: 'returned, no return day', line: 50 },
  });
});

test('of ballots that never came back, the examples are those of the election, and with its status', async () => {
  await office.addElection('8', '2026-12-08');
  const header = 'registration_id,election,status,sent_on,returned_on';
  const rows = (election: number, from: number, to: number, status: string, back = '') =>
    range(from, to).map((voter) => `${voter},${election},${status},2026-10-05,${back}`);
  const importBoth = (filled: boolean) => {
    const word = (status: string) => (filled ? status : 'sent');
    const lines = [8, 7].flatMap((election) => [
      ...rows(election, 0, 40, 'accepted', '2026-10-20'),
      ...rows(election, 40, 46, word('rejected')),
      ...rows(election, 46, 52, word('accepted')),
      ...rows(election, 52, 300, 'sent'),
    ]);
    return office.import('beacon-ballots', [header, ...lines, ''].join('\n'));
  };
  await importBoth(false);
  const { report } = await importBoth(true);
  const lines = (report.gate ?? [])
    .filter(({ code }) => code.endsWith('-undated'))
    .map(({ code, detail, examples = [] }) => [
      `${detail.slice(0, 10)} ${code}`,
      examples.map(({ line }) => line),
    ]);
  expect(Object.fromEntries(lines)).toEqual({
    'Election 8 rejected-undated': range(42, 47),
    'Election 8 accepted-undated': range(48, 53),
    'Election 7 rejected-undated': range(342, 347),
    'Election 7 accepted-undated': range(348, 353),
  });
});

test('a column of days that was sorted without the others waits, and a batch that gets another day does not', async () => {
  // They came back on ten days, in turn.
  const back = accepted(0, 60).map((row) => ({ ...row, back: `2026-10-1${row.voter % 10}` }));
  const known = [...back, ...sent(60, 300)];
  await importList(known);
  const days = known.map((row) => row.back).sort();
  const sorted = await importList(known.map((row, place) => ({ ...row, back: days[place] ?? '' })));
  expect(reasonsOf(sorted)).toEqual(['file-held', 'scattered-dates']);
  expect(sorted.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 60 of 300 known ballots in this file would get another day of request, printing, mailing or return, or lose one, in 10 different ways. Was one column sorted or moved without the others?',
    rows: 60,
  });
  expect(sorted.report.gate?.[0]?.examples?.[0]).toEqual({
    ...{ voter: '0', from: 'returned 10/10/2026', to: 'returned empty', line: 2 },
  });
  const batch = known.map((row) =>
    row.back > '2026-10-14' ? { ...row, back: '2026-10-14' } : row,
  );
  expect(reasonsOf(await importList(batch))).toEqual(['done']);
});

test('ballots that are sent again on many days are no scattered ones', async () => {
  const tray = sent(0, 60).map((row) => ({ ...row, sent: `2026-10-0${1 + (row.voter % 9)}` }));
  const [first, others] = [accepted(60, 100), sent(100, 300)];
  await importList([...tray, ...first, ...others]);
  const again = tray.map((row) =>
    row.voter < 12 ? { ...row, sent: `2026-10-2${row.voter % 8}` } : row,
  );
  expect(reasonsOf(await importList([...again, ...first, ...others]))).toEqual(['done']);
});

test('a column of reasons that is empty waits: voters read there what to fix', async () => {
  const list = (reasonOf: (voter: number) => string) =>
    office.import(
      'beacon-ballots',
      [
        'registration_id,election,status,sent_on,returned_on,reason',
        ...range(0, 4).map((n) => `${n},7,rejected-curable,2026-10-05,2026-10-20,${reasonOf(n)}`),
        ...range(4, 300).map((n) => `${n},7,sent,2026-10-05,,`),
      ].join('\n'),
    );
  expect(reasonsOf(await list(() => 'No signature'))).toEqual(['done']);
  const waiting = await list(() => '');
  expect(reasonsOf(waiting)).toEqual(['file-held', 'reasons-missing']);
  expect(waiting.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 4 known ballots would have no reason any more. Voters read there what is wrong. Is the column of reasons empty or in another place?',
    examples: expect.arrayContaining([
      { voter: '0', from: 'No signature', to: 'no reason', line: 2 },
    ]),
  });
  // A clerk took two back, and the others still have theirs.
  expect(reasonsOf(await list((voter) => (voter < 2 ? '' : 'No signature')))).toEqual(['done']);
});

test('two acceptances without a day of return are a clerk’s', async () => {
  await importList([...accepted(0, 40), ...sent(40, 300)]);
  const filled = sent(40, 42).map((row) => ({ ...row, status: 'accepted' }));
  const outcome = await importList([...accepted(0, 40), ...filled, ...sent(42, 300)]);
  expect(reasonsOf(outcome)).toEqual(['done']);
});

test.each([
  ['mailing', 'sent', 300, ['voter', 'status', 'back']],
  ['return', 'back', 40, ['voter', 'status', 'sent']],
] as const)(
  'a column of days of %s that is empty or gone waits',
  async (name, column, had, without) => {
    await importList([...accepted(0, 40), ...sent(40, 300)]);
    const rows = [...accepted(0, 40), ...sent(40, 300)].map((row) => ({ ...row, [column]: '' }));
    const emptied = await importList(rows);
    expect(reasonsOf(emptied)).toEqual(['file-held', 'days-missing']);
    expect(emptied.report.gate?.[0]?.detail).toBe(
      `No row of this file has a day of ${name}; ${had} rows of the file before had one. ${had} ballots would lose theirs. Is the column empty, missing or in another place?`,
    );
    expect(emptied.report.gate?.[0]?.examples?.[0]?.to).toMatch(/^no \w+ day$/);
    expect(reasonsOf(await importList(rows, without))).toEqual(['file-held', 'days-missing']);
  },
);

test('envelopes that were replaced or brought back do not become accepted by the dozen', async () => {
  const ended = ['reprinted', 'undeliverable', 'cancelled', 'undeliverable', 'reprinted'].map(
    (status, n): Row => ({ voter: 60 + n, status, sent: '2026-10-05', back: '2026-10-19' }),
  );
  await importList([...accepted(0, 40), ...sent(40, 60), ...ended, ...sent(65, 300)]);
  const revived = ended.map((row) => ({ ...row, status: 'accepted' }));
  const outcome = await importList([
    ...accepted(0, 40),
    ...sent(40, 60),
    ...revived,
    ...sent(65, 300),
  ]);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'revived']);
  expect(outcome.report.gate?.[0]?.detail).toBe(
    'Election 7: 5 of 5 ballots that were replaced, cancelled or undeliverable would become accepted (5). Is the status right, or was one filled in for every row?',
  );
});

test('accepted ballots that get the values of another voter wait, though few are taken back', async () => {
  const later = accepted(20, 40).map((row) => ({ ...row, back: '2026-10-22' }));
  await importList([...accepted(0, 20), ...later, ...sent(40, 300)]);
  const mixed = accepted(0, 5).map((row) => ({ ...row, back: '2026-10-22' }));
  const outcome = await importList([...mixed, ...accepted(5, 20), ...later, ...sent(40, 300)]);
  expect(reasonsOf(outcome)).toEqual(['done']);
  const worse = [
    ...mixed,
    ...accepted(5, 18).map((row) => (row.voter < 9 ? { ...row, back: '2026-10-21' } : row)),
    ...sent(18, 20),
  ];
  const waiting = await importList([...worse, ...later, ...sent(40, 300)]);
  expect(reasonsOf(waiting)).toEqual(['file-held', 'accepted-changed']);
  expect(waiting.report.gate?.[0]?.detail).toContain(
    '6 ballots that are accepted or voted in person would get another day of return (4) or another status (2).',
  );
  expect(waiting.report.gate?.[0]?.examples?.[0]).toMatchObject({
    ...{ from: 'accepted, returned 10/20/2026', to: 'accepted, returned 10/21/2026' },
  });
});

test('ballots that get another voter’s day of mailing and status wait, and a corrected tray does not', async () => {
  const tray = (from: number, to: number, day: string) =>
    sent(from, to).map((row) => ({ ...row, sent: day }));
  const trays = [...tray(40, 100, '2026-10-08'), ...tray(100, 300, '2026-10-12')];
  await importList([...accepted(0, 40), ...trays]);
  // Rows of the last voters have the values of the first ones.
  const mixed = accepted(0, 4).map((row, place) => ({ ...row, voter: 290 + place }));
  const waiting = await importList([
    ...accepted(0, 40),
    ...trays.slice(0, -10),
    ...mixed,
    ...trays.slice(-6),
  ]);
  expect(reasonsOf(waiting)).toEqual(['file-held', 'mixed-rows']);
  expect(waiting.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 4 known ballots would get another day of request or mailing and another status at once. Do some rows have the values of another voter?',
    rows: 4,
  });
  expect(waiting.report.gate?.[0]?.examples?.[0]).toEqual({
    voter: '290',
    from: 'sent, sent 10/12/2026',
    to: 'accepted, sent 10/05/2026',
    line: 292,
  });
  // Of a tray whose day of mailing was wrong, some come back on the day of the correction.
  const corrected = tray(40, 100, '2026-10-07').map((row, place) =>
    place < 12 ? { ...row, status: 'accepted', back: '2026-10-27' } : row,
  );
  const right = await importList([...accepted(0, 40), ...corrected, ...trays.slice(60)]);
  expect(reasonsOf(right)).toEqual(['done']);
});

test('rows of an older file among those of the day wait, and a clerk’s two mistakes do not', async () => {
  const returned = (from: number, to: number) =>
    accepted(from, to).map((row) => ({ ...row, status: 'returned' }));
  const known = [...accepted(0, 40), ...returned(40, 46), ...sent(46, 300)];
  await importList(known);
  const old = [...sent(38, 40), ...sent(45, 46)];
  const isOld = ({ voter }: Row) => old.some((row) => row.voter === voter);
  const waiting = await importList([...known.filter((row) => !isOld(row)), ...old]);
  expect(reasonsOf(waiting)).toEqual(['file-held', 'old-rows']);
  expect(waiting.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 3 known ballots would lose their day of mailing or return and be what they were before. Are some rows of an older file?',
    rows: 3,
    examples: [
      { voter: '38', from: 'accepted, returned 10/20/2026', to: 'sent, sent 10/05/2026' },
      { voter: '39' },
      { voter: '45', from: 'returned, returned 10/20/2026' },
    ],
  });
  // Of files with one row for each voter, a replacement that is asked for has no day yet.
  const replaced = known.map((row) =>
    row.voter >= 100 && row.voter < 104 ? { ...row, status: 'requested', sent: '' } : row,
  );
  expect(reasonsOf(await importList(replaced))).toEqual(['done']);
  office.clock.set('2026-10-29T15:00:00Z');
  await importList(known);
  const few = known.map((row) =>
    row.voter > 43 && row.voter < 46 ? sent(row.voter, row.voter + 1) : [row],
  );
  expect(reasonsOf(await importList(few.flat()))).toEqual(['done']);
});

test('three accepted ballots that never had a day of return and become requested again are older rows', async () => {
  const write = (voter: number, status: string, mailed: string) =>
    `${voter},7,${status},2026-09-20,${mailed}`;
  const load = (statusOf: (voter: number) => readonly [status: string, mailed: string]) =>
    office.import(
      'beacon-ballots',
      [
        'registration_id,election,status,requested_on,sent_on',
        ...range(0, 300).map((voter) => write(voter, ...statusOf(voter))),
      ].join('\n'),
    );
  const day = '2026-10-05';
  await load((voter) => [voter < 40 ? 'accepted' : 'sent', day]);
  const waiting = await load((voter) =>
    voter < 3 ? ['requested', ''] : [voter < 40 ? 'accepted' : 'sent', day],
  );
  expect(reasonsOf(waiting)).toEqual(['file-held', 'old-rows']);
});

test('ballots that a file accepts in one row and rejects in another wait, and a file of steps does not', async () => {
  await importList([...accepted(0, 40), ...sent(40, 299)]);
  const opposite = accepted(40, 44).map((row) => ({ ...row, status: 'rejected' }));
  // A row that decides nothing makes neither of the two right, and the last ballot is new.
  const last = [...accepted(299, 300), { ...accepted(299, 300)[0], status: 'rejected' } as Row];
  const doubled = [
    ...accepted(0, 44),
    ...opposite,
    ...accepted(44, 58),
    ...sent(40, 41),
    ...sent(58, 299),
    ...last,
  ];
  const waiting = await importList(doubled);
  expect(reasonsOf(waiting)).toEqual(['file-held', 'contradictory-rows']);
  expect(waiting.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 5 of 19 ballots that this file decides are in it as accepted and as rejected, with the same days. Were two tables joined?',
    rows: 5,
    examples: expect.arrayContaining([
      { voter: '40', from: 'sent', to: 'accepted and rejected', line: 42 },
      { voter: '299', from: 'not listed', to: 'accepted and rejected', line: 306 },
    ]),
  });
  // A quarter of what the file decides.
  const steps = [...accepted(0, 44), ...opposite, ...accepted(44, 56), ...sent(56, 300)];
  expect(reasonsOf(await importList(steps))).toEqual(['done']);
});

test('in Pennsylvania, where the printing is dated: a file whose columns of days change places in its middle waits', async () => {
  const file = (row: (n: number) => string) =>
    office.import(
      'pa-ballots',
      [
        'voter_id,countyname,appreturndate,ballotsentdate,ballotreturneddate,ballot_status,ballot_status_reason',
        ...range(0, 80).map(row),
        '',
      ].join('\n'),
      { election: '7' },
    );
  const write = (n: number, days = ['2026-10-04', n < 40 ? '2026-10-20' : '']) => {
    const status =
      n < 40 ? 'Vote Recorded,RECORD – BALLOT RETURNED' : 'Pending,PEND – NOT YET RETURNED';
    return [n, 'ADAMS', '2026-09-01', ...days, status].join(',');
  };
  expect(reasonsOf(await file((n) => write(n)))).toEqual(['done']);
  const moved = await file((n) =>
    write(n, n % 2 ? [n < 40 ? '2026-10-20' : '', '2026-10-04'] : undefined),
  );
  expect(moved.state).toBe('file-held');
  expect(moved.report.gate).toContainEqual(
    expect.objectContaining({
      code: 'dates-out-of-order',
      examples: expect.arrayContaining([
        {
          voter: '1',
          from: 'accepted',
          to: 'accepted, printed 10/20/2026, returned 10/04/2026',
          line: 3,
        },
      ]),
    }),
  );
  // A program that does not know the encoding puts a mark in place of each dash.
  const damaged = await file((n) => write(n).replace('–', '\ufffd'));
  expect(reasonsOf(damaged)).toEqual(['file-held', 'damaged-text']);
  expect(damaged.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 80 known ballots would get words in which characters are lost, shown as \ufffd. A program has saved the file in another encoding. Import it as it was exported.',
    rows: 80,
  });
});
