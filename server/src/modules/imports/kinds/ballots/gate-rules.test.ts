// Longer than 400 lines: the limit of each rule is in one list, to be compared with the others.
import { describe, expect, test } from 'vitest';
import type { EarlierFile } from '../kind.ts';
import type { BallotFacts, DateFault, ElectionNews, StatusChange } from './election-news.ts';
import { lackDays, type ReturnDays } from './gate-acceptances.ts';
import { judgeElection } from './gate-rules.ts';

/** Two weeks before its day, an election of ten thousand ballots, all of them mailed. */
const election: ElectionNews = {
  number: '7',
  date: '2026-11-03',
  isActive: true,
  before: { sent: 10_000 },
  changes: [],
};
const ordinary: BallotFacts = {
  today: '2026-10-20',
  firstStatuses: [],
  ...{ isOfOpenCases: false, opensRefused: false },
  gone: new Map(),
  fixableUntil: new Map(),
  isOneElection: true,
  earlier: [],
  voters: 100_000,
};
const noFaults = { 'in-future': 0, 'out-of-season': 0, 'out-of-order': 0, 'late-too-soon': 0 };

const change = (
  from: string | null,
  to: string,
  count: number,
  faults: Partial<Record<DateFault, number>> = {},
): StatusChange => ({ from, to, count, faults: { ...noFaults, ...faults } });

const judge = (news: Partial<ElectionNews>, facts: Partial<BallotFacts> = {}) =>
  judgeElection({ ...election, ...news }, { ...ordinary, ...facts });

type Case = (count: number) => readonly [Partial<ElectionNews>, Partial<BallotFacts>?];

/** Nothing is found of the most that is ordinary, nor of one less; of one more, the finding with its number. */
function expectLimit(code: string, most: number, make: Case): void {
  const found = (count: number) => judge(...make(count)).filter((one) => one.code === code);
  for (const count of [most - 1, most]) if (count >= 0) expect(found(count)).toEqual([]);
  expect(found(most + 1)).toMatchObject([{ rows: most + 1, where: { election: '7' } }]);
}

const to = (status: string, before: ElectionNews['before'] = { sent: 10_000 }, more = {}): Case => {
  return (count) => [{ before, changes: [change('sent', status, count)] }, more];
};
const fileWith = (news: Readonly<Record<string, number>>, newestDay: string | null = null) =>
  ({ learned: { news, listed: null, elections: [], newestDay } }) as unknown as EarlierFile;

