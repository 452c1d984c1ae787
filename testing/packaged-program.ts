import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from './debian.ts';

/** Programs whose packages would start a server when installed, by where the package has them. */
const packages = {
  promtool: { package: 'prometheus', file: 'usr/bin/promtool' },
  nginx: { package: 'nginx', file: 'usr/sbin/nginx' },
  caddy: { package: 'caddy', file: 'usr/bin/caddy' },
} as const;

const cache = path.resolve(import.meta.dirname, '../node_modules/.cache/packaged-programs');

/**
 * Path of a program. Where the machine has none, it is taken out of Debian's package without installing that.
 *
 * @throws with what to do where Debian's packages cannot be had
 */
export function ensurePackagedProgram(name: keyof typeof packages): string {
  const kept = path.join(cache, name);
  const found = existsSync(kept) ? kept : findProgram(name);
  if (found !== undefined) return found;
  const { package: packageName, file } = packages[name];
  const folder = unpackPackages([packageName], `This check needs ${name}`);
  renameSync(path.join(folder, file), kept);
  rmSync(folder, { recursive: true });
  return kept;
}

/**
 * A new folder with what Debian's packages hold, none of which is installed.
 *
 * @throws with `need` and what to do where Debian's packages cannot be had
 */
export function unpackPackages(names: readonly string[], need: string): string {
  const advice = `${need}: sudo apt-get install ${names.join(' ')}`;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'unpacked-'));
  const run = (program: string, parameters: readonly string[]): void => {
    const { status, stderr, error } = spawnSync(program, parameters, {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status === 0) return;
    rmSync(folder, { recursive: true });
    throw new Error(`${program} failed: ${error?.message ?? stderr}\n${advice}`);
  };
  run('apt-get', ['download', '--quiet=2', ...names]);
  for (const archive of globSync('*.deb', { cwd: folder })) {
    run('dpkg-deb', ['--extract', archive, '.']);
    rmSync(path.join(folder, archive));
  }
  return folder;
}
