import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Command } from 'commander';
import { changeText } from '../modules/words/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { authorOf, languageOption, someText } from './words.ts';

interface MessageOptions {
  account: string;
  language: Language;
  title?: string;
  description?: string;
  default?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('no-ballot')
    .description('the text for voters who have no current ballot')
    .command('set')
    .description('set the text, or go back to the product’s own')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--language <language>', languageNames.join(', '), languageOption)
    .option('--title <text>', 'the heading', someText)
    .option('--description <text>', 'what voters should know and do', someText)
    .option('--default', "go back to the product's own text")
    .action((options: MessageOptions) =>
      context.withDatabase(async (database) => {
        const { account, language, title, description } = options;
        const isWhole = title !== undefined && description !== undefined;
        if (isWhole === (options.default === true)) {
          throw new CommandError('Use both --title and --description, or --default.', 2);
        }
        const { accountId } = await requireAccount(database, account);
        const by = authorOf(context, accountId);
        const words = isWhole ? { title, body: description } : null;
        await database.transaction((tx) =>
          changeText(tx, by, { text: 'no-ballot', language }, words),
        );
        context.print(isWhole ? `${language}: ${title}` : `${language}: the product's own text`);
      }),
    );
}
