import { join } from 'node:path';
import { Presets, SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Account } from '../modules/accounts/index.ts';
import type { Actor } from '../modules/audit/index.ts';
import {
  adviseOnWrongFile,
  describeReport,
  FileRefused,
  type Format,
  ImportInterrupted,
  type ImportOutcome,
  type ImportProgress,
  type ImportRequest,
  importFile,
  isImporting,
  listFormats,
  openSourceFile,
  recognizeFormat,
  type SourceFile,
} from '../modules/imports/index.ts';
import { enqueueMessages } from '../modules/notifications/index.ts';
import { createTokenKeys } from '../modules/voters/index.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/postgres.ts';
import { loadTokenKeys } from '../platform/secrets.ts';
import { findPersonOfCommands } from './command-sessions.ts';
import {
  type CommandContext,
  CommandError,
  exitCodes,
  PassingFailure,
  requireAccount,
} from './context.ts';
import { requireFormat } from './format.ts';

export interface ImportOptions {
  /** Built-in name or path; without it, the file's first line decides. */
  readonly format?: string;
  readonly election?: string;
  readonly full?: true;
  readonly dryRun?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('import')
    .description(
      "import an office's file: all of it except refused rows, or nothing; exit status 3 if it waits for approval",
    )
    .argument('<file>', 'the file as the office exported it: plain, gzip, zip or an Excel workbook')
    .requiredOption('--account <subdomain>', 'the account')
    .option('--format <format>', "a built-in format's name, or the path of a format file")
    .option('--election <number>', 'the election, if the file does not name it')
    .option(
      '--full',
      'the file is the whole voter roll: missing voters become inactive, within a limit',
    )
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--json', 'the report as one JSON document')
    .action(async (path: string, options: ImportOptions & { account: string; json?: true }) => {
      const outcome = await context.withDatabase(async (database, config) => {
        const account = await requireAccount(database, options.account);
        const person = await findPersonOfCommands({ context, database, account });
        const operator = person?.actor ?? context.operator;
        return importPath(context, { database, config, account, path, options, operator });
      });
      const text =
        describeReport(outcome.report, path, outcome.firstValues) + adviseOnWaiting(outcome);
      if (options.json) {
        context.printJson({ import_id: outcome.importId, state: outcome.state, ...outcome.report });
      }
      if (outcome.state === 'file-held') throw new CommandError(text, exitCodes.waiting);
      if (outcome.state === 'refused') throw new CommandError(text);
      if (!options.json) context.print(text);
    });
}

function adviseOnWaiting({ importId, state, report }: ImportOutcome): string {
  if (importId === null) return '';
  if (state === 'file-held')
    return `

  What to do next: check the file with the office.
  If it is right, a second person must approve it: beacon release ${importId} --by THEIR_NAME
  If it is wrong, leave it, and nothing changes. ${adviseOnWrongFile(report.holds)}. To discard it now: beacon discard ${importId} --by NAME --reason TEXT`;
  if (state === 'messages-held')
    return `

  What to do next: the ballots are loaded, but no messages are sent.
  If the file is right, a second person must approve its messages: beacon release ${importId} --by THEIR_NAME
  If it is wrong: beacon correct ${importId} --by NAME, and import the right file.`;
  return '';
}

/**
 * Imports one file, with a progress bar on a terminal.
 * @throws {CommandError} when there is no such file or format; nothing was changed
 */
export async function importPath(
  context: CommandContext,
  task: {
    readonly database: Database;
    readonly config: Config;
    readonly account: Account;
    readonly path: string;
    readonly options: ImportOptions;
    /** Who imports it, where that is not the user of the machine. */
    readonly operator?: Actor;
  },
): Promise<ImportOutcome> {
  const { path, options, operator = context.operator, ...office } = task;
  const refuse = (error: unknown) => {
    throw error instanceof FileRefused ? new CommandError(error.message) : error;
  };
  const named = options.format === undefined ? undefined : await requireFormat(options.format);
  const file = await openSourceFile(path, office.account.county, named?.sheet).catch(refuse);
  return importSource(context, {
    ...office,
    file,
    format: named ?? (await recognize(file).catch(refuse)),
    election: options.election,
    isFull: options.full === true,
    isDryRun: options.dryRun === true,
    operator,
    ...(operator !== context.operator && { record: { run_as: context.operator } }),
  });
}

/** Imports an open file of a known format. @throws {CommandError} when it failed; nothing was changed */
export async function importSource(
  context: CommandContext,
  task: {
    readonly database: Database;
    readonly config: Config;
  } & Pick<
    ImportRequest,
    | 'account'
    | 'file'
    | 'format'
    | 'election'
    | 'isFull'
    | 'isDryRun'
    | 'operator'
    | 'record'
    | 'released'
  >,
): Promise<ImportOutcome> {
  const { database, config, ...request } = task;
  const { subdomain, accountId } = request.account;
  if (await isImporting(database.system, accountId)) {
    context.writeError(`Another import of account ${subdomain} is running; waiting for it.\n`);
  }
  const progress = createProgress(context, request.file.size);
  try {
    return await importFile(database, context.clock, {
      ...request,
      rejectsDirectory: join(config.dataDirectory, 'rejects', subdomain),
      tokenKeys: createTokenKeys(loadTokenKeys(config)),
      onProgress: progress.show,
      afterEvents: (tx, importId, rowsRead, isJudged) =>
        enqueueMessages(
          tx,
          config,
          { accountId, importId, rowsRead, isJudged },
          context.clock.now(),
        ),
    });
  } catch (error) {
    if (error instanceof ImportInterrupted) throw new PassingFailure(error.message, error);
    throw error instanceof FileRefused ? new CommandError(error.message) : error;
  } finally {
    progress.stop();
  }
}

async function recognize(file: SourceFile): Promise<Format> {
  const recognized = await recognizeFormat(file, await listFormats());
  if (recognized.ok) return recognized.format;
  throw new CommandError(recognized.message);
}

/** A progress bar on a terminal, nothing elsewhere. */
function createProgress(
  { terminal }: CommandContext,
  size: number | undefined,
): {
  show: (progress: ImportProgress) => void;
  stop: () => void;
} {
  if (!terminal || size === undefined) return { show: () => {}, stop: () => {} };
  const bar = new SingleBar(
    { format: '{bar} {percentage} % {step}', stream: terminal, clearOnComplete: true },
    Presets.shades_classic,
  );
  bar.start(size, 0, { step: 'reading' });
  return {
    show: ({ step, bytes }) => bar.update(bytes, { step }),
    stop: () => bar.stop(),
  };
}
