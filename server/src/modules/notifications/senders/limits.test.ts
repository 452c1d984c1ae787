import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { anyLimits, anyMessage, anyWait } from '../../../../../testing/sender-limits.ts';
import type { Account } from '../../accounts/index.ts';
import {
  admit,
  book,
  dayMs,
  type Lane,
  mostOfDay,
  nextRoomAt,
  quarterMs,
  roomAt,
  type SenderLimits,
  type SenderUse,
  secondMs,
  sliceMs,
  spareAt,
  strictest,
  unbook,
  unusedSender,
} from './limits.ts';
import { sendersOf } from './senders.ts';

const noon = Date.UTC(2026, 10, 3, 12);
const shortCode: SenderLimits = { perSecond: 100, perDay: null };
const daily: SenderLimits = { perSecond: null, perDay: 100 };
const of = (parts: number, lane: Lane = 'news') => ({ lane, parts });

describe('a second of a sender', () => {
  const used = (parts: number, at = noon - sliceMs): SenderUse =>
    book(shortCode, unusedSender, parts, at);

  test.each([
    [98, 2],
    [99, 1],
    [100, 0],
    [101, 0],
  ])('with %i parts used has room for %i', (parts, room) => {
    expect(roomAt(shortCode, used(parts), 'answers', noon)).toBe(room);
    expect(spareAt(shortCode, used(parts), noon)).toBe(room);
  });

  test.each([
    [secondMs - 1, 0],
    [secondMs, 13],
    [secondMs + 1, 13],
  ])('is over %i ms after it was used up, not before', (ms, room) => {
    expect(roomAt(shortCode, used(100, noon - ms), 'answers', noon)).toBe(room);
  });

  test.each([
    [12, 1],
    [13, 0],
    [14, 0],
  ])('is spread: with %i parts in this moment there is room for %i', (parts, room) => {
    expect(roomAt(shortCode, used(parts, noon), 'answers', noon)).toBe(room);
  });

  test('has room for a text of two parts when two parts are left, and for none of three', () => {
    expect(admit(shortCode, used(98), [of(2)], noon).count).toBe(1);
    expect(admit(shortCode, used(98), [of(3)], noon).count).toBe(0);
  });

  test('is used up by a text longer than the limit, which goes alone and delays what follows for as long', () => {
    const tollFree: SenderLimits = { perSecond: 3, perDay: null };
    const { count, use } = admit(tollFree, unusedSender, [of(6), of(1)], noon);
    expect(count).toBe(1);
    expect(nextRoomAt(tollFree, use, of(1), noon)).toBe(noon + 2 * secondMs);
    expect(admit(tollFree, book(tollFree, unusedSender, 1, noon - 999), [of(6)], noon).count).toBe(
      0,
    );
  });
});

describe('a day of a sender', () => {
  test('has a twentieth that only what is urgent may use', () => {
    const use = book(daily, unusedSender, 95, noon);
    expect(admit(daily, book(daily, unusedSender, 94, noon), [of(1), of(1)], noon).count).toBe(1);
    expect(admit(daily, use, [of(1)], noon).count).toBe(0);
    const urgent = Array.from({ length: 7 }, () => of(1, 'urgent'));
    expect(admit(daily, use, urgent, noon).count).toBe(5);
    // What is set aside for a claim may be urgent.
    expect(spareAt(daily, use, noon)).toBe(5);
    expect(mostOfDay(100, 'urgent')).toBe(100);
    expect(mostOfDay(1, 'news')).toBe(1);
  });

  test('ends when the quarter of an hour in which it was used up is a day ago', () => {
    const use = book(daily, unusedSender, 100, noon + 60_000);
    expect(nextRoomAt(daily, use, of(1), noon + 60_000)).toBe(noon + quarterMs + dayMs);
    for (const [ms, room] of [[-1, 0] as const, [0, 95] as const, [1, 95] as const])
      expect(roomAt(daily, use, 'news', noon + quarterMs + dayMs + ms)).toBe(room);
  });
});

test('a sender that offices share has the lowest of each of their limits', () => {
  expect(
    strictest([
      { perSecond: 100, perDay: null },
      { perSecond: 75, perDay: 9 },
      { perSecond: null, perDay: 10 },
    ]),
  ).toEqual({ perSecond: 75, perDay: 9 });
  expect(strictest([])).toEqual({ perSecond: null, perDay: null });
  const office = (accountId: number, sms: object) =>
    ({
      accountId,
      settings: {
        ...{ short_code: '41575', from_voice: `+1352555010${accountId}` },
        sending_limits: {
          sms: { kind: 'short-code', per_second: null, per_day: null, ...sms },
          voice: { per_second: accountId, per_day: null },
        },
      },
    }) as unknown as Account;
  const offices = [office(1, { per_second: 9 }), office(2, { per_second: 7, per_day: 50 })];
  const site = { emailPerSecond: 20, emailPerDay: null, visitsPerSecond: 0 };
  expect(
    sendersOf(offices, site).map(({ key, limits, accounts }) => [key, limits, accounts.length]),
  ).toEqual([
    ['email relay', { perSecond: 20, perDay: null }, 2],
    ['sms 41575', { perSecond: 7, perDay: 50 }, 2],
    ['voice +13525550101', { perSecond: 1, perDay: null }, 1],
    ['voice +13525550102', { perSecond: 2, perDay: null }, 1],
  ]);
});

const anySteps = fc.array(
  fc.record({
    wait: anyWait,
    messages: fc.array(anyMessage, { maxLength: 60 }),
  }),
  { maxLength: 60 },
);

test('whatever comes when, no second and no day of a sender is over its limit', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, (limits, steps) => {
      let now = noon;
      let use = unusedSender;
      const left: { at: number; parts: number; lane: Lane }[] = [];
      for (const { wait, messages } of steps) {
        now += wait;
        const admitted = admit(limits, use, messages, now);
        use = admitted.use;
        for (const one of messages.slice(0, admitted.count)) left.push({ at: now, ...one });
      }
      for (const [index, first] of left.entries()) {
        const within = (ms: number) => left.slice(index).filter(({ at }) => at < first.at + ms);
        const sum = (of: readonly { parts: number }[]) => of.reduce((n, { parts }) => n + parts, 0);
        const { perSecond, perDay } = limits;
        // A text that is longer than the limit goes alone.
        const second = within(secondMs);
        if (perSecond !== null && second.length > 1)
          expect(sum(second)).toBeLessThanOrEqual(perSecond);
        const day = within(dayMs);
        if (perDay !== null && day.length > 1) expect(sum(day)).toBeLessThanOrEqual(perDay);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('the next moment with room is the first one at which the message leaves', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, anyMessage, (limits, steps, message) => {
      let now = noon;
      let use = unusedSender;
      for (const { wait, messages } of steps) {
        now += wait;
        use = admit(limits, use, messages, now).use;
      }
      const at = nextRoomAt(limits, use, message, now);
      expect(admit(limits, use, [message], at).count).toBe(1);
      if (at > now) expect(admit(limits, use, [message], at - 1).count).toBe(0);
    }),
    { numRuns: runs(300) },
  );
});

test('what is set aside and given back leaves the sender as it was, also when others send meanwhile', () => {
  fc.assert(
    fc.property(
      anyLimits,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 900 }),
      (limits, parts, others, ms) => {
        const meanwhile = book(limits, book(limits, unusedSender, parts, noon), others, noon + ms);
        expect(unbook(limits, meanwhile, parts, noon)).toEqual(
          book(limits, unusedSender, others, noon + ms),
        );
      },
    ),
    { numRuns: runs(200) },
  );
});
