import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { type Config, ConfigError } from './config.ts';
import { checkUrl, connectChecked, connectToServer } from './connect-checked.ts';
import type { ProcessConfig } from './database-use.ts';
import { createLogins, type LoginUrls } from './logins.ts';
import { type DirectWay, migrate, readSchemaState } from './migrations.ts';
import { type Database, openDatabase } from './postgres.ts';
import {
  type PrivatePostgres,
  type PrivatePostgresOptions,
  startPrivatePostgres,
} from './private-postgres.ts';

export interface ConfiguredDatabase {
  readonly database: Database;
  /** The migrations applied by this opening; all of them when the database is new. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

/** What a process that keeps the private database running wants to know. */
export interface DatabaseKeeper {
  /** It died and is being started again. */
  onLost(): void;
  onRestored(): void;
  /** It cannot be started again; nothing more is tried. */
  onGivenUp(error: unknown): void;
  /** How often it is started again before that. */
  readonly attempts?: number;
}

const restartAttempts = 8;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** The private database; with a keeper it is started again, waiting longer each time, whenever it dies. */
async function keepPostgres(
  options: PrivatePostgresOptions,
  keeper: DatabaseKeeper | undefined,
): Promise<Pick<PrivatePostgres, 'url' | 'close'>> {
  let isClosed = false;
  const start = () =>
    startPrivatePostgres({ ...options, ...(keeper && { onLost: () => void restore(keeper) }) });
  let postgres = await start();
  const { url } = postgres;

  async function restore({ onLost, onRestored, onGivenUp, attempts }: DatabaseKeeper) {
    if (isClosed) return;
    onLost();
    let pauseMs = firstPauseMs;
    for (let left = attempts ?? restartAttempts; !isClosed; left -= 1) {
      try {
        const again = await start();
        if (again.url !== url) throw new ConfigError('The database came back at another address.');
        postgres = again;
        if (isClosed) await again.close();
        else onRestored();
        return;
      } catch (error) {
        if (left <= 1) return onGivenUp(error);
        await wait(pauseMs);
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  }
  return {
    url,
    async close() {
      isClosed = true;
      await postgres.close();
    },
  };
}

/**
 * The database the configuration names, at the tree's schema: `DATABASE_URL`, else the private one in `BEACON_DATA`.
 * Everything that reaches data, server and command line alike, comes through here.
 *
 * @throws {ConfigError} when `DATABASE_URL` leads to no PostgreSQL that can be used, when the private one cannot be
 * started, or when its schema cannot be brought to the tree's.
 */
export async function openConfiguredDatabase(
  config: ProcessConfig,
  keeper?: DatabaseKeeper,
): Promise<ConfiguredDatabase> {
  if (config.databaseUrl !== undefined) {
    const urls = readUrls(config, config.databaseUrl);
    return open(urls, config, await connectToServer(urls));
  }
  return openPrivate(config, keeper, ({ url }) => url);
}

/**
 * {@link openConfiguredDatabase} by the login for offices: `DATABASE_OFFICE_URL`, or the private database's own. By the
 * owner's, where an operator gave no other.
 *
 * @throws {ConfigError} as {@link openConfiguredDatabase} does
 */
export async function openOfficeDatabase(config: Config): Promise<ConfiguredDatabase> {
  const { databaseOfficeUrl: url } = config;
  if (url !== undefined) {
    const checked = await connectChecked('DATABASE_OFFICE_URL', url, false);
    return open(readUrls({ ...config, databaseDirectUrl: undefined }, url), config, checked);
  }
  if (config.databaseUrl !== undefined) return openConfiguredDatabase(config);
  return openPrivate(config, undefined, ({ officeUrl }) => officeUrl);
}

/** The private database, by its owner's login or another. */
async function openPrivate(
  config: ProcessConfig,
  keeper: DatabaseKeeper | undefined,
  pick: (urls: LoginUrls & { readonly url: string }) => string,
): Promise<ConfiguredDatabase> {
  refuseMissingLogin(config);
  const { dataDirectory, pgBin } = config;
  const { url, close } = await keepPostgres({ dataDirectory, pgBin }, keeper);
  try {
    const migrated = await bringUpToDate(config, url);
    const logins = await createLogins(url);
    return openMigrated({ ...logins, url: pick({ ...logins, url }) }, config, migrated, close);
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Runs `work` with the address at which the schema's owner reaches the configured database directly; nothing is
 * changed there before.
 *
 * @throws {ConfigError} as {@link openConfiguredDatabase} does
 */
export async function withSchemaOwner<T>(
  config: Config,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== undefined) {
    const { directUrl } = readUrls(config, config.databaseUrl);
    const setting = config.databaseDirectUrl === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
    await checkUrl(setting, directUrl, false);
    return work(directUrl);
  }
  refuseMissingLogin(config);
  const postgres = await startPrivatePostgres(config);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.close();
  }
}

/** A private database beside the operator's own would be empty, and nobody would see why. */
function refuseMissingLogin(config: Config): void {
  const known = Object.entries({
    DATABASE_DIRECT_URL: config.databaseDirectUrl,
    DATABASE_API_URL: config.databaseApiUrl,
    DATABASE_WORKER_URL: config.databaseWorkerUrl,
    DATABASE_INTAKE_URL: config.databaseIntakeUrl,
    DATABASE_OFFICE_URL: config.databaseOfficeUrl,
  }).find(([, url]) => url !== undefined);
  if (known === undefined) return;
  throw new ConfigError(
    `DATABASE_URL is not set, and ${known[0]} is not for this process. Set the login that it needs (docs/operations/database.md, Database logins), or unset ${known[0]} to use a private database.`,
  );
}

interface Urls extends LoginUrls {
  readonly url: string;
  /** The same database without a pooler in between. */
  readonly directUrl: string;
}

function readUrls(config: Config, url: string): Urls {
  return {
    url,
    directUrl: config.databaseDirectUrl ?? url,
    apiUrl: config.databaseApiUrl ?? url,
    workerUrl: config.databaseWorkerUrl ?? url,
    intakeUrl: config.databaseIntakeUrl ?? url,
    officeUrl: config.databaseOfficeUrl ?? url,
  };
}

/** @param checked leads to the database directly, and is closed here */
async function open(
  urls: Urls,
  config: ProcessConfig,
  checked: pg.Client,
): Promise<ConfiguredDatabase> {
  try {
    return openMigrated(urls, config, await bringUpToDate(config, checked));
  } finally {
    await checked.end();
  }
}

function openMigrated(
  { url, directUrl = url, ...logins }: Omit<Urls, 'directUrl'> & { readonly directUrl?: string },
  config: ProcessConfig,
  migrated: readonly string[],
  leave?: () => Promise<void>,
): ConfiguredDatabase {
  const database = openDatabase(url, {
    ...{ connections: config.databaseConnections, use: config.databaseUse },
    directUrl: directUrl === url ? undefined : directUrl,
    ...logins,
  });
  return {
    database,
    migrated,
    async close() {
      await database.close();
      await leave?.();
    },
  };
}

/** @returns the migrations applied */
async function bringUpToDate(config: Config, way: DirectWay): Promise<readonly string[]> {
  return config.production ? refusePending(way) : migrate(way);
}

/** In production the schema changes when an operator says so, never because a newer program was started. */
async function refusePending(way: DirectWay): Promise<readonly string[]> {
  const { pending } = await readSchemaState(way);
  if (pending.length === 0) return [];
  throw new ConfigError(
    `The database is older than this version. Migrations not applied yet: ${pending.length}. ` +
      'List them with `beacon migrate --dry-run`, and apply them with `beacon migrate`.',
  );
}
