import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { bookPace, nextPaceAt, type PacedSender, paceRoomAt, unusedPace } from './pace.ts';

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

/** Senders that ask every hundredth of a second for up to five messages. @returns by second, what each has sent in it */
function secondsOf(
  { senders, seed }: { senders: readonly PacedSender[]; seed: number },
  perSecond: number,
): Map<string, number>[] {
  const seconds: Map<string, number>[] = [];
  let use = unusedPace;
  for (let second = 0; second < 8; second += 1) {
    const sent = new Map<string, number>();
    seconds.push(sent);
    for (let at = noon + second * 1_000; at < noon + (second + 1) * 1_000; at += 10)
      for (const [turn] of senders.entries()) {
        const sender = senders[(turn + seed + at / 10) % senders.length];
        const messages = sender ? Math.min(5, paceRoomAt(perSecond, use, sender, at)) : 0;
        if (!sender || messages === 0) continue;
        use = bookPace(use, sender, messages, at);
        sent.set(sender.key, (sent.get(sender.key) ?? 0) + messages);
      }
  }
  return seconds;
}

const manySenders = fc.record({
  senders: fc
    .array(fc.integer({ min: 11, max: 200 }), { minLength: 1, maxLength: 6 })
    .map((weights) => weights.map((weight, index) => ({ key: `sender ${index}`, weight }))),
  seed: fc.nat(),
});

test('in whatever order they ask, no second of all senders is over the pace, and each sender has nine tenths of its share or its whole messages', () => {
  fc.assert(
    fc.property(manySenders, fc.integer({ min: 100, max: 400 }), (asking, perSecond) => {
      const all = asking.senders.reduce((sum, { weight }) => sum + weight, 0);
      fc.pre(all > perSecond);
      // In the first second those who ask first do not know of the others, who find a little kept for them.
      for (const [second, sent] of secondsOf(asking, perSecond).entries()) {
        const messages = [...sent.values()].reduce((sum, each) => sum + each, 0);
        expect(messages, `second ${second}`).toBeLessThanOrEqual(perSecond);
        for (const { key, weight } of asking.senders) {
          const share = (Math.floor(0.95 * perSecond) * weight) / all;
          const least = Math.min(0.9 * share, Math.max(1, Math.floor(share)));
          if (second >= 2)
            expect(sent.get(key) ?? 0, `${key}, second ${second}`).toBeGreaterThanOrEqual(least);
        }
      }
    }),
    { numRuns: runs(60) },
  );
});

test('the sender that asks last is not left with what others have over their shares', () => {
  const senders = [24, 159, 163, 11, 73].map((weight, index) => ({ key: `${index}`, weight }));
  const [, second] = secondsOf({ senders, seed: 6 }, 100);
  expect(second?.get('0')).toBe(5);
});
