import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTestClock, type TestClock } from '../../testing/clock.ts';
import { createTestDatabase } from '../../testing/database.ts';
import { runs, timeFor } from '../../testing/runs.ts';
import {
  type BallotLayout,
  createExporter,
  type Exporter,
  plainText,
  renderTable,
  type Table,
} from './layout.ts';
import { layouts } from './layouts.ts';
import { election, electionOf, openOffice, optIn, type SeasonOffice } from './office.ts';
import { importWholeRoll } from './season.ts';
import { importOrdinary } from './trial.ts';
import { cureList } from './write-cures.ts';
import { beaconBallots } from './write-own.ts';

/** The mail house's list: a ballot is on it once it is printed, and has a day once it is mailed. */
const mailPieces: BallotLayout = {
  ...beaconBallots,
  format: 'beacon-mailpieces',
  columns: ['registration_id', 'election', 'ballot_number', 'printed_on', 'mailed_on', 'imb'],
  text: plainText,
  fileName: (day) => `pieces-${day}.csv`,
  toRows: (now, office) => [
    {
      ...{ registration_id: office.idOf(now.voter), election: office.electionNumber },
      ...{ ballot_number: String(now.copy), printed_on: now.requestedOn, mailed_on: now.sentOn },
      imb: `00741123456${String(now.voter * 10 + now.copy).padStart(9, '0')}`,
    },
  ],
};

/** An application is decided on the day on which its ballot would be mailed: it may have come months before, and is old news then. */
const applications: BallotLayout = {
  ...beaconBallots,
  format: 'beacon-applications',
  columns: [
    'registration_id',
    'election',
    'application_status',
    'received_on',
    'decided_on',
    'reason',
  ],
  text: plainText,
  fileName: (day) => `applications-${day}.csv`,
  toRows: (now, office) => {
    const [status, reason] = decisions[now.voter % decisions.length] ?? ['approved', ''];
    const isOpen = now.state === 'requested';
    return [
      {
        ...{ registration_id: office.idOf(now.voter), election: office.electionNumber },
        ...{
          received_on: now.requestedOn,
          decided_on: isOpen ? '' : now.sentOn || now.requestedOn,
        },
        ...{ application_status: isOpen ? 'received' : status, reason: isOpen ? '' : reason },
      },
    ];
  },
};
const decisions = [
  ['approved', ''],
  ['approved', ''],
  ['incomplete', 'Not signed'],
  ['refused', 'Not registered'],
] as const;

/** A part of a list of open cases would close the cases of the other parts. */
const ballotLayouts = [...layouts, mailPieces, applications].filter(
  (layout): layout is BallotLayout => layout.of === 'ballots' && layout !== cureList,
);

const voters = 24;
const mornings = ['2026-09-30', '2026-10-16', '2026-10-29', '2026-11-06'];

/** How a day's file comes: its lines in another order, in parts, and before a part an earlier file again. */
const coming = fc.record({
  order: fc.array(fc.nat(1_000), { minLength: voters * 3, maxLength: voters * 3 }),
  cuts: fc.array(fc.nat(voters), { maxLength: 2 }),
  repeats: fc.array(fc.option(fc.nat(12), { nil: undefined }), { minLength: 3, maxLength: 3 }),
});
const plan = fc.record({
  seed: fc.nat(1_000_000),
  comings: fc.array(coming, { minLength: mornings.length, maxLength: mornings.length }),
});

test.for(ballotLayouts)(
  'files of $format in any order of lines, in parts and again leave page and messages as if each came once',
  { timeout: timeFor(60_000) },
  async (layout) => {
    await fc.assert(
      fc.asyncProperty(plan, async ({ seed, comings }) => {
        const clock = createTestClock();
        const plain = await openWithVoters(layout, String(seed), clock);
        const mixed = await plain.copy();
        try {
          const exporter = createAdams(layout, String(seed));
          const expected: string[] = [];
          const messages: string[] = [];
          const came: Table[] = [];
          for (const [place, morning] of mornings.entries()) {
            clock.set(`${morning}T15:00:00Z`);
            const table = exporter.tableOf(morning);
            if (table.rows.length === 0) continue;
            await importTable(plain, layout, table);
            expected.push(...(await plain.sendMessages()));
            const { order = [], cuts = [], repeats = [] } = comings[place] ?? {};
            const today = cut(layout, shuffle(table, order), cuts);
            for (const [part, rows] of today.entries()) {
              const old = came[repeats[part] ?? came.length];
              if (old) {
                // It may wait, and nobody approves it.
                await mixed.import(deliveryOf(layout, old));
                expect(await mixed.sendMessages()).toEqual([]);
              }
              await importTable(mixed, layout, rows);
              messages.push(...(await mixed.sendMessages()));
            }
            came.push(...today);
          }
          expect(listSorted(await mixed.see())).toEqual(listSorted(await plain.see()));
          expect(messages.toSorted()).toEqual(expected.toSorted());
          expect(expected.length).toBeGreaterThan(0);
        } finally {
          await mixed.close();
          await plain.close();
        }
      }),
      { numRuns: runs(1), endOnFailure: true },
    );
  },
);

async function openWithVoters(
  layout: BallotLayout,
  seed: string,
  clock: TestClock,
): Promise<SeasonOffice> {
  clock.set('2026-09-14T15:00:00Z');
  // A part of a file may be a single row, and that row one of the few that are refused.
  const limits = { import_limits: { refused_percent: 100 } };
  const office = await openOffice(await createTestDatabase(), clock, layout, limits);
  await importWholeRoll(office, seed, layout, voters, clock);
  if (layout === mailPieces) await importRequests(office, seed);
  await optIn(office.db, 1);
  return office;
}

function createAdams(layout: BallotLayout, seed: string): Exporter {
  const { idOf, state } = layout;
  const { number: electionNumber, date: electionDate } = election;
  const office = { county: 'Adams', state, electionNumber, electionDate, idOf };
  return createExporter(layout, { seed, voters, office });
}

/** The mail house lists only ballots that the office knows. */
async function importRequests(office: SeasonOffice, seed: string): Promise<void> {
  const everyBallot = createAdams(beaconBallots, seed).tableOf('2026-11-30');
  const kept = ['registration_id', 'election', 'ballot_number', 'status'];
  const places = kept.map((column) => everyBallot.columns.indexOf(column));
  const rows = everyBallot.rows.map((row) =>
    places.map((place, at) => (kept[at] === 'status' ? 'requested' : (row[place] ?? ''))),
  );
  await importTable(office, beaconBallots, { ...everyBallot, columns: kept, rows });
}

function deliveryOf(layout: BallotLayout, table: Table) {
  return { name: table.name, bytes: renderTable(layout, table), ...electionOf(layout) };
}

/** A file of the day: if it waits, a second person approves it. */
async function importTable(office: SeasonOffice, layout: BallotLayout, table: Table) {
  const { state, reasons } = await importOrdinary(office, deliveryOf(layout, table));
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
