import { fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { UploadAnswer } from '@ballot-beacon/contract/office/uploads';
import { apiEnvironment, apiFlags } from '../server/src/platform/api-flags.ts';
import { migrate } from '../server/src/platform/migrations.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { pg } from '../testing/sql.ts';
import { openOfficeSession } from './office-session.ts';

/**
 * How long a person waits for the preview of a whole roll, from the first piece on, compared with the command line's import of
 * the same file. `--rows N`, by default 1,000,000. Each of `--rounds N`, by default 2, begins with the other way, and each way
 * finds a database of its own: indexes that are full take twice as long. Fails where it takes more than 1.15 times as long, or
 * the process 300 MB.
 */
const { values: options } = parseArgs({
  options: { rows: { type: 'string' }, rounds: { type: 'string' } },
});
const rows = Number(options.rows ?? 1_000_000);
const rounds = Number(options.rounds ?? 2);
const mostRatio = 1.15;
const mostMb = 300;
const folder = mkdtempSync(join(tmpdir(), 'beacon-bench-upload-'));
const cli = join(import.meta.dirname, '../server/src/cli.ts');
const postgres = await startPrivatePostgres({ dataDirectory: folder });
const admin = new pg.Client({ connectionString: postgres.url });
admin.on('error', () => {});
const office = 'lake';
const file = join(folder, 'roll.csv');

try {
  await migrate(postgres.url);
  await makeOffice(postgres.url);
  await admin.connect();
  const bytes = Buffer.from(roll());
  writeFileSync(file, bytes);
  const commands: Awaited<ReturnType<typeof command>>[] = [];
  const previews: Awaited<ReturnType<typeof preview>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ways = [
      async () => commands.push(await inOwnDatabase(command)),
      async () => previews.push(await inOwnDatabase((url) => preview(url, bytes))),
    ];
    for (const way of round % 2 === 0 ? ways : ways.reverse()) await way();
  }
  const ratio =
    sumOf(previews, ({ uploadSeconds, previewSeconds }) => uploadSeconds + previewSeconds) /
    sumOf(commands, ({ commandSeconds }) => commandSeconds);
  const figures = {
    name: 'upload',
    rows,
    megabytes: Math.round(bytes.length / 1e6),
    ratio: rounded(ratio),
    peakMb: Math.max(...previews.map(({ peakMb }) => peakMb)),
    rounds: commands.map((round, at) => ({ ...round, ...previews[at] })),
    load: rounded(loadavg()[0] ?? 0),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  if (ratio > mostRatio || figures.peakMb >= mostMb) process.exitCode = 1;
} finally {
  await admin.end().catch(() => {});
  await postgres.close().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

/** Work in a copy of the database with the office, which is gone afterwards. */
async function inOwnDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  await admin.query('create database measured template beacon strategy file_copy');
  await admin.query('checkpoint');
  try {
    return await work(postgres.url.replace('/beacon?', '/measured?'));
  } finally {
    await admin.query('drop database measured with (force)');
  }
}

/** The command line's import of the file. */
async function command(url: string) {
  const seconds = await timed(() =>
    beacon(url, 'import', file, '--account', office, '--format', 'beacon-voters'),
  );
  return { commandSeconds: rounded(seconds) };
}

/** The same file at the console, in a process of its own, until its preview is there. */
async function preview(url: string, bytes: Buffer) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const server = fork(join(import.meta.dirname, '../testing/upload-server.ts'), {
    // As its unit starts it.
    execArgv: [...apiFlags],
    env: { ...environmentOf(url), ...apiEnvironment, DEFAULT_ACCOUNT: '' },
  });
  try {
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    const call = createCall(port, await openOfficeSession(client, office, 'importer'));
    const idleMb = readPeakMb(server.pid);
    let id = 0;
    const uploadSeconds = await timed(async () => {
      id = await upload(call, bytes);
    });
    const uploadPeakMb = readPeakMb(server.pid);
    const previewSeconds = await timed(() => check(call, id));
    return {
      ...{ uploadSeconds: rounded(uploadSeconds), previewSeconds: rounded(previewSeconds) },
      ...{ idleMb, uploadPeakMb, peakMb: readPeakMb(server.pid) },
    };
  } finally {
    server.kill('SIGKILL');
    await client.end().catch(() => {});
  }
}

