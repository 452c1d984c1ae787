import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { type BusinessCalendar, createCalendar, noClosures, parseClosures } from './calendar.ts';
import { type Anchor, anchors, type Count, type CureRule } from './rule.ts';
import {
  type AnchorDays,
  computeDeadline,
  countFrom,
  findRule,
  findUnlikelyDay,
  isLikelyFixDay,
  isLikelyReturnDay,
  isNearElection,
} from './rules.ts';

const zones = ['America/New_York', 'America/Phoenix', 'America/Los_Angeles', 'Pacific/Honolulu'];

const day = fc
  .integer({ min: 0, max: 365 * 12 })
  .map((n) => Temporal.PlainDate.from('2020-01-01').add({ days: n }).toString());
const count: fc.Arbitrary<Count> = fc.record({
  anchor: fc.constantFrom(...anchors),
  n: fc.integer({ min: -30, max: 30 }),
  unit: fc.constantFrom('calendar', 'business'),
});
const time = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
  .map(({ hour, minute }) => `${twoDigits(hour)}:${twoDigits(minute)}`);
const everyDay: fc.Arbitrary<AnchorDays> = fc.record({
  election: day,
  certification: day,
  canvass: day,
  notice: day,
  discovery: day,
  receipt: day,
});
/** Open on a random set of weekdays, closed on random days. */
const calendar: fc.Arbitrary<BusinessCalendar> = fc
  .record({
    open: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    closed: fc.uniqueArray(day, { maxLength: 30 }),
  })
  .map(({ open, closed }) => ({
    isBusinessDay: (one) =>
      open.includes(Temporal.PlainDate.from(one).dayOfWeek) && !closed.includes(one),
  }));

function makeRule(part: Partial<CureRule>): CureRule {
  return {
    defects: ['signature-differs'],
    electionKinds: ['general'],
    deadline: { latestOf: [{ anchor: 'election', n: 3, unit: 'calendar' }] },
    time: '17:00',
    zone: 'America/Denver',
    roll: 'none',
    notice: null,
    attempts: [],
    ways: [],
    source: 'a statute',
    checkedOn: '2026-01-01',
    officeMayChange: false,
    ...part,
  };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

function deadlineOf(rule: CureRule, days: AnchorDays, open: BusinessCalendar): string {
  const deadline = computeDeadline(rule, days, open);
  if (!deadline.known) throw new Error(`Missing ${deadline.missing}`);
  return deadline.at;
}

describe('Counting days', () => {
  test('n business days later lies exactly n business days between, and is one itself', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 30 }), calendar, (from, n, open) => {
        const to = countFrom(from, { n, unit: 'business' }, open);
        let passed = 0;
        for (
          let one = Temporal.PlainDate.from(from).add({ days: 1 });
          Temporal.PlainDate.compare(one, to) <= 0;
          one = one.add({ days: 1 })
        ) {
          if (open.isBusinessDay(one.toString())) passed += 1;
        }
        expect(passed).toBe(n);
        expect(open.isBusinessDay(to)).toBe(true);
      }),
    );
  });

  test('counting forward from a business day and back again ends on the same day', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 1, max: 30 }), calendar, (from, n, open) => {
        fc.pre(open.isBusinessDay(from));
        const to = countFrom(from, { n, unit: 'business' }, open);
        expect(countFrom(to, { n: -n, unit: 'business' }, open)).toBe(from);
      }),
    );
  });

  test('calendar days pass on closed days too', () => {
    const closed: BusinessCalendar = { isBusinessDay: () => false };
    expect(countFrom('2024-02-27', { n: 3, unit: 'calendar' }, closed)).toBe('2024-03-01');
    expect(countFrom('2026-11-03', { n: -1, unit: 'calendar' }, closed)).toBe('2026-11-02');
    expect(countFrom('2026-11-03', { n: 0, unit: 'business' }, closed)).toBe('2026-11-03');
  });
});

