import { type Command, InvalidArgumentError } from 'commander';
import { numberByCell, saveCellNumber } from '../modules/moves/index.ts';
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
    .option(
      '--cell <number>',
      'which cell this database is, 1 to 99; before its first office',
      cellNumber,
    )
    .action(async ({ dryRun, cell }: { dryRun?: true; cell?: number }) => {
      try {
        await withSchemaOwner(context.readConfig(), async (url) => {
          await migrateSchema(context, url, dryRun === true);
          if (!dryRun) await prepareRows(context, url, cell);
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

/** The queue's own schema, which a worker with a login of its own cannot make, and the numbers that this cell's rows get. */
async function prepareRows(context: CommandContext, url: string, cell: number | undefined) {
  const database = openDatabase(url, { connections: 2 });
  try {
    await prepareQueue(database);
    if (cell === undefined) return await numberByCell(database.system);
    if (!(await saveCellNumber(database.system, cell)))
      throw new CommandError('This database is another cell already. Its number cannot change.');
    context.print(`This database is cell ${cell}.`);
  } finally {
    await database.close();
  }
}

function cellNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1 && number <= 99) return number;
  throw new InvalidArgumentError('It must be a whole number from 1 to 99.');
}
