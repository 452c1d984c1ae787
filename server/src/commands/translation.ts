import { fileURLToPath } from 'node:url';
import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import { Argument, type Command, Option } from 'commander';
import {
  type Catalog,
  layOver,
  type Override,
  readCatalog,
  readOverrides,
  type Section,
} from '../modules/texts/index.ts';
import { changeText, checkWords, nameText, toWords } from '../modules/words/index.ts';
import { type CommandContext, CommandError, requireAccount } from './context.ts';
import { authorOf, languageOption, someText, warnOfDropped } from './words.ts';

const localesDirectory = fileURLToPath(new URL('../../../locales/', import.meta.url));

interface TextOptions {
  account: string;
  language: Language;
  section: 'main' | 'messages';
  default?: true;
}

export function register(program: Command, context: CommandContext): void {
  const translation = program
    .command('translation')
    .description("an office's own wording instead of the product's");

  translation
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
      context.withDatabase(async (database, config) => {
        if ((text === undefined) === (options.default === undefined)) {
          throw new CommandError('Use either a text or --default.', 2);
        }
        const { accountId } = await requireAccount(database, options.account);
        const catalog = readCatalog(localesDirectory);
        const { language, section } = options;
        const of = { text: nameText(section, key), language };
        let words = toWords(null);
        if (text !== undefined) {
          const db = database.forOffice(accountId);
          const read = await checkWords({ db, config, catalog }, accountId, of, {
            title: '',
            body: text,
          });
          if ('problem' in read) throw new CommandError(read.problem);
          warnOfDropped(context, read.dropped);
          words = read.words;
        }
        const by = authorOf(context, accountId);
        await database.transaction((tx) => changeText(tx, by, of, words));
        const value = words?.body;
        context.print(`${key} in ${language}: ${value ?? "the product's own text"}`);
      }),
    );

  translation
    .command('list')
    .description("list the texts that this office wrote instead of the product's")
    .requiredOption('--account <subdomain>', 'the account')
    .option('--json', 'as one JSON document')
    .action((options: { account: string; json?: true }) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, options.account);
        const own = await readOverrides(database.forOffice(accountId));
        if (options.json) return context.printJson(own);
        if (own.length === 0) context.print("This office uses the product's own text everywhere.");
        for (const { language, section, key, value } of own)
          context.print(`${language}  ${section}  ${key}\n    ${value}`);
      }),
    );

  translation
    .command('search')
    .description('find texts by their words or their key, as this office shows them')
    .argument('<words>', 'part of the text or of its key', someText)
    .requiredOption('--account <subdomain>', 'the account')
    .requiredOption('--language <language>', languageNames.join(', '), languageOption)
    .option('--json', 'as one JSON document')
    .action((words: string, options: SearchOptions) =>
      context.withDatabase(async (database) => {
        const { accountId } = await requireAccount(database, options.account);
        const own = await readOverrides(database.forOffice(accountId));
        const found = searchTexts(readCatalog(localesDirectory), own, words, options.language);
        if (options.json) return context.printJson(found);
        if (found.length === 0)
          throw new CommandError(
            `No text contains "${words}". Search for fewer words, or in another language.`,
          );
        for (const { key, section, value, shipped } of found) {
          const isOwn = value !== shipped;
          context.print(`${key}  (${section}${isOwn ? ', own text' : ''})\n    ${value}`);
          if (isOwn && shipped !== '') context.print(`    instead of: ${shipped}`);
        }
      }),
    );
}

interface SearchOptions {
  readonly account: string;
  readonly language: Language;
  readonly json?: true;
}

/** The office's texts that contain the words in any case, or whose key does. */
function searchTexts(
  catalog: Catalog,
  own: readonly Override[],
  words: string,
  language: Language,
): { section: Section; key: string; value: string; shipped: string }[] {
  const wanted = words.toLowerCase();
  const texts = layOver(catalog, own);
  return (['main', 'messages'] as const).flatMap((section) => {
    const shipped = catalog.texts(language, section);
    return Object.entries(texts.texts(language, section))
      .map(([key, value]) => ({ section, key, value, shipped: shipped[key] ?? '' }))
      .filter((one) => [one.key, one.value].some((text) => text.toLowerCase().includes(wanted)));
  });
}
