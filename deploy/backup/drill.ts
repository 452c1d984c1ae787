/**
 * `DRILL_URL=URL node deploy/backup/drill.ts FILE [--voters 20]`: shows that a backup can be used. Restores it to a database of its own on the
 * server at URL (or `--server URL`; a login that may create databases and roles; not the server of voters), brings it up to this version,
 * starts worker and api on it as after a loss, signs voters in, and removes the database again. Nothing leaves the machine. Exit status 1
 * when anything is missing.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

interface RollEntry {
  readonly subdomain: string;
  readonly registration_id: string;
  readonly firstname: string;
  readonly lastname: string;
  /** MM-DD-YYYY */
  readonly birthdate: string;
  readonly zipcode: string;
}

/** Answers of a sign-in that found the voter, and ask for more than the roll knows. */
const ambiguous = 8889;
const tokenRequired = 8890;
const patienceMs = 60_000;

const root = path.resolve(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string' }, voters: { type: 'string', default: '20' } },
});
const [backup] = positionals;
const server = values.server ?? process.env.DRILL_URL;
if (backup === undefined || server === undefined)
  throw new Error('Usage: DRILL_URL=URL node deploy/backup/drill.ts FILE [--voters 20]');

const database = `beacon_drill_${process.pid}`;
// Also of an address that names no database, which would be the login's own.
const url = server.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${database}`);
const folder = mkdtempSync(path.join(tmpdir(), 'beacon-drill-'));
const children: ChildProcess[] = [];
/** Nothing of the real site: no provider, no key, no folder. */
const environment = {
  PATH: process.env.PATH,
  HOME: folder,
  ...{ DATABASE_URL: url, ADMIN_URL: server, BEACON_DATA: folder, BEACON_DEMO: '0' },
  ...{
    HOST: '127.0.0.1',
    PORT: '0',
    CAPTCHA: 'off',
    DEFAULT_ACCOUNT: '',
    BASE_DOMAIN: 'localhost',
  },
  ...{ LOG_LEVEL: 'silent', BEACON_OPERATOR: 'drill' },
};

query(server, `create database ${database}`);
try {
  run('deploy/backup/restore.sh', path.resolve(backup));
  run('server/beacon', 'migrate');
  run('server/beacon', 'restore', 'begin', '--by', 'drill');
  const began = query(url, 'select now()');
  start('worker');
  await finishQueue();
  const sent = countSent(began);
  if (sent > 0) process.stdout.write(`${sent} messages would leave again\n`);
  const port = await startApi();
  const { signedIn, found, missing } = await signIn(port, readRoll(Number(values.voters)));
  if (found > 0) process.stdout.write(`${found} voters are found and need a token\n`);
  for (const one of missing) process.stdout.write(`cannot sign in: ${one}\n`);
  if (sent > 0 || missing.length > 0 || signedIn + found === 0) process.exitCode = 1;
  else process.stdout.write(`${signedIn} voters sign in, nothing is sent twice\n`);
} finally {
  for (const child of children) await end(child);
  query(server, `drop database ${database} with (force)`);
  rmSync(folder, { recursive: true });
}

/** One value of one row. */
function query(at: string, text: string): string {
  const options = [
    '--no-psqlrc',
    '--quiet',
    '--tuples-only',
    '--no-align',
    '--set=ON_ERROR_STOP=1',
  ];
  // The password goes by the environment; see there.
  const withLogin = [
    '-c',
    '. "$0"; with_login "$ADDRESS" "$@"',
    path.join(root, 'deploy/backup/login.sh'),
  ];
  return execFileSync('sh', [...withLogin, 'psql', ...options, '--command', text], {
    ...{ encoding: 'utf8', env: { ...process.env, ADDRESS: at } },
  }).trim();
}

function run(command: string, ...parameters: string[]): void {
  execFileSync(path.join(root, command), parameters, { env: environment, stdio: 'inherit' });
}

/** What the worker handed over since this moment. Without a provider's settings, it keeps here what it would have sent. */
function countSent(since: string): number {
  return Number(
    query(url, `select count(*) from local_deliveries where received_at >= '${since}'`),
  );
}

function start(name: 'api' | 'worker'): ChildProcess {
  const child = spawn(process.execPath, [`server/src/${name}.ts`], {
    ...{ cwd: root, env: environment, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  });
  children.push(child);
  return child;
}

async function startApi(): Promise<number> {
  const child = start('api');
  const ended = once(child, 'exit').then(() => {
    throw new Error('The api did not start.');
  });
  const [{ port }] = (await Promise.race([once(child, 'message'), ended])) as [{ port: number }];
  ended.catch(() => {});
  return port;
}

/** Until the worker has looked through the queue of each channel. */
async function finishQueue(): Promise<void> {
  const ids = query(
    url,
    `select string_agg(id::text, ',') from unnest(array['email', 'sms', 'voice']) as channel,
      graphile_worker.add_job('deliver-messages', json_build_object('channel', channel, 'lane', 0))`,
  );
  const deadline = Date.now() + patienceMs;
  while (query(url, `select count(*) from graphile_worker.jobs where id in (${ids})`) !== '0') {
    if (Date.now() > deadline) throw new Error('The worker did not look through its queue.');
    await wait(200);
  }
}

/** Voters who can sign in by what is on the roll, drawn from all offices but those that moved to another cell. */
function readRoll(count: number): RollEntry[] {
  return JSON.parse(
    query(
      url,
      `select coalesce(json_agg(drawn), '[]') from (
        select a.subdomain, v.registration_id, v.firstname, v.lastname, to_char(v.birthdate, 'MM-DD-YYYY') as birthdate,
          left(v.zipcode, 5) as zipcode
        from voters v join accounts a using (account_id)
        where v.is_active and not v.is_confidential and v.birthdate is not null and v.zipcode ~ '^[0-9]{5}'
          and v.lastname <> ''
          and not exists (select from moved_accounts m where m.account_id = v.account_id)
        order by random() limit ${count}) drawn`,
    ),
  ) as RollEntry[];
}

async function signIn(port: number, roll: readonly RollEntry[]) {
  let signedIn = 0;
  let found = 0;
  const missing: string[] = [];
  for (const { subdomain, registration_id: id, ...typed } of roll) {
    const ask = (more: object) =>
      post(port, `${subdomain}.localhost`, { ...typed, recaptcha: 'off', ...more });
    let answer = await ask({});
    if (answer.errorCode === ambiguous) answer = await ask({ provided_voter_id: id });
    if (answer.status === 201) signedIn += 1;
    else if (answer.errorCode === tokenRequired) found += 1;
    // The voter ID is what the office looks a voter up by, and says less than a name.
    else missing.push(`${subdomain} ${id}: ${answer.status} ${answer.errorCode ?? ''}`);
  }
  return { signedIn, found, missing };
}

/** By the office's host, which this machine need not know. */
async function post(port: number, host: string, body: object) {
  const message = request({
    ...{ host: '127.0.0.1', port, method: 'POST', path: '/api/voter/session' },
    headers: { host, 'content-type': 'application/json' },
  }).end(JSON.stringify(body));
  const [answer] = (await once(message, 'response')) as [IncomingMessage];
  const { 'error-code': errorCode } = (await json(answer)) as { 'error-code'?: number };
  return { status: answer.statusCode, errorCode };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
