import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setInterval } from 'node:timers';
import { parseArgs } from 'node:util';
import { migrate } from '../server/src/platform/migrations.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { copyFrom, pg } from '../testing/sql.ts';

/**
 * How long an office waits for its file: each import through the command line, compared with PostgreSQL's own COPY of the
 * same bytes directly into a typed table with the same indexes, in the same run and database.
 *
 * `--rows N` measures only voters, N of them, `--ballots N` only ballots, `--scans N` only scans; without options: voters
 * 100k, 1M and 5M, ballots 1M and scans 1M.
 */
const { values: options } = parseArgs({
  options: { rows: { type: 'string' }, ballots: { type: 'string' }, scans: { type: 'string' } },
});
const folder = mkdtempSync(join(tmpdir(), 'beacon-bench-import-'));
const cli = join(import.meta.dirname, '../server/beacon');
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

interface Measured {
  readonly case: string;
  readonly rows: number;
  readonly seconds: number;
  readonly floorSeconds: number;
  readonly ratio: number;
  readonly rowsPerSecond: number;
  readonly peakMb: number;
}

const voterFloorColumns =
  'registration_id, firstname, middlename, lastname, suffix, birthdate, address, city, state, zipcode, county, precinct, phone, email, language_preference, is_active, is_confidential';
const ballotFloorColumns =
  'election, registration_id, status, mailed, returned, precinct, party, reason_code, reason, is_reinstated, is_signature';
/** The voter roll without our own columns: the same types, the same three indexes. */
const voterFloor = `create table floor_voters (
  account_id integer not null default 1, voter_id bigint primary key generated always as identity,
  registration_id text not null, firstname text, middlename text, lastname text not null, suffix text,
  birthdate date, birthyear smallint, address text, city text, state text, zipcode text, county text, precinct text,
  phone text, email text, language_preference text, is_active boolean not null, is_confidential boolean not null,
  token_hash text, created_timestamp timestamptz not null default now(), last_import_id bigint,
  unique (account_id, registration_id));
  create index on floor_voters (birthdate, zipcode, account_id)`;
const ballotFloor = `create table floor_ballots (
  account_id integer not null default 1, ballot_id bigint primary key generated always as identity,
  election text not null, registration_id text not null, status text not null, mailed date, returned date,
  precinct text, party text, reason_code text, reason text, is_reinstated boolean, is_signature boolean,
  unique (account_id, election, registration_id));
  create index on floor_ballots (registration_id)`;
const scanFloorColumns =
  'imb, scanned_at, event_type, op_code, mail_phase, facility_city, facility_state, facility_zip, expected_delivery_date';
const scanFloor = `create table floor_scans (
  account_id integer not null default 1, scan_id bigint primary key generated always as identity,
  imb text not null, scanned_at timestamp not null, event_type text, op_code text, mail_phase text,
  facility_city text, facility_state text, facility_zip text, expected_delivery_date date,
  import_id bigint, received_at timestamptz not null default now(),
  unique (account_id, imb, scanned_at, op_code, event_type))`;

const postgres = await startPrivatePostgres({ dataDirectory: folder });
const client = new pg.Client({ connectionString: postgres.url });
// A lost connection fails its query; the server's log says why.
client.on('error', () => {});
const measured: Measured[] = [];

