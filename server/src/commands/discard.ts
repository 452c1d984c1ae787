import { join } from 'node:path';
import type { Command } from 'commander';
import { discardImport, type KeptCopy } from '../modules/imports/index.ts';
import type { ImportId } from '../platform/ids.ts';
import { findResponsible, recordOf, requireImporter } from './command-sessions.ts';
import { type CommandContext, CommandError } from './context.ts';
import { importNumber } from './release.ts';
import { someText } from './words.ts';

const copies: Readonly<Record<KeptCopy, string>> = {
  deleted: 'Its copy was deleted.',
  needed: 'Its copy stays, because another import of the same file is waiting.',
  absent:
    'Its copy is not on this machine. Where it was imported, the next import or the nightly cleanup deletes it.',
};

interface DiscardOptions {
  readonly by?: string;
  readonly reason: string;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('discard')
    .description('discard a wrong file that waits for approval, and delete its copy')
    .argument('<import>', "the import's number, as beacon imports shows it", importNumber)
    .option('--by <name>', 'the person responsible for it; left out after beacon login', someText)
    .requiredOption('--reason <text>', 'what is wrong with the file, for the record', someText)
    .action((importId: ImportId, { by: typed, reason }: DiscardOptions) =>
      context.withDatabase(async (database, config) => {
        const { account, importer } = await requireImporter(database, importId);
        const by = await findResponsible(
          { context, database, config, account },
          { command: `discard ${importId} --reason TEXT`, typed, importer, isForImporter: true },
        );
        const outcome = await discardImport(database, {
          importId,
          reason,
          by: by.actor,
          name: by.name,
          record: recordOf(context, by),
          rejectsDirectory: join(config.dataDirectory, 'rejects'),
        });
        if (!outcome.ok) throw new CommandError(outcome.problem);
        context.print(
          `Import ${importId} (${outcome.fileName}) was discarded: nothing of it was loaded, and nothing will be. ${copies[outcome.copy]}`,
        );
      }),
    );
}
