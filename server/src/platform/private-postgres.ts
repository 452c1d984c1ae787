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
import pg from 'pg';
import { ConfigError } from './config.ts';
import { isUnavailable } from './postgres.ts';
import {
  copyPostgresBinaries,
  findPostgresBinaries,
  type PostgresBinaries,
} from './postgres-binaries.ts';
import {
  canEnter,
  makeSocketFolder,
  type PostgresHome,
  preparePostgresHome,
  removeSocketFolder,
  systemFolder,
} from './postgres-home.ts';

/**
 * A PostgreSQL of the product's own, on a unix socket that only its owner can reach, for an installation without
 * `DATABASE_URL`.
 *
 * Any number of processes share one server: the first starts it, the last one out stops it. Who uses it is known by
 * a lock that each holds in the server itself, so that a killed process leaves nothing behind; a server that nobody
 * stopped is found again and used.
 */
export interface PrivatePostgres {
  readonly url: string;
  /** True when this call started the server, false when it joined a running one. */
  readonly started: boolean;
  /** Leaves the server, and stops it when no other process uses it. */
  close(): Promise<void>;
}

export interface PrivatePostgresOptions {
  /** Absolute; the database lives in `postgres/` below it. */
  readonly dataDirectory: string;
  readonly pgBin?: string | undefined;
  /** Tests only: a crash of the machine may lose the data. */
  readonly unsafelyFast?: boolean;
  /** Tests only: called by the last one out, with a connection to the still running server. */
  readonly beforeStop?: (client: pg.Client) => Promise<void>;
}

const databaseName = 'beacon';
const superuser = 'beacon';
/** Held shared by every user of the server, exclusively by the one that stops it. Any number will do. */
const usersLock = 728_400;
const patienceMs = 60_000;

/**
 * @throws {ConfigError} when no programs are found, when the folder cannot be used, or when the server does not start; the message
 * ends with the server's own last words.
 */
export async function startPrivatePostgres(
  options: PrivatePostgresOptions,
): Promise<PrivatePostgres> {
  const home = preparePostgresHome(options.dataDirectory);
  const deadline = Date.now() + patienceMs;
  let launched: ChildProcess | undefined;
  let launches = 0;
  for (;;) {
    const membership = await joinServer(home);
    if (membership) {
      let left: Promise<void> | undefined;
      return {
        url: urlOf(membership.socketFolder, databaseName),
        started: launched !== undefined && !hasExited(launched),
        close: () => {
          left ??= membership.leave(options.beforeStop);
          return left;
        },
      };
    }
    if (!isServing(home) && (launched === undefined || hasExited(launched))) {
      const isHeldBack = launched !== undefined && isHeldByEarlierWork(home);
      // When several start at once all but one give way, and that one answers soon; so one failure is none yet.
      if (launches >= 3 && !isHeldBack)
        throw new ConfigError(`The database did not start:\n${lastWords(home)}`);
      if (isHeldBack) await wait(200);
      launched = launch(home, options);
      launches += 1;
    }
    if (Date.now() > deadline) {
      throw new ConfigError(`The database did not answer for a minute:\n${lastWords(home)}`);
    }
    await wait(10);
  }
}

function urlOf(socketFolder: string, database: string): string {
  return `postgresql://${superuser}@/${database}?host=${encodeURIComponent(socketFolder)}`;
}

interface Membership {
  readonly socketFolder: string;
  leave(beforeStop?: (client: pg.Client) => Promise<void>): Promise<void>;
}

