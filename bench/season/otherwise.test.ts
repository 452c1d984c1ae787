import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestClock } from '../../testing/clock.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { runs, timeFor } from '../../testing/runs.ts';
import { createExporter, renderTable } from './layout.ts';
import { layouts, scanLayouts } from './layouts.ts';
import { electionOf, openOffice, optIn, ownOffice } from './office.ts';
import { canBeOtherwise, renderOtherwise, style } from './otherwise.ts';
import { importWholeRoll } from './season.ts';
import { importOrdinary } from './trial.ts';

const voters = 60;
const mornings = ['2026-10-20', '2026-11-02'];

test.for([...layouts, ...scanLayouts].filter(canBeOtherwise))(
  'a file of $format once more, written otherwise, does not wait and sends no message',
  { timeout: timeFor(60_000) },
  async (layout) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1_000_000), style, async (number, drawn) => {
        const seed = String(number);
        const exporter = createExporter(layout, { seed, voters, office: ownOffice(layout) });
        const filled = mornings.filter((morning) => exporter.tableOf(morning).rows.length > 0);
        // Few envelopes have a problem, and a list of open cases may have none.
        fc.pre(filled.length > 0);
        const clock = createTestClock('2026-09-14T15:00:00Z');
        const office = await openOffice(await createTestDatabase(), clock, layout);
        try {
          if (layout.of === 'ballots') await importWholeRoll(office, seed, layout, voters, clock);
          // The names of a roll are what voters read: in other letters they are something new.
          const letters = layout.of === 'voters' ? 'as they are' : drawn.letters;
          for (const [place, morning] of filled.entries()) {
            clock.set(`${morning}T15:00:00Z`);
            const table = exporter.tableOf(morning);
            const delivery = { name: table.name, ...electionOf(layout) };
            const usual = { ...delivery, bytes: renderTable(layout, table) };
            const { state, code, reasons } = await importOrdinary(office, usual);
            // Refused where the row typed wrongly is half of a short list.
            const expected = state === 'refused' ? [code, ...reasons] : [0];
            if (place === 0) await optIn(office.db, 1);
            await office.sendMessages();
            const before = await office.see();

            const bytes = renderOtherwise(layout, table, { ...drawn, letters });
            const again = await office.import({ ...delivery, bytes });
            expect([again.code, ...again.reasons]).toEqual(expected);
            expect(await office.sendMessages()).toEqual([]);
            expect(await office.see()).toEqual(before);
          }
        } finally {
          await office.close();
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  },
);
