import type { Channel } from '@ballot-beacon/contract/messages';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  causeOf,
  decideReminder,
  isFollowed,
  isPastItsMoment,
  listMoments,
  type MadeReminder,
  type ReminderPoint,
} from './rules.ts';

const points: readonly ReminderPoint[] = ['half', '48h', '24h', 'last-morning'];
const timeZone = 'America/New_York';
const at = (iso: string) => Date.parse(iso);
const hour = 3_600_000;
const deadline = at('2026-11-05T17:00:00-05:00');
const time = { since: at('2026-10-26T17:00:00-04:00'), deadline, timeZone };

describe('The moments of reminders', () => {
  test('are at half the time, 48 and 24 hours before the deadline, and on its last morning', () => {
    expect(
      listMoments(time, points).map((one) => [one.point, new Date(one.at).toISOString()]),
    ).toEqual([
      ['half', '2026-10-31T21:30:00.000Z'],
      ['48h', '2026-11-03T22:00:00.000Z'],
      ['24h', '2026-11-04T22:00:00.000Z'],
      ['last-morning', '2026-11-05T14:00:00.000Z'],
    ]);
  });

  test('are fewer when little time is left, and none without points', () => {
    const late = { ...time, since: deadline - 28 * hour };
    expect(listMoments(late, points).map(({ point }) => point)).toEqual(['half', 'last-morning']);
    expect(listMoments({ ...time, since: deadline - 3 * hour }, points)).toEqual([]);
    expect(listMoments(time, [])).toEqual([]);
    // A last morning that is the deadline itself takes the place of no other.
    const early = { ...time, deadline: at('2026-11-05T09:00:00-05:00') };
    expect(listMoments(early, ['4h', 'last-morning']).map(({ point }) => point)).toEqual(['4h']);
  });

  test('are not gone back to by a clock that is put back', () => {
    const facts = { ...time, points, isFeedLate: false, channels: ['sms'] as const };
    const now = deadline - 30 * hour;
    const after = (...made: MadeReminder[]) => decideReminder({ ...facts, made }, now).action;
    expect(after()).toBe('remind');
    expect(after({ point: 'half', channel: 'sms', state: 'delivered' })).toBe('remind');
    expect(after({ point: '24h', channel: 'sms', state: 'delivered' })).toBe('none');
  });

  test('of a later one leave none to a reminder that waited', () => {
    const cause = causeOf({ ballotId: 1, problemId: 2 }, '48h');
    const isPast = (now: number) => isPastItsMoment(cause, time, points, now);
    const next = deadline - 24 * hour;
    expect([next - 1, next].map(isPast)).toEqual([false, true]);
    // The office has moved the deadline, and the moment of the reminder that waited is none any more.
    const short = { ...time, since: deadline - 23 * hour };
    const ofDay = causeOf({ ballotId: 1, problemId: 2 }, '24h');
    const isPastNow = (now: number) => isPastItsMoment(ofDay, short, ['24h', '4h'], now);
    expect([deadline - 5 * hour, deadline - 4 * hour].map(isPastNow)).toEqual([false, true]);
  });

  test('leave nothing to a reminder that a newer reminder follows, unless that failed', () => {
    const cause = causeOf({ ballotId: 1, problemId: 2 }, 'half');
    const made = (point: string, state: MadeReminder['state'] = 'created') =>
      ({ point, channel: 'sms', state }) as const;
    expect(isFollowed(cause, [made('half'), made('24h')])).toBe(true);
    expect(isFollowed(cause, [made('48h'), made('half')])).toBe(false);
    expect(isFollowed(cause, [made('half'), made('24h', 'failed-permanent')])).toBe(false);
  });

  test('keep their distance, and lie after the news and before the deadline', () => {
    const any = fc.record({
      since: fc.integer({ min: deadline - 40 * 24 * hour, max: deadline - 1 }),
      more: fc.uniqueArray(fc.integer({ min: 1, max: 500 }).map((n): ReminderPoint => `${n}h`)),
    });
    fc.assert(
      fc.property(any, ({ since, more }) => {
        const moments = listMoments({ ...time, since }, [...points, ...more]).map((one) => one.at);
        for (const [index, moment] of moments.entries()) {
          expect(moment).toBeGreaterThanOrEqual((moments[index - 1] ?? since) + 6 * hour);
          expect(moment).toBeLessThan(deadline);
        }
      }),
    );
  });
});

