import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import {
  describeReport,
  findFormat,
  type ImportOutcome,
  type ImportProgress,
  importFile,
  isImporting,
} from '../modules/imports/index.ts';
import { enqueueMessages } from '../modules/notifications/index.ts';
import { type CommandContext, CommandError, exitCodes, requireAccount } from './context.ts';

interface ImportOptions {
  readonly account: string;
  readonly format: string;
  readonly election?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('import')
    .description("take in an office's file: wholly, but for rows refused one by one, or not at all")
    .argument('<file>', 'the file as the office exported it')
    .requiredOption('--account <subdomain>', 'whose file it is')
    .requiredOption('--format <format>', "a built-in format's name, or the path of a format file")
    .option('--election <number>', 'the election, where the file does not say')
    .option('--dry-run', 'say what would change, and change nothing')
    .option('--json', 'the report as one JSON document')
    .action(async (file: string, options: ImportOptions) => {
      await runImport(context, file, options);
    });
}

/** @throws {CommandError} when the file is refused; the report is its message */
export async function runImport(
  context: CommandContext,
  file: string,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const found = await findFormat(options.format);
  if (!found.ok) {
    const lines = found.problems.map(({ at, message }) => `\n  ${at}: ${message}`);
    throw new CommandError(`${found.message}${lines.join('')}`, exitCodes.usage);
  }
  const size = sizeOf(file);
  const outcome = await context.withDatabase(async (database, config) => {
    const account = await requireAccount(database, options.account);
    const { subdomain, accountId } = account;
    if (await isImporting(database.system, accountId)) {
      process.stderr.write(
        `Another import of account ${subdomain} is under way; waiting for it.\n`,
      );
    }
    const progress = createProgress(size);
    try {
      return await importFile(database, context.clock, {
        account,
        format: found.format,
        file: {
          name: file,
          size,
          open: () => createReadStream(file, { highWaterMark: 64 * 1024 }),
        },
        election: options.election,
        isDryRun: options.dryRun === true,
        operator: context.operator,
        rejectsDirectory: join(config.dataDirectory, 'rejects', subdomain),
        onProgress: progress.show,
        afterEvents: (tx, importId, rowsRead) =>
          enqueueMessages(tx, config, { accountId, importId, rowsRead }, context.clock.now()),
      });
    } finally {
      progress.stop();
    }
  });
  const text = describeReport(outcome.report, file);
  if (options.json)
    context.printJson({ import_id: outcome.importId, state: outcome.state, ...outcome.report });
  if (outcome.state === 'refused') throw new CommandError(text);
  if (!options.json) context.print(text);
  return outcome;
}

function sizeOf(file: string): number {
  try {
    const facts = statSync(file);
    if (facts.isFile()) return facts.size;
  } catch {
    throw new CommandError(`${file} cannot be read. Is the path right?`);
  }
  throw new CommandError(`${file} is not a file.`);
}

/** A bar on a terminal; silence elsewhere. */
function createProgress(size: number): {
  show: (progress: ImportProgress) => void;
  stop: () => void;
} {
  if (!process.stderr.isTTY) return { show: () => {}, stop: () => {} };
  const bar = new SingleBar(
    { format: '{bar} {percentage} % {step}', stream: process.stderr, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(size, 0, { step: 'reading' });
  return {
    show: ({ step, bytes }) => bar.update(bytes, { step }),
    stop: () => bar.stop(),
  };
}
