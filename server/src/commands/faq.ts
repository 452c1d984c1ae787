import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import { type Command, Option } from 'commander';
import type { OfficePage } from '../modules/content/index.ts';
import { changeText, toWords } from '../modules/words/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { authorOf, languageOption, readOfficeHtml, readTextFile } from './words.ts';

interface PageOptions {
  account: string;
  language: Language;
  file?: string;
  default?: true;
  page: OfficePage;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('faq')
    .description("set an office's FAQ or its address block")
    .command('set')
    .description('use the HTML of a file; unsafe parts are removed')
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--language <language>', languageNames.join(', '), languageOption)
    .option('--file <path>', 'HTML: headings, paragraphs, lists, tables, links')
    .option('--default', "go back to the product's own text")
    .addOption(
      new Option('--page <page>', 'which page')
        .choices(['faq', 'county-information'])
        .default('faq'),
    )
    .action((options: PageOptions) =>
      context.withDatabase(async (database) => {
        const { account, language, page, file } = options;
        if ((file === undefined) === (options.default === undefined)) {
          throw new CommandError('Give either --file or --default.', 2);
        }
        const { accountId } = await requireAccount(database, account);
        const written = file === undefined ? null : await readTextFile(file);
        const html = written === null ? null : readOfficeHtml(context, written);
        if (html === '') throw new CommandError(`${file} contains no text to show.`);
        const by = authorOf(context, accountId);
        await database.transaction((tx) =>
          changeText(tx, by, { text: page, language }, toWords(html)),
        );
        context.print(html === null ? `${page} in ${language}: the product's own text` : html);
      }),
    );
}
