import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from './config.ts';
import { isUnavailable } from './postgres.ts';
import { type PostgresHome, preparePostgresHome } from './postgres-home.ts';
import {
  hasExited,
  isBlockedByEarlierWork,
  isServing,
  type LaunchOptions,
  launchServer,
  readLastLogLines,
  readPostmaster,
  stopServer,
  superuser,
} from './postgres-server.ts';

/**
 * A PostgreSQL of the product's own, on a unix socket that only its owner can reach, for an installation without
 * `DATABASE_URL`.
 *
 * Any number of processes share one server: the first starts it, the last one out stops it. Its users are known by
 * the locks that they keep in the server itself, so that a killed process leaves nothing behind; a server that was not
 * stopped is found again and used.
 */
export interface PrivatePostgres {
  readonly url: string;
  /** True when this call started the server, false when it joined a running one. */
  readonly started: boolean;
  /** Leaves the server, and stops it when no other process uses it. */
  close(): Promise<void>;
}

export interface PrivatePostgresOptions extends LaunchOptions {
  /** Absolute; the database lives in `postgres/` below it. */
  readonly dataDirectory: string;
  /** Called when the server is gone, though nobody here left it. */
  readonly onLost?: () => void;
  /** Tests only: called by the last one out, with a connection to the still running server. */
  readonly beforeStop?: (client: pg.Client) => Promise<void>;
}

const databaseName = 'beacon';
/** A lock: shared for every user of the server, exclusive for the process that stops it. Any number will do. */
const usersLock = 728_400;
const patienceMs = 60_000;

/**
 * @throws {ConfigError} when no programs are found, when the folder cannot be used, or when the server does not start; the message
 * ends with the last lines of the server's log.
 */
export async function startPrivatePostgres(
  options: PrivatePostgresOptions,
): Promise<PrivatePostgres> {
  const home = preparePostgresHome(options.dataDirectory);
  const deadline = Date.now() + patienceMs;
  let launched: ChildProcess | undefined;
  let launches = 0;
  for (;;) {
    const membership = await joinServer(home, options.onLost);
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
      const isBlocked = launched !== undefined && isBlockedByEarlierWork(home);
      // When several processes start at once, all but one give way and join that one; so the first failures do not count.
      if (launches >= 3 && !isBlocked)
        throw new ConfigError(`The database did not start:\n${readLastLogLines(home)}`);
      if (isBlocked) await wait(200);
      launched = launchServer(home, options);
      launches += 1;
    }
    if (Date.now() > deadline) {
      throw new ConfigError(`The database did not answer for a minute:\n${readLastLogLines(home)}`);
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

/** Counts this process among the server's users; undefined when there is no server to join. */
async function joinServer(
  home: PostgresHome,
  onLost?: () => void,
): Promise<Membership | undefined> {
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
    if (client === undefined && !leaving) onLost?.();
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
          await stopServer(home, patienceMs);
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

/** A connection that has the users' lock; undefined when there is no server, or the server is being stopped. */
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
