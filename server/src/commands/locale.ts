import { readFileSync, writeFileSync } from 'node:fs';
import { isLanguage, type Language, languageNames } from '@ballot-beacon/contract/languages';
import type { Command } from 'commander';
import {
  exportLanguage,
  type ImportOutcome,
  importLanguage,
  localesFolder,
} from '../modules/text-review/index.ts';
import { decodeWritten } from '../platform/written-text.ts';
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

/** Exports texts for an office's reviewers and imports them again, as XLIFF 1.2, which translation tools read. */
export function register(program: Command, context: CommandContext): void {
  const locale = program.command('locale').description('exchange texts with reviewers');

  locale
    .command('export')
    .description('write one language with the English texts beside it, as XLIFF 1.2')
    .argument('<language>', 'for instance vietnamese')
    .option('--out <file>', 'write to this file instead of standard output')
    .option('--unreviewed', 'only texts that no reviewer has approved in their current wording')
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
    .description('import a reviewed XLIFF file, completely or not at all')
    .argument('<file>', 'the file that the reviewer’s tool saved, XLIFF 1.2')
    .requiredOption(
      '--by <role>',
      'the reviewer’s role, recorded with each approved text; not a name',
    )
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--folder <folder>', 'where the text files are', localesFolder)
    .option('--json', 'as one JSON document')
    .action((file: string, flags: ImportFlags) => {
      const outcome = importReviewed(context, file, flags);
      if (flags.json) context.printJson(outcome);
      if (!outcome.isImported)
        throw new CommandError(
          `${file} was not imported; nothing changed. Fix these texts and import it again:\n${outcome.problems.map((problem) => `  ${problem}`).join('\n')}`,
        );
      if (!flags.json) printOutcome(context, outcome, flags.dryRun === true);
    });
}

function importReviewed(context: CommandContext, file: string, flags: ImportFlags): ImportOutcome {
  try {
    return importLanguage(flags.folder, decodeWritten(readFileSync(file)), {
      by: flags.by,
      today: context.clock.now().toISOString().slice(0, 10),
      isDryRun: flags.dryRun === true,
    });
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new CommandError(`${file} ${error.message}. Nothing was changed.`);
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
      `${stale.length} texts were skipped: their English changed after the export. Export again for: ${stale.join(', ')}`,
    );
}

function requireLanguage(name: string): Language {
  const language = name.toLowerCase();
  if (isLanguage(language) && language !== 'english') return language;
  throw new CommandError(
    `Language ${name} does not exist. You have: ${languageNames.filter((one) => one !== 'english').join(', ')}.`,
    exitCodes.usage,
  );
}