type Call = (method: string, path: string, body?: Buffer | object) => Promise<UploadAnswer>;

async function upload(call: Call, bytes: Buffer): Promise<number> {
  const started = { file_name: 'roll.csv', size: bytes.length };
  const { upload_id: id, piece_bytes: size } = await call('POST', '', started);
  let next = 0;
  // As the page does, two at a time.
  const send = async () => {
    for (let piece = next++; piece * size < bytes.length; piece = next++) {
      const part = bytes.subarray(piece * size, (piece + 1) * size);
      const sha256 = createHash('sha256').update(part).digest('hex');
      await call('POST', `/${id}/pieces/${piece}?sha256=${sha256}`, part);
    }
  };
  await Promise.all([send(), send()]);
  return id;
}

async function check(call: Call, id: number): Promise<void> {
  await call('POST', `/${id}/check`, { format: 'beacon-voters' });
  for (;;) {
    const { state, preview: found, problem } = await call('GET', `/${id}`);
    if (state === 'ready') {
      if (found?.rows.added !== rows) throw new Error(`The preview is wrong: ${problem}`);
      return;
    }
    await wait(250);
  }
}

function createCall(port: number, cookie: string): Call {
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const isBytes = Buffer.isBuffer(body);
      const type = isBytes ? 'application/octet-stream' : 'application/json';
      const headers = {
        host: `${office}.localhost`,
        cookie,
        ...(body && { 'content-type': type }),
      };
      const options = {
        host: '127.0.0.1',
        port,
        path: `/api/office/uploads${path}`,
        method,
        headers,
      };
      const sent = request(options, async (answer) => {
        const pieces: Buffer[] = [];
        for await (const piece of answer) pieces.push(piece as Buffer);
        const text = Buffer.concat(pieces).toString();
        if ((answer.statusCode ?? 500) >= 300) reject(new Error(`${answer.statusCode} ${text}`));
        else resolve((text === '' ? {} : JSON.parse(text)) as UploadAnswer);
      });
      sent.once('error', reject);
      sent.end(isBytes || body === undefined ? body : JSON.stringify(body));
    });
}

async function makeOffice(url: string): Promise<void> {
  const account = join(folder, 'account.json');
  const place = { county: 'Silver Lake', state: 'FL', time_zone: 'UTC' };
  writeFileSync(account, JSON.stringify({ subdomain: office, name: 'Silver Lake', ...place }));
  await beacon(url, 'account', 'apply', account);
}

async function beacon(url: string, ...parameters: string[]): Promise<void> {
  const child = spawn(process.execPath, [cli, ...parameters], {
    env: environmentOf(url),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`beacon ${parameters.join(' ')} ended with ${code}`);
}

function environmentOf(url: string): NodeJS.ProcessEnv {
  return { ...process.env, BEACON_DATA: folder, DATABASE_URL: url };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** The kernel's own high-water mark of a process. */
function readPeakMb(pid = 0): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1000);
}

function sumOf<T>(rows: readonly T[], read: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + read(row), 0);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Invented voters in no order, as an office's export has them. */
function roll(): string {
  const lasts = "Smith O'Brien Núñez García-López Nguyen Müller Johnson Lee Okafor Haddad".split(
    ' ',
  );
  const lines = Array.from({ length: rows }, (_, at) => {
    const n = (at * 7_919) % rows;
    const day = `${(n % 12) + 1}/${(n % 28) + 1}/${1925 + ((n * 7) % 80)}`;
    return `${100_000_000 + n},Vera,,${lasts[n % 10]}${n % 977},,${day},"${n % 9999} Heron Way, Apt ${n % 40}",Alder Falls,FL,${34_500 + ((n * 3) % 60)},Silver Lake,${n % 200},,,english,true,false\n`;
  });
  return `registration_id,firstname,middlename,lastname,suffix,birthdate,address,city,state,zipcode,county,precinct,phone,email,language_preference,is_active,is_confidential\n${lines.join('')}`;
}
