import type { Command } from 'commander';
import { listAudit } from '../modules/audit/index.ts';
import { type CommandContext, requireAccount } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('audit')
    .description('show who did what in an account, newest first')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--limit <number>', 'how many entries', Number, 200)
    .option('--json', 'as one JSON document')
    .action((options: { account: string; limit: number; json?: true }) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, options.account);
        const entries = await listAudit(database.system, accountId, options.limit);
        if (options.json) {
          context.printJson(entries);
          return;
        }
        for (const { at, actor, action, target } of entries) {
          context.print(`${at.toISOString()}\t${actor}\t${action}\t${target}`);
        }
      }),
    );
}