describe('the ballots that become a status in one file', () => {
  const over = { today: '2026-11-03' };
  const small = { sent: 20 };
  test.each<readonly [string, number, Case]>([
    ['a third is returned', 3_500, to('returned')],
    ['a third is accepted', 3_500, to('accepted')],
    ['a third votes in person', 3_500, to('in-person')],
    ['a twentieth is undeliverable', 500, to('undeliverable')],
    ['a twentieth is reprinted', 500, to('reprinted')],
    ['a twentieth is cancelled', 500, to('cancelled')],
    ['a few of a hundred are rejected', 300, to('rejected')],
    ['a few of a hundred are not counted', 300, to('not-counted')],
    ['a few of a hundred can be fixed', 300, to('rejected-curable')],
    ['all are counted', 10_000, to('counted')],
    ['a twentieth of the applications is incomplete', 500, to('application-incomplete')],
    ['a few of a hundred applications are refused', 300, to('application-refused')],
    ['of a small list, two dozen are returned', 25, to('returned', small)],
    ['of a small list, a dozen is undeliverable', 12, to('undeliverable', small)],
    ['of a small list, half a dozen is not counted', 6, to('not-counted', small)],
    ['of a small list, ten can be fixed', 10, to('rejected-curable', small)],
    [
      'on election day, twice as many are undeliverable',
      1_000,
      to('undeliverable', undefined, over),
    ],
    ['on election day, no more are returned', 3_500, to('returned', undefined, over)],
    [
      'twice the second largest number of earlier files',
      8_000,
      to('returned', undefined, {
        earlier: [fileWith({ returned: 4_000 }), fileWith({}), fileWith({ returned: 9_000 })],
      }),
    ],
    [
      'of those decided, one in seven is rejected',
      530,
      (count) => [
        { changes: [change('sent', 'rejected', count), change('sent', 'accepted', 3_000)] },
      ],
    ],
    [
      'a format that lists ballots only when they are back: one in twenty voters',
      5_000,
      to('returned', undefined, { firstStatuses: ['returned'] }),
    ],
    [
      'and one in eight once nearly all are back',
      12_000,
      to('returned', { sent: 1_000, accepted: 9_000 }, { firstStatuses: ['returned'] }),
    ],
    [
      'of a list of open cases, one in two hundred voters has a new one',
      500,
      (count) => [
        { before: { 'rejected-curable': 100 }, changes: [change(null, 'rejected-curable', count)] },
        { isOfOpenCases: true, firstStatuses: ['rejected-curable'] },
      ],
    ],
  ])('%s', (_, most, make) => expectLimit('volume', most, make));

  test('that double after an election day are those of the day before it no more', () => {
    expectLimit('volume', 500, to('undeliverable', undefined, { today: '2026-11-02' }));
  });

  test.each<readonly [string, number, Case]>([
    [
      'of a large list, two of a hundred',
      205,
      (count) => [{ changes: [change(null, 'accepted', count)] }],
    ],
    [
      'of a small list, ten',
      10,
      (count) => [{ before: { sent: 100 }, changes: [change(null, 'accepted', count)] }],
    ],
    [
      'twice as many as usual',
      600,
      (count) => [
        { changes: [change(null, 'accepted', count)] },
        { earlier: [fileWith({ 'new accepted': 300 }), fileWith({ 'new accepted': 300 })] },
      ],
    ],
  ])('that no file listed before: %s', (_, most, make) => expectLimit('first-status', most, make));

  test.each<readonly [string, number, number]>([
    ['a tenth of a first file', 100, 1_000],
    ['a dozen of a small one', 12, 50],
  ])('when the election has none yet: %s', (_, most, total) => {
    expectLimit('many-at-first', most, (count) => [
      {
        before: {},
        changes: [change(null, 'rejected', count), change(null, 'sent', total - count)],
      },
    ]);
  });
});

