import type { Command } from 'commander';
import { signOutOfCommands } from '../modules/people/index.ts';
import { discardSession, readSession } from './command-sessions.ts';
import { type CommandContext, requireAccount } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('logout')
    .description('sign out again after beacon login')
    .requiredOption('--account <subdomain>', 'the office')
    .action(({ account: subdomain }: { account: string }) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, subdomain);
        const secret = readSession(context, subdomain);
        if (secret !== undefined) await signOutOfCommands(database.forOffice(accountId), secret);
        discardSession(context, subdomain);
        context.print('Signed out.');
      }),
    );
}
