import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { VoterMatches } from '@ballot-beacon/contract/office/voters';
import { findVoterId, readVoterSearch, searchVoters } from '../server/src/modules/voters/index.ts';
import { migrate } from '../server/src/platform/migrations.ts';
import { type Db, openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { type KyselyPlugin, PostgresQueryCompiler, pg } from '../testing/sql.ts';
import { describeOthers, watchDatabase, watchOthers } from './api/machine.ts';
import { apiCommand, serve } from './api/processes.ts';
import { type SeededVoter, seedOffices } from './api/seed.ts';
import { openOfficeSession } from './office-session.ts';

/**
 * How long a clerk waits for a search in a large roll: `npm run bench -- search`. Through the console's own call, by a person who is signed in, one search
 * after the other; beside each the bare statement that reads one voter by an index, in the same rounds. Prints the plan of each search.
 *
 * `--voters N` (1000000), about half a GB of disk for a million; `--seconds N` (10) for each search. Fails where a search's p95 is 150 ms or more.
 */
const { values: options } = parseArgs({
  options: {
    voters: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
  },
});
const size = Number(options.voters);
const patience = Number(options.seconds) * 1000;
const mostMs = 150;
/** Conditions on names are as long as what reads a name. */
const mostOfLine = 160;
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** What a clerk types, and hears on the phone. */
const searches = {
  id: ({ id }: Sought) => id,
  name: ({ typed }: Sought) => `${typed.firstname} ${typed.lastname}`,
  'last name': ({ typed }: Sought) => typed.lastname,
  'start of a last name': ({ typed }: Sought) => typed.lastname.slice(0, 3),
  'most common last name': () => commonName,
  'most common name': ({ typed }: Sought) => `${commonName} ${typed.firstname.slice(0, 2)}`,
  "nobody's ID": ({ id }: Sought) => `${id}9`,
  'birth date': ({ typed }: Sought) => typed.birthdate,
  'name and birth date': ({ typed }: Sought) => `${typed.lastname} ${typed.birthdate}`,
} as const;
/** Found where nobody may match. */
const findsNobody: readonly string[] = ['most common name', "nobody's ID"];
type Kind = keyof typeof searches;
type Sought = SeededVoter & { readonly id: string };

const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-search-'));
const postgres = await startPrivatePostgres({ dataDirectory: folder });
const client = new pg.Client({ connectionString: postgres.url });
client.on('error', () => {});
await client.connect();
const readDatabaseCpu = await watchDatabase(postgres.url);
let commonName = '';
let stop = async () => {};
try {
  await migrate(postgres.url);
  const voters = await makeRoll();
  commonName = await readCommonName();
  const api = await serve(apiCommand, {
    DATABASE_URL: postgres.url,
    DATABASE_OFFICE_URL: postgres.url,
  });
  stop = api.stop;
  const cookie = await openOfficeSession(client, 'bench1', 'clerk');
  const readOthers = watchOthers(() => readDatabaseCpu() + api.readCpu());
  const cases = [];
  for (const kind of Object.keys(searches) as Kind[])
    cases.push(await measure(kind, voters, (text) => search(api.port, cookie, text)));
  for (const kind of Object.keys(searches) as Kind[]) await explain(kind, voters);
  say(describeOthers(readOthers()));
  say(JSON.stringify({ name: 'search', voters: size, cases }));
  if (cases.some(({ p95 }) => p95 >= mostMs)) process.exitCode = 1;
} finally {
  await stop();
  await client.end().catch(() => {});
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}

async function makeRoll(): Promise<Sought[]> {
  const startedAt = performance.now();
  const database = openDatabase(postgres.url, { connections: 4 });
  const voters = await seedOffices(database, {
    ...{ offices: 1, votersOfEach: size, signedInOfEach: Math.min(size, 2_000), hasBallots: false },
  });
  await database.close();
  const { rows } = await client.query<{ voter_id: string; registration_id: string }>(
    'select voter_id, registration_id from voters where voter_id = any ($1::bigint[])',
    [voters.map(({ voterId }) => voterId)],
  );
  const ids = new Map(rows.map((row) => [Number(row.voter_id), row.registration_id]));
  say(`${size} voters, made in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return voters.map((voter) => ({ ...voter, id: ids.get(Number(voter.voterId)) ?? '' }));
}

/** The planner's own estimate. */
async function readCommonName(): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select (most_common_vals::text::text[])[1] as name from pg_stats where tablename = 'voters' and attname = 'lastname'`,
  );
  return rows[0]?.name ?? '';
}

async function measure(
  kind: Kind,
  voters: readonly Sought[],
  ask: (text: string) => Promise<VoterMatches>,
) {
  const [own, floor]: [number[], number[]] = [[], []];
  const endsAt = performance.now() + patience;
  for (const voter of voters) {
    own.push(
      await timed(async () => {
        const { matches } = await ask(searches[kind](voter));
        if (matches === 0 && !findsNobody.includes(kind))
          throw new Error(`A search by ${kind} found nobody.`);
      }),
    );
    floor.push(
      await timed(() =>
        client.query({
          name: 'floor',
          text: 'select * from voters where account_id = $1 and registration_id = $2',
          values: [voter.accountId, voter.id],
        }),
      ),
    );
    if (performance.now() > endsAt && own.length > 4) break;
  }
  const figures = { kind, searches: own.length, ...share(own), floor: share(floor) };
  say(
    `${kind.padEnd(22)} ${own.length} searches: p50 ${figures.p50} ms, p95 ${figures.p95} ms; one voter by an index: p50 ${figures.floor.p50} ms, p95 ${figures.floor.p95} ms`,
  );
  return figures;
}

function share(milliseconds: readonly number[]): { readonly p50: number; readonly p95: number } {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (part: number) =>
    Number((sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN).toFixed(1));
  return { p50: at(0.5), p95: at(0.95) };
}

function search(port: number, cookie: string, text: string): Promise<VoterMatches> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/office/voter-search' },
        headers: { host: 'bench1.localhost', cookie, 'content-type': 'application/json' },
      },
      async (answer) => {
        const pieces: Buffer[] = [];
        for await (const piece of answer) pieces.push(piece as Buffer);
        const body = Buffer.concat(pieces).toString();
        if (answer.statusCode === 200) resolve(JSON.parse(body) as VoterMatches);
        else reject(new Error(`${answer.statusCode} ${body}`));
      },
    );
    sent.once('error', reject);
    sent.end(JSON.stringify({ text }));
  });
}

