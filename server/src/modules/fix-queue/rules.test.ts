import { describe, expect, test } from 'vitest';
import type { BallotId } from '../../platform/ids.ts';
import type { FollowedFix } from '../ballots/index.ts';
import {
  byTimeLeft,
  chooseLetters,
  countFixDays,
  countTimeLeft,
  describeFix,
  groupFixDays,
  needsLetter,
  type QueuedFix,
  sortFixes,
} from './rules.ts';
import type { FixFacts } from './store.ts';

const now = new Date('2026-11-01T12:00:00Z');
const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

const fix = (more: Partial<QueuedFix> = {}): QueuedFix =>
  ({
    ...{ ballotId: 1, voterId: 1, problemId: 10, state: 'open', electionNumber: '7' },
    ...{
      defect: 'signature-missing',
      deadline: at(48).toISOString(),
      since: at(-48),
      endedOn: null,
    },
    ...{ registrationId: '1', language: 'english', precinct: '12', address: ['1 Oak Street'] },
    ...{ isActive: true, isConfidential: false, isReachable: false, hasMessageWaiting: false },
    ...{ notices: [], openedAt: null },
    ...more,
  }) as QueuedFix;
const letter = { how: 'letter', at: at(-1) } as const;
const mail = { how: 'email', at: at(-2) } as const;

describe('what is on record about a problem', () => {
  const facts = (more: Partial<FixFacts>) =>
    ({ messages: [], opens: [], printedAt: new Map(), ...more }) as unknown as FixFacts;
  const describeOf = (more: Partial<FixFacts>) =>
    describeFix({ problemId: 10 } as FollowedFix, facts(more));

  test('is the first that arrived by each way, the earliest first', () => {
    const messages = [
      { eventId: 10, channel: 'email', state: 'sent', at: at(-3) },
      { eventId: 11, channel: 'email', state: 'delivered', at: at(-5) },
      { eventId: 10, channel: 'sms', state: 'outcome-unknown', at: at(-4) },
      { eventId: 10, channel: 'voice', state: 'failed-permanent', at: at(-9) },
    ] as unknown as FixFacts['messages'];
    expect(describeOf({ messages, printedAt: new Map([[10, at(-6)]]) }).notices).toEqual([
      { how: 'letter', at: at(-6) },
      { how: 'email', at: at(-5) },
      { how: 'sms', at: at(-4) },
    ]);
  });

  test('is nothing of an earlier problem', () => {
    const messages = [
      { eventId: 9, channel: 'email', state: 'sent', at: at(-3) },
      { eventId: 9, channel: 'sms', state: 'created', at: null },
    ] as unknown as FixFacts['messages'];
    const opens = [{ eventId: 9, at: at(-2) }] as unknown as FixFacts['opens'];
    expect(describeOf({ messages, opens, printedAt: new Map([[9, at(-6)]]) })).toMatchObject({
      ...{ notices: [], openedAt: null, hasMessageWaiting: false },
    });
  });

  test('is the first opened link', () => {
    const opens = [at(-1), at(-5), at(-3)].map((one) => ({ eventId: 10, at: one }));
    expect(describeOf({ opens: opens as unknown as FixFacts['opens'] }).openedAt).toEqual(at(-5));
  });

  test.each([
    ['created', true],
    ['sending', true],
    ['held', true],
    ['sent', false],
    ['withdrawn', false],
  ])('a message that is %s waits: %s', (state, expected) => {
    const messages = [{ eventId: 10, channel: 'email', state, at: null }];
    expect(
      describeOf({ messages: messages as unknown as FixFacts['messages'] }).hasMessageWaiting,
    ).toBe(expected);
  });
});

describe('a letter', () => {
  test.each<readonly [boolean, Partial<QueuedFix>]>([
    [true, {}],
    [true, { notices: [letter] }],
    [false, { notices: [letter, mail] }],
    [false, { isReachable: true }],
    [false, { isActive: false }],
    [false, { hasMessageWaiting: true }],
    [false, { state: 'fixed' }],
    [false, { state: 'expired' }],
  ])('is needed: %s, of %j', (expected, more) => expect(needsLetter(fix(more))).toBe(expected));

  test('goes to active voters with an address, once, and to no confidential one', () => {
    const fixes = [
      fix({ registrationId: 'a' }),
      fix({ registrationId: 'b', notices: [letter] }),
      fix({ registrationId: 'c', address: [] }),
      fix({ registrationId: 'd', isConfidential: true }),
      fix({ registrationId: 'e', isActive: false }),
      fix({ registrationId: 'f', isReachable: true }),
      fix({ registrationId: 'g', isConfidential: true, notices: [letter] }),
      // Whose address left the roll after a letter was printed.
      fix({ registrationId: 'h', address: [], notices: [letter] }),
    ];
    const ids = (all: readonly QueuedFix[]) => all.map(({ registrationId }) => registrationId);
    const first = chooseLetters(fixes, false);
    expect([ids(first.letters), first.withoutAddress, first.confidential]).toEqual([
      ['a'],
      ['c'],
      2,
    ]);
    const again = chooseLetters(fixes, true);
    expect([ids(again.letters), again.withoutAddress]).toEqual([
      ['a', 'b'],
      ['c', 'h'],
    ]);
  });
});

