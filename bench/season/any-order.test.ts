import * as fc from 'fast-check';
import { test } from 'vitest';
import { createTestApi } from '../../testing/api.ts';
import { createTestClock } from '../../testing/clock.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { runs, timeFor } from '../../testing/runs.ts';
import { ballotLayouts, comings, expectSameEnd, openWithVoters } from './any-order.ts';
import { openConsole } from './console.ts';

const plan = fc.record({ seed: fc.nat(1_000_000), comings });

test.for(ballotLayouts)(
  'files of $format written otherwise, in any order of lines, in parts and again leave page and messages as if each came once',
  { timeout: timeFor(60_000) },
  async (layout) => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ seed, comings }) => {
        const clock = createTestClock();
        const plain = await openWithVoters(await createTestDatabase(), layout, String(seed), clock);
        const mixed = await plain.copy();
        const setClocks = clock.set;
        try {
          await expectSameEnd({ layout, seed: String(seed), comings, plain, mixed, setClocks });
        } finally {
          await mixed.close();
          await plain.close();
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  },
);

test('files that people upload at the console written otherwise, in any order of lines, in parts and again leave page and messages as if each came once by the command line', {
  timeout: timeFor(90_000),
}, async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.constantFrom(...ballotLayouts), async (planned, layout) => {
      const seed = String(planned.seed);
      const clock = createTestClock();
      const plain = await openWithVoters(await createTestDatabase(), layout, seed, clock);
      const api = await createTestApi();
      try {
        const office = await openWithVoters(api.test, layout, seed, api.clock);
        const mixed = await openConsole(api, office);
        const setClocks = (moment: string) => {
          clock.set(moment);
          api.clock.set(moment);
        };
        await expectSameEnd({ layout, seed, comings: planned.comings, plain, mixed, setClocks });
        office.beacon.remove();
      } finally {
        await api.close();
        await plain.close();
      }
    }),
    { numRuns: runs(2), endOnFailure: true },
  );
});