describe('a step back', () => {
  const accepted = (before: number): Case => {
    const known = { accepted: before, sent: 1_000 };
    return (count) => [{ before: known, changes: [change('accepted', 'sent', count)] }];
  };
  test.each([
    ['of sixty thousand acceptances', 50, 60_000],
    ['of ten thousand acceptances', 10, 10_000],
    ['of a hundred acceptances', 3, 100],
    ['of three acceptances, which is most of them with the second', 1, 3],
  ])('%s', (_, most, before) => expectLimit('taken-back', most, accepted(before)));

  test.each<readonly [string, number, ElectionNews['before']]>([
    ['one in two hundred of a large list', 50, { returned: 9_000, sent: 1_000 }],
    ['five of a small one', 5, { returned: 90, sent: 10 }],
    ['of five returns, which is most of them with the third', 2, { returned: 5, sent: 95 }],
  ])('from the office to the mail: %s', (_, most, before) => {
    expectLimit('went-back', most, (count) => [
      { before, changes: [change('returned', 'sent', count)] },
    ]);
  });

  test.each([
    ['counted', 'accepted'],
    ['returned', 'cancelled'],
    ['rejected', 'sent'],
    ['not-counted', 'printed'],
    ['rejected-curable', 'requested'],
    ['sent', 'printed'],
    ['printed', 'requested'],
    ['application-approved', 'application-refused'],
  ])('goes from %s to %s', (from, back) => {
    expectLimit('went-back', 50, (count) => [
      { before: { [from]: 10_000 }, changes: [change(from, back, count)] },
    ]);
  });

  test.each([
    ['returned', 'cancelled'],
    ['returned', 'sent'],
    ['rejected', 'sent'],
    ['application-approved', 'application-refused'],
  ])('is taken by few of a large county: from %s to %s', (from, back) => {
    expectLimit('went-back', 50, (count) => [
      { before: { [from]: 200_000 }, changes: [change(from, back, count)] },
    ]);
  });

  test('is taken by a tray of a large county that is printed anew, and no more with others', () => {
    const before = { sent: 150_000, returned: 50_000 };
    expectLimit('went-back', 1_000, (count) => [
      { before, changes: [change('sent', 'printed', count)] },
    ]);
    expectLimit('went-back', 1_000, (count) => [
      { before, changes: [change('sent', 'printed', count - 10), change('returned', 'sent', 10)] },
    ]);
  });

  test.each<readonly [string, number, ElectionNews['before']]>([
    ['one in two hundred of a large list', 50, { cancelled: 500, sent: 9_500 }],
    ['of five, which is most of them with the third', 2, { undeliverable: 5, sent: 995 }],
    ['of five that were rejected', 2, { rejected: 5, sent: 995 }],
    ['of five that do not count', 2, { 'not-counted': 5, sent: 995 }],
  ])('from an ended envelope to an accepted one: %s', (_, most, before) => {
    const [status = ''] = Object.keys(before);
    expectLimit('revived', most, (count) => [
      { before, changes: [change(status, 'accepted', count)] },
    ]);
  });

  test('from a rejected envelope to an open case: of five, which is most of them with the third', () => {
    const before = { rejected: 5, sent: 995 };
    expectLimit('revived', 2, (count) => [
      { before, changes: [change('rejected', 'rejected-curable', count)] },
    ]);
  });

  test('from a refused application to an approved one: of five, which is most of them with the third', () => {
    const before = { 'application-refused': 5, 'application-approved': 995 };
    expectLimit('revived', 2, (count) => [
      { before, changes: [change('application-refused', 'application-approved', count)] },
    ]);
    expect(judge({ before, changes: [change('application-refused', 'accepted', 5)] })).toEqual([]);
  });

  test.each<readonly [string, number, Partial<BallotFacts>]>([
    ['half of the open cases before election day', 5, {}],
    ['on election day still', 5, { today: '2026-11-03' }],
    [
      'on the last day for a fix',
      5,
      { today: '2026-11-10', fixableUntil: new Map([['7', '2026-11-10']]) },
    ],
    ['of those that are on the list', 3, { isOfOpenCases: true, gone: new Map([['7', 3]]) }],
  ])('of an envelope that can be fixed: %s', (_, most, facts) => {
    expectLimit('rejected-too-soon', most, (count) => [
      {
        before: { 'rejected-curable': 10 },
        changes: [change('rejected-curable', 'rejected', count)],
      },
      facts,
    ]);
  });

  test.each([
    ['the day after the election', '2026-11-04', new Map()],
    ['the day after the deadline', '2026-11-11', new Map([['7', '2026-11-10']])],
  ])('is due to a rejection on %s', (_, today, fixableUntil) => {
    const changes = [change('rejected-curable', 'rejected', 10)];
    const found = judge({ before: { 'rejected-curable': 10 }, changes }, { today, fixableUntil });
    expect(found.map(({ code }) => code)).not.toContain('rejected-too-soon');
  });
});

