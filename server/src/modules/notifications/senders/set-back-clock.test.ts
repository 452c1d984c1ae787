import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { anyLimits, anyMessage, anyWait } from '../../../../../testing/sender-limits.ts';
import {
  admit,
  book,
  dayMs,
  nextRoomAt,
  quarterMs,
  roomAt,
  type SenderLimits,
  secondMs,
  spareAt,
  unusedSender,
  withinClock,
} from './limits.ts';

const noon = Date.UTC(2026, 10, 3, 12);
const year = 365 * dayMs;
/** Clocks of one site may differ by so much; a text of ten parts at one part in five seconds is paid for in the next 49. */
const nearMs = 60_000;

const anySteps = fc.array(
  fc.record({
    wait: anyWait,
    /** What the clock is set back by before. */
    back: fc.oneof(
      fc.constant(0),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 3 * dayMs }),
      fc.constant(year),
    ),
    messages: fc.array(anyMessage, { maxLength: 40 }),
  }),
  { minLength: 1, maxLength: 40 },
);

test('a clock that is set back closes no sender for longer than its limits do', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, anyMessage, (limits, steps, message) => {
      let now = noon;
      let use = unusedSender;
      for (const { wait, back, messages } of steps) {
        now += wait - back;
        use = admit(limits, withinClock(limits, use, now), messages, now).use;
      }
      for (const back of [0, 3_600_000, year]) {
        const then = now - back;
        const known = withinClock(limits, use, then);
        const at = nextRoomAt(limits, known, message, then);
        expect(admit(limits, known, [message], at).count).toBe(1);
        const longest = limits.perDay === null ? 0 : dayMs + quarterMs;
        expect(at - then).toBeLessThanOrEqual(longest + nearMs);
        // Also before anybody has put the notes right.
        if (limits.perDay === null)
          expect(nextRoomAt(limits, use, message, then) - then).toBeLessThanOrEqual(nearMs);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('no second and no day is over its limit, however often the clock is set back', () => {
  fc.assert(
    fc.property(anyLimits, anySteps, (limits, steps) => {
      let [time, behind] = [noon, 0];
      let use = unusedSender;
      const left: { at: number; parts: number }[] = [];
      for (const { wait, back, messages } of steps) {
        time += wait;
        behind += back;
        const now = time - behind;
        const admitted = admit(limits, withinClock(limits, use, now), messages, now);
        use = admitted.use;
        for (const { parts } of messages.slice(0, admitted.count)) left.push({ at: time, parts });
      }
      for (const [index, first] of left.entries()) {
        const within = (ms: number) => left.slice(index).filter(({ at }) => at < first.at + ms);
        const sum = (of: readonly { parts: number }[]) => of.reduce((n, { parts }) => n + parts, 0);
        const [second, day] = [within(secondMs), within(dayMs)];
        const { perSecond, perDay } = limits;
        // A text that is longer than the limit goes alone.
        if (perSecond !== null && second.length > 1)
          expect(sum(second)).toBeLessThanOrEqual(perSecond);
        if (perDay !== null && day.length > 1) expect(sum(day)).toBeLessThanOrEqual(perDay);
      }
    }),
    { numRuns: runs(300) },
  );
});

test('an hour’s jump leaves a short code closed for no moment, and a spent day for one day', () => {
  const shortCode: SenderLimits = { perSecond: 100, perDay: null };
  const sent = book(shortCode, unusedSender, 100, noon + 3_600_000);
  expect(roomAt(shortCode, sent, 'news', noon)).toBe(13);
  expect(spareAt(shortCode, sent, noon)).toBe(100);
  expect(nextRoomAt(shortCode, withinClock(shortCode, sent, noon), of(1), noon)).toBe(
    noon + secondMs,
  );
  const daily: SenderLimits = { perSecond: null, perDay: 100 };
  const spent = withinClock(daily, book(daily, unusedSender, 100, noon + year), noon);
  expect(nextRoomAt(daily, spent, of(1), noon)).toBe(noon + dayMs + quarterMs);
  // Workers whose clocks differ by little count each other's messages.
  const near = book(shortCode, unusedSender, 100, noon + 2_000);
  expect(withinClock(shortCode, near, noon)).toBe(near);
  expect(roomAt(shortCode, near, 'news', noon)).toBe(0);
});

function of(parts: number) {
  return { lane: 'news', parts } as const;
}
