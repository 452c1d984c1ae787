import type { Command } from 'commander';
import { originOf } from '../modules/notifications/index.ts';
import { pushPath, renewCredential } from '../modules/scan-push/index.ts';
import { type CommandContext, requireAccount } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  program
    .command('scan-push')
    .description("create the password with which USPS pushes an office's scans")
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action((options: { account: string; json?: true }) =>
      context.withDatabase(async (database, config) => {
        const account = await requireAccount(database, options.account);
        const url = `${originOf(config, account.subdomain)}${pushPath}`;
        const credential = await database.transaction((tx) =>
          renewCredential(tx, account, context.operator, context.clock.now()),
        );
        if (options.json) {
          context.printJson({ url, ...credential });
          return;
        }
        context.print(`Address   ${url}\nUser      ${credential.user}\nPassword  ${credential.password}\n
It is shown this once. Any password drawn before has stopped working.`);
      }),
    );
}
