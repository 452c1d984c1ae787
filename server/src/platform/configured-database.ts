import pg from 'pg';
import { type Config, ConfigError } from './config.ts';
import { codeOf } from './log.ts';
import { migrate } from './migrations.ts';
import { type Database, openDatabase } from './postgres.ts';
import { startPrivatePostgres } from './private-postgres.ts';

export interface ConfiguredDatabase {
  readonly database: Database;
  /** The migrations applied by this opening; all of them when the database is new. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

const oldestVersion = 15;

/**
 * The database the configuration names, at the tree's schema: `DATABASE_URL`, else the private one in `BEACON_DATA`.
 * Everything that reaches data, server and command line alike, comes through here.
 *
 * @throws {ConfigError} when `DATABASE_URL` leads to no PostgreSQL that can be used, when the private one cannot be
 * started, or when its schema cannot be brought to the tree's.
 */
export async function openConfiguredDatabase(config: Config): Promise<ConfiguredDatabase> {
  if (config.databaseUrl !== undefined) {
    await checkServer(config.databaseUrl);
    return open(config.databaseUrl, config, async () => {});
  }
  const { dataDirectory, pgBin } = config;
  const postgres = await startPrivatePostgres({ dataDirectory, pgBin });
  return open(postgres.url, config, () => postgres.close());
}

async function open(
  url: string,
  config: Config,
  leave: () => Promise<void>,
): Promise<ConfiguredDatabase> {
  try {
    const migrated = await migrate(url);
    const database = openDatabase(url, { connections: config.databaseConnections });
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

/** Words of its own for what goes wrong first in a new installation; a password in the URL is not repeated. */
async function checkServer(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number }>(
      `select current_setting('server_version_num')::int / 10000 as version`,
    );
    const version = rows[0]?.version ?? 0;
    if (version < oldestVersion) {
      throw new ConfigError(
        `DATABASE_URL leads to PostgreSQL ${version}. Version ${oldestVersion} or newer is needed.`,
      );
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { host, port, database = '' } = client;
    const refusal = error instanceof pg.DatabaseError ? `: ${error.message}` : '';
    throw new ConfigError(
      `DATABASE_URL cannot be used: the database "${database}" at ${host}, port ${port}, does not answer ` +
        `(${codeOf(error)}${refusal}). Start it, correct DATABASE_URL, or unset it to use a private database.`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