/** What happens to a voter's envelope, to the office's files and to the clock. */
type Happening =
  | { readonly kind: 'tick'; readonly hours: number }
  | { readonly kind: 'file'; readonly isOpen: boolean }
  | { readonly kind: 'silence' }
  | { readonly kind: 'failure' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('tick' as const),
      hours: fc.integer({ min: -40, max: 120 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('file' as const), isOpen: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('silence' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('failure' as const) }) },
);

describe('Reminders, in any order of files, fixes, reversals, late feeds and clock changes', () => {
  const channels: readonly Channel[] = ['sms', 'email', 'voice'];

  test('never go after a fix is on record, at or after the deadline, while the feed is late, or twice', () => {
    let reminders = 0;
    fc.assert(
      fc.property(fc.array(happening, { minLength: 5, maxLength: 60 }), (story) => {
        let now = time.since;
        let problem = 1;
        let isOpen = true;
        let isFeedLate = false;
        const made = new Map<number, MadeReminder[]>([[1, []]]);
        for (const one of story) {
          if (one.kind === 'tick') now += one.hours * hour;
          if (one.kind === 'silence') isFeedLate = true;
          if (one.kind === 'file') {
            isFeedLate = false;
            // A problem that comes back after a fix is another one.
            if (one.isOpen && !isOpen) {
              problem += 1;
              made.set(problem, []);
            }
            isOpen = one.isOpen;
          }
          const ofProblem = made.get(problem) as MadeReminder[];
          if (one.kind === 'failure' && ofProblem.length > 0)
            ofProblem.push({ ...(ofProblem.pop() as MadeReminder), state: 'failed-permanent' });
          if (!isOpen) continue;
          const decided = decideReminder(
            { ...time, points, isFeedLate, made: ofProblem, channels },
            now,
          );
          if (decided.action !== 'remind') continue;
          reminders += 1;
          expect(now).toBeLessThan(deadline);
          expect(isFeedLate).toBe(false);
          const same = ofProblem.filter(({ point }) => point === decided.point);
          expect(same.every(({ state }) => state === 'failed-permanent')).toBe(true);
          expect(same.map(({ channel }) => channel)).not.toContain(decided.channel);
          ofProblem.push({ ...decided, state: 'sent' });
        }
        for (const all of made.values())
          expect(all.filter(({ state }) => state === 'sent').length).toBeLessThanOrEqual(
            points.length,
          );
      }),
      { numRuns: 2_000 },
    );
    expect(reminders).toBeGreaterThan(500);
  });

  test('wait while the office’s newest file is too old, and go with its next file', () => {
    const facts = { ...time, points, made: [], channels };
    const now = deadline - 40 * hour;
    expect(decideReminder({ ...facts, isFeedLate: true }, now)).toEqual({ action: 'wait' });
    expect(decideReminder({ ...facts, isFeedLate: false }, now)).toMatchObject({ point: '48h' });
  });

  test('go on the next channel when one failed, until none is left', () => {
    const facts = { ...time, points, isFeedLate: false, channels: ['sms', 'email'] as const };
    const now = deadline - 20 * hour;
    const sms: MadeReminder = { point: '24h', channel: 'sms', state: 'failed-permanent' };
    expect(decideReminder({ ...facts, made: [] }, now)).toMatchObject({ channel: 'sms' });
    expect(decideReminder({ ...facts, made: [sms] }, now)).toMatchObject({ channel: 'email' });
    expect(decideReminder({ ...facts, made: [sms, { ...sms, channel: 'email' }] }, now)).toEqual({
      action: 'none',
    });
    const exhausted = { ...sms, state: 'failed-temporary-exhausted' } as const;
    expect(decideReminder({ ...facts, made: [exhausted] }, now)).toMatchObject({
      channel: 'email',
    });
    for (const state of ['created', 'outcome-unknown', 'expired'] as const)
      expect(decideReminder({ ...facts, made: [{ ...sms, state }] }, now).action).toBe('none');
    // Of a number that got the reminder before, nobody knows that it failed.
    expect(
      decideReminder({ ...facts, made: [{ ...sms, point: '48h', state: 'delivered' }] }, now),
    ).toMatchObject({ channel: 'sms', point: '24h' });
    // A number that failed two days ago is not the first to try again.
    expect(decideReminder({ ...facts, made: [{ ...sms, point: '48h' }] }, now)).toMatchObject({
      channel: 'email',
      point: '24h',
    });
  });
});
