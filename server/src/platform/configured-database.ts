import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { type Config, ConfigError } from './config.ts';
import { connectClient, readHosts } from './hosts.ts';
import { codeOf } from './log.ts';
import { createLogins } from './logins.ts';
import { migrate, readSchemaState } from './migrations.ts';
import { asksThroughPooler } from './pool.ts';
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

const oldestVersion = 15;
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
  config: Config,
  keeper?: DatabaseKeeper,
): Promise<ConfiguredDatabase> {
  if (config.databaseUrl !== undefined) {
    const urls = readUrls(config, config.databaseUrl);
    await checkServer(urls);
    return open(urls, config, async () => {});
  }
  const { dataDirectory, pgBin } = config;
  const { url, close } = await keepPostgres({ dataDirectory, pgBin }, keeper);
  return open(
    { url, directUrl: url, apiUrl: undefined, workerUrl: undefined, intakeUrl: undefined },
    config,
    close,
  );
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
  const postgres = await startPrivatePostgres(config);
  try {
    return await work(postgres.url);
  } finally {
    await postgres.close();
  }
}

interface Urls {
  readonly url: string;
  /** The same database without a pooler in between. */
  readonly directUrl: string;
  /** Undefined: the private database, which creates the login itself. */
  readonly apiUrl: string | undefined;
  readonly workerUrl: string | undefined;
  readonly intakeUrl: string | undefined;
}

function readUrls(config: Config, url: string): Urls {
  return {
    url,
    directUrl: config.databaseDirectUrl ?? url,
    apiUrl: config.databaseApiUrl ?? url,
    workerUrl: config.databaseWorkerUrl ?? url,
    intakeUrl: config.databaseIntakeUrl ?? url,
  };
}

async function open(
  { url, directUrl, apiUrl, workerUrl, intakeUrl }: Urls,
  config: Config,
  leave: () => Promise<void>,
): Promise<ConfiguredDatabase> {
  try {
    const migrated = config.production ? await refusePending(directUrl) : await migrate(directUrl);
    const database = openDatabase(url, {
      connections: config.databaseConnections,
      directUrl: directUrl === url ? undefined : directUrl,
      ...(apiUrl === undefined ? await createLogins(directUrl) : { apiUrl, workerUrl, intakeUrl }),
    });
    return {
      database,
      migrated,
      async close() {
        await database.close();
        await leave();
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** In production the schema changes when an operator says so, never because a newer program was started. */
async function refusePending(url: string): Promise<readonly string[]> {
  const { pending } = await readSchemaState(url);
  if (pending.length === 0) return [];
  throw new ConfigError(
    `The database is older than this version. Migrations not applied yet: ${pending.length}. ` +
      'List them with `beacon migrate --dry-run`, and apply them with `beacon migrate`.',
  );
}

/** Messages of its own for what goes wrong first in a new installation; a password in the URL is not repeated. */
async function checkServer({ url, directUrl, apiUrl }: Urls): Promise<void> {
  await checkUrl('DATABASE_URL', url, url !== directUrl);
  if (directUrl !== url) await checkUrl('DATABASE_DIRECT_URL', directUrl, false);
  if (apiUrl !== undefined && apiUrl !== url) await checkUrl('DATABASE_API_URL', apiUrl, true);
}

async function checkUrl(setting: string, url: string, mayBePooled: boolean): Promise<void> {
  let client: pg.Client | undefined;
  try {
    client = await connectClient(url, { connectionTimeoutMillis: 10_000 });
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int / 10000 as version`,
    );
    const version = rows[0]?.version ?? 0;
    if (version < oldestVersion) {
      throw new ConfigError(
        `${setting} leads to PostgreSQL ${version}. Version ${oldestVersion} or newer is needed.`,
      );
    }
    if (await asksThroughPooler(client)) await checkPooler(client, setting, mayBePooled);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const {
      host,
      port,
      database = '',
    } = new pg.Client({
      connectionString: readHosts(url).urls.at(-1),
    });
    const refusal = error instanceof pg.DatabaseError ? `: ${error.message}` : '';
    throw new ConfigError(
      `${setting} cannot be used: the database "${database}" at ${host}, port ${port}, does not answer ` +
        `(${codeOf(error)}${refusal}). Start it, correct ${setting}, or unset it to use a private database.`,
      { cause: error },
    );
  } finally {
    await client?.end().catch(() => {});
  }
}

async function checkPooler(
  client: pg.Client,
  setting: string,
  mayBePooled: boolean,
): Promise<void> {
  try {
    await client.query('begin');
    await client.query('commit');
  } catch (error) {
    throw new ConfigError(
      `${setting} leads through a pooler that allows no transactions (statement pooling). Set pool_mode = transaction there.`,
      { cause: error },
    );
  }
  if (mayBePooled) return;
  throw new ConfigError(
    setting === 'DATABASE_URL'
      ? 'DATABASE_URL leads through a connection pooler. Set DATABASE_DIRECT_URL to the same database without the pooler; migrations, the queue and locks need it.'
      : `${setting} leads through a connection pooler. Give the address of the database itself.`,
  );
}
