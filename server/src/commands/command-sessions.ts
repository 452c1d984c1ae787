import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mayDo } from '@ballot-beacon/contract/office/roles';
import { type Account, findAccount } from '../modules/accounts/index.ts';
import { type Actor, isSamePerson } from '../modules/audit/index.ts';
import { findImporter } from '../modules/imports/index.ts';
import {
  type CommandPerson,
  findCommandSession,
  hasIdentities,
  nameActors,
} from '../modules/people/index.ts';
import type { Config } from '../platform/config.ts';
import type { ImportId } from '../platform/ids.ts';
import type { Database } from '../platform/postgres.ts';
import { type CommandContext, CommandError, exitCodes } from './context.ts';

/** Who is responsible for a decision. */
export interface Responsible {
  readonly actor: Actor;
  readonly name: string;
  /** For the record: a person whom the identity provider proved, or a name that somebody typed. */
  readonly identity: 'proven' | 'typed';
}

interface Surrounds {
  readonly context: CommandContext;
  readonly database: Database;
  readonly config: Config;
  readonly account: Account;
}

/**
 * Who decides on an import: the person who signed in with `beacon login` where identities are set up for the office, and
 * else the name that was typed.
 *
 * @param typed `--by`
 * @throws {CommandError} unless somebody may decide, and is not the importer
 */
export async function findResponsible(
  surrounds: Surrounds,
  decision: {
    /** For the advice: what to type, without `--by`. */
    readonly command: string;
    readonly typed: string | undefined;
    /** As the import's record names who imported it. */
    readonly importer: string;
    /** Whether a typed name of the importer's is enough: it is to withdraw a file, and not to release one. */
    readonly isForImporter?: true;
  },
): Promise<Responsible> {
  const { database, config, account } = surrounds;
  const { command, importer, isForImporter = false } = decision;
  const db = database.forOffice(account.accountId);
  const typed = decision.typed?.trim() ?? '';
  const responsible = (await hasIdentities(db, config, account.subdomain))
    ? await requirePerson(surrounds, typed)
    : requireName(typed, command);
  const { actor, name, identity } = responsible;
  const nameOf = await nameActors(db, [importer]);
  const isImporter = importer === actor || isSamePerson(nameOf(importer), name);
  if (isImporter && !(isForImporter && identity === 'typed'))
    throw new CommandError(
      `${nameOf(importer)} imported this file. A second person must check it and decide: beacon ${command}${identity === 'typed' ? ' --by THEIR_NAME' : ''}`,
    );
  return responsible;
}

function requireName(typed: string, command: string): Responsible {
  if (typed === '')
    throw new CommandError(
      `Give the name of the person who is responsible: beacon ${command} --by NAME`,
      exitCodes.usage,
    );
  return { actor: `operator:${typed}`, name: typed, identity: 'typed' };
}

async function requirePerson(surrounds: Surrounds, typed: string): Promise<Responsible> {
  const { subdomain } = surrounds.account;
  if (typed !== '')
    throw new CommandError(
      `People of ${subdomain} sign in, so a typed name is not accepted. Leave out --by, and sign in first: beacon login --account ${subdomain}`,
    );
  const person = await findPersonOfCommands(surrounds);
  if (!person?.isProven)
    throw new CommandError(
      `Sign in first, within five minutes before a decision: beacon login --account ${subdomain}`,
    );
  if (!mayDo(person.roles, 'release'))
    throw new CommandError(
      `${person.name}, your roles in ${subdomain} do not allow decisions on files. Ask an administrator of the office.`,
    );
  return { actor: person.actor, name: person.name, identity: 'proven' };
}

/** What the audit keeps of a decision beside who made it: the user of the machine, and whether a name was typed. */
export function recordOf(
  { operator }: CommandContext,
  { identity }: Responsible,
): { readonly run_as: Actor; readonly identity: Responsible['identity'] } {
  return { run_as: operator, identity };
}

/** The office of an import, and who imported it. @throws {CommandError} when there is no such import */
export async function requireImporter(
  database: Database,
  importId: ImportId,
): Promise<{ readonly account: Account; readonly importer: string }> {
  const found = await findImporter(database.system, importId);
  const account = found && (await findAccount(database.system, found.accountId));
  if (!account) throw new CommandError(`There is no import ${importId}.`);
  return { account, importer: found.operator };
}

/** Who signed in to this office on this machine's account of the operating system, and still is. */
export async function findPersonOfCommands({
  context,
  database,
  account,
}: Omit<Surrounds, 'config'>): Promise<CommandPerson | undefined> {
  const secret = readSession(context, account.subdomain);
  if (secret === undefined) return undefined;
  const db = database.forOffice(account.accountId);
  return findCommandSession(db, secret, context.clock.now());
}

/** Keeps what later commands show, readable by this user alone. */
export function keepSession(context: CommandContext, subdomain: string, secret: string): void {
  const folder = folderOf(context);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, subdomain);
  rmSync(file, { force: true });
  writeFileSync(file, secret, { mode: 0o600, flag: 'wx' });
}

export function readSession(context: CommandContext, subdomain: string): string | undefined {
  try {
    return readFileSync(join(folderOf(context), subdomain), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export function discardSession(context: CommandContext, subdomain: string): void {
  rmSync(join(folderOf(context), subdomain), { force: true });
}

function folderOf(context: CommandContext): string {
  const state = context.readSetting('XDG_STATE_HOME') || join(homedir(), '.local', 'state');
  return join(state, 'ballot-beacon', 'sessions');
}