describe('A deadline', () => {
  test('reads the time of the rule on the clock of its zone, in summer and winter', () => {
    fc.assert(
      fc.property(
        everyDay,
        count,
        time,
        fc.constantFrom(...zones),
        calendar,
        (days, one, at, zone, open) => {
          const rule = makeRule({ deadline: { latestOf: [one] }, time: at, zone });
          const deadline = deadlineOf(rule, days, open);
          const local = Temporal.Instant.from(deadline).toZonedDateTimeISO(zone);
          // The clock skips 2:00 to 3:00 on one Sunday in March: the deadline is then an hour later.
          fc.pre(local.hoursInDay === 24);
          expect(local.toPlainTime().toString({ smallestUnit: 'minute' })).toBe(at);
          expect(local.toPlainDate().toString()).toBe(
            countFrom(days[one.anchor] as string, one, open),
          );
        },
      ),
    );
  });

  test('of several counts is the latest or the earliest of them', () => {
    fc.assert(
      fc.property(
        everyDay,
        fc.array(count, { minLength: 1, maxLength: 4 }),
        calendar,
        (...given) => {
          const [days, counts, open] = given;
          const each = counts
            .map((one) => deadlineOf(makeRule({ deadline: { latestOf: [one] } }), days, open))
            .sort((a, b) => Temporal.Instant.compare(a, b));
          expect(deadlineOf(makeRule({ deadline: { latestOf: counts } }), days, open)).toBe(
            each.at(-1),
          );
          expect(deadlineOf(makeRule({ deadline: { earliestOf: counts } }), days, open)).toBe(
            each[0],
          );
        },
      ),
    );
  });

  test('that rolls falls on the first business day from the unrolled one on', () => {
    fc.assert(
      fc.property(everyDay, count, calendar, (days, one, open) => {
        const deadline = { latestOf: [one] };
        const stays = deadlineOf(makeRule({ deadline }), days, open).slice(0, 10);
        const rolls = deadlineOf(makeRule({ deadline, roll: 'next-business' }), days, open);
        let expected = Temporal.PlainDate.from(stays);
        while (!open.isBusinessDay(expected.toString())) expected = expected.add({ days: 1 });
        expect(rolls.slice(0, 10)).toBe(expected.toString());
      }),
    );
  });

  test('is never guessed: one day that nobody gave leaves it unknown and is named', () => {
    fc.assert(
      fc.property(
        everyDay,
        fc.array(count, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...anchors.filter((anchor) => anchor !== 'election')),
        calendar,
        (days, counts, absent: Anchor, open) => {
          const rule = makeRule({ deadline: { latestOf: counts } });
          const deadline = computeDeadline(rule, { ...days, [absent]: undefined }, open);
          const isNeeded = counts.some(({ anchor }) => anchor === absent);
          expect(deadline.known).toBe(!isNeeded);
          if (!deadline.known) expect(deadline.missing).toEqual([absent]);
        },
      ),
    );
  });

  test('that the law leaves to the office is unknown whatever days are given', () => {
    const open: BusinessCalendar = { isBusinessDay: () => true };
    expect(computeDeadline(makeRule({ deadline: null }), { election: '2026-11-03' }, open)).toEqual(
      { known: false, missing: [] },
    );
  });
});

