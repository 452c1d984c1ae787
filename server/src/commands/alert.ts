import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Command } from 'commander';
import { changeText, readOwnTexts, toWords } from '../modules/words/index.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';
import { authorOf, languageOption, readOfficeHtml, readTextFile, someText } from './words.ts';

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
        const by = authorOf(context, accountId);
        await database.transaction((tx) =>
          changeText(tx, by, { text: 'alert', language }, toWords(value)),
        );
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
        const by = authorOf(context, accountId);
        await database.transaction(async (tx) => {
          const shown = (await readOwnTexts(tx, accountId)).filter(
            (one) => one.text === 'alert' && (language === undefined || one.language === language),
          );
          for (const one of shown) await changeText(tx, by, one, null);
        });
        context.print(`The notice was removed${language === undefined ? '' : ` in ${language}`}.`);
      }),
    );
}
