import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPostgresBinaries } from './postgres-binaries.ts';

/**
 * A PostgreSQL of the product's own, on a unix socket that only its owner can reach, for an installation without
 * `DATABASE_URL`.
 *
 * Any number of processes share one server: the first starts it, the last one out stops it. A server left behind by
 * a killed process is taken over, not fought.
 */
export interface PrivatePostgres {
  readonly url: string;
  /** True when this call started the server, false when it joined a running one. */
  readonly started: boolean;
  /** Leaves the server, and stops it when no other process uses it. */
  close(): Promise<void>;
}

export interface PrivatePostgresOptions {
  /** Absolute; the cluster lives in `postgres/` below it. */
  readonly dataDirectory: string;
  readonly pgBin?: string | undefined;
  /** Tests only: a crash of the machine may lose the data. */
  readonly unsafelyFast?: boolean;
}

interface Places {
  /** PGDATA. */
  readonly cluster: string;
  /** Holds the socket; short, because a socket's path may have 107 bytes at most. */
  readonly socketDirectory: string;
  /** One file per process that uses the server. */
  readonly users: string;
  readonly lock: string;
  readonly log: string;
}

const databaseName = 'beacon';
const superuser = 'beacon';

/**
 * @throws when no binaries are found, when the folder cannot be used, or when the server does not start; the message
 * ends with the server's own last words.
 */
export async function startPrivatePostgres(
  options: PrivatePostgresOptions,
): Promise<PrivatePostgres> {
  const owner = chooseOwner();
  const places = layOut(options.dataDirectory, owner);
  const url = `postgresql://${superuser}@/${databaseName}?host=${encodeURIComponent(places.socketDirectory)}`;
  const unlock = await takeLock(places.lock);
  let started = false;
  try {
    if (!(await answers(url))) {
      const binaries = findPostgresBinaries(options.pgBin);
      if (!existsSync(join(places.cluster, 'PG_VERSION'))) initialise(binaries, places, owner);
      await launch(binaries, places, owner, options.unsafelyFast === true, url);
      started = true;
    }
    writeFileSync(join(places.users, String(process.pid)), '');
  } finally {
    unlock();
  }
  let closed: Promise<void> | undefined;
  return {
    url,
    started,
    close: () => {
      closed ??= leave(places);
      return closed;
    },
  };
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: then it runs as the system's `postgres`, else as `nobody`. */
function chooseOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith(`${name}:`));
    const [, , uid, gid] = line?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65_534, gid: 65_534 };
}

function layOut(dataDirectory: string, owner: Owner | undefined): Places {
  const id = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 12);
  mkdirSync(dataDirectory, { recursive: true });
  const home = reachable(dataDirectory, owner)
    ? join(dataDirectory, 'postgres')
    : join('/var/lib/ballot-beacon', id);
  const socketDirectory = join(tmpdir(), `beacon-${id}`);
  for (const folder of [home, socketDirectory]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (owner) chownSync(folder, owner.uid, owner.gid);
    chmodSync(folder, 0o700);
  }
  if (!home.startsWith(dataDirectory)) {
    writeFileSync(
      join(dataDirectory, 'POSTGRES-IS-ELSEWHERE.txt'),
      `The database's user cannot enter this folder, so the database is in ${home}.\n`,
    );
  }
  const users = join(home, 'users');
  mkdirSync(users, { recursive: true });
  return {
    cluster: join(home, 'cluster'),
    socketDirectory,
    users,
    lock: join(home, 'lock'),
    log: join(home, 'postgres.log'),
  };
}

/** Whether the owner may pass through every folder down to this one. */
function reachable(folder: string, owner: Owner | undefined): boolean {
  if (!owner) return true;
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...owner, cwd: '/' }).status === 0;
}