describe('The rule of a case', () => {
  const about = {
    defect: 'signature-differs',
    kind: 'general',
    election: '2026-11-03',
  } as const;

  test('is the first that covers defect, kind and day', () => {
    const first = makeRule({ defects: ['id-missing'] });
    const second = makeRule({ note: 'second' });
    const third = makeRule({ note: 'third' });
    expect(findRule([first, second, third], about)).toBe(second);
    expect(findRule([first], about)).toBeNull();
    expect(findRule([makeRule({ electionKinds: ['local'] })], about)).toBeNull();
  });

  test('applies from its first to its last election day, both included', () => {
    const rule = makeRule({ electionsFrom: '2024-02-09', electionsUntil: '2026-11-03' });
    const at = (election: string) => findRule([rule], { ...about, election }) !== null;
    expect(['2024-02-08', '2024-02-09', '2026-11-03', '2026-11-04'].map(at)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('The calendar of an office', () => {
  test('knows weekends, public holidays also where another day stands in, and its closures', async () => {
    const read = parseClosures('Friday, 2026-11-05');
    if (!read.ok) throw new Error(read.problem);
    const office = await createCalendar('CO', read.closures);
    const others = await createCalendar('CO', noClosures);
    const open = (days: string[], { isBusinessDay }: BusinessCalendar) => days.map(isBusinessDay);
    const days = ['2026-11-05', '2026-11-06', '2026-11-07', '2026-11-09', '2026-11-11'];
    expect(open(days, office)).toEqual([false, false, false, true, false]);
    expect(open(days, others)).toEqual([true, true, false, true, false]);
    // July 4, 2026 is a Saturday; Friday stands in for it.
    expect(open(['2026-07-02', '2026-07-03'], others)).toEqual([true, false]);
    // November 11, 2029 is a Sunday; Monday stands in for it.
    expect(open(['2029-11-12', '2029-11-13'], others)).toEqual([false, true]);
    // New York votes on the Tuesday after the first Monday, which is not always the first Tuesday.
    const newYork = await createCalendar('NY', noClosures);
    expect(open(['2033-11-01', '2033-11-08'], newYork)).toEqual([true, false]);
    // A day that people celebrate is not a day off: nobody closes for Halloween.
    expect(open(['2025-10-31'], others)).toEqual([true]);
  });

  test('names what of a list of closures is neither a weekday nor a day', () => {
    expect(parseClosures('fri,2026-02-30')).toEqual({ ok: false, problem: '2026-02-30' });
    expect(parseClosures('fr')).toEqual({ ok: false, problem: 'fr' });
    expect(parseClosures('fridays')).toEqual({ ok: false, problem: 'fridays' });
    expect(parseClosures('TUE, thurs,2026-11-11,')).toEqual({
      ok: true,
      closures: { weekdays: [2, 4], days: ['2026-11-11'] },
    });
  });

  test.each([
    ['mon', 'monday', 1],
    ['tue', 'tuesday', 2],
    ['wed', 'wednesday', 3],
    ['thu', 'thursday', 4],
    ['fri', 'friday', 5],
    ['sat', 'saturday', 6],
    ['sun', 'sunday', 7],
  ])('knows %s and %s', (short, long, weekday) => {
    for (const name of [short, long])
      expect(parseClosures(name)).toEqual({
        ok: true,
        closures: { weekdays: [weekday], days: [] },
      });
  });

  test('refuses an office that never opens', async () => {
    const weekdays = [1, 2, 3, 4, 5] as const;
    await expect(createCalendar('CO', { weekdays, days: [] })).rejects.toThrow('every day');
  });
});

test('ballots are due from two weeks before election day to three after it, postmarks until election day', () => {
  const days = ['2026-10-19', '2026-10-20', '2026-11-03', '2026-11-04', '2026-11-24', '2026-11-25'];
  const likely = (rule: 'received' | 'postmarked') =>
    days.filter((date) => isLikelyReturnDay({ rule, date }, '2026-11-03'));
  expect(likely('received')).toEqual(days.slice(1, 5));
  expect(likely('postmarked')).toEqual(days.slice(1, 3));
});

test('the time to fix ends from two weeks before election day to 45 days after it', () => {
  const days = ['2026-10-19', '2026-10-20', '2026-11-03', '2026-12-18', '2026-12-19'];
  expect(days.filter((day) => isLikelyFixDay(day, '2026-11-03'))).toEqual(days.slice(1, 4));
});

test('a day up to 120 days from an election is of it, and the count of its votes is not before it', () => {
  const election = '2026-11-03';
  const days = ['2026-07-05', '2026-07-06', '2027-03-03', '2027-03-04'];
  expect(days.map((each) => isNearElection(each, election))).toEqual([false, true, true, false]);
  for (const anchor of ['certification', 'canvass'] as const) {
    expect(findUnlikelyDay({ election, [anchor]: '2026-11-02' })).toBe(anchor);
    expect(findUnlikelyDay({ election, [anchor]: election })).toBeNull();
  }
  expect(findUnlikelyDay({ election, notice: '2026-11-02' })).toBeNull();
});
