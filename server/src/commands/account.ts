import type { Command } from 'commander';
import { applyAccountFile, listAccounts } from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import { originOf } from '../modules/notifications/index.ts';
import { type CommandContext, CommandError } from './context.ts';

export function register(program: Command, context: CommandContext): void {
  const account = program
    .command('account')
    .description('create, change and list election offices');

  account
    .command('apply')
    .description('create an account from its file, or change it to match the file')
    .argument('<file>', 'the account file (JSON), with its images in the same folder')
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
          context.print('There are no accounts yet. To create one: beacon account apply FILE.json');
        }
        for (const { subdomain, name, county, state, languages } of accounts) {
          context.print(`${subdomain}\t${name}\t${county}, ${state}\t${languages.join(' ')}`);
        }
      }),
    );
}

/** @throws {CommandError} naming everything in the file that must be corrected */
export async function applyAccount(context: CommandContext, file: string): Promise<void> {
  await context.withDatabase(async (database, config) => {
    const outcome = await applyAccountFile(database, file);
    if (!outcome.ok) {
      const lines = outcome.problems.map(({ at, message }) => `  ${at ? `${at}: ` : ''}${message}`);
      throw new CommandError(
        `${file} was not applied; nothing changed. Fix these and apply it again:\n${lines.join('\n')}`,
      );
    }
    await recordAudit(database.system, outcome.accountId, {
      actor: context.operator,
      action: 'account.apply',
      target: outcome.file.subdomain,
    });
    const { subdomain } = outcome.file;
    context.print(
      `Account ${subdomain} was ${outcome.isNew ? 'created' : 'updated'}. Voters go to ${originOf(config, subdomain)}`,
    );
  });
}
