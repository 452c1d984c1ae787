import { readFileSync, writeFileSync } from 'node:fs';
import { isLanguage, type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Command } from 'commander';
import {
  exportLanguage,
  type ImportOutcome,
  importLanguage,
  localesFolder,
} from '../modules/text-review/index.ts';
import { type CommandContext, CommandError, exitCodes } from './context.ts';

interface ExportFlags {
  readonly out?: string;
  readonly unreviewed?: true;
  readonly folder: string;
}

interface ImportFlags {
  readonly by: string;
  readonly dryRun?: true;
  readonly json?: true;
  readonly folder: string;
}

/** Texts go out to an office's reviewers and come back, as XLIFF 1.2, which translation tools read. */
export function register(program: Command, context: CommandContext): void {
  const locale = program
    .command('locale')
    .description('give texts to reviewers and take them back');

  locale
    .command('export')
    .description('write one language beside the English texts, as XLIFF 1.2')
    .argument('<language>', 'for instance vietnamese')
    .option('--out <file>', 'where to write; otherwise to standard output')
    .option('--unreviewed', 'only texts that no reviewer has approved as they are now')
    .option('--folder <folder>', 'where the text files are', localesFolder)
    .action((name: string, flags: ExportFlags) => {
      const xliff = exportLanguage(flags.folder, requireLanguage(name), {
        isUnreviewedOnly: flags.unreviewed === true,
      });
      if (flags.out === undefined) context.print(xliff.trimEnd());
      else {
        writeFileSync(flags.out, xliff);
        context.print(`${flags.out}: ${xliff.match(/<trans-unit /g)?.length ?? 0} texts`);
      }
    });

  locale
    .command('import')
    .description('take a reviewed XLIFF file into the text files, whole or not at all')
    .argument('<file>', 'the file that the reviewer’s tool saved, XLIFF 1.2')
    .requiredOption('--by <role>', 'the reviewer’s role, kept with each approved text; not a name')
    .option('--dry-run', 'say what would change, change nothing')
    .option('--folder <folder>', 'where the text files are', localesFolder)
    .option('--json', 'as one JSON document')
    .action((file: string, flags: ImportFlags) => {
      const outcome = takeFile(context, file, flags);
      if (flags.json) context.printJson(outcome);
      if (!outcome.isTaken)
        throw new CommandError(
          `${file} cannot be taken; nothing was changed. Correct these texts and import it again:\n${outcome.problems.map((problem) => `  ${problem}`).join('\n')}`,
        );
      if (!flags.json) printOutcome(context, outcome, flags.dryRun === true);
    });
}

function takeFile(context: CommandContext, file: string, flags: ImportFlags): ImportOutcome {
  try {
    return importLanguage(flags.folder, readFileSync(file, 'utf8'), {
      by: flags.by,
      today: context.clock.now().toISOString().slice(0, 10),
      isDryRun: flags.dryRun === true,
    });
  } catch (error) {
    throw new CommandError(
      `${file} cannot be read; nothing was changed. ${error instanceof Error ? error.message : error}`,
    );
  }
}

function printOutcome(context: CommandContext, outcome: ImportOutcome, isDryRun: boolean): void {
  const { language, changed, approved, stale } = outcome;
  context.print(
    `${language}: ${changed} texts ${isDryRun ? 'would change' : 'changed'}, ${approved} newly approved.`,
  );
  if (stale.length > 0)
    context.print(
      `${stale.length} texts were left alone: their English has changed since the export. Export again for: ${stale.join(', ')}`,
    );
}

function requireLanguage(name: string): Language {
  const language = name.toLowerCase();
  if (isLanguage(language) && language !== 'english') return language;
  throw new CommandError(
    `There is no language ${name} to translate into. There are: ${languageNames.filter((one) => one !== 'english').join(', ')}.`,
    exitCodes.usage,
  );
}
