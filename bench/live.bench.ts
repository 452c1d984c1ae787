import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { applyAccountFile } from '../server/src/modules/accounts/index.ts';
import { announceChanges, ballotChanges } from '../server/src/modules/ballots/index.ts';
import { connectClient } from '../server/src/platform/hosts.ts';
import type { AccountId } from '../server/src/platform/ids.ts';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { sql } from '../testing/sql.ts';
import { apiCommand, serve } from './api/processes.ts';

/**
 * Open dashboards: streams of as many voters of one office to one api process, its memory, and how long after the start of a
 * commit the event is at each of them. `npm run bench -- live [STREAMS]`, 10,000 by default.
 *
 * The floor is a bare HTTP server in the same run that does nothing but listen and write to as many open answers.
 */
const streamCount = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.env.BENCH_RUNS ?? 10);
const mostMb = 300;
/** No more than the server has database connections for, also on a machine with other work. */
const opensAtOnce = 20;
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

if (process.argv[2] === 'bare') await serveBare(process.argv[3] ?? '');
else await measure();

interface Figures {
  readonly megabytes: number;
  readonly idleMegabytes: number;
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

async function measure(): Promise<void> {
  refuseFewFiles();
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-live-'));
  const postgres = await startPrivatePostgres({ dataDirectory: folder });
  await migrate(postgres.url);
  const database = openDatabase(postgres.url, { connections: 4 });
  try {
    const { accountId, cookies } = await seed();
    const commit = () => database.transaction((tx) => announceChanges(tx, accountId));
    const bare = await measureServer([import.meta.filename, 'bare', postgres.url], cookies, commit);
    const live = await measureServer(apiCommand, cookies, commit);
    for (const [name, figures] of Object.entries({ bare, live }))
      say(
        `${name.padEnd(5)} ${streamCount} streams · ${figures.megabytes} MB (${figures.idleMegabytes} MB without) · commit to arrival p50 ${figures.p50} ms, p99 ${figures.p99} ms, last ${figures.most} ms`,
      );
    say(JSON.stringify({ name: 'live', streams: streamCount, bare, live }));
    if (live.megabytes > mostMb || live.most > 2_000) process.exitCode = 1;
  } finally {
    await database.close();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }

  /** An office and a session of each voter. @returns the sessions' cookies */
  async function seed(): Promise<{ accountId: AccountId; cookies: string[] }> {
    const file = path.join(folder, 'account.json');
    const office = { subdomain: 'bench', name: 'Bench Elections', county: 'Bench', state: 'FL' };
    const contact = { contact_phone: '+13525550123', contact_email: 'help@bench.example' };
    const more = { time_zone: 'America/New_York', languages: ['english'] };
    writeFileSync(file, JSON.stringify({ ...office, ...contact, ...more }));
    const applied = await applyAccountFile(database, file);
    if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
    const { accountId } = applied;
    await sql`insert into voters (account_id, registration_id, firstname, lastname, birthdate, zipcode)
      select ${accountId}, 'B' || n, 'Voter', 'Number ' || n, '1980-01-01', '32601'
      from generate_series(1, ${streamCount}::int) n`.execute(database.system);
    await sql`insert into sessions (account_id, session_hash, voter_id, created_at, last_active_at, expires_at)
      select account_id, sha256(convert_to(lpad(registration_id, 43, 'x'), 'UTF8')), voter_id, now(), now(),
        now() + interval '1 hour' from voters`.execute(database.system);
    const cookies = Array.from({ length: streamCount }, (_, n) => `B${n + 1}`.padStart(43, 'x'));
    return { accountId, cookies: cookies.map((secret) => `beacon_session=${secret}`) };
  }

  async function measureServer(
    parameters: readonly string[],
    cookies: readonly string[],
    commit: () => Promise<unknown>,
  ): Promise<Figures> {
    const server = await serve(parameters, {
      DATABASE_URL: postgres.url,
      DEFAULT_ACCOUNT: 'bench',
    });
    try {
      const idleMegabytes = server.readMegabytes();
      const arrivals = await openStreams(server.port, cookies);
      const delays: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const arrived = arrivals.next();
        const started = performance.now();
        await commit();
        for (const at of await arrived) delays.push(at - started);
      }
      const megabytes = server.readMegabytes();
      arrivals.close();
      delays.sort((a, b) => a - b);
      const share = (part: number) => Math.round(delays[Math.ceil(delays.length * part) - 1] ?? 0);
      return { megabytes, idleMegabytes, p50: share(0.5), p99: share(0.99), most: share(1) };
    } finally {
      await server.stop();
    }
  }
}

/** Opens a stream for each cookie, each from a network of its own. */
async function openStreams(port: number, cookies: readonly string[]) {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
  const closes: (() => void)[] = [];
  let times: number[] = [];
  let onAll = (_: readonly number[]) => {};
  const onEvent = () => {
    if (times.push(performance.now()) === cookies.length) onAll(times);
  };
  const open = (cookie: string, index: number) =>
    new Promise<void>((resolve, reject) => {
      const address = `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
      const headers = { cookie, host: 'localhost', 'x-forwarded-for': address };
      const request = get({ port, agent, path: '/api/voter/live', headers }, (response) => {
        if (response.statusCode !== 200)
          return reject(new Error(`stream ${index} was answered ${response.statusCode}`));
        let isOpen = false;
        response.on('data', (data: Buffer) => {
          // The first event says that it is open; a beat is no event.
          if (!data.includes('data: ')) return;
          if (isOpen) return onEvent();
          isOpen = true;
          resolve();
        });
        response.on('error', () => {});
      });
      request.on('error', reject);
      closes.push(() => request.destroy());
    });
  for (let index = 0; index < cookies.length; index += opensAtOnce)
    await Promise.all(
      cookies.slice(index, index + opensAtOnce).map((cookie, n) => open(cookie, index + n)),
    );
  return {
    /** When the next event was at each stream. */
    next: () => {
      times = [];
      return new Promise<readonly number[]>((resolve) => {
        onAll = resolve;
      });
    },
    close: () => {
      for (const close of closes) close();
    },
  };
}

/** The floor: an answer for each request that stays open, and a line to each when the database announces anything. */
async function serveBare(url: string): Promise<void> {
  const open = new Set<ServerResponse>();
  const client = await connectClient(url);
  client.on('notification', () => {
    for (const response of open) response.write('data: {}\n\n');
  });
  await client.query(`listen ${ballotChanges}`);
  const server = createServer((request, response) => {
    if (request.url === '/readyz') {
      response.end();
      return;
    }
    open.add(response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {}\n\n');
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
  process.once('SIGTERM', () => process.exit());
}

/** A process cannot raise its own limit. */
function refuseFewFiles(): void {
  const files = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  const needed = streamCount + 500;
  if (files === 'unlimited' || Number(files) >= needed) return;
  say(
    `${streamCount} streams need ${needed} open files; this shell allows ${files}: ulimit -n ${needed}`,
  );
  process.exit(1);
}
