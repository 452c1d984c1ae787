import { describe, expect, test } from 'vitest';
import {
  type Counted,
  codeKeyOfLetter,
  createThrottle,
  identityOf,
  isAlarming,
  isLocked,
  isSpraying,
  keptMsOf,
  keyOfAttempt,
  possiblePeople,
  type Sign,
  type ThrottleKind,
  throttlesOfChangers,
  throttlesOfCodes,
  throttlesOfNetwork,
  throttlesOfVisitors,
  waitOf,
  workOf,
} from './throttle-rules.ts';

const hourEndsAt = new Date('2026-10-05T16:00:00Z');
const dayEndsAt = new Date('2026-10-06T04:00:00Z');
const counted = (kind: ThrottleKind, more: Partial<Counted> = {}): Counted => ({
  ...{ kind, key: Buffer.alloc(0), hour: 0, day: 0, total: 0, hourEndsAt, dayEndsAt },
  ...more,
});
const voters = ['person', 'code', 'token', 'device'] as const;
const day = 86_400_000;

describe('after so many failures the next attempt waits', () => {
  test.each<readonly [ThrottleKind, number, number]>([
    ['address', 20, 100],
    ['site', 40, 200],
    ['organization', 80, 400],
    ['visitors', 120, 1_000],
    ['visitorsOfSite', 240, 2_000],
    ['visitorsOfOrganization', 1_200, 10_000],
    ['saves', 30, 100],
    ['resends', 20, 20],
    ['contactCodes', 15, 40],
    ['codes', 20, 60],
    ['codesOfSite', 40, 120],
    ['codesOfOrganization', 200, 600],
    ['push', 20, 200],
    ['console', 20, 200],
  ])('of %s: %i in an hour, %i in a day', (kind, hour, ofDay) => {
    expect(waitOf([counted(kind, { hour: hour - 1, day: ofDay - 1 })])).toBeUndefined();
    expect(waitOf([counted(kind, { hour })])).toEqual(hourEndsAt);
    expect(waitOf([counted(kind, { hour: hour + 1 })])).toEqual(hourEndsAt);
    expect(waitOf([counted(kind, { day: ofDay })])).toEqual(dayEndsAt);
    expect(waitOf([counted(kind, { hour, day: ofDay })])).toEqual(dayEndsAt);
  });

  test('never of one voter, whom a stranger could lock out', () => {
    const many = { hour: 9_999, day: 9_999, total: 9_999 };
    for (const kind of [...voters, 'own', 'welcome', 'changers'] as const)
      expect(waitOf([counted(kind, many)])).toBeUndefined();
    expect(waitOf([])).toBeUndefined();
  });

  test('until the last of them ends', () => {
    const all = [counted('address', { hour: 20 }), counted('site', { day: 200 })];
    expect(waitOf(all)).toEqual(dayEndsAt);
    expect(waitOf(all.toReversed())).toEqual(dayEndsAt);
  });
});

describe('failures ask for more work', () => {
  test.each<readonly [ThrottleKind, 'hour' | 'day' | 'total', readonly [number, number, number]]>([
    ...voters.flatMap(
      (kind) =>
        [
          [kind, 'hour', [5, 10, 20]],
          [kind, 'day', [15, 30, 50]],
          [kind, 'total', [30, 50, 70]],
        ] as const,
    ),
    ['address', 'total', [200, 500, 1_000]],
    ['site', 'total', [400, 1_000, 2_000]],
    ['organization', 'total', [800, 2_000, 4_000]],
    ['visitors', 'hour', [40, 60, 90]],
    ['visitorsOfSite', 'hour', [80, 120, 180]],
    ['visitorsOfOrganization', 'hour', [400, 600, 900]],
  ])('of %s by the %s: %j', (kind, span, levels) => {
    for (const [place, least] of levels.entries()) {
      expect(workOf([counted(kind, { [span]: least - 1 })])).toBe(place);
      expect(workOf([counted(kind, { [span]: least })])).toBe(place + 1);
    }
    expect(workOf([counted(kind, { [span]: 99_999 })])).toBe(3);
  });

  test('by the hardest of all counters', () => {
    expect(workOf([])).toBe(0);
    expect(workOf([counted('person', { hour: 5 }), counted('address', { total: 500 })])).toBe(2);
    expect(workOf([counted('person', { hour: 5, total: 70 })])).toBe(3);
  });
});

test('a hundred failures in all lock a voter’s details, codes, tokens and browsers, and nothing else', () => {
  for (const kind of voters) {
    expect(isLocked(counted(kind, { total: 99, hour: 999, day: 999 }))).toBe(false);
    expect(isLocked(counted(kind, { total: 100 }))).toBe(true);
    expect(isLocked(counted(kind, { total: 101 }))).toBe(true);
  }
  expect(isLocked(counted('address', { total: 9_999 }))).toBe(false);
});

