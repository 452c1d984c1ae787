import { describe, expect, test } from 'vitest';
import { announceFinishes, type Backlog, forecast } from './forecast.ts';
import { type SenderLimits, unusedSender } from './limits.ts';
import { describeFinish } from './words.ts';

const timeZone = 'America/New_York';
/** 3 PM in the office's zone. */
const now = Date.parse('2026-11-03T20:00:00Z');
const second = 1_000;
const shortCode: SenderLimits = { perSecond: 100, perDay: null };
const senderOf = (limits: SenderLimits) => ({ limits, use: unusedSender });

function newsOf(messages: number, rest: Partial<Backlog> = {}): Backlog {
  return {
    ...{ sender: senderOf(shortCode), lane: 'news', messages, sizes: [1], from: now },
    ...{ expiresAt: null, hours: null, timeZone, ...rest },
  };
}

/** Seconds until the last message of each leaves. */
const secondsOf = (backlogs: readonly Backlog[], pace: number | null = null) =>
  forecast(backlogs, pace, now).map(({ endsAt }) =>
    endsAt === null ? null : Math.round((endsAt - now) / second),
  );

describe('the last message leaves', () => {
  test('when a short code has sent the parts of all', () => {
    expect(secondsOf([newsOf(10_000)])).toEqual([100]);
    expect(secondsOf([newsOf(10_000, { sizes: [1, 2] })])).toEqual([150]);
  });

  test('later where texts do not fill the second of a toll-free number', () => {
    const sender = senderOf({ perSecond: 3, perDay: null });
    expect(secondsOf([newsOf(600, { sender, sizes: [2] })])).toEqual([600]);
    expect(secondsOf([newsOf(600, { sender, sizes: [3] })])).toEqual([600]);
    expect(secondsOf([newsOf(600, { sender, sizes: [6] })])).toEqual([1_200]);
  });

  test.each([
    [189, 0],
    [190, 0],
    [191, 24.25],
  ])(
    'of %i messages with 200 parts a day, of which news may have 190: %d hours later',
    (messages, hours) => {
      const sender = senderOf({ perSecond: null, perDay: 200 });
      const [seconds] = secondsOf([newsOf(messages, { sender })]);
      expect((seconds ?? 0) / 3_600).toBeCloseTo(hours, 1);
    },
  );

  test('the day after where texts of two parts fill the day', () => {
    const sender = senderOf({ perSecond: null, perDay: 200 });
    const [fits, over] = [95, 96].map(
      (messages) => secondsOf([newsOf(messages, { sender, sizes: [2] })])[0] ?? 0,
    );
    expect(fits).toBeLessThan(60);
    expect((over ?? 0) / 3_600).toBeCloseTo(24.25, 1);
  });

  test('on the day whose last part it is, and the day after behind it', () => {
    const hoursOf = (...sizes: number[]) => {
      const sender = senderOf({ perSecond: null, perDay: 200 });
      const all = secondsOf(sizes.map((messages) => newsOf(messages, { sender })));
      return all.map((seconds) => (seconds ?? 0) / 3_600);
    };
    expect(hoursOf(189, 1)).toEqual([expect.closeTo(0, 1), expect.closeTo(0, 1)]);
    expect(hoursOf(190, 1)).toEqual([expect.closeTo(0, 1), expect.closeTo(24.25, 1)]);
  });

  test('within two weeks; the rest is said to stay', () => {
    const sender = senderOf({ perSecond: null, perDay: 200 });
    // 190 in each of the 24 hours and a quarter that two weeks begin.
    expect(forecast([newsOf(190 * 10, { sender })], null, now)).toEqual([
      { endsAt: expect.any(Number), unsent: 0 },
    ]);
    expect(forecast([newsOf(190 * 20, { sender })], null, now)[0]?.unsent).toBe(190 * 6);
  });

  test('in the morning when the quiet hours begin before', () => {
    const hours = { start: '08:00', end: '20:00' };
    const at = Date.parse('2026-11-04T00:50:00Z');
    const [finish] = forecast([newsOf(100_000, { hours, from: at })], null, at);
    // 60,000 in the ten minutes until 8 PM, the rest from 8 AM on.
    expect(finish?.endsAt).toBeCloseTo(Date.parse('2026-11-04T13:06:40Z'), -4);
  });

  test('after what is urgent, and after what waited before', () => {
    const sender = senderOf(shortCode);
    const earlier = newsOf(1_000, { sender, from: now - 60 * second });
    const urgent = newsOf(500, { sender, lane: 'urgent', from: now + second });
    expect(secondsOf([newsOf(2_000, { sender }), earlier, urgent])).toEqual([35, 15, 6]);
  });

  test('at once where it is urgent and only news have used up their part of the day', () => {
    const sender = senderOf({ perSecond: null, perDay: 200 });
    const urgent = newsOf(10, { sender, lane: 'urgent', from: now + second });
    const [news, first] = secondsOf([newsOf(190, { sender }), urgent]);
    expect(news).toBeLessThan(60);
    expect(first).toBeLessThan(60);
  });

  test('at the pace of the site, which senders share by what they could send, and urgent messages do not wait for', () => {
    const slow = senderOf({ perSecond: 20, perDay: null });
    const both = [newsOf(8_000), newsOf(1_600, { sender: slow })];
    // A twentieth of the pace is kept for senders that come new.
    expect(secondsOf(both, 60)).toEqual([168, 168]);
    expect(secondsOf(both, 130)).toEqual([80, 80]);
    expect(secondsOf([newsOf(8_000, { lane: 'urgent' })], 60)).toEqual([80]);
  });

  test('never where all of them will be too old, which is said', () => {
    const expiresAt = now + 10 * second;
    expect(forecast([newsOf(5_000, { expiresAt })], null, now)).toEqual([
      { endsAt: expect.any(Number), unsent: 4_000 },
    ]);
    expect(forecast([newsOf(5, { from: now + 20 * second, expiresAt })], null, now)).toEqual([
      { endsAt: null, unsent: 5 },
    ]);
  });
});

