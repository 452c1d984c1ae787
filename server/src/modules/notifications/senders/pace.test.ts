import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { bookPace, nextPaceAt, paceRoomAt, unusedPace } from './pace.ts';

const noon = Date.UTC(2026, 10, 3, 17);
const one = { key: 'sms 41575', weight: 100 };
const other = { key: 'email relay', weight: 300 };

test.each([
  [56, 1, 4],
  [57, 0, 3],
  [58, 0, 2],
  [59, 0, 1],
  [60, 0, 0],
  [61, 0, 0],
])(
  'after %i messages a second with a pace of 60 has room for %i, and for %i of a sender that comes new',
  (messages, room, ofNew) => {
    const used = bookPace(unusedPace, one, messages, noon);
    expect(paceRoomAt(60, used, one, noon + 500)).toBe(room);
    expect(paceRoomAt(60, used, other, noon + 500)).toBe(ofNew);
  },
);

test('a new second has room again, and not a moment before', () => {
  const used = bookPace(unusedPace, one, 60, noon + 400);
  expect(nextPaceAt(60, used, one, noon + 500)).toBe(noon + 1_000);
  expect(paceRoomAt(60, used, one, noon + 999)).toBe(0);
  expect(paceRoomAt(60, used, one, noon + 1_000)).toBe(8);
});

test('a sender with its share lets another with less go first, and then has what is left', () => {
  const before = bookPace(bookPace(unusedPace, one, 1, noon - 500), other, 1, noon - 500);
  const used = bookPace(before, one, 15, noon);
  expect(paceRoomAt(60, used, one, noon + 500)).toBe(0);
  expect(paceRoomAt(60, used, other, noon + 500)).toBe(8);
  const both = bookPace(used, other, 39, noon);
  expect(paceRoomAt(60, both, one, noon + 500)).toBe(3);
});

test.each([
  [59, 1],
  [60, 0],
])(
  'a toll-free number is not slowed after %i messages of others: it has room for %i, and not for more than it could send',
  (messages, room) => {
    const slow = { key: 'sms 8885550100', weight: 2 };
    const used = bookPace(unusedPace, one, messages, noon);
    expect(paceRoomAt(60, used, slow, noon)).toBe(room);
    const own = bookPace(unusedPace, slow, 3, noon);
    expect(paceRoomAt(60, own, slow, noon)).toBe(1);
    expect(paceRoomAt(60, bookPace(own, slow, 1, noon), slow, noon)).toBe(0);
  },
);

test('without a pace there is room for any number', () => {
  expect(paceRoomAt(null, unusedPace, one, noon)).toBe(Number.POSITIVE_INFINITY);
});

test('in whatever order they ask, no second of all senders is over the pace, and senders that ask all the time get their shares', () => {
  const weights = fc.array(fc.integer({ min: 11, max: 200 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(weights, fc.integer({ min: 100, max: 400 }), fc.nat(), (each, perSecond, seed) => {
      const senders = each.map((weight, index) => ({ key: `sender ${index}`, weight }));
      const all = each.reduce((sum, weight) => sum + weight, 0);
      fc.pre(all > perSecond);
      const sent = new Map<string, number>();
      const bySecond = new Map<number, number>();
      let use = unusedPace;
      for (let at = noon; at < noon + 10_000; at += 10)
        for (const [turn] of senders.entries()) {
          const sender = senders[(turn + seed + at / 10) % senders.length];
          if (!sender) continue;
          const messages = Math.min(5, paceRoomAt(perSecond, use, sender, at));
          if (messages === 0) continue;
          use = bookPace(use, sender, messages, at);
          sent.set(sender.key, (sent.get(sender.key) ?? 0) + messages);
          const second = Math.floor(at / 1_000);
          bySecond.set(second, (bySecond.get(second) ?? 0) + messages);
        }
      for (const messages of bySecond.values()) expect(messages).toBeLessThanOrEqual(perSecond);
      for (const { key, weight } of senders) {
        const fair = (10 * perSecond * weight) / all;
        expect(sent.get(key) ?? 0, key).toBeGreaterThan(0.6 * fair - 10);
      }
    }),
    { numRuns: runs(60) },
  );
});
