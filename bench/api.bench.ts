import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { serialize } from 'node:v8';
import {
  divideApiConnections,
  divideConnections,
} from '../server/src/platform/connection-shares.ts';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { compare, type Measured, summarize } from './api/figures.ts';
import { type Answered, loadClosed, type NextRequest, percentile } from './api/load.ts';
import { describeOthers, watchDatabase, watchOthers } from './api/machine.ts';
import { apiCommand, type Served, serve } from './api/processes.ts';
import { type Recording, recordRequests } from './api/recording.ts';
import { asks, type Kind, pick, statusOf, type Visitor } from './api/requests.ts';
import { seedOffices } from './api/seed.ts';

/**
 * What a request costs one api process, compared with bare servers in alternating rounds on the same database:
 * `npm run bench -- api`.
 *
 * `--rounds N` (3) of `--seconds N` (2) for each call and server; `--offices N` (100) besides one, or 1 for one alone; `--kinds LIST` of `information`, `progress`,
 * `dashboard`, `sign-in right` and `sign-in wrong`, all by default; `--connections N` (50, and 100 for signing in).
 *
 * The floors are one process each, as the product is, with as many connections to PostgreSQL and the same bytes out (api/floor.ts): `same` sends the product's own
 * statements, recorded before from an api process in this run, `one` a single statement.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    offices: { type: 'string', default: '100' },
    kinds: { type: 'string', default: Object.keys(asks).join() },
    connections: { type: 'string' },
  },
});
const rounds = Number(options.rounds);
const ms = Number(options.seconds) * 1000;
const kinds = options.kinds.split(',') as Kind[];
/** As `DATABASE_CONNECTIONS` is by default. */
const databaseConnections = 20;
/** Those of the product that serve visitors; the floor has no other. */
const votersConnections = divideConnections(
  divideApiConnections(databaseConnections, { hasConsole: false, hasPooler: false }).visitors,
  'visitors',
  { hasVoterLogin: false, hasPooler: false },
).voters;
const votersOfEach = 2_000;
/** So many visitors that each is a new one for a while; a voter may open a hundred pages a minute. */
const visitorsOfOne = 150;
const visitorsOfEach = 2;
const serverNames = ['product', 'same', 'one'] as const;
type ServerName = (typeof serverNames)[number];
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** One office or all, with the voters who ask, and what each asked when it was recorded. */
interface Crowd {
  readonly offices: number;
  readonly everyone: readonly Visitor[];
  readonly recordings: readonly (Recording & { readonly number: number })[];
}

const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-api-'));
const postgres = await startPrivatePostgres({ dataDirectory: folder });
try {
  await migrate(postgres.url);
  const crowds = await prepareCrowds();
  const file = path.join(folder, 'recordings');
  writeFileSync(file, serialize(crowds.flatMap(({ recordings }) => recordings)));
  const serveFloor = (mode: string) =>
    serve(['bench/api/floor.ts', mode, file, String(votersConnections)], environment());
  const servers = {
    product: await serve(apiCommand, environment()),
    same: await serveFloor('same'),
    one: await serveFloor('one'),
  };
  try {
    await measureAll(servers, crowds);
  } finally {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
  }
} finally {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}

function environment(): Record<string, string> {
  return { DATABASE_URL: postgres.url, DATABASE_CONNECTIONS: String(databaseConnections) };
}

async function prepareCrowds(): Promise<Crowd[]> {
  const database = openDatabase(postgres.url, { connections: 4 });
  const offices = Number(options.offices);
  const voters = await seedOffices(database, { offices, votersOfEach });
  await database.close();
  const byOffice = [...Map.groupBy(voters, ({ host }) => host).values()];
  const recorder = await serve(
    ['--import', './bench/api/recording-api.ts', ...apiCommand],
    environment(),
  );
  try {
    const [first = []] = byOffice;
    const one = await recordRequests(recorder, first.slice(0, visitorsOfOne), kinds);
    const number = (recordings: Recording[], from: number) =>
      recordings.map((recording, place) => ({ ...recording, number: from + place }));
    const ofOne = { offices: 1, everyone: first, recordings: number(one, 0) };
    if (offices === 1) return [ofOne];
    const some = byOffice.flatMap((own) => own.slice(-visitorsOfEach));
    const all = await recordRequests(recorder, some, kinds);
    return [ofOne, { offices, everyone: voters, recordings: number(all, one.length) }];
  } finally {
    await recorder.stop();
  }
}

