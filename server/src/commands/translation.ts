import { fileURLToPath } from 'node:url';
import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import { Argument, type Command, Option } from 'commander';
import { recordAudit } from '../modules/audit/index.ts';
import {
  findOverrideProblem,
  isHtmlKey,
  readCatalog,
  sanitizeOfficeHtml,
  saveOverride,
} from '../modules/texts/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { languageOption, someText } from './words.ts';

const localesDirectory = fileURLToPath(new URL('../../../locales/', import.meta.url));

interface TextOptions {
  account: string;
  language: Language;
  section: 'main' | 'messages';
  default?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('translation')
    .description("an office's own wording instead of the product's")
    .command('set')
    .description('set the text of one key')
    .argument('<key>', 'as in locales/LANGUAGE/*.json', someText)
    .addArgument(new Argument('[text]', 'the text').argParser(someText))
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--language <language>', languageNames.join(', '), languageOption)
    .addOption(
      new Option('--section <section>', 'the page, or messages')
        .choices(['main', 'messages'])
        .default('main'),
    )
    .option('--default', "go back to the product's own text")
    .action((key: string, text: string | undefined, options: TextOptions) =>
      context.withDatabase(async (database) => {
        if ((text === undefined) === (options.default === undefined)) {
          throw new CommandError('Use either a text or --default.', 2);
        }
        const { accountId } = await requireAccount(database, options.account);
        const catalog = readCatalog(localesDirectory);
        const { language, section } = options;
        const value = text === undefined ? null : isHtmlKey(key) ? sanitizeOfficeHtml(text) : text;
        const problem =
          value === null ? undefined : findOverrideProblem(catalog, { section, key, value });
        if (problem !== undefined) throw new CommandError(problem);
        await database.transaction(async (tx) => {
          await saveOverride(tx, accountId, { language, section, key, value });
          await recordAudit(tx, accountId, {
            actor: context.operator,
            action: 'translation.set',
            target: `${language} ${section} ${key}`,
          });
        });
        context.print(`${key} in ${language}: ${value ?? "the product's own text"}`);
      }),
    );
}