/** Runs the search's own statements once more, as the console's login does, and prints the plan of each. */
async function explain(kind: Kind, voters: readonly Sought[]): Promise<void> {
  const [voter] = voters;
  if (!voter) return;
  const text = searches[kind](voter);
  const statements = await record(voter.accountId, async (db) => {
    if (kind === 'id' || kind === "nobody's ID") await findVoterId(db, voter.accountId, text);
    else await searchVoters(db, readVoterSearch(text), { limit: 20 });
  });
  say(`\nPlan of a search by ${kind}:`);
  // Also of what a function runs, which explain leaves out.
  const tell = ({ message = '' }) => {
    const lines = message.split('\n');
    const plan = lines.slice(lines.findIndex((line) => line.includes('(cost=')));
    for (const line of plan) say(`  ${line.slice(0, mostOfLine)}`);
  };
  client.on('notice', tell);
  await client.query(
    `load 'auto_explain'; set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
     set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set client_min_messages = log`,
  );
  await client.query('begin');
  await client.query(
    `select set_config('role', 'beacon_office', true), set_config('beacon.account_id', $1, true)`,
    [String(voter.accountId)],
  );
  for (const { text, values } of statements) await client.query(text, [...values]);
  await client.query('rollback');
  await client.query('reset client_min_messages; set auto_explain.log_min_duration = -1');
  client.off('notice', tell);
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** @returns the statements that read voters */
async function record(
  accountId: Sought['accountId'],
  work: (db: Db) => Promise<void>,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  const compiler = new PostgresQueryCompiler();
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql: text, parameters: values } = compiler.compileQuery(node, queryId);
      if (/\b(?:from|join) voters\b|\bfind_voters_/.test(text)) statements.push({ text, values });
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const database = openDatabase(postgres.url, { connections: 2 });
  try {
    await work(database.forOffice(accountId).withPlugin(recorder));
  } finally {
    await database.close();
  }
  return statements;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
