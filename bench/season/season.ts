import { addDays, type Day, daysBetween } from '../../demo/generator/calendar.ts';
import { createRandom } from '../../demo/generator/random.ts';
import { createTestClock, type TestClock } from '../../testing/clock.ts';
import { createTestDatabase } from '../../testing/database.ts';
import {
  type AccidentKind,
  type AccidentScene,
  accidentKinds,
  causeAccident,
} from './accidents.ts';
import { createExporter, type Exporter, type Layout, renderTable } from './layout.ts';
import { type DailyFile, listFiles } from './model.ts';
import {
  election,
  electionOf,
  lastElection,
  openOffice,
  optIn,
  ownOffice,
  type SeasonOffice,
  specialElection,
} from './office.ts';
import {
  type AccidentResult,
  type Copy,
  importOrdinary,
  isImported,
  tryAccident,
  type WaitingFile,
} from './trial.ts';
import { beaconBallots, beaconVoters } from './write-own.ts';
import { barcodes } from './write-scans.ts';

/** An ordinary day whose file waited, or was refused. */
export interface OddDay {
  readonly day: Day;
  readonly state: string;
  readonly reasons: readonly string[];
}

export interface SeasonResult {
  readonly format: string;
  readonly seed: string;
  readonly voters: number;
  readonly hasListeners: boolean;
  readonly days: number;
  readonly oddDays: readonly OddDay[];
  readonly messages: number;
  /** Kinds that the format cannot have are left out. */
  readonly accidents: readonly AccidentResult[];
}

export interface SeasonOptions {
  readonly layout: Layout;
  readonly seed: string;
  readonly voters: number;
  readonly hasListeners: boolean;
  readonly kinds?: readonly AccidentKind[];
  /** The office begins with its file at this place, in the middle of the season; 0 if left out. */
  readonly joinsAt?: number;
  /** So many files at most; all if left out. */
  readonly mostFiles?: number;
  /** So many files come on the day of the last of them, as of an office that catches up; 1 if left out. */
  readonly atOnce?: number;
  /** Place of the file in whose stead all accidents happen, from the end if negative; drawn if left out. */
  readonly accidentAt?: number;
  /** Called when an accident's file waits, with a copy of the office and what its voters saw before. */
  readonly inspect?: (waiting: WaitingFile) => Promise<void>;
}

/** The morning of a file, before the office's voters are up. */
const morningOf = (day: Day): string => `${day}T11:00:00Z`;

/** Imports an office's files of a season, day by day, and tries each accident on a copy of the office on its day. */
export async function runSeason(options: SeasonOptions): Promise<SeasonResult> {
  const { layout, voters, hasListeners, kinds = accidentKinds, joinsAt = 0, mostFiles } = options;
  const seed = `${options.seed} ${layout.format} ${voters}`;
  const clock = createTestClock();
  const scene = createScene(seed, layout, voters);
  const hasFile = (day: Day) => listsOpenCases(layout) || scene.own.tableOf(day).rows.length > 0;
  const files = listFiles(seed, hasFile).slice(joinsAt).slice(0, mostFiles);
  const { accidentAt = null, atOnce = 1 } = options;
  const arrivalOf = (place: number) => {
    const last = place - (place % atOnce) + atOnce - 1;
    return morningOf((files[last] ?? files.at(-1))?.on ?? '');
  };
  const accidentsOf = drawAccidents(seed, files, kinds, accidentAt);
  clock.set(arrivalOf(0));
  const office = await openOffice(await createTestDatabase(), clock, layout);
  const oddDays: OddDay[] = [];
  const accidents: AccidentResult[] = [];
  let messages = 0;

  try {
    if (layout.of === 'ballots') await importWholeRoll(office, seed, layout, voters, clock);
    for (const [place, { of: day }] of files.entries()) {
      clock.set(arrivalOf(place));
      if (scene.beside) {
        const table = scene.beside.tableOf(day);
        const bytes = renderTable(beaconBallots, table);
        await importOrdinary(office, { name: table.name, bytes });
        messages += (await office.sendMessages()).length;
      }
      const today: AccidentScene = { ...scene, today: day, yesterday: files[place - 1]?.of ?? day };
      const copies = await copyForAccidents(office, today, accidentsOf.get(place) ?? []);
      const before = copies.length > 0 ? await office.see() : new Map<string, string>();
      const table = scene.own.tableOf(day);
      const right = { name: table.name, bytes: renderTable(layout, table), ...electionOf(layout) };
      const imported = await importOrdinary(office, right);
      if (!isImported(imported))
        oddDays.push({ day, state: imported.state, reasons: imported.reasons });
      const sent = await office.sendMessages();
      messages += sent.length;
      const after = copies.length > 0 ? await office.see() : before;
      for (const { kind, delivery, copy } of copies) {
        const { inspect } = options;
        const trial = { kind, day, delivery, copy, right, before, after, sent };
        accidents.push(await tryAccident({ ...trial, ...(inspect && { inspect }) }));
        await copy.close();
      }
      if (place === 0 && hasListeners) await optIn(office.db, 4);
    }
  } finally {
    await office.close();
  }
  const { format } = layout;
  return {
    ...{ format, seed: options.seed, voters, hasListeners },
    ...{ days: files.length, oddDays, messages, accidents },
  };
}

/** A list of open cases comes on a day without any, too: a header and no rows. */
function listsOpenCases({ definition }: Layout): boolean {
  return definition !== undefined && 'missing_rows' in definition;
}

