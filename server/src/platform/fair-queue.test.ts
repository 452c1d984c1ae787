import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFairQueue, QueueFull } from './fair-queue.ts';

/** Work that ends when the test says so, in the order in which it started. */
function createWork() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  let running = 0;
  let mostRunning = 0;
  return {
    started,
    mostRunning: () => mostRunning,
    work: (who: string) => () => {
      started.push(who);
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      return new Promise<void>((resolve) =>
        ends.push(() => {
          running -= 1;
          resolve();
        }),
      );
    },
    async endNext() {
      ends.shift()?.();
      await new Promise(setImmediate);
    },
    isIdle: () => ends.length === 0,
  };
}

test('one who asks a hundred times delays another by no more than the work at hand', async () => {
  const { started, work, endNext, isIdle } = createWork();
  const queue = createFairQueue({ atOnce: 2, mostWaiting: 500, mostWaitingOfOne: 100 });
  const flood = Array.from({ length: 100 }, () => queue.run('flood', work('flood')));
  const voters = ['ann', 'bea', 'cal'].map((who) => queue.run(who, work(who)));
  while (!isIdle()) await endNext();
  await Promise.all([...flood, ...voters]);
  expect(started).toHaveLength(103);
  for (const who of ['ann', 'bea', 'cal']) expect(started.indexOf(who)).toBeLessThan(6);
});

test('too many of one, and too many in all, are refused at once; the others go on', async () => {
  const { work, endNext, isIdle } = createWork();
  const queue = createFairQueue({ atOnce: 1, mostWaiting: 3, mostWaitingOfOne: 2 });
  const kept = ['a', 'a', 'a', 'b'].map((who) => queue.run(who, work(who)));
  await expect(queue.run('a', work('a'))).rejects.toThrow(QueueFull);
  await expect(queue.run('c', work('c'))).rejects.toThrow(QueueFull);
  while (!isIdle()) await endNext();
  await Promise.all(kept);
  const late = queue.run('c', work('c'));
  await endNext();
  await late;
});

test('one has no more turns in line than the limit of one, however many are free, and all have no more than the limit of all', async () => {
  const { work, endNext, isIdle } = createWork();
  const line = async (names: string) => {
    const queue = createFairQueue({ atOnce: 1, mostWaiting: 4, mostWaitingOfOne: 2 });
    const answers = Promise.allSettled([...names].map((who) => queue.run(who, work(who))));
    await new Promise(setImmediate);
    while (!isIdle()) await endNext();
    return (await answers).map(({ status }) => status === 'fulfilled');
  };
  expect(await line('aaab')).toEqual([true, true, true, true]);
  expect(await line('aaaab')).toEqual([true, true, true, false, true]);
  expect(await line('abbccd')).toEqual([true, true, true, true, true, false]);
});

test('whatever is asked and fails, never more run at once, and everything gets its turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ who: fc.constantFrom('a', 'b', 'c'), fails: fc.boolean() }), {
        maxLength: 30,
      }),
      fc.integer({ min: 1, max: 4 }),
      async (asked, atOnce) => {
        const { work, started, mostRunning, endNext, isIdle } = createWork();
        const queue = createFairQueue({ atOnce, mostWaiting: 99, mostWaitingOfOne: 99 });
        const answers = asked.map(({ who, fails }) =>
          queue.run(who, async () => {
            await work(who)();
            if (fails) throw new Error('It failed.');
          }),
        );
        const settled = Promise.allSettled(answers);
        await new Promise(setImmediate);
        while (!isIdle()) await endNext();
        await settled;
        expect(started).toHaveLength(asked.length);
        expect(mostRunning()).toBeLessThanOrEqual(atOnce);
      },
    ),
  );
});
