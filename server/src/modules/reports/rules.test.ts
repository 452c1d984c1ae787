import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AlikeBallots, countStatusDays, type EventKey, mostDays } from './rules.ts';

const office = (status: string | null, on: string | null, recorded = '2026-11-20'): EventKey => [
  'office',
  status,
  on,
  recorded,
];
const alike = (count: number, ...events: EventKey[]): AlikeBallots => ({
  events,
  createdOn: '2026-10-01',
  count,
});
const whole = { from: null, to: null };
const today = '2026-11-21';

/** `day status +entered total`, without lines where both are zero. */
function lines(
  ballots: readonly AlikeBallots[],
  period = whole as { from: string | null; to: string | null },
) {
  return countStatusDays(ballots, period, today)
    .filter(({ entered, total }) => entered > 0 || total > 0)
    .map(({ day, status, entered, total }) => `${day} ${status} +${entered} ${total}`);
}

describe('the count of an election’s ballots by status and day', () => {
  test('has each ballot once a day, with its status at the end of the day', () => {
    const ballots = [
      alike(5, office('sent', '2026-10-05'), office('accepted', '2026-10-07')),
      alike(2, office('sent', '2026-10-05'), office('undeliverable', '2026-10-06')),
      // Returned and refused within one day.
      alike(
        1,
        office('sent', '2026-10-05'),
        office('returned', '2026-10-07'),
        office('rejected', '2026-10-07'),
      ),
    ];
    expect(lines(ballots)).toEqual([
      '2026-10-05 sent +8 8',
      '2026-10-06 sent +0 6',
      '2026-10-06 undeliverable +2 2',
      '2026-10-07 accepted +5 5',
      '2026-10-07 rejected +1 1',
      '2026-10-07 undeliverable +0 2',
    ]);
  });

  test('follows the page’s rule: no scan moves a ballot backwards, and an unknown status changes nothing', () => {
    const ballots = [
      alike(
        1,
        office('sent', '2026-10-05'),
        ['scan', 'in-transit', '2026-10-06', '2026-10-06'],
        office('returned', '2026-10-08'),
        ['scan', 'return-in-transit', '2026-10-09', '2026-10-09'],
        office(null, '2026-10-10'),
      ),
    ];
    expect(lines(ballots, { from: null, to: '2026-10-10' })).toEqual([
      '2026-10-05 sent +1 1',
      '2026-10-06 in-transit +1 1',
      '2026-10-07 in-transit +0 1',
      '2026-10-08 returned +1 1',
      '2026-10-09 returned +0 1',
      '2026-10-10 returned +0 1',
    ]);
  });

  test('counts a ballot without a date from the day it was recorded, and one without events as requested', () => {
    expect(lines([alike(3, office('sent', null, '2026-10-04')), alike(2)])).toEqual([
      '2026-10-01 requested +2 2',
      '2026-10-02 requested +0 2',
      '2026-10-03 requested +0 2',
      '2026-10-04 requested +0 2',
      '2026-10-04 sent +3 3',
    ]);
  });

  test('for some days includes what happened before them', () => {
    const ballots = [alike(4, office('sent', '2026-10-05'), office('accepted', '2026-10-20'))];
    expect(lines(ballots, { from: '2026-10-10', to: '2026-10-11' })).toEqual([
      '2026-10-10 sent +0 4',
      '2026-10-11 sent +0 4',
    ]);
  });

  test('that begins after the last change goes on to today, with the ballots as they have been since', () => {
    const ballots = [alike(5, office('sent', '2026-10-05'), office('accepted', '2026-10-07'))];
    expect(lines(ballots, { from: '2026-11-20', to: null })).toEqual([
      '2026-11-20 accepted +0 5',
      '2026-11-21 accepted +0 5',
    ]);
    expect(lines(ballots, { from: '2026-10-07', to: null })).toEqual(['2026-10-07 accepted +5 5']);
  });

  test('ends today, also for days that end later', () => {
    const ballots = [alike(4, office('sent', '2026-11-20'))];
    expect(lines(ballots, { from: null, to: '2026-12-21' })).toEqual([
      '2026-11-20 sent +4 4',
      '2026-11-21 sent +0 4',
    ]);
  });

  test('is not extended by one date of another century, nor into the future', () => {
    const ballots = [
      alike(1, office('sent', '1926-10-05')),
      alike(1, office('sent', '2026-10-05'), office('accepted', '2126-10-05')),
    ];
    const days = countStatusDays(ballots, whole, today);
    expect(new Set(days.map(({ day }) => day)).size).toBe(mostDays);
    expect(days.at(-1)).toMatchObject({ day: today });
    expect(days.find(({ day, status }) => day === today && status === 'sent')?.total).toBe(2);
    expect(countStatusDays([], whole, today)).toEqual([]);
  });

  test('adds up: each day has all ballots known by then, and each ballot that left a status entered another', () => {
    const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-10-${String(n).padStart(2, '0')}`);
    const status = fc.constantFrom('printed', 'sent', 'returned', 'accepted', 'rejected', null);
    const ballot = fc.record({
      events: fc.array(
        fc.tuple(fc.constantFrom('office' as const, 'scan' as const), status, day, day),
        { minLength: 1, maxLength: 5 },
      ),
      createdOn: day,
      count: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(ballot, { minLength: 1, maxLength: 6 }), (ballots) => {
        const rows = countStatusDays(ballots, whole, today);
        const before = new Map<string, number>();
        for (const date of new Set(rows.map((row) => row.day))) {
          const ofDay = rows.filter((row) => row.day === date);
          const heardOf = ballots.filter(({ events }) =>
            events.some(([, , on]) => (on ?? '') <= date),
          );
          expect(ofDay.reduce((sum, { total }) => sum + total, 0)).toBe(
            heardOf.reduce((sum, { count }) => sum + count, 0),
          );
          for (const { status: name, entered, total } of ofDay) {
            expect(total).not.toBeLessThan(0);
            expect(total - entered).toBeLessThanOrEqual(before.get(name) ?? 0);
            before.set(name, total);
          }
        }
      }),
    );
  });
});