test.each<readonly [ThrottleKind, number]>([
  ['changers', 20],
  ['changersOfSite', 40],
  ['changersOfOrganization', 150],
])('an office hears once of %s, with the %i.', (kind, alarm) => {
  const after = (hour: number) => isAlarming([counted('saves'), counted(kind, { hour })]);
  expect([alarm - 2, alarm - 1, alarm].map(after)).toEqual([false, true, false]);
});

test('a network that tries many voters is on record once, when it has to wait', () => {
  const after = (kind: ThrottleKind, hour: number) => isSpraying([counted(kind, { hour })]);
  expect([19, 20, 21].map((hour) => after('address', hour))).toEqual([false, true, false]);
  expect([39, 40, 41].map((hour) => after('site', hour))).toEqual([false, true, false]);
  expect(isSpraying([counted('saves'), counted('address', { hour: 20 })])).toBe(true);
  expect(after('push', 20)).toBe(false);
  expect(after('person', 20)).toBe(false);
  expect(after('changers', 20)).toBe(false);
});

test.each<readonly [ThrottleKind, number]>([
  ['person', 400],
  ['device', 400],
  ['own', 1],
  ['welcome', 1],
  ['address', 60],
  ['site', 60],
  ['organization', 60],
  ['visitors', 1],
  ['saves', 1],
  ['resends', 1],
  ['codes', 1],
  ['push', 1],
  ['console', 1],
])('failures of %s are kept for %i days', (kind, days) => {
  expect(keptMsOf(kind)).toBe(days * day);
});

describe('what is counted', () => {
  const sign: Sign = (purpose, text) => Buffer.from(`${purpose}=${text}`);
  const textsOf = (throttles: readonly { kind: string; key: Buffer }[]) =>
    throttles.map(({ kind, key }) => `${kind} ${key}`);

  test('is a network at each of its widths', () => {
    expect(textsOf(throttlesOfNetwork(sign, '192.0.2.7'))).toEqual([
      'address throttle.address=192.0.2.7',
    ]);
    const address = '2001:db8:1:2::7';
    expect(throttlesOfNetwork(sign, address).map(({ kind }) => kind)).toEqual([
      ...['address', 'site', 'organization'],
    ]);
    expect(throttlesOfVisitors(sign, address).map(({ kind }) => kind)).toEqual([
      ...['visitors', 'visitorsOfSite', 'visitorsOfOrganization'],
    ]);
    expect(throttlesOfChangers(sign, address).map(({ kind }) => kind)).toEqual([
      ...['changers', 'changersOfSite', 'changersOfOrganization'],
    ]);
    expect(throttlesOfCodes(sign, address).map(({ kind }) => kind)).toEqual([
      ...['codes', 'codesOfSite', 'codesOfOrganization'],
    ]);
    const keys = [throttlesOfNetwork, throttlesOfVisitors, throttlesOfChangers, throttlesOfCodes]
      .flatMap((list) => textsOf(list(sign, address)))
      .sort();
    expect(new Set(keys).size).toBe(12);
  });

  test('is every voter that the typed names can stand for, by name and ZIP code', () => {
    const names = { lastname: 'LEE', firstWords: ['MARY', 'ANN'] };
    expect(possiblePeople({ names, zipcode: '99301' })).toEqual([
      { firstname: 'MARY', identity: 'LEE|MARY|99301' },
      { firstname: 'MARYANN', identity: 'LEE|MARYANN|99301' },
    ]);
    expect(identityOf({ firstname: 'A', lastname: 'B', zipcode: 'C' })).toBe('B|A|C');
  });

  test('is each kind by itself, and each letter', () => {
    expect(codeKeyOfLetter(7)).toBe('letter|7');
    expect(textsOf([createThrottle(sign, 'token', 'x')])).toEqual(['token throttle.token=x']);
  });

  test('goes on with exactly what was typed', () => {
    const typed = {
      names: { lastname: 'LEE', firstWords: ['MARY', 'ANN'] },
      ...{ zipcode: '99301', birthdate: '1950-01-02' },
    };
    const key = (more: object = {}) => String(keyOfAttempt(sign, { ...typed, ...more }));
    expect(key()).toBe('attempt=LEE|MARYANN|99301|1950-01-02');
    const others = [
      { zipcode: '99302' },
      { birthdate: '1950-01-03' },
      { names: { lastname: 'LEA', firstWords: ['MARY', 'ANN'] } },
      { names: { lastname: 'LEE', firstWords: ['MARY'] } },
    ];
    for (const other of others) expect(key(other)).not.toBe(key());
  });
});