describe('an announced finish', () => {
  const say = (backlogs: readonly Backlog[]): string | undefined => {
    const finish = announceFinishes(backlogs, () => 'all', null, now).get('all');
    return finish && describeFinish(finish, timeZone, new Date(now));
  };

  test('is a time on the office’s clock', () => {
    expect(say([newsOf(100 * 3_600)])).toBe('The last message leaves about Nov 3, 4:00 PM.');
    expect(say([newsOf(5_900)])).toBe('The last message leaves within a minute.');
    expect(say([newsOf(6_000)])).toBe('The last message leaves about Nov 3, 3:01 PM.');
  });

  test('is two times where a few more parts would take another day', () => {
    const sender = senderOf({ perSecond: 100, perDay: 200_000 });
    expect(say([newsOf(188_000, { sender })])).toBe(
      'The last message leaves between Nov 3, 3:30 PM and Nov 4, 3:15 PM: the messages are close to what may be sent in a day.',
    );
    expect(say([newsOf(150_000, { sender })])).toBe(
      'The last message leaves about Nov 3, 3:25 PM.',
    );
  });

  test('is not within a minute where only a part is sure to be', () => {
    const finish = { earliestAt: now + 30 * second, latestAt: now + 3_600 * second, unsent: 0 };
    expect(describeFinish(finish, timeZone, new Date(now))).toMatch(
      /^The last message leaves between Nov 3, 3:00 PM and Nov 3, 4:00 PM/,
    );
  });

  test('is that of the last of several loads, in whatever order they stand, with all that will be too old', () => {
    const soon = newsOf(6_000, { expiresAt: now + 30 * second });
    const later = newsOf(100 * 3_600, { sender: senderOf(shortCode) });
    const alsoOld = newsOf(6_000, {
      ...{ sender: senderOf(shortCode), expiresAt: now + 30 * second },
    });
    const finishes = [
      [soon, later, alsoOld],
      [later, alsoOld, soon],
    ].map((backlogs) => announceFinishes(backlogs, () => 'all', null, now).get('all'));
    for (const finish of finishes)
      expect(finish).toMatchObject({ latestAt: now + 3_600 * second, unsent: 6_000 });
  });

  test('names the messages that will be too old', () => {
    expect(say([newsOf(500_000, { expiresAt: now + 3_600 * second })])).toBe(
      'The last message leaves about Nov 3, 4:00 PM. 140,000 messages will be more than three days old by then and will not be sent.',
    );
  });
});
