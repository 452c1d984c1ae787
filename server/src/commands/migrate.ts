import type { Command } from 'commander';
import { ConfigError } from '../platform/config.ts';
import { withSchemaOwner } from '../platform/configured-database.ts';
import { migrate, readSchemaState } from '../platform/migrations.ts';
import { type CommandContext, CommandError } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('bring the database up to this version; in production nothing else does')
    .option('--dry-run', 'only list what would be applied')
    .action(async ({ dryRun }: { dryRun?: true }) => {
      try {
        await withSchemaOwner(context.readConfig(), async (url) => {
          const { pending, isNewer } = await readSchemaState(url);
          if (pending.length === 0) {
            context.print(
              isNewer
                ? 'Nothing to do: a newer version has changed this database. This version works with it.'
                : 'Nothing to do: the database is up to date.',
            );
            return;
          }
          const names = dryRun ? pending.map(({ name }) => name) : await migrate(url);
          for (const name of names) context.print(`${dryRun ? 'Would apply' : 'Applied'} ${name}`);
        });
      } catch (error) {
        if (error instanceof ConfigError) throw new CommandError(error.message);
        throw error;
      }
    });
}
