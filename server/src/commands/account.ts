import type { Command } from 'commander';
import { applyAccountFile, listAccounts } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import { type CommandContext, CommandError } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  const account = program.command('account').description('make, change and list election offices');

  account
    .command('apply')
    .description('make an account as its file says, or change it to what the file says now')
    .argument('<file>', 'the account file, JSON; images it names lie beside it')
    .action((file: string) => applyAccount(context, file));

  account
    .command('list')
    .description('list the accounts')
    .option('--json', 'as one JSON document')
    .action((options: { json?: true }) =>
      context.withDatabase(async (database) => {
        const accounts = await listAccounts(database.system);
        if (options.json) {
          context.printJson(
            accounts.map(({ settings: { recaptcha, ...settings }, ...rest }) => ({
              ...rest,
              settings: { ...settings, recaptcha: recaptcha && { site_key: recaptcha.site_key } },
            })),
          );
          return;
        }
        if (accounts.length === 0) {
          context.print('There are no accounts yet. Make one with: beacon account apply FILE.json');
        }
        for (const { subdomain, name, county, state, languages } of accounts) {
          context.print(`${subdomain}\t${name}\t${county}, ${state}\t${languages.join(' ')}`);
        }
      }),
    );
}

/** @throws {CommandError} naming everything in the file that must be corrected */
export async function applyAccount(context: CommandContext, file: string): Promise<void> {
  await context.withDatabase(async (database) => {
    const outcome = await applyAccountFile(database, file);
    if (!outcome.ok) {
      const lines = outcome.problems.map(({ at, message }) => `  ${at ? `${at}: ` : ''}${message}`);
      throw new CommandError(
        `${file} cannot be applied; nothing was changed. Correct this and apply it again:\n${lines.join('\n')}`,
      );
    }
    await recordAudit(database.system, outcome.accountId, {
      actor: context.operator,
      action: 'account.apply',
      target: outcome.file.subdomain,
    });
    context.print(`Account ${outcome.file.subdomain} is ${outcome.isNew ? 'made' : 'changed'}.`);
  });
}
