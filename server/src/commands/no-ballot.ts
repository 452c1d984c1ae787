import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Command } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import { saveNoBallotMessage } from '../modules/content/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { languageOption, someText } from './words.ts';

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
    .description('the words for a voter who has no current ballot')
    .command('set')
    .description('set them, or go back to the product’s own')
    .requiredOption('--account <subdomain>', 'whose voters read them')
    .requiredOption('--language <language>', languageNames.join(', '), languageOption)
    .option('--title <text>', 'the heading', someText)
    .option('--description <text>', 'what to know and to do', someText)
    .option('--default', "go back to the product's own words")
    .action((options: MessageOptions) =>
      context.withDatabase(async (database) => {
        const { account, language, title, description } = options;
        const isWhole = title !== undefined && description !== undefined;
        if (isWhole === (options.default === true)) {
          throw new CommandError('Give both --title and --description, or --default.', 2);
        }
        const { accountId } = await requireAccount(database, account);
        await database.transaction(async (tx) => {
          const message = isWhole ? { title, description } : null;
          await saveNoBallotMessage(tx, accountId, language, message);
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'no-ballot.set',
            target: language,
          });
        });
        context.print(isWhole ? `${language}: ${title}` : `${language}: the product's own words.`);
      }),
    );
}