test.each([
  [-1, 'within_day'],
  [24, 'within_day'],
  [24.01, 'within_three_days'],
  [72, 'within_three_days'],
  [72.01, 'later'],
])('an open envelope with %d hours left is counted as %s', (hours, name) => {
  const counts = countTimeLeft([fix({ deadline: at(hours).toISOString() })], now);
  expect(counts).toEqual({
    ...{ within_day: 0, within_three_days: 0, later: 0, unknown: 0, need_letter: 1 },
    [name]: 1,
  });
});

test('of no known deadline, printed letters, and those that are not open', () => {
  const fixes = [
    fix({ deadline: null, notices: [letter] }),
    fix({ deadline: null, isReachable: true }),
    fix({ state: 'fixed' }),
    // Nor does the letters' file have a voter who is not active.
    fix({ deadline: null, isActive: false }),
  ];
  expect(countTimeLeft(fixes, now)).toEqual({
    ...{ within_day: 0, within_three_days: 0, later: 0, unknown: 3, need_letter: 0 },
  });
});

describe('the queue', () => {
  const of = (ballotId: number, more: Partial<QueuedFix>) =>
    fix({ ballotId: ballotId as BallotId, ...more });
  const fixes = [
    of(3, { registrationId: '10', deadline: at(9).toISOString(), openedAt: at(-1) }),
    of(2, { registrationId: '9', deadline: null, openedAt: at(-2) }),
    of(1, { registrationId: '100', deadline: at(3).toISOString() }),
    of(4, { registrationId: '9', deadline: at(3).toISOString() }),
  ];
  const ballots = (all: readonly QueuedFix[]) => all.map(({ ballotId }) => ballotId);

  test('has the least time left first, then the older ballot, and unknown deadlines last', () => {
    expect(ballots(fixes.toSorted(byTimeLeft))).toEqual([1, 4, 3, 2]);
  });

  test.each([
    ['deadline', 'ascending', [1, 4, 3, 2]],
    ['deadline', 'descending', [3, 1, 4, 2]],
    ['voter', 'ascending', [4, 2, 3, 1]],
    ['voter', 'descending', [1, 3, 4, 2]],
    ['opened', 'ascending', [2, 3, 1, 4]],
    ['opened', 'descending', [3, 2, 1, 4]],
    ['election', 'descending', [1, 4, 3, 2]],
    ['defect', 'ascending', [1, 4, 3, 2]],
  ] as const)('by %s, %s', (column, direction, expected) => {
    expect(ballots(sortFixes(fixes, column, direction))).toEqual(expected);
  });
});

describe('the report', () => {
  const dayOf = (one: Date) => one.toISOString().slice(0, 10);
  const period = { dayOf, from: null, to: null };
  const fixed = fix({
    ...{ state: 'fixed', endedOn: '2026-11-01', since: at(-48), notices: [mail] },
    openedAt: at(-24),
  });

  test('counts each step on its own day', () => {
    expect(
      countFixDays([fixed], period).map((day) => ({ ...day, precinct: '', election: '' })),
    ).toEqual(
      [
        { day: '2026-10-30', found: 1, notified: 0, opened: 0, fixed: 0, expired: 0 },
        { day: '2026-10-31', found: 0, notified: 0, opened: 1, fixed: 0, expired: 0 },
        { day: '2026-11-01', found: 0, notified: 1, opened: 0, fixed: 1, expired: 0 },
      ].map((day) => ({
        ...{ defect: 'signature-missing', language: 'english', precinct: '', election: '' },
        ...day,
      })),
    );
  });

  test.each([
    ['2026-10-30', '2026-11-01', 3],
    ['2026-10-31', '2026-11-01', 2],
    ['2026-10-30', '2026-10-31', 2],
    ['2026-10-31', '2026-10-31', 1],
    ['2026-11-02', null, 0],
    [null, '2026-10-29', 0],
  ])('from %s to %s has %i days, both ends counted', (from, to, count) => {
    expect(countFixDays([fixed], { dayOf, from, to })).toHaveLength(count);
  });

  test('has no confidential voter, and a deadline’s day where the office recorded no end', () => {
    expect(countFixDays([fix({ isConfidential: true })], period)).toEqual([]);
    const expired = countFixDays([fix({ state: 'expired' })], period);
    expect(expired.at(-1)).toMatchObject({ day: dayOf(at(48)), expired: 1 });
    const recorded = countFixDays([fix({ state: 'expired', endedOn: '2026-11-02' })], period);
    expect(recorded.at(-1)).toMatchObject({ day: '2026-11-02', expired: 1 });
    expect(countFixDays([fix({ state: 'expired', deadline: null })], period)).toHaveLength(1);
  });

  test('keeps elections, defects, languages and precincts apart, and adds up by any of them', () => {
    const all = [
      fix(),
      fix({ electionNumber: '8' }),
      fix({ defect: 'other' }),
      fix({ language: 'spanish' }),
      fix({ precinct: '13' }),
      fix(),
    ];
    const days = countFixDays(all, period);
    expect(days.map(({ found }) => found).sort()).toEqual([1, 1, 1, 1, 2]);
    expect(groupFixDays(days, 'language')).toEqual([
      { group: 'english', found: 5, notified: 0, opened: 0, fixed: 0, expired: 0 },
      { group: 'spanish', found: 1, notified: 0, opened: 0, fixed: 0, expired: 0 },
    ]);
    expect(groupFixDays(days, 'precinct').map(({ group, found }) => [group, found])).toEqual([
      ['12', 5],
      ['13', 1],
    ]);
  });
});