try {
  await migrate(postgres.url);
  await client.connect();
  await client.query(voterFloor);
  await client.query(ballotFloor);
  await client.query(scanFloor);
  const { rows: voters, ballots, scans } = options;
  const isWhole = voters === undefined && ballots === undefined && scans === undefined;
  const sizes = isWhole ? [100_000, 1_000_000, 5_000_000] : voters ? [Number(voters)] : [];
  for (const rows of sizes) await measureVoters(rows);
  if (ballots) await loadVoters(Number(ballots));
  if (isWhole || ballots) await measureBallots(Number(ballots ?? 1_000_000));
  if (isWhole || scans) await measureScans(Number(scans ?? 1_000_000));
  const [headline] = measured.filter((one) => !isWhole || one.rows === 1_000_000);
  const { case: _, ...figures } = headline ?? { case: '' };
  say(JSON.stringify({ name: 'import', ...figures, cases: measured }));
} catch (error) {
  process.stderr.write(lastWordsOf(folder));
  throw error;
} finally {
  await client.end().catch(() => {});
  await postgres.close().catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

async function measureVoters(rows: number): Promise<void> {
  const account = `bench-voters-${rows}`;
  await makeAccount(account);
  const file = join(folder, 'voters.csv');
  await writeVoters(file, rows, 0);
  const floor = await copyDirectly(file, 'floor_voters', voterFloorColumns);
  await measure(`voters, first load`, rows, floor, account, file, 'beacon-voters');
  await writeVoters(file, rows, 50);
  const again = await copyDirectly(file, 'floor_voters', voterFloorColumns);
  await measure(`voters, daily repeat, 2 % changed`, rows, again, account, file, 'beacon-voters');
  rmSync(file);
}

/** The roll for a file with this many ballots, unless an earlier measurement left one. */
async function loadVoters(rows: number): Promise<void> {
  const account = `bench-voters-${rows}`;
  await makeAccount(account);
  const file = join(folder, 'voters.csv');
  await writeVoters(file, rows, 0);
  await beacon('import', file, '--account', account, '--format', 'beacon-voters');
  rmSync(file);
}

async function measureBallots(rows: number): Promise<void> {
  const account = `bench-voters-${rows}`;
  const election = ['--number', '1', '--name', 'Bench', '--date', '2026-11-03', '--active', 'true'];
  await beacon('election', 'set', '--account', account, ...election);
  const file = join(folder, 'ballots.csv');
  await writeBallots(file, rows, 0);
  const floor = await copyDirectly(file, 'floor_ballots', ballotFloorColumns);
  await measure('ballots, first load', rows, floor, account, file, 'voter-focus-ballots');
  await writeBallots(file, rows, 10);
  const again = await copyDirectly(file, 'floor_ballots', ballotFloorColumns);
  await measure('ballots, 10 % changed', rows, again, account, file, 'voter-focus-ballots');
  rmSync(file);
}

/** Four scans of each outbound envelope, for ballots whose mail-piece file is loaded. */
async function measureScans(rows: number): Promise<void> {
  const account = 'bench-scans';
  const ballots = Math.ceil(rows / 4);
  await makeAccount(account);
  const election = ['--number', '1', '--name', 'Bench', '--date', '2026-11-03', '--active', 'true'];
  await beacon('election', 'set', '--account', account, ...election);
  const file = join(folder, 'scans.csv');
  const take = (format: string) => beacon('import', file, '--account', account, '--format', format);
  await writeVoters(file, ballots, 0);
  await take('beacon-voters');
  await writeBallots(file, ballots, 0);
  await take('voter-focus-ballots');
  await writeLines(file, 'registration_id,election,outbound_imb', ballots, (n) => {
    return `${100_000_000 + n},1,${barcodeOf(n)}`;
  });
  await take('beacon-mailpieces');
  await writeScans(file, rows);
  const floor = await copyDirectly(file, 'floor_scans', scanFloorColumns);
  await measure('scans, first load', rows, floor, account, file, 'usps-iv-mtr');
  // One day's scans would be a small file; this is the worst case, all of them again and one more.
  await writeScans(file, rows + 1);
  await measure('scans, all of them again', rows + 1, floor, account, file, 'usps-iv-mtr');
  rmSync(file);
}

async function measure(
  name: string,
  rows: number,
  floorSeconds: number,
  account: string,
  file: string,
  format: string,
): Promise<void> {
  await client.query('checkpoint');
  const { stdout, peakMb } = await beacon(
    ...['import', file, '--account', account, '--format', format, '--json'],
  );
  const { seconds } = JSON.parse(stdout) as { seconds: number };
  const ratio = round(seconds / floorSeconds);
  const rowsPerSecond = Math.round(rows / seconds);
  measured.push({
    case: name,
    rows,
    seconds: round(seconds),
    floorSeconds: round(floorSeconds),
    ratio,
    rowsPerSecond,
    peakMb: Math.round(peakMb),
  });
  say(
    `${name}: ${rows.toLocaleString('en-US')} rows in ${seconds.toFixed(1)} s, ${rowsPerSecond.toLocaleString('en-US')} rows/s, COPY ${floorSeconds.toFixed(1)} s, ratio ${ratio}, peak ${Math.round(peakMb)} MB, load ${loadavg()[0]?.toFixed(1)}`,
  );
}

/** COPY of the file's bytes into a table with the same indexes, emptied before. @returns seconds */
async function copyDirectly(file: string, table: string, columns: string): Promise<number> {
  await client.query(`truncate ${table}`);
  await client.query('checkpoint');
  const started = performance.now();
  await pipeline(
    createReadStream(file, { highWaterMark: 256 * 1024 }),
    client.query(copyFrom(`copy ${table} (${columns}) from stdin with (format csv, header)`)),
  );
  const seconds = (performance.now() - started) / 1000;
  await client.query(`truncate ${table}`);
  return seconds;
}

async function makeAccount(subdomain: string): Promise<void> {
  const file = join(folder, 'account.json');
  const account = {
    subdomain,
    name: subdomain,
    county: 'Silver Lake',
    state: 'FL',
    time_zone: 'UTC',
  };
  await pipeline([JSON.stringify(account)], createWriteStream(file));
  await beacon('account', 'apply', file);
}

/** Runs the command line. @returns its output and its peak memory */
async function beacon(...parameters: string[]): Promise<{ stdout: string; peakMb: number }> {
  const child = spawn(cli, parameters, {
    // Started as an operator's shell starts it.
    env: {
      PATH: join(process.execPath, '..') + delimiter + process.env.PATH,
      BEACON_DATA: folder,
      DATABASE_URL: postgres.url,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, readPeakMb(child.pid ?? 0));
  }, 50);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearInterval(watch);
  if (code !== 0) {
    throw new Error(`beacon ${parameters.join(' ')} ended with ${code ?? signal}:\n${stderr}`);
  }
  return { stdout, peakMb };
}

/** The last lines of the database's log. */
function lastWordsOf(dataDirectory: string): string {
  const log = join(dataDirectory, 'postgres', 'log');
  return existsSync(log)
    ? `${readFileSync(log, 'utf8').trim().split('\n').slice(-20).join('\n')}\n`
    : '';
}

/** The kernel's own high-water mark of a process. */
function readPeakMb(pid: number): number {
  try {
    const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kb ?? 0) / 1000;
  } catch {
    return 0;
  }
}