/** Counts this process among the server's users; undefined when no server takes it in. */
async function joinServer(home: PostgresHome): Promise<Membership | undefined> {
  const socketFolder = readPostmaster(home)?.socketFolder;
  if (socketFolder === undefined) return undefined;
  const maintenanceUrl = urlOf(socketFolder, 'postgres');
  let leaving = false;
  let client = await connect();
  if (client === undefined) return undefined;

  async function connect(): Promise<pg.Client | undefined> {
    const joined = await connectAsUser(maintenanceUrl);
    joined?.once('end', () => {
      if (!leaving) void reconnect();
    });
    return joined;
  }
  // The server restarted under us; unless we say again that we use it, another process may stop it.
  async function reconnect(): Promise<void> {
    do {
      await wait(200, undefined, { ref: false });
      client = await connect();
    } while (client === undefined && !leaving && isServing(home));
  }
  return {
    socketFolder,
    async leave(beforeStop) {
      leaving = true;
      if (client === undefined) return;
      referenced(client).ref();
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [usersLock]);
        if (await takeLock(client, 'pg_try_advisory_lock')) {
          await beforeStop?.(client);
          await stop(home);
        }
      } catch (error) {
        // One that died meanwhile, and may be starting anew, need not be left.
        if (!isUnavailable(error)) throw error;
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
}

/** A connection that holds the users' lock; undefined when there is no server, or one that is being stopped. */
async function connectAsUser(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // a lost connection also ends, which is what is watched
  try {
    await client.connect();
    if (await takeLock(client, 'pg_try_advisory_lock_shared')) {
      await createDatabase(client);
      referenced(client).unref(); // being counted must not keep a process alive
      return client;
    }
  } catch {
    // not there, not yet, or no longer
  }
  await client.end().catch(() => {});
  return undefined;
}

/** What pg has and its types lack. */
function referenced(client: pg.Client): { ref(): void; unref(): void } {
  return client as unknown as { ref(): void; unref(): void };
}

async function takeLock(
  client: pg.Client,
  attempt: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${attempt}($1) as taken`, [
    usersLock,
  ]);
  return rows[0]?.taken === true;
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [
    databaseName,
  ]);
  if (rowCount !== 0) return;
  try {
    await client.query(`create database ${databaseName}`);
  } catch (error) {
    const madeByAnother = ['42P04', '23505']; // duplicate_database, or its unique index when in the same moment
    if (!madeByAnother.includes((error as pg.DatabaseError).code ?? '')) throw error;
  }
}

interface Postmaster {
  readonly pid: number;
  /** Undefined while it starts. */
  readonly socketFolder: string | undefined;
}

/** What the server wrote of itself: line 1 its process, line 5 the folder of its socket. */
function readPostmaster({ cluster }: PostgresHome): Postmaster | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), socketFolder: lines[4] || undefined };
  } catch {
    return undefined;
  }
}

/**
 * Whether a server runs on the cluster. Its pid alone does not tell: a killed server leaves its file behind, and in
 * a restarted container that number soon belongs to another process.
 */
function isServing(home: PostgresHome): boolean {
  const postmaster = readPostmaster(home);
  if (postmaster === undefined) return false;
  try {
    if (process.platform !== 'linux') return process.kill(postmaster.pid, 0);
    return readlinkSync(`/proc/${postmaster.pid}/cwd`) === realpathSync(home.cluster);
  } catch {
    return false;
  }
}

async function stop(home: PostgresHome): Promise<void> {
  const postmaster = readPostmaster(home);
  if (postmaster === undefined) return;
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, nothing committed is lost.
  process.kill(postmaster.pid, 'SIGINT');
  const deadline = Date.now() + patienceMs;
  while (isServing(home) && Date.now() < deadline) await wait(5);
  if (postmaster.socketFolder !== undefined) removeSocketFolder(postmaster.socketFolder);
}

function launch(home: PostgresHome, options: PrivatePostgresOptions): ChildProcess {
  const clusterVersion = readClusterVersion(home);
  const binaries = findPostgresBinaries(options.pgBin, clusterVersion);
  const folder = canEnter(binaries.folder, home.owner)
    ? binaries.folder
    : copyPostgresBinaries(binaries, systemFolder);
  if (clusterVersion === undefined) createCluster({ ...binaries, folder }, home);

  const left = readPostmaster(home);
  if (left) removeMisleading(left, home);
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
  server.once('error', () => {}); // hasExited() tells
  server.unref();
  return server;
}

/**
 * PostgreSQL takes a file that names any living process of its user's for a running server, and in a restarted
 * container that number is soon somebody's.
 */
function removeMisleading(left: Postmaster, home: PostgresHome): void {
  if (process.platform !== 'linux' || !existsSync(`/proc/${left.pid}`) || isServing(home)) return;
  rmSync(join(home.cluster, 'postmaster.pid'), { force: true });
}

function hasExited(server: ChildProcess): boolean {
  return server.pid === undefined || server.exitCode !== null || server.signalCode !== null;
}

/**
 * Whether a start failed because of a process of an earlier server that was killed: in the middle of a statement it
 * does not see that it is alone, and holds the memory of that server until the statement ends.
 */
function isHeldByEarlierWork(home: PostgresHome): boolean {
  return lastWords(home).includes('pre-existing shared memory block');
}

function tooLong(log: string): boolean {
  return (statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 4_000_000;
}

function lastWords({ log }: PostgresHome): string {
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n') : '';
}

function readClusterVersion({ cluster }: PostgresHome): number | undefined {
  const file = join(cluster, 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined;
}

/** Made beside its place and then put there whole: a start that is killed half way leaves no half cluster. */
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
