import { ConfigError } from '../platform/config.ts';
import { withSchemaOwner } from '../platform/configured-database.ts';
import { readSchemaState } from '../platform/migrations.ts';
import { type Database, openDatabase } from '../platform/postgres.ts';
import { type CommandContext, CommandError } from './context.ts';

/** Runs what only the owner of the tables may do. @throws {CommandError} where the database is older than this version */
export async function asOwner(
  context: CommandContext,
  work: (database: Database, url: string) => Promise<void>,
  connections = 2,
): Promise<void> {
  try {
    await withSchemaOwner(context.readConfig(), async (url) => {
      if ((await readSchemaState(url)).pending.length > 0)
        throw new CommandError(
          'The database is older than this version. First run: beacon migrate',
        );
      const database = openDatabase(url, { connections });
      try {
        await work(database, url);
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
}
