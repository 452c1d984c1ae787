import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { TestClock } from '../../testing/clock.ts';
import { type BallotLayout, createExporter, renderTable, type Table } from './layout.ts';
import { layouts } from './layouts.ts';
import { electionOf, openOffice, optIn, ownOffice, type SeasonOffice } from './office.ts';
import { renderOtherwise, type Style, style } from './otherwise.ts';
import { importWholeRoll } from './season.ts';
import { importOrdinary } from './trial.ts';
import { cureList } from './write-cures.ts';

/** A part of a list of open cases would close the cases of the other parts. */
export const ballotLayouts = layouts.filter(
  (layout): layout is BallotLayout => layout.of === 'ballots' && layout !== cureList,
);

const voters = 24;
const mornings = ['2026-09-30', '2026-10-16', '2026-10-29', '2026-11-06'];

/** How a day's file comes: written otherwise, its lines in another order, in parts, and before a part an earlier file again. */
const coming = fc.record({
  style,
  order: fc.array(fc.nat(1_000), { minLength: voters * 3, maxLength: voters * 3 }),
  cuts: fc.array(fc.nat(voters), { maxLength: 2 }),
  repeats: fc.array(fc.option(fc.nat(12), { nil: undefined }), { minLength: 3, maxLength: 3 }),
});
export const comings = fc.array(coming, {
  minLength: mornings.length,
  maxLength: mornings.length,
});
type Coming = typeof coming extends fc.Arbitrary<infer Value> ? Value : never;

/** An office as files reach it: by the command line or the console. */
type Desk = Pick<SeasonOffice, 'import' | 'release' | 'see' | 'sendMessages'>;

/** Opens the account of an office with all of its voters, of whom each has signed up. */
export async function openWithVoters(
  db: SeasonOffice['db'],
  layout: BallotLayout,
  seed: string,
  clock: TestClock,
): Promise<SeasonOffice> {
  clock.set('2026-09-14T15:00:00Z');
  // A part of a file may be a single row, and that row one of the few that are refused.
  const limits = { import_limits: { refused_percent: 100 } };
  const office = await openOffice(db, clock, layout, limits);
  await importWholeRoll(office, seed, layout, voters, clock);
  await optIn(office.db, 1);
  return office;
}

/**
 * Imports some days' files at one office each once and at another in any order of lines, in parts and with old files between, and
 * expects the same pages and messages of both.
 */
export async function expectSameEnd(options: {
  readonly layout: BallotLayout;
  readonly seed: string;
  readonly comings: readonly Coming[];
  readonly plain: Desk;
  readonly mixed: Desk;
  setClocks(moment: string): void;
}): Promise<void> {
  const { layout, seed, plain, mixed, setClocks } = options;
  const exporter = createExporter(layout, { seed, voters, office: ownOffice(layout) });
  const expected: string[] = [];
  const messages: string[] = [];
  const came: ReturnType<typeof deliveryOf>[] = [];
  for (const [place, morning] of mornings.entries()) {
    setClocks(`${morning}T15:00:00Z`);
    const table = exporter.tableOf(morning);
    if (table.rows.length === 0) continue;
    await importDay(plain, deliveryOf(layout, table));
    expected.push(...(await plain.sendMessages()));
    const how = options.comings[place];
    if (!how) throw new Error(`It is not drawn how the file of ${morning} comes.`);
    const today = cut(layout, shuffle(table, how.order), how.cuts).map((part) =>
      deliveryOf(layout, part, how.style),
    );
    for (const [number, part] of today.entries()) {
      const old = came[how.repeats[number] ?? came.length];
      if (old) {
        // It may wait, and nobody approves it.
        await mixed.import(old);
        expect(await mixed.sendMessages()).toEqual([]);
      }
      await importDay(mixed, part);
      messages.push(...(await mixed.sendMessages()));
    }
    came.push(...today);
  }
  expect(listSorted(await mixed.see())).toEqual(listSorted(await plain.see()));
  expect(messages.toSorted()).toEqual(expected.toSorted());
  // An office with nothing to tell anybody proves little: another is drawn.
  fc.pre(expected.length > 0);
}

function deliveryOf(layout: BallotLayout, table: Table, style?: Style) {
  const bytes = style ? renderOtherwise(layout, table, style) : renderTable(layout, table);
  return { name: table.name, bytes, ...electionOf(layout) };
}

/** A file of the day: if it waits, a second person approves it. */
async function importDay(office: Desk, delivery: ReturnType<typeof deliveryOf>) {
  const { state, reasons } = await importOrdinary(office, delivery);
  expect(state === 'refused' ? reasons : []).toEqual([]);
}

function shuffle(table: Table, order: readonly number[]): Table {
  const drawn = table.rows.map((row, place) => ({ row, draw: order[place] ?? 0 }));
  return { ...table, rows: drawn.sort((a, b) => a.draw - b.draw).map(({ row }) => row) };
}

/** All rows of a voter stay together: of one ballot, rows in two files are two reports, of which the later one counts. */
function cut({ columns, places }: BallotLayout, table: Table, cuts: readonly number[]): Table[] {
  const id = columns.indexOf(places.id);
  const groups = [...Map.groupBy(table.rows, (row) => row[id]).values()];
  const ends = [...cuts, groups.length].sort((a, b) => a - b);
  const parts = ends.map((end, part) => groups.slice(part > 0 ? ends[part - 1] : 0, end).flat());
  return parts.filter((rows) => rows.length > 0).map((rows) => ({ ...table, rows }));
}

function listSorted(picture: ReadonlyMap<string, string>): string[] {
  return [...picture].map(([key, value]) => `${key}: ${value}`).sort();
}
