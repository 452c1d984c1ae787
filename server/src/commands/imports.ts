import type { Command } from 'commander';
import { listImports } from '../modules/imports/index.ts';
import { type CommandContext, requireAccount } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('imports')
    .description('list the files taken in or refused, newest first')
    .requiredOption('--account <subdomain>', 'whose files')
    .option('--limit <number>', 'how many', Number, 50)
    .option('--json', 'as one JSON document, with every report')
    .action((options: { account: string; limit: number; json?: true }) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, options.account);
        const imports = await listImports(database.system, accountId, options.limit);
        if (options.json) {
          context.printJson(imports.map(toJson));
          return;
        }
        if (imports.length === 0) context.print('No file was imported yet.');
        for (const one of imports) {
          context.print(
            [
              one.importId,
              one.finishedAt.toISOString(),
              one.state,
              one.format,
              one.fileName,
              `${one.rowsRead} read`,
              `${one.rowsRefused} refused`,
            ].join('\t'),
          );
        }
      }),
    );
}

function toJson(one: Awaited<ReturnType<typeof listImports>>[number]): object {
  return {
    import_id: one.importId,
    format: one.format,
    file_name: one.fileName,
    state: one.state,
    operator: one.operator,
    started_at: one.startedAt,
    finished_at: one.finishedAt,
    rows_read: one.rowsRead,
    rows_refused: one.rowsRefused,
    report: one.report,
  };
}
