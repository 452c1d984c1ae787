import type { Command } from 'commander';
import { prepareQueue } from '../modules/notifications/index.ts';
import { ConfigError } from '../platform/config.ts';
import { withSchemaOwner } from '../platform/configured-database.ts';
import { migrate, readSchemaState } from '../platform/migrations.ts';
import { openDatabase } from '../platform/postgres.ts';
import { type CommandContext, CommandError } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database up to this version; in production nothing else does')
    .option('--dry-run', 'only list what would be applied')
    .action(async ({ dryRun }: { dryRun?: true }) => {
      try {
        await withSchemaOwner(context.readConfig(), async (url) => {
          await migrateSchema(context, url, dryRun === true);
          if (!dryRun) await updateQueue(url);
        });
      } catch (error) {
        if (error instanceof ConfigError) throw new CommandError(error.message);
        throw error;
      }
    });
}

async function migrateSchema(context: CommandContext, url: string, isDryRun: boolean) {
  const { pending, isNewer } = await readSchemaState(url);
  if (pending.length === 0) {
    context.print(
      isNewer
        ? 'Nothing to do: a newer version has changed this database. This version works with it.'
        : 'Nothing to do: the database is up to date.',
    );
    return;
  }
  const names = isDryRun ? pending.map(({ name }) => name) : await migrate(url);
  for (const name of names) context.print(`${isDryRun ? 'Would apply' : 'Applied'} ${name}`);
}

/** The queue's own schema, which a worker with a login of its own cannot make. */
async function updateQueue(url: string): Promise<void> {
  const database = openDatabase(url, { connections: 2 });
  try {
    await prepareQueue(database);
  } finally {
    await database.close();
  }
}
