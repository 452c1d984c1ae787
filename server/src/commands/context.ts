import {
  type Account,
  type Election,
  findAccountBySubdomain,
  findElection,
  listAccounts,
} from '../modules/accounts/index.ts';
import type { Actor } from '../modules/audit/index.ts';
import { type Config, ConfigError, readConfig, readVariable } from '../platform/config.ts';
import { openOfficeDatabase } from '../platform/configured-database.ts';
import { type Database, isUnavailable } from '../platform/postgres.ts';
import { readUserName } from '../platform/user-name.ts';
import { exitCodes, type Surroundings } from './surroundings.ts';

export { exitCodes };

/** What every command can use. */
export interface CommandContext
  extends Pick<Surroundings, 'clock' | 'writeOutput' | 'writeError' | 'terminal' | 'onInterrupt'> {
  readonly operator: Actor;
  /** One line, or several, on standard output. */
  print(text: string): void;
  /** Prints one JSON document, which is all of standard output. */
  printJson(value: unknown): void;
  /** @throws {CommandError} naming every unusable variable */
  readConfig(): Config;
  /** A variable of the environment, or the content of the file that NAME_FILE names. */
  readSetting(name: string): string | undefined;
  /**
   * Runs `work` with the configured database, by the login for offices. Starts the database if it is not running, and
   * stops it again afterwards.
   *
   * @param connections at most; left out, as many as a process may have
   */
  withDatabase<T>(
    work: (database: Database, config: Config) => Promise<T>,
    connections?: number,
  ): Promise<T>;
}

/** A command that failed, with a message that says what to do. Nothing was changed. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The cause is the database or a disk: the same command may succeed later. */
export class PassingFailure extends CommandError {
  constructor(message: string, cause: unknown) {
    super(message);
    this.cause = cause;
  }
}

/** Of a disk without room: such an error of an open file names no path. */
const diskFull: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** What broke a command off, in words; undefined when nobody foresaw it. */
export function explainFailure(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (error instanceof ConfigError) return new CommandError(error.message);
  const { code, path, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (isUnavailable(error))
    return new CommandError(
      `The database did not let the command finish${code === undefined ? '' : ` (${code})`}: it stopped, is full or was busy. See that it answers, look what is done already, and run the command again.`,
    );
  if (code === undefined || syscall === undefined) return undefined;
  if (path !== undefined)
    return new CommandError(
      `${path} cannot be used (${code}) by the user ${readUserName()}. See that it is there, that this user may read or write it, and that its disk has room.`,
    );
  if (!diskFull.has(code)) return undefined;
  return new CommandError(
    `A disk has no room left (${code}). Make room and run the command again.`,
  );
}

/**
 * What makes a terminal erase, color or turn around what it shows. Names of files and what is in them reach it, and a person
 * decides by what is shown. Isolates, which our own Arabic has, turn nothing outside themselves around.
 */
const acting = /[^\P{Cc}\n\t]|[\u202a-\u202e]/gu;

function escapeLetter(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

export function createCommandContext(surroundings: Surroundings): CommandContext {
  const { environment, ...reached } = surroundings;
  const { writeOutput, writeError } = reached;
  return {
    ...reached,
    writeError: (text) => writeError(text.replaceAll(acting, '\ufffd')),
    operator: `operator:${environment.BEACON_OPERATOR || readUserName()}`,
    print: (text) => writeOutput(`${text.replaceAll(acting, '\ufffd')}\n`),
    printJson: (value) =>
      writeOutput(`${JSON.stringify(value, null, 2).replaceAll(acting, escapeLetter)}\n`),
    readConfig: () => usableConfig(environment),
    readSetting: (name) => readVariable(environment, name),
    async withDatabase(work, connections) {
      const read = usableConfig(environment);
      const config = { ...read, databaseConnections: connections ?? read.databaseConnections };
      const configured = await openOfficeDatabase(config).catch((error: Error) => {
        throw new PassingFailure(`The database cannot be used. ${error.message}`, error);
      });
      try {
        return await work(configured.database, config);
      } finally {
        await configured.close();
      }
    },
  };
}

/** @throws {CommandError} naming the existing accounts */
export async function requireAccount(database: Database, subdomain: string): Promise<Account> {
  const account = await findAccountBySubdomain(database.system, subdomain);
  if (account) return account;
  const known = (await listAccounts(database.system)).map((one) => one.subdomain);
  throw new CommandError(
    known.length > 0
      ? `Account ${subdomain} does not exist. You have: ${known.join(', ')}.`
      : `Account ${subdomain} does not exist, and there are no accounts yet. To create one: beacon account apply FILE.json`,
  );
}

/** @throws {CommandError} naming the existing elections */
export function requireElection(elections: readonly Election[], number: string): Election {
  const found = findElection(elections, number);
  if (found) return found;
  const known = elections.map((one) => one.number).join(', ') || 'none';
  throw new CommandError(`Election ${number} does not exist. You have: ${known}.`);
}

function usableConfig(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
}