describe('dates that cannot be right', () => {
  const faulty =
    (fault: DateFault, total: number, from: string | null = 'sent', status = 'returned'): Case =>
    (count) => [{ changes: [change(from, status, total, { [fault]: count })] }];
  test.each<readonly [string, string, number, Case]>([
    ['two of a hundred changes', 'dates-off', 20, faulty('in-future', 1_000)],
    ['three of a hundred', 'dates-off', 3, faulty('out-of-season', 100)],
    ['two of ten', 'dates-off', 2, faulty('in-future', 10)],
    ['one of three', 'dates-off', 1, faulty('in-future', 3)],
    ['none of two', 'dates-off', 0, faulty('out-of-season', 2)],
    [
      'one of ballots that were right before',
      'dates-off',
      1,
      faulty('in-future', 1_000, 'sent', 'sent'),
    ],
    ['two of a hundred rejections', 'late-too-soon', 20, faulty('late-too-soon', 1_000)],
    ['three of a hundred rejections', 'late-too-soon', 3, faulty('late-too-soon', 100)],
    ['one of four rejections', 'late-too-soon', 1, faulty('late-too-soon', 4)],
    ['ten that came back too soon', 'dates-out-of-order', 10, faulty('out-of-order', 20)],
    ['a fifth that came back too soon', 'dates-out-of-order', 200, faulty('out-of-order', 1_000)],
  ])('%s', (_, code, most, make) => expectLimit(code, most, make));

  test('are counted together, and named each by its number', () => {
    const changes = [change('sent', 'returned', 1_000, { 'in-future': 20, 'out-of-season': 1 })];
    expect(judge({ changes })).toMatchObject([
      {
        code: 'dates-off',
        rows: 21,
        detail:
          'Election 7: 20 ballots would have a date after today, and 1 ballot would have a date long before or after the election.',
      },
    ]);
  });
});

describe('an election', () => {
  const old = (
    today: string,
    more: Partial<ElectionNews> = {},
    facts: Partial<BallotFacts> = {},
  ) => {
    return (count: number) =>
      [
        { date: '2026-08-01', changes: [change('sent', 'returned', count)], ...more },
        { today, ...facts },
      ] as const;
  };
  test('that was 46 days ago has five ballots that change, and 45 days ago any number', () => {
    expectLimit('election-over', 5, old('2026-09-16'));
    expect(judge(...old('2026-09-15')(6))).toEqual([]);
  });

  test('that was 46 days ago has no open case', () => {
    expectLimit('election-over', 0, old('2026-09-16', {}, { isOfOpenCases: true }));
  });

  test.each([
    ['2026-08-02', 5, false],
    ['2026-08-02', 0, true],
  ])(
    'that is not active any more, with files of %s and more than %i new ballots',
    (day, most, isOneElection) => {
      const earlier = [fileWith({}, day)];
      expectLimit('election-over', most, (count) => [
        {
          date: '2026-08-01',
          isActive: false,
          before: {},
          changes: [change(null, 'returned', count)],
        },
        { today: '2026-09-16', earlier, isOneElection },
      ]);
    },
  );

  test('of an archive that an office begins with is no surprise', () => {
    const changes = [change(null, 'returned', 9)];
    const news = { date: '2026-08-01', isActive: false, before: {}, changes };
    expect(judge(news, { today: '2026-09-16', earlier: [fileWith({}, '2026-08-01')] })).toEqual([]);
  });

  test('that is 151 days away has five ballots back, and 150 days away any number', () => {
    const far =
      (today: string): Case =>
      (count) => [{ date: '2026-11-03', changes: [change('sent', 'returned', count)] }, { today }];
    expectLimit('election-far', 5, far('2026-06-05'));
    expect(judge(...far('2026-06-06')(6))).toEqual([]);
  });
});

describe('acceptances without a day of return', () => {
  const usual: ReturnDays = {
    status: 'accepted',
    ...{ number: '7', newly: 0, undated: 0, allDated: 1_000, allUndated: 0, backDated: 1_000 },
  };
  /** @param undated of as many that are new */
  const lacks = (undated: number, more: Partial<ReturnDays> = {}) =>
    lackDays({ ...usual, newly: undated, undated, allUndated: undated, ...more });

  test.each([
    ['two are a clerk’s', 2, {}],
    ['of two hundred new ones, four', 4, { newly: 200 }],
    ['in a file that dates two, any number', 500, { backDated: 2 }],
    [
      'where a tenth lacks it always, three tenths',
      33,
      { newly: 100, allDated: 900, allUndated: 133 },
    ],
  ])('%s', (_, most, more) => expect(lacks(most, more)).toBe(false));

  test.each([
    ['three', 3, {}],
    ['of two hundred new ones, five', 5, { newly: 200 }],
    ['in a file that dates three', 500, { backDated: 3 }],
    ['where a tenth lacks it always, more', 34, { newly: 100, allDated: 900, allUndated: 134 }],
  ])('%s are asked about', (_, undated, more) => expect(lacks(undated, more)).toBe(true));
});