export function createScene(
  seed: string,
  layout: Layout,
  voters: number,
): Omit<AccidentScene, 'today' | 'yesterday'> & {
  /** The office's own list, which comes just before each file of envelopes; null for other files. */
  readonly beside: Exporter | null;
} {
  const adams = ownOffice(layout);
  const far = (voter: number) => layout.idOf(layout.hasLocalIds ? voter : voter + 1_000_000);
  const whole = createExporter(layout, { seed, voters, office: adams });
  const hasSpecial = createRandom(`${seed} special election`).chance(0.5);
  const own = hasSpecial ? addSpecialElection(layout, whole, { seed, voters }) : whole;
  const otherCounty = createExporter(layout, {
    ...{ seed: `${seed} other county`, voters },
    office: { ...adams, county: 'Benton', idOf: far },
  });
  const { number, date } = lastElection;
  const lastYear = createExporter(layout, {
    ...{ seed: `${seed} last year`, voters, daysEarlier: 364 },
    office: { ...adams, electionNumber: number, electionDate: date },
  });
  const list = { seed, voters, office: { ...adams, idOf: beaconBallots.idOf } };
  const isBesideList = layout.of === 'ballots' && layout.isOfEnvelopes;
  const beside = isBesideList ? createExporter(beaconBallots, list) : null;
  return { seed, layout, own, otherCounty, lastYear, beside };
}

/** After a special election its ballots are in the files for some weeks. */
const lastSpecialFile: Day = '2026-10-09';

/** Adds the ballots of an election that a part of the county has a few weeks earlier, where rows name their election. */
function addSpecialElection(
  layout: Layout,
  whole: Exporter,
  { seed, voters }: { readonly seed: string; readonly voters: number },
): Exporter {
  if (layout.of === 'voters' || layout.places.election === undefined || layout.needsBallots)
    return whole;
  const { number, date } = specialElection;
  const daysEarlier = daysBetween(date, election.date);
  const special = createExporter(layout, {
    ...{ seed: `${seed} special`, voters: Math.ceil(voters * 0.12), daysEarlier },
    office: { ...whole.office, electionNumber: number, electionDate: date },
  });
  return {
    office: whole.office,
    tableOf(morning) {
      const table = whole.tableOf(morning);
      if (morning > lastSpecialFile) return table;
      const { rows } = special.tableOf(addDays(morning, daysEarlier));
      return { ...table, rows: [...table.rows, ...rows] };
    },
  };
}

/** By the place of their file. Each accident falls on a day when ballots have come back and are decided. */
function drawAccidents(
  seed: string,
  files: readonly DailyFile[],
  kinds: readonly AccidentKind[],
  at: number | null,
): Map<number, AccidentKind[]> {
  const first = Math.min(27, files.length - 10);
  const drawn = kinds.map((kind) => {
    const random = createRandom(`${seed} day of ${kind}`);
    const place = at ?? random.between(first, files.length - 3);
    return { kind, place: place < 0 ? files.length + place : place };
  });
  const byPlace = Map.groupBy(drawn, ({ place }) => place);
  return new Map([...byPlace].map(([place, found]) => [place, found.map(({ kind }) => kind)]));
}

async function copyForAccidents(
  office: SeasonOffice,
  scene: AccidentScene,
  kinds: readonly AccidentKind[],
): Promise<Copy[]> {
  const copies: Copy[] = [];
  for (const kind of kinds) {
    const delivery = causeAccident(kind, scene);
    if (delivery) copies.push({ kind, delivery, copy: await office.copy() });
  }
  return copies;
}

/** The voters of a season of ballots, all on the roll from the start. */
export async function importWholeRoll(
  office: SeasonOffice,
  seed: string,
  layout: Layout,
  voters: number,
  clock: TestClock,
): Promise<void> {
  const { idOf, state } = layout;
  const roll = createExporter(beaconVoters, {
    ...{ seed, voters },
    office: { county: 'Adams', state, electionNumber: '', electionDate: '', idOf },
  });
  const everybody = roll.tableOf('2026-11-30');
  const load = async (name: string, bytes: Buffer) => {
    const path = office.beacon.write(name, bytes);
    const { code, stdout, stderr } = await office.beacon.run('import', path, '--account', 'adams');
    if (code !== 0)
      throw new Error(`${name} was not imported on ${clock.now()}: ${stdout}${stderr}`);
  };
  await load('voters.csv', renderTable(beaconVoters, everybody));
  if (layout.of === 'ballots' && layout.needsBallots)
    await load('requests.csv', writeRequests(seed, voters));
  if (layout.of === 'ballots' && layout.isOfEnvelopes)
    await load('pieces.csv', writePieces(seed, voters));
}

/** Every ballot of the season as the office lists it before anything was printed. */
function writeRequests(seed: string, voters: number): Buffer {
  const { number: electionNumber, date: electionDate } = election;
  const { idOf, state } = beaconBallots;
  const exporter = createExporter(beaconBallots, {
    ...{ seed, voters },
    office: { county: 'Adams', state, electionNumber, electionDate, idOf },
  });
  const all = exporter.tableOf('2026-11-30');
  const kept = ['registration_id', 'election', 'ballot_number', 'status'];
  const places = kept.map((column) => all.columns.indexOf(column));
  const rows = all.rows.map((row) =>
    places.map((place, at) => (kept[at] === 'status' ? 'requested' : (row[place] ?? ''))),
  );
  return renderTable(beaconBallots, { ...all, columns: kept, rows });
}

/** The barcodes of every envelope of the season, as a mail house gives them before it prints. */
function writePieces(seed: string, voters: number): Buffer {
  const { number: electionNumber, date: electionDate } = election;
  const { idOf, state } = beaconBallots;
  const office = { county: 'Adams', state, electionNumber, electionDate, idOf };
  return renderTable(
    barcodes,
    createExporter(barcodes, { seed, voters, office }).tableOf('2026-11-30'),
  );
}
