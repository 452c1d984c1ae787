import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { runs, timeFor } from '../../testing/runs.ts';
import { accidentKinds, causeAccident } from './accidents.ts';
import { findFaults } from './inspect.ts';
import { renderTable } from './layout.ts';
import { layouts } from './layouts.ts';
import { electionOf, openOffice, optIn } from './office.ts';
import { createScene, importWholeRoll } from './season.ts';
import { importOrdinary } from './trial.ts';
import { cureList } from './write-cures.ts';

const [yesterday, today] = ['2026-10-22', '2026-10-23'];

const plan = fc.record({
  seed: fc.nat(1_000_000),
  kinds: fc.shuffledSubarray([...accidentKinds], { minLength: 20, maxLength: 20 }),
});
/** Of the kinds in the order drawn, the first that wait; the long run takes more of them, and of more offices. */
const inspectedKinds = runs(1) > 1 ? 3 : 1;

test.for(layouts)(
  'a wrong file of $format that waits is shown in full, and corrected after its approval for exactly those who heard of it',
  { timeout: timeFor(90_000) },
  async (layout) => {
    // Of fewer voters, hardly one has an open case.
    const voters = layout === cureList ? 2_000 : 120;
    await fc.assert(
      fc.asyncProperty(plan, async ({ seed, kinds }) => {
        const clock = createTestClock();
        clock.set(`${yesterday}T11:00:00Z`);
        const office = await openOffice(await createTestDatabase(), clock, layout);
        const scene = { ...createScene(String(seed), layout, voters), today, yesterday };
        const deliver = (day: string) => {
          const table = scene.own.tableOf(day);
          return { name: table.name, bytes: renderTable(layout, table), ...electionOf(layout) };
        };
        try {
          if (layout.of === 'ballots')
            await importWholeRoll(office, String(seed), layout, voters, clock);
          await importOrdinary(office, deliver(yesterday));
          await optIn(office.db, 2);
          await office.sendMessages();
          clock.set(`${today}T11:00:00Z`);
          const right = deliver(today);
          const usual = await office.copy();
          await importOrdinary(usual, right);
          const after = await usual.see();
          await usual.close();
          let waiting = 0;
          for (const kind of kinds) {
            const delivery = waiting < inspectedKinds ? causeAccident(kind, scene) : null;
            if (!delivery || delivery.isAfterTodays) continue;
            const copy = await office.copy();
            const imported = await copy.import(delivery);
            if (imported.state === 'file-held') {
              waiting += 1;
              expect(await findFaults({ kind, imported, office: copy, right, after })).toEqual([]);
            }
            await copy.close();
          }
          expect(waiting).toBeGreaterThan(0);
        } finally {
          await office.close();
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  },
);
