import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ConfigError } from './config.ts';
import {
  copyPostgresBinaries,
  findPostgresBinaries,
  type PostgresBinaries,
} from './postgres-binaries.ts';
import {
  canEnter,
  makeSocketFolder,
  type PostgresHome,
  removeSocketFolder,
  systemFolder,
} from './postgres-home.ts';

/** The one role of a private server, which owns everything in it. */
export const superuser = 'beacon';

interface Postmaster {
  readonly pid: number;
  /** Undefined while it starts. */
  readonly socketFolder: string | undefined;
}

/** The server's own pid file: line 1 its process, line 5 the folder of its socket. Undefined when there is none. */
export function readPostmaster({ cluster }: PostgresHome): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4] || undefined };
  } catch {
    return undefined;
  }
}

/**
 * Whether a server runs on the cluster. Its pid alone does not show that: a killed server leaves its file behind, and in
 * a restarted container that number soon belongs to another process.
 */
export function isServing(home: PostgresHome): boolean {
  const postmaster = readPostmaster(home);
  if (postmaster === undefined) return false;
  try {
    if (process.platform !== 'linux') return process.kill(postmaster.pid, 0);
    return readlinkSync(`/proc/${postmaster.pid}/cwd`) === realpathSync(home.cluster);
  } catch {
    return false;
  }
}

/** Ends the server and waits until it is gone, for `patienceMs` at most. */
export async function stopServer(home: PostgresHome, patienceMs: number): Promise<void> {
  const postmaster = readPostmaster(home);
  if (postmaster === undefined) return;
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, nothing committed is lost.
  process.kill(postmaster.pid, 'SIGINT');
  const deadline = Date.now() + patienceMs;
  while (isServing(home) && Date.now() < deadline) await wait(5);
  if (postmaster.socketFolder !== undefined) removeSocketFolder(postmaster.socketFolder);
}

export interface LaunchOptions {
  readonly pgBin?: string | undefined;
  /** Tests only: a crash of the machine may lose the data. */
  readonly unsafelyFast?: boolean;
}

/** Starts a server on the cluster, which is created first where there is none. It does not answer yet. */
export function launchServer(home: PostgresHome, options: LaunchOptions): ChildProcess {
  const clusterVersion = readClusterVersion(home);
  const binaries = findPostgresBinaries(options.pgBin, clusterVersion);
  const folder = canEnter(binaries.folder, home.owner)
    ? binaries.folder
    : copyPostgresBinaries(binaries, systemFolder);
  if (clusterVersion === undefined) createCluster({ ...binaries, folder }, home);

  const left = readPostmaster(home);
  if (left) removeMisleadingPidFile(left, home);
  const settings = {
    ...safeSettings,
    ...(options.unsafelyFast === true ? unsafeSettings : {}),
    unix_socket_directories: makeSocketFolder(home, left?.socketFolder),
  };
  const log = openSync(home.log, tooLong(home.log) ? 'w' : 'a', 0o600);
  const server = spawn(
    join(folder, 'postgres'),
    [
      ...['-D', home.cluster],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // Detached: Ctrl-C in a terminal is for us to handle, in our order. Of our environment it needs nothing.
    { ...home.owner, cwd: '/', env: {}, detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  server.once('error', () => {}); // hasExited() reports it
  server.unref();
  return server;
}

/**
 * PostgreSQL refuses to start when its pid file names any living process of its user, and in a restarted container
 * that number soon belongs to another process.
 */
function removeMisleadingPidFile(left: Postmaster, home: PostgresHome): void {
  if (process.platform !== 'linux' || !existsSync(`/proc/${left.pid}`) || isServing(home)) return;
  rmSync(join(home.cluster, 'postmaster.pid'), { force: true });
}

export function hasExited(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null;
}

/**
 * Whether a start failed because of a process of an earlier server that was killed: in the middle of a statement it
 * does not notice, and keeps the memory of that server until the statement ends.
 */
export function isBlockedByEarlierWork(home: PostgresHome): boolean {
  return readLastLogLines(home).includes('pre-existing shared memory block');
}

function tooLong(log: string): boolean {
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 4_000_000;
}

/** The end of the server's own log: why it did not start. */
export function readLastLogLines({ log }: PostgresHome): string {
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n') : '';
}

function readClusterVersion({ cluster }: PostgresHome): number | undefined {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

/** Made beside its place and then put there whole: a start that is killed leaves no incomplete cluster. */
function createCluster({ folder, version }: PostgresBinaries, home: PostgresHome): void {
  const half = `${home.cluster}.${process.pid}`;
  rmSync(half, { recursive: true, force: true });
  // Bytes decide the order, which is quickest and the same everywhere; upper() still knows every letter.
  const locales =
    version >= 17
      ? [['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']]
      : [['--locale=C', '--lc-ctype=C.UTF-8'], ['--locale=C']];
  const errors = locales.map((locale) => {
    if (existsSync(join(half, 'PG_VERSION'))) return '';
    const initdb = spawnSync(
      join(folder, 'initdb'),
      [
        ...['--pgdata', half, '--username', superuser, '--encoding', 'UTF8', '--auth', 'trust'],
        ...['--no-instructions', ...locale],
      ],
      { ...home.owner, cwd: '/', encoding: 'utf8', env: {} },
    );
    return initdb.status === 0 ? '' : initdb.stderr || String(initdb.error);
  });
  if (!existsSync(join(half, 'PG_VERSION'))) {
    throw new ConfigError(`The database could not be created in ${home.folder}:\n${errors.at(-1)}`);
  }
  try {
    renameSync(half, home.cluster);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    if (readClusterVersion(home) === undefined) throw error;
  }
}

const megabyte = 1024 * 1024;

const safeSettings = {
  listen_addresses: '',
  max_connections: '200',
  shared_buffers: `${Math.max(64, Math.min(512, Math.floor(totalmem() / megabyte / 8)))}MB`,
  work_mem: '32MB',
  maintenance_work_mem: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  // Statements and errors may quote a voter's data; the application logs its errors itself, without.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_min_duration_statement: '-1',
  log_checkpoints: 'off',
};
const unsafeSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