describe('what a reader is shown of it', () => {
  const only = (news: Partial<ElectionNews>, facts: Partial<BallotFacts> = {}) => {
    const [finding, ...more] = judge(news, facts);
    expect(more).toEqual([]);
    return finding;
  };

  test('names the faulty dates, and one ballot in the singular', () => {
    const of = (to: string, fault: DateFault, count: number, total = 2) => ({
      changes: [change('sent', to, total, { [fault]: count })],
    });
    expect(only(of('returned', 'in-future', 1))?.where).toEqual({
      ...{ election: '7', faults: ['in-future', 'out-of-season'] },
    });
    const late = only(of('rejected', 'late-too-soon', 1));
    expect(late?.where).toEqual({ election: '7', faults: ['late-too-soon'] });
    expect(late?.detail).toContain('7: 1 ballot would be rejected as late');
    expect(only(of('rejected', 'late-too-soon', 2))?.detail).toContain('7: 2 ballots would be');
    const order = only(of('returned', 'out-of-order', 11, 11));
    expect(order?.where).toEqual({ election: '7', faults: ['out-of-order'] });
    expect(order?.detail).toContain('11 ballots would come back before the day they were sent');
  });

  test('names an election that is over or far, and its open cases', () => {
    const over = { date: '2026-08-01', changes: [change('sent', 'returned', 6)] };
    const today = { today: '2026-09-16' };
    expect(only(over, today)?.detail).toMatch(/was on Aug 1, and 6 .* It is still active\.$/);
    const open = (count: number) =>
      only(
        { ...over, changes: [change('sent', 'returned', count)] },
        { ...today, isOfOpenCases: true },
      )?.detail;
    expect(open(1)).toContain('1 of its ballots would be an open case.');
    expect(open(2)).toContain('2 of its ballots would be open cases.');
    const far = only({ changes: [change('sent', 'returned', 6)] }, { today: '2026-06-05' });
    expect(far?.where).toEqual({ election: '7', to: ['returned'] });
    expect(far?.detail).toContain('151 days from now, and 6 of its ballots');
  });
});

test('a file that changes nothing is ordinary on any day, in any list', () => {
  for (const today of ['2026-06-05', '2026-10-20', '2026-11-03', '2027-01-20'])
    for (const isOfOpenCases of [false, true])
      expect(judge({ changes: [] }, { today, isOfOpenCases })).toEqual([]);
});

test.each<readonly [string, Partial<ElectionNews>]>([
  ['that is not active', { isActive: false, changes: [change('sent', 'returned', 6)] }],
  ['of which ballots are mailed', { changes: [change('requested', 'sent', 6)] }],
  ['of which ballots are cancelled', { changes: [change('sent', 'cancelled', 6)] }],
])('an election far away %s is no surprise', (_, news) => {
  expect(judge(news, { today: '2026-06-05' })).toEqual([]);
});

test('an old election’s first ballots are asked about where any newer file is in, and it has none yet', () => {
  const news = {
    ...{ date: '2026-08-01', isActive: false, before: {} },
    changes: [change(null, 'returned', 6)],
  };
  const files = [fileWith({}, '2026-07-01'), fileWith({}, '2026-08-02'), fileWith({}, null)];
  const unlearned = { learned: null } as EarlierFile;
  const facts = { today: '2026-09-16', earlier: [...files, unlearned] };
  expect(judge(news, facts)[0]?.detail).toContain(
    '6 of its ballots would be new. It is not active.',
  );
  expect(judge({ ...news, before: { sent: 1 } }, facts)).toEqual([]);
  expect(judge(news, { ...facts, earlier: [unlearned, fileWith({}, null)] })).toEqual([]);
});
