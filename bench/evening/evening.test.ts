import { expect, test } from 'vitest';
import { drawEvening } from './draw.ts';
import { runEvening } from './run.ts';

/** A fiftieth of an evening: `npm run bench -- evening` has all of it. */
const messages = 400_000;

test.each(['first', 'second', 'third'])(
  'of the %s evening each sender is done when it was said, within its limits, and urgent messages leave at once',
  (seed) => {
    const evening = drawEvening(seed, messages);
    const done = runEvening(evening);
    expect(done).toHaveLength(evening.senders.length);
    for (const [index, { loads, limits, key }] of evening.senders.entries()) {
      const one = done[index];
      if (!one) throw new Error(`${key} did not send.`);
      const drawn = loads.reduce((sum, load) => sum + load.messages, 0);
      expect(one.messages, key).toBe(drawn + one.urgent);
      expect(Math.abs(one.error), key).toBeLessThanOrEqual(0.1);
      expect(one.urgent, key).toBeGreaterThan(0);
      expect(one.urgentWaitMs, key).toBeLessThanOrEqual(10_000);
      expect(one.mostInSecond, key).toBeLessThanOrEqual(limits.perSecond ?? 0);
    }
  },
);
