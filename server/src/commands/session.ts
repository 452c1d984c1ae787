import type { Command } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { endSessions } from '../modules/sessions/index.ts';
import { findVoterId } from '../modules/voters/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';

interface EndOptions {
  account: string;
  voter?: string;
  all?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('session')
    .description('signed-in voters')
    .command('end')
    .description('sign voters out immediately')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--voter <id>', "one voter (the office's voter ID)")
    .option('--all', 'every voter of the office')
    .action(({ account, voter, all }: EndOptions) =>
      context.withDatabase(async (database) => {
        if ((voter === undefined) === (all === undefined)) {
          throw new CommandError('Use either --voter or --all.', 2);
        }
        const { accountId } = await requireAccount(database, account);
        const ended = await database.transaction(async (tx) => {
          const voterId = voter === undefined ? undefined : await findVoterId(tx, accountId, voter);
          if (voter !== undefined && voterId === undefined) {
            throw new CommandError(
              `Account ${account} has no voter with ID ${voter}. Did Excel drop the leading zeros? Nobody was signed out.`,
            );
          }
          const count = await endSessions(tx, accountId, voterId);
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'session.end',
            target: all ? 'all' : 'one voter',
            details: { ended: count },
          });
          return count;
        });
        context.print(`${ended} sessions ended.`);
      }),
    );
}