/** Invented voters in no order, as an office's export has them. @param changeEvery 50: one row in 50 differs */
async function writeVoters(file: string, rows: number, changeEvery: number): Promise<void> {
  const firsts = 'James Maria José Aisha Wei Olga John Renée Luis Kim Noor Ivy Anne-Marie'.split(
    ' ',
  );
  const lasts = "Smith O'Brien Núñez García-López Nguyen Müller Johnson Lee Okafor Haddad".split(
    ' ',
  );
  await writeLines(
    file,
    'registration_id,firstname,middlename,lastname,suffix,birthdate,address,city,state,zipcode,county,precinct,phone,email,language_preference,is_active,is_confidential',
    rows,
    (n) => {
      const [month, day, year] = [(n % 12) + 1, (n % 28) + 1, 1925 + ((n * 7) % 80)];
      const moved = changeEvery > 0 && n % changeEvery === 0 ? 1 : 0;
      return `${100_000_000 + n},${firsts[n % 13]},${firsts[(n * 5) % 13]},${lasts[n % 10]}${n % 977},,${pad(month)}/${pad(day)}/${year},"${(n % 9999) + moved} Heron Way, Apt ${n % 40}",Alder Falls,FL,${34_500 + ((n * 3) % 60)},Silver Lake,${n % 200},(352) 555-${String(n % 10_000).padStart(4, '0')},voter${n}@example.com,english,true,false`;
    },
  );
}

async function writeBallots(file: string, rows: number, changeEvery: number): Promise<void> {
  await writeLines(
    file,
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason',
    rows,
    (n) => {
      const isReturned = n % 3 === 0 || (changeEvery > 0 && n % changeEvery === 1);
      const returned = isReturned
        ? `Accepted,10/05/2026,10/${pad(10 + (n % 20))}/2026`
        : 'Outbound,10/05/2026,';
      return `1,${100_000_000 + n},${returned},${n % 200},NPA,,,FALSE,FALSE`;
    },
  );
}

function barcodeOf(ballot: number): string {
  return `00716123456${String(ballot).padStart(9, '0')}345010000`;
}

async function writeScans(file: string, rows: number): Promise<void> {
  const phases = ['Phase 1a', 'Phase 2a', 'Phase 3c', 'Phase 4c'];
  await writeLines(
    file,
    'imb,scanDatetime,handlingEventType,scanEventCode,mailPhase,scanFacilityCity,scanFacilityState,scanFacilityZip,expectedDeliveryDate',
    rows,
    (n) => {
      const [ballot, stop] = [Math.floor(n / 4), n % 4];
      const at = `2026-10-${pad(6 + stop)} ${pad(ballot % 24)}:${pad(ballot % 60)}:${pad(n % 60)}`;
      return `${barcodeOf(ballot)},${at},A,${[493, 517, 919, 517][stop]},${phases[stop]},ALDER FALLS,GA,30301,2026-10-09`;
    },
  );
}

async function writeLines(
  file: string,
  header: string,
  rows: number,
  line: (n: number) => string,
): Promise<void> {
  const out = createWriteStream(file, { highWaterMark: 1 << 20 });
  out.write(`${header}\n`);
  // A step that shares no factor with the number of rows visits each once, in no order.
  const step = 611_953;
  let text = '';
  for (let count = 0; count < rows; count += 1) {
    text += `${line((count * step) % rows)}\n`;
    if (text.length < 1 << 18) continue;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  }
  out.end(text);
  await once(out, 'close');
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function round(number: number): number {
  return Math.round(number * 100) / 100;
}