function initialise(binaries: string, places: Places, owner: Owner | undefined): void {
  rmSync(places.cluster, { recursive: true, force: true });
  const initdb = spawnSync(
    join(binaries, 'initdb'),
    [
      ...['--pgdata', places.cluster, '--username', superuser],
      ...['--encoding', 'UTF8', '--locale', 'C', '--auth', 'trust', '--no-sync'],
    ],
    { ...owner, cwd: '/', encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } },
  );
  if (initdb.status !== 0) {
    rmSync(places.cluster, { recursive: true, force: true });
    throw new Error(
      `The database could not be created in ${places.cluster}:\n${initdb.stderr || String(initdb.error)}`,
    );
  }
}

const safeSettings = {
  listen_addresses: '',
  max_connections: '100',
  shared_buffers: '256MB',
  work_mem: '32MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  log_min_messages: 'warning',
  // A failing statement's text could carry a voter's data; the application logs the error itself.
  log_min_error_statement: 'panic',
  log_min_duration_statement: '-1',
};
const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

async function launch(
  binaries: string,
  places: Places,
  owner: Owner | undefined,
  unsafelyFast: boolean,
  url: string,
): Promise<void> {
  const settings = {
    ...safeSettings,
    unix_socket_directories: places.socketDirectory,
    ...(unsafelyFast ? unsafeSettings : {}),
  };
  const log = openSync(places.log, 'a', 0o600);
  const server = spawn(
    join(binaries, 'postgres'),
    [
      '-D',
      places.cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // Detached: Ctrl-C in a terminal is for us to handle, in our order.
    { ...owner, cwd: '/', detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  server.unref();
  await untilReady(server, url, places.log);
}

async function untilReady(server: ChildProcess, url: string, log: string): Promise<void> {
  let exited = false;
  server.once('exit', () => {
    exited = true;
  });
  server.once('error', () => {
    exited = true;
  });
  const deadline = Date.now() + 60_000;
  while (!(await answers(url))) {
    if (exited || Date.now() > deadline) {
      const lastWords = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n');
      throw new Error(`The database did not start:\n${lastWords}`);
    }
    await wait(10);
  }
}

/** Whether a server is there and has our database, which a fresh cluster is given. */
async function answers(url: string): Promise<boolean> {
  const result = await tryConnect(url);
  if (result !== 'no-database') return result === 'yes';
  const client = new pg.Client({
    connectionString: url.replace(`/${databaseName}?`, '/postgres?'),
  });
  await client.connect();
  await client.query(`create database ${databaseName}`);
  await client.end();
  return true;
}

async function tryConnect(url: string): Promise<'yes' | 'no' | 'no-database'> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return 'yes';
  } catch (error) {
    await client.end().catch(() => {});
    const invalidCatalogName = '3D000';
    return (error as { code?: string }).code === invalidCatalogName ? 'no-database' : 'no';
  }
}

async function leave(places: Places): Promise<void> {
  const unlock = await takeLock(places.lock);
  try {
    rmSync(join(places.users, String(process.pid)), { force: true });
    const others = readdirSync(places.users).filter((pid) => {
      if (isAlive(Number(pid))) return true;
      rmSync(join(places.users, pid), { force: true });
      return false;
    });
    if (others.length === 0) await stop(places.cluster);
  } finally {
    unlock();
  }
}

async function stop(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  if (!isAlive(pid)) return;
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, nothing committed is lost.
  process.kill(pid, 'SIGINT');
  const deadline = Date.now() + 60_000;
  while (isAlive(pid) && Date.now() < deadline) await wait(10);
}

/** A lock between processes, as a file that names its holder; a dead holder's lock is taken. */
async function takeLock(path: string): Promise<() => void> {
  mkdirSync(dirname(path), { recursive: true });
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(path);
    if (holder !== undefined && !isAlive(holder)) rmSync(path, { force: true });
    if (Date.now() > deadline) {
      throw new Error(`Another process (${holder ?? 'unknown'}) has held ${path} for two minutes.`);
    }
    await wait(20);
  }
}

function readHolder(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text === '' ? undefined : Number(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie answers too, but serves nobody.
    return !/^\d+ \(.*\) Z /.test(readProcess(pid));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readProcess(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