async function measureAll(
  servers: Readonly<Record<ServerName, Served>>,
  crowds: readonly Crowd[],
): Promise<void> {
  const readDatabaseCpu = await watchDatabase(postgres.url);
  const readOwnCpu = () =>
    Object.values(servers).reduce((sum, { readCpu }) => sum + readCpu(), readDatabaseCpu());
  const cases = crowds.flatMap((crowd) => kinds.map((kind) => ({ crowd, kind })));
  for (const { crowd, kind } of cases)
    for (const name of serverNames) await load(servers[name], nextOf(name, crowd, kind), kind);
  const readOthers = watchOthers(readOwnCpu);
  const measured = cases.map(() => ({ product: [], same: [], one: [] }) as Rounds);
  for (let round = 0; round < rounds; round += 1)
    for (const [place, { crowd, kind }] of cases.entries())
      for (const name of rotate(serverNames, round + place))
        measured[place]?.[name].push(await measureOne(servers[name], name, crowd, kind));
  const others = readOthers();

  async function measureOne(
    server: Served,
    name: ServerName,
    crowd: Crowd,
    kind: Kind,
  ): Promise<Measured> {
    const [serverBefore, databaseBefore] = [server.readCpu(), readDatabaseCpu()];
    const startedAt = performance.now();
    const answers = await load(server, nextOf(name, crowd, kind), kind);
    const seconds = (performance.now() - startedAt) / 1000;
    const right = answers.filter(({ status }) => status === statusOf[kind]);
    const refused = answers.filter(({ status }) => status === 503).length;
    const each = (cpu: number) => (cpu * 1000) / right.length;
    return {
      perSecond: right.length / seconds,
      serverMs: each(server.readCpu() - serverBefore),
      databaseMs: each(readDatabaseCpu() - databaseBefore),
      p99: percentile(right, 0.99),
      refused,
      wrong: answers.length - right.length - refused,
    };
  }

  const figures = cases.map(({ crowd, kind }, place) =>
    describe(crowd, kind, measured[place] as Rounds),
  );
  const megabytes = servers.product.readMegabytes();
  say(`api at the end ${megabytes} MB · ${describeOthers(others)}`);
  const report = { name: 'api', rounds, megabytes, others, cases: figures };
  say(JSON.stringify(report, (_, value) => (typeof value === 'number' ? round(value, 3) : value)));
  if (figures.some(({ wrong }) => wrong > 0)) process.exitCode = 1;
}

type Rounds = Readonly<Record<ServerName, Measured[]>>;

function load(server: Served, next: NextRequest, kind: Kind): Promise<Answered[]> {
  const usual = kind.startsWith('sign-in') ? 100 : 50;
  return loadClosed(server.port, next, {
    connections: Number(options.connections ?? usual),
    ms,
  });
}

/** Reads are of the recorded voters at each server, so that all do the same; who signs in is another one each time. */
function nextOf(name: ServerName, { everyone, recordings }: Crowd, kind: Kind): NextRequest {
  const own = recordings.filter((one) => one.kind === kind);
  if (name === 'product')
    return kind.startsWith('sign-in')
      ? () => ({ kind, bytes: asks[kind](pick(everyone)) })
      : () => ({ kind, bytes: asks[kind](pick(own).voter) });
  return () => {
    const { voter, number } = pick(own);
    const head = Buffer.from(`x-recording: ${number}\r\n`);
    const bytes = asks[kind](voter);
    const end = bytes.indexOf('\r\n') + 2;
    return { kind, bytes: Buffer.concat([bytes.subarray(0, end), head, bytes.subarray(end)]) };
  };
}

function describe({ offices, recordings }: Crowd, kind: Kind, all: Rounds) {
  const recorded = recordings.filter((one) => one.kind === kind);
  const statements = recorded.reduce((sum, { trips }) => sum + trips.length, 0) / recorded.length;
  const [product, same, one] = serverNames.map((name) => summarize(all[name])) as [
    Measured,
    Measured,
    Measured,
  ];
  const ratio = { same: compare(all.product, all.same), one: compare(all.product, all.one) };
  say(
    `${kind}, ${offices === 1 ? 'one office' : `${offices} offices`}: ${show(product)} · ${round(statements, 1)} statements`,
  );
  say(`  same statements  ${show(same)} · ratio ${showRatio(ratio.same)}`);
  say(`  one statement    ${show(one)} · ratio ${showRatio(ratio.one)}`);
  const wrong = product.wrong + same.wrong + one.wrong;
  return { kind, offices, statements, product, same, one, ratio, wrong };
}

function show({ perSecond, serverMs, databaseMs, p99, refused, wrong }: Measured): string {
  const usual = `${Math.round(perSecond)}/s, CPU ${serverMs.toFixed(2)} + ${databaseMs.toFixed(2)} ms, p99 ${p99} ms`;
  return `${usual}${refused > 0 ? `, ${refused} refused` : ''}${wrong > 0 ? `, ${wrong} WRONG ANSWERS` : ''}`;
}

function showRatio({ speed, cpu }: { readonly speed: number; readonly cpu: number }): string {
  return `${speed.toFixed(2)} (${cpu.toFixed(2)} by CPU)`;
}

/** So that no server always comes after the same other. */
function rotate<T>(list: readonly T[], by: number): T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
