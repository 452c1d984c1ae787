import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  DatabaseAwayError,
  type FiledFile,
  FolderTaken,
  type Taken,
  watchFolder,
} from '../modules/feeds/index.ts';
import { findFormat } from '../modules/imports/index.ts';
import { createLog } from '../platform/log.ts';
import {
  type CommandContext,
  CommandError,
  exitCodes,
  PassingFailure,
  requireAccount,
} from './context.ts';
import { type ImportOptions, takeIn } from './import.ts';

interface WatchOptions extends Pick<ImportOptions, 'format' | 'election' | 'full'> {
  readonly account: string;
  readonly settle: number;
  readonly every: number;
  readonly patience: number;
  readonly once?: true;
  readonly json?: true;
}

export function register(program: Command, context: CommandContext): void {
  program
    .command('watch')
    .description("take in what an office's exporter drops into a folder, until told to stop")
    .argument('<folder>', 'where the files arrive; they go on to done/ or failed/ inside it')
    .requiredOption('--account <subdomain>', 'whose files')
    .option('--format <format>', "a built-in format's name, or the path of a format file")
    .option('--election <number>', 'the election, where the files do not say')
    .option('--full', 'each voter file is the whole roll: voters it lacks become inactive')
    .option(
      '--settle <seconds>',
      'a file is whole when it has not changed for so long',
      seconds,
      10,
    )
    .option('--every <seconds>', 'how often to look', seconds, 2)
    .option(
      '--patience <seconds>',
      'how long to wait for the end of a compressed file that nobody writes to',
      seconds,
      900,
    )
    .option('--once', 'deal with what is there, and end; 1 when a file failed')
    .option('--json', 'with --once: what became of each file, as one JSON document')
    .action((folder: string, options: WatchOptions) => watch(context, resolve(folder), options));
}

async function watch(
  context: CommandContext,
  directory: string,
  options: WatchOptions,
): Promise<void> {
  if (options.json && !options.once)
    throw new CommandError('--json goes with --once.', exitCodes.usage);
  if (options.format !== undefined && !(await findFormat(options.format)).ok) {
    throw new CommandError(
      `There is no format ${options.format}, or it cannot be used: see beacon format list.`,
      exitCodes.usage,
    );
  }
  const stop = new AbortController();
  const stopListening = context.onInterrupt(() => stop.abort());
  const filed: FiledFile[] = [];
  const { isAllTaken, torn } = await watchFolder({
    directory,
    subdomain: options.account,
    settleMs: options.settle * 1000,
    everyMs: options.every * 1000,
    patienceMs: options.patience * 1000,
    isOnce: options.once === true,
    signal: stop.signal,
    clock: context.clock,
    log: createLog(options.once ? 'silent' : context.readConfig().logLevel),
    withOffice: (work) =>
      context
        .withDatabase(async (database, config) => {
          const account = await requireAccount(database, options.account);
          return work({
            database,
            account,
            takeIn: (path) =>
              take(() => takeIn(context, { database, config, account, path, options })),
          });
        })
        .catch((error: unknown) => {
          throw error instanceof PassingFailure
            ? new DatabaseAwayError(error.message, { cause: error })
            : error;
        }),
    onFiled(file) {
      filed.push(file);
      if (options.once && !options.json) context.print(`${file.text}\n→ ${file.path}\n`);
    },
  })
    .catch((error: unknown) => {
      throw explain(error, directory);
    })
    .finally(stopListening);
  if (options.json) {
    context.printJson(
      filed.map(({ name, path, state, importId }) => ({
        file_name: name,
        path,
        state,
        import_id: importId,
      })),
    );
  }
  for (const name of options.once ? torn : []) {
    context.writeError(`${name} is not whole and stays where it is: its end is missing.\n`);
  }
  if (options.once && !isAllTaken) {
    throw new CommandError(
      'Not every file was taken in: their reports are beside them in failed/.',
    );
  }
}

async function take(work: () => ReturnType<typeof takeIn>): Promise<Taken> {
  try {
    return { kind: 'imported', outcome: await work() };
  } catch (error) {
    if (error instanceof PassingFailure)
      throw new DatabaseAwayError(error.message, { cause: error });
    if (error instanceof CommandError) return { kind: 'unusable', message: error.message };
    throw error;
  }
}

/** What ends a watch before its time, in words. */
function explain(error: unknown, directory: string): unknown {
  if (error instanceof DatabaseAwayError) return new CommandError(error.message);
  if (error instanceof FolderTaken) {
    return new CommandError(
      `${directory} is watched for account ${error.owner}: a folder takes the files of one office. Give each office its own; if this one is no longer ${error.owner}'s, remove ${error.path}.`,
    );
  }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  return new CommandError(
    `${directory} cannot be watched (${code}): it must be a folder that this user may read and write.`,
  );
}

function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 86_400) return number;
  throw new InvalidArgumentError('It must be a number of seconds.');
}
