import type { Command } from 'commander';
import {
  type Account,
  applyAccountFile,
  correctAccentColor,
  detailChanges,
  findAccountBySubdomain,
  listAccounts,
  offeredChannels,
  removeAccount,
  renameAccount,
  subdomainRule,
  writeAccountFile,
} from '../modules/accounts/index.ts';
import { recordAudit } from '../modules/audit/index.ts';
import { countUnreached } from '../modules/contacts/index.ts';
import { originOf } from '../modules/notifications/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { registerMove } from './move-account.ts';
import { describeRecords, requireNoImport } from './removal.ts';
import { plural } from './words.ts';

export function register(program: Command, context: CommandContext): void {
  const account = program
    .command('account')
    .description('create, change and list election offices');

  account
    .command('apply')
    .description('create an account from its file, or change what the file names')
    .argument('<file>', 'the account file (docs/account-file.md), with its images beside it')
    .action((file: string) => applyAccount(context, file));

  account
    .command('show')
    .description('print an account as an account file')
    .requiredOption('--account <subdomain>', 'the account')
    .action((options: { account: string }) =>
      context.withDatabase(async (database) => {
        context.printJson(writeAccountFile(await requireAccount(database, options.account)));
      }),
    );

  account
    .command('list')
    .description('list the accounts')
    .option('--json', 'as one JSON document')
    .action((options: { json?: true }) =>
      context.withDatabase(async (database) => {
        const accounts = await listAccounts(database.system);
        if (options.json) {
          context.printJson(accounts.map(withoutSecrets));
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

  account
    .command('rename')
    .description('give an account another subdomain, which is part of its web address')
    .argument('<subdomain>', 'the account')
    .argument('<new-subdomain>', subdomainRule.advice.replace('must be ', ''))
    .action((from: string, to: string) => rename(context, from, to));

  account
    .command('remove')
    .description('remove an account that has no voters, elections or files')
    .argument('<subdomain>', 'the account')
    .action((subdomain: string) => remove(context, subdomain));

  registerMove(account, context);
}

function withoutSecrets({ settings: { recaptcha, ...settings }, ...account }: Account): object {
  return {
    ...account,
    settings: { ...settings, recaptcha: recaptcha && { site_key: recaptcha.site_key } },
  };
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
    const { subdomain, accent_color: color } = outcome.file;
    await recordAudit(database.system, outcome.accountId, {
      actor: context.operator,
      action: 'account.apply',
      target: subdomain,
      details: detailChanges(outcome.changes),
    });
    context.print(
      `Account ${subdomain} was ${outcome.isNew ? 'created' : 'updated'}. Voters go to ${originOf(config, subdomain)}`,
    );
    const { accountId, offeredBefore, file: applied } = outcome;
    const offered = offeredChannels(applied);
    const unreached = await countUnreached(database.system, accountId, offeredBefore, offered);
    if (unreached > 0)
      context.print(
        `${plural(unreached, 'voter')} signed up for alerts only in ways that are no longer offered, and will get none. Announce it, or offer those ways again.`,
      );
    const { light } = correctAccentColor(color);
    if (light !== color.toLowerCase())
      context.print(`Color ${color} is hard to read on white. Voters see ${light} instead.`);
  });
}

async function rename(context: CommandContext, from: string, to: string): Promise<void> {
  if (!subdomainRule.pattern.test(to))
    throw new CommandError(`The new subdomain ${subdomainRule.advice}.`);
  await context.withDatabase(async (database, config) => {
    const { accountId } = await requireAccount(database, from);
    if (await findAccountBySubdomain(database.system, to))
      throw new CommandError(`Account ${to} exists already.`);
    await database.transaction(async (tx) => {
      await renameAccount(tx, accountId, to);
      await recordAudit(tx, accountId, {
        actor: context.operator,
        action: 'account.rename',
        target: to,
        details: { from },
      });
    });
    context.print(
      `Account ${from} is now ${to}. Voters go to ${originOf(config, to)}\nQR codes and links that were sent before no longer work. Change the subdomain in the account file too.`,
    );
  });
}

async function remove(context: CommandContext, subdomain: string): Promise<void> {
  await context.withDatabase(async (database) => {
    const account = await requireAccount(database, subdomain);
    const { accountId } = account;
    await requireNoImport(database, account);
    await database.transaction(async (tx) => {
      const records = await removeAccount(tx, accountId);
      if (records.length > 0)
        throw new CommandError(
          `Account ${subdomain} is not empty, so it was not removed: ${describeRecords(records)}.`,
        );
      await recordAudit(tx, accountId, {
        actor: context.operator,
        action: 'account.remove',
        target: subdomain,
      });
    });
    context.print(`Account ${subdomain} was removed.`);
  });
}
