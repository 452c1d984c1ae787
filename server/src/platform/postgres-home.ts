import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { ConfigError } from './config.ts';

/** The user PostgreSQL runs as; undefined: ourselves. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Where the private database lives. */
export interface PostgresHome {
  readonly folder: string;
  /** PGDATA. */
  readonly cluster: string;
  readonly log: string;
  readonly owner: Owner | undefined;
}

/** A note beside `BEACON_DATA` that explains where the data is. */
const signpost = 'POSTGRES-IS-ELSEWHERE.txt';
/** Where root's installations keep what other users must reach. */
export const systemFolder = '/var/lib/ballot-beacon';

/** PostgreSQL refuses to run as root: then it runs as the system's `postgres`, else as `nobody`. */
function chooseOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65_534, gid: 65_534 };
}

/**
 * Makes the database's folder: `postgres/` in the data directory, or below /var/lib/ballot-beacon when the
 * database's user cannot enter that (a clone under /root), with a note that says so.
 *
 * @throws {ConfigError} when the folder cannot be made or belongs to another user.
 */
export function preparePostgresHome(
  dataDirectory: string,
  owner: Owner | undefined = chooseOwner(),
): PostgresHome {
  mkdirSync(dataDirectory, { recursive: true });
  let folder = join(dataDirectory, 'postgres');
  if (!canEnter(dataDirectory, owner) && canEnter(dirname(dataDirectory), owner)) {
    letThrough(dataDirectory);
  }
  if (!canEnter(dataDirectory, owner)) folder = followSignpost(dataDirectory);
  if (!existsSync(folder)) makeOwnFolder(folder, owner);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigError(
      `The database in ${folder} belongs to another user. Run as that user, or set BEACON_DATA to a folder of your own.`,
    );
  }
  return { folder, cluster: join(folder, 'cluster'), log: join(folder, 'log'), owner };
}

/** Made aside and then named, so that another process never meets it before it has its owner. */
function makeOwnFolder(folder: string, owner: Owner | undefined): void {
  const unnamed = `${folder}.${process.pid}`;
  mkdirSync(unnamed, { mode: 0o700 });
  if (owner) chownSync(unnamed, owner.uid, owner.gid);
  try {
    renameSync(unnamed, folder);
  } catch (error) {
    rmdirSync(unnamed);
    if (!existsSync(folder)) throw error;
  }
}

/**
 * The folder that the data directory's note names; a first time, a new one. Deleting the data directory means a
 * new database next time, as with one inside it.
 */
function followSignpost(dataDirectory: string): string {
  const file = join(dataDirectory, signpost);
  const folder = join(systemFolder, randomBytes(6).toString('hex'));
  mkdirSync(systemFolder, { recursive: true, mode: 0o755 });
  try {
    const words = "The database's user may not enter this folder, so the database is in";
    writeFileSync(file, `${words}\n${folder}\n`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const [, named] = readFileSync(file, 'utf8').split('\n');
  if (!named?.startsWith(`${systemFolder}/`)) {
    throw new ConfigError(
      `${file} names no folder below ${systemFolder}. Restore it, or delete it to start empty.`,
    );
  }
  return named;
}

/** Others may pass through the data directory, still without seeing what is in it. */
function letThrough(folder: string): void {
  chmodSync(folder, statSync(folder).mode | 0o011);
}

/** Whether the user may pass through every folder down to this one. */
export function canEnter(folder: string, owner: Owner | undefined): boolean {
  if (!owner) return true;
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...owner, cwd: '/' }).status === 0;
}

/** A socket's path may have 107 bytes on Linux, 103 elsewhere. */
const longestSocketPath = 103;

/**
 * A folder for the server's socket that nobody else may enter: the home itself, unless its path is too long; then one
 * in /tmp, the `previous` if it is still there. The server notes in `postmaster.pid` which it is.
 */
export function makeSocketFolder({ folder, owner }: PostgresHome, previous?: string): string {
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= longestSocketPath) return folder;
  const uid = owner?.uid ?? process.getuid?.();
  const left = previous === undefined ? undefined : lstatSync(previous, { throwIfNoEntry: false });
  if (previous !== undefined && left?.isDirectory() && left.uid === uid) return previous;
  const made = mkdtempSync('/tmp/beacon-');
  if (owner) chownSync(made, owner.uid, owner.gid);
  return made;
}

/** Takes away a socket folder in /tmp; any other stays. */
export function removeSocketFolder(folder: string): void {
  if (/^\/tmp\/beacon-\w{6}$/.test(folder)) rmSync(folder, { recursive: true, force: true });
}
