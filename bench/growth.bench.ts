import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { pg } from '../testing/sql.ts';
import { median } from './api/figures.ts';
import { type Answered, loadClosed, percentile } from './api/load.ts';
import { describeOthers, watchDatabase, watchOthers } from './api/machine.ts';
import { apiCommand, type Served, serve } from './api/processes.ts';
import { asks, type Kind, pick, statusOf } from './api/requests.ts';
import { type SeededVoter, seedOffices } from './api/seed.ts';

/**
 * Whether a large roll is slower than a small one: `npm run bench -- growth`. Each size is a database with one office of so many voters, each with a ballot
 * and four events, and an api process of its own, all in one PostgreSQL; they are asked in alternating rounds.
 *
 * `--voters LIST` (100000,22000000), the smallest first; `--rounds N` (5) of `--seconds N` (3) for each call and size; `--connections N` (10). The largest takes about
 * 1 GB of disk for a million voters. Prints what requests waited for pages, of which a large roll has more than PostgreSQL keeps in memory. Fails where a call's p99
 * is more than 1.3 times that of the smallest size.
 */
const { values: options } = parseArgs({
  options: {
    voters: { type: 'string', default: '100000,22000000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '10' },
  },
});
const sizes = options.voters.split(',').map(Number);
const rounds = Number(options.rounds);
const load = { connections: Number(options.connections), ms: Number(options.seconds) * 1000 };
const signedIn = 20_000;
const mostRatio = 1.3;
const kinds = Object.keys(asks) as Kind[];
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

interface Roll {
  readonly size: number;
  readonly voters: readonly SeededVoter[];
  readonly api: Served;
  /** Of each kind, by round. */
  readonly answers: Map<Kind, Answered[][]>;
}

/** What PostgreSQL had to read that was not in its own memory. */
interface Reads {
  /** Of 8 kB. */
  readonly pages: number;
  readonly ms: number;
}

const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-growth-'));
const postgres = await startPrivatePostgres({ dataDirectory: folder });
const admin = new pg.Client({ connectionString: postgres.url });
await admin.connect();
const rolls: Roll[] = [];
try {
  for (const size of sizes) rolls.push(await prepareRoll(size));
  await measure();
} finally {
  await Promise.all(rolls.map(({ api }) => api.stop()));
  await admin.end();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}

async function prepareRoll(size: number): Promise<Roll> {
  const startedAt = performance.now();
  const name = databaseOf(size);
  await admin.query(`create database ${name}`);
  await admin.query(`alter database ${name} set track_io_timing = on`);
  const url = postgres.url.replace('/beacon?', `/${name}?`);
  await migrate(url);
  const database = openDatabase(url, { connections: 4 });
  const voters = await seedOffices(database, {
    ...{ offices: 1, votersOfEach: size },
    signedInOfEach: Math.min(size, signedIn),
  });
  await database.close();
  const { rows } = await admin.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size($1)) as size',
    [name],
  );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  say(`${size} voters: ${rows[0]?.size}, made in ${seconds} s`);
  const api = await serve(apiCommand, { DATABASE_URL: url });
  return { size, voters, api, answers: new Map(kinds.map((kind) => [kind, []])) };
}

function databaseOf(size: number): string {
  return `roll_${size}`;
}

async function measure(): Promise<void> {
  const readDatabaseCpu = await watchDatabase(postgres.url);
  const readOwnCpu = () => rolls.reduce((sum, { api }) => sum + api.readCpu(), readDatabaseCpu());
  for (const kind of kinds) for (const roll of rolls) await ask(roll, kind);
  const readOthers = watchOthers(readOwnCpu);
  const readsBefore = await Promise.all(rolls.map(readsOf));
  // Each second round backwards: what comes after another call finds more of its voters in memory.
  for (let round = 0; round < rounds; round += 1)
    for (const kind of inTurn(kinds, round))
      for (const roll of inTurn(rolls, round)) roll.answers.get(kind)?.push(await ask(roll, kind));

  const [smallest] = rolls;
  const cases = kinds.flatMap((kind) =>
    rolls.map((roll) => describe(roll, kind, smallest?.answers.get(kind) ?? [])),
  );
  for (const [index, roll] of rolls.entries())
    say(describeReads(roll, readsBefore[index], await readsOf(roll)));
  say(describeOthers(readOthers()));
  say(JSON.stringify({ name: 'growth', rounds, cases }));
  if (cases.some(({ wrong, ratio }) => wrong > 0 || ratio > mostRatio)) process.exitCode = 1;
}

function inTurn<T>(all: readonly T[], round: number): readonly T[] {
  return round % 2 === 0 ? all : all.toReversed();
}

/** Up to now; a backend counts what it read seconds later, so that less than many rounds say nothing. */
async function readsOf({ size }: Roll): Promise<Reads> {
  const { rows } = await admin.query<Reads>(
    'select blks_read::float8 as pages, blk_read_time as ms from pg_stat_database where datname = $1',
    [databaseOf(size)],
  );
  return rows[0] ?? { pages: 0, ms: 0 };
}

function describeReads({ size, answers }: Roll, before: Reads | undefined, after: Reads): string {
  const requests = [...answers.values()].flat(2).length;
  const ofEach = (key: keyof Reads) => ((after[key] - (before?.[key] ?? 0)) / requests).toFixed(2);
  return `${size} voters: a request read ${ofEach('pages')} pages that were not in memory, in ${ofEach('ms')} ms`;
}

function ask({ api, voters }: Roll, kind: Kind): Promise<Answered[]> {
  return loadClosed(api.port, () => ({ kind, bytes: asks[kind](pick(voters)) }), load);
}

function describe({ size, answers }: Roll, kind: Kind, smallest: readonly Answered[][]) {
  const own = answers.get(kind) ?? [];
  const p99s = own.map((round) => percentile(round, 0.99));
  // Of the rounds' own ratios, so that a slow minute of the machine counts for both or not at all.
  const ratios = p99s.map((p99, round) => p99 / percentile(smallest[round] ?? [], 0.99));
  const ratio = Number(median(ratios).toFixed(2));
  const all = own.flat();
  const wrong = all.filter(({ status }) => status !== statusOf[kind]).length;
  const figures = { kind, size, requests: all.length, wrong, p99: median(p99s), ratio };
  say(
    `${kind.padEnd(13)} ${String(size).padStart(9)} voters: ${all.length} requests${wrong > 0 ? `, ${wrong} WRONG OR REFUSED` : ''}, p50 ${percentile(all, 0.5)} ms, p99 ${figures.p99} ms, ${ratio} × the smallest`,
  );
  return figures;
}
