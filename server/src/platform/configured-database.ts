import type { Config } from './config.ts';
import { migrate } from './migrations.ts';
import { type Database, openDatabase } from './postgres.ts';
import { startPrivatePostgres } from './private-postgres.ts';

export interface ConfiguredDatabase {
  readonly database: Database;
  /** The migrations applied by this opening; all of them when the database is new. */
  readonly migrated: readonly string[];
  close(): Promise<void>;
}

/**
 * The database the configuration names, at the tree's schema: `DATABASE_URL`, else the private one in `BEACON_DATA`.
 * Everything that reaches data, server and command line alike, comes through here.
 */
export async function openConfiguredDatabase(config: Config): Promise<ConfiguredDatabase> {
  const postgres =
    config.databaseUrl === undefined
      ? await startPrivatePostgres({ dataDirectory: config.dataDirectory, pgBin: config.pgBin })
      : undefined;
  const url = config.databaseUrl ?? postgres?.url ?? '';
  try {
    const migrated = await migrate(url);
    const database = openDatabase(url, { connections: config.databaseConnections });
    return {
      database,
      migrated,
      async close() {
        await database.close();
        await postgres?.close();
      },
    };
  } catch (error) {
    await postgres?.close();
    throw error;
  }
}
