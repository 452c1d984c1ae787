import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Command } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { officeAlertKey, saveOverride } from '../modules/texts/index.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';
import { languageOption, readOfficeHtml, readTextFile, someText } from './words.ts';

interface AlertOptions {
  readonly account: string;
  readonly language: Language;
  readonly text?: string;
  readonly file?: string;
}

export function register(program: Command, context: CommandContext): void {
  const alert = program
    .command('alert')
    .description("a notice in the office's own words, at the top of every page");

  alert
    .command('set')
    .description(
      'show a notice to every visitor; without one in their language they see the English one',
    )
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--language <language>', languageNames.join(', '), languageOption)
    .option('--text <html>', 'the text of the notice', someText)
    .option('--file <path>', 'a file with the notice as HTML')
    .action((options: AlertOptions) =>
      context.withDatabase(async (database) => {
        const { account, language, text, file } = options;
        if ((text === undefined) === (file === undefined))
          throw new CommandError('Use either --text or --file.', exitCodes.usage);
        const { accountId } = await requireAccount(database, account);
        const value = readOfficeHtml(context, text ?? (await readTextFile(file ?? '')));
        if (value === '') throw new CommandError('The notice contains no text to show.');
        await database.transaction(async (tx) => {
          await saveOverride(tx, accountId, { ...alertIn(language), value });
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'alert.set',
            target: language,
          });
        });
        context.print(`Visitors who read ${language} see now: ${value}`);
      }),
    );

  alert
    .command('clear')
    .description('remove the notice in every language, or in one')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--language <language>', languageNames.join(', '), languageOption)
    .action(({ account, language }: { account: string; language?: Language }) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, account);
        await database.transaction(async (tx) => {
          for (const one of language === undefined ? languageNames : [language])
            await saveOverride(tx, accountId, { ...alertIn(one), value: null });
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'alert.clear',
            target: language ?? 'all languages',
          });
        });
        context.print(`The notice was removed${language === undefined ? '' : ` in ${language}`}.`);
      }),
    );
}

function alertIn(language: Language) {
  return { language, section: 'main', key: officeAlertKey };
}
