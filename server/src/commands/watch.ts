import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import {
  DatabaseAwayError,
  type FiledFile,
  type FileResult,
  FolderTaken,
  NotAFolder,
  type Office,
  watchFolder,
  watchOffices,
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
import { type ImportOptions, importPath } from './import.ts';

interface WatchOptions extends Pick<ImportOptions, 'format' | 'election' | 'full'> {
  readonly account?: string;
  readonly offices?: true;
  readonly settle: number;
  readonly every: number;
  readonly patience: number;
  readonly once?: true;
  readonly json?: true;
}

/** One keeps the turn of the office's folder, one imports. */
const connectionsOfOffice = 2;

export function register(program: Command, context: CommandContext): void {
  program
    .command('watch')
    .description("import the files that an office's exporter drops into a folder, until stopped")
    .argument('<folder>', 'where the files arrive; they move to done/ or failed/ inside it')
    .option('--account <subdomain>', 'the account')
    .option(
      '--offices',
      'watch for all accounts in one process: each has its folder FOLDER/ACCOUNT/exports',
    )
    .option('--format <format>', "a built-in format's name, or the path of a format file")
    .option('--election <number>', 'the election, if the files do not name it')
    .option('--full', 'each voter file is the whole voter roll: missing voters become inactive')
    .option(
      '--settle <seconds>',
      'a file is complete when it has not changed for this long',
      seconds,
      10,
    )
    .option('--every <seconds>', 'how often to look', seconds, 2)
    .option(
      '--patience <seconds>',
      'how long to wait for the end of an unfinished compressed file',
      seconds,
      900,
    )
    .option('--once', 'process the files that are there, then end; exit status 1 if a file failed')
    .option('--json', 'with --once: the result of each file, as one JSON document')
    .action((folder: string, options: WatchOptions) => watch(context, resolve(folder), options));
}

async function watch(
  context: CommandContext,
  directory: string,
  options: WatchOptions,
): Promise<void> {
  if (options.json && !options.once)
    throw new CommandError('--json needs --once.', exitCodes.usage);
  if (options.format !== undefined && !(await findFormat(options.format)).ok) {
    throw new CommandError(
      `Format ${options.format} does not exist or cannot be used. See: beacon format list`,
      exitCodes.usage,
    );
  }
  if ((options.account === undefined) === (options.offices === undefined))
    throw new CommandError('Use either --account or --offices.', exitCodes.usage);
  if (options.offices && options.election !== undefined)
    throw new CommandError('--election is for one office. Use --account.', exitCodes.usage);
  const stop = new AbortController();
  const stopListening = context.onInterrupt(() => stop.abort());
  const filed: FiledFile[] = [];
  const { logLevel, dataDirectory, databaseConnections } = context.readConfig();
  const officesAtOnce = databaseConnections < 2 * connectionsOfOffice ? 1 : 2;
  const share = options.offices ? Math.floor(databaseConnections / officesAtOnce) : undefined;
  const withOffice = <T>(subdomain: string, work: (office: Office) => Promise<T>) =>
    openOffice(context, { subdomain, options, share }, work);
  const { account } = options;
  const common = {
    stateDirectory: join(dataDirectory, 'watch'),
    settleMs: options.settle * 1000,
    everyMs: options.every * 1000,
    patienceMs: options.patience * 1000,
    isOnce: options.once === true,
    signal: stop.signal,
    clock: context.clock,
    log: createLog(options.once ? 'silent' : logLevel),
    onFiled(file: FiledFile) {
      filed.push(file);
      if (options.once && !options.json) context.print(`${file.text}\n→ ${file.path}\n`);
    },
  };
  const watched =
    account === undefined
      ? watchOffices({ ...common, root: directory, officesAtOnce, withOffice })
      : watchFolder({
          ...common,
          directory,
          subdomain: account,
          withOffice: (work) => withOffice(account, work),
        });
  const { isAllImported, torn, oddities } = await watched
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
    context.writeError(`${name} is incomplete and stays where it is: its end is missing.\n`);
  }
  for (const [name, what] of options.once ? oddities : []) {
    context.writeError(
      `${name} ${oddityWords[what]} and stays where it is. Put the file itself into the folder.\n`,
    );
  }
  if (options.once && !isAllImported) {
    throw new CommandError(
      'Some files were not imported. Their reports are beside them in failed/.',
    );
  }
}

/** Opens the database for one office's files, and closes it. */
function openOffice<T>(
  context: CommandContext,
  {
    subdomain,
    options,
    share,
  }: {
    readonly subdomain: string;
    readonly options: WatchOptions;
    /** Of the process's connections. */
    readonly share: number | undefined;
  },
  work: (office: Office) => Promise<T>,
): Promise<T> {
  return context
    .withDatabase(async (database, config) => {
      const account = await requireAccount(database, subdomain);
      const importFile = (path: string) =>
        settle(() => importPath(context, { database, config, account, path, options }));
      return work({ database, account, importFile });
    }, share)
    .catch((error: unknown) => {
      throw error instanceof PassingFailure
        ? new DatabaseAwayError(error.message, { cause: error })
        : error;
    });
}

const oddityWords = {
  link: 'is a link to another file',
  'second-name': 'is a second name (hard link) of another file',
  special: 'is not a file with data',
} as const;

async function settle(work: () => ReturnType<typeof importPath>): Promise<FileResult> {
  try {
    return { kind: 'imported', outcome: await work() };
  } catch (error) {
    if (error instanceof PassingFailure)
      throw new DatabaseAwayError(error.message, { cause: error });
    if (error instanceof CommandError) return { kind: 'unusable', message: error.message };
    throw error;
  }
}

/** The message for an error that ends a watch early. */
function explain(error: unknown, directory: string): unknown {
  if (error instanceof DatabaseAwayError) return new CommandError(error.message);
  if (error instanceof FolderTaken) {
    return new CommandError(
      `${directory} belongs to account ${error.owner}. Each office needs its own folder. If this folder no longer belongs to ${error.owner}, remove ${error.path}.`,
    );
  }
  if (error instanceof NotAFolder) {
    return new CommandError(
      `${error.path} must be a folder, not a link or a file: a person who may write to ${directory} could make a link lead anywhere. Remove it. To keep processed files on another disk, mount the disk there.`,
    );
  }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return error;
  return new CommandError(
    `${directory} cannot be watched (${code}). It must be a folder that this user can read and write.`,
  );
}

function seconds(text: string): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= 0 && number <= 86_400) return number;
  throw new InvalidArgumentError('Use a number of seconds.');
}
