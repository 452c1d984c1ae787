import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const aptGet = '/usr/bin/apt-get';

/** Whether this user may install Debian's packages on this machine. */
export function mayInstall(): boolean {
  return process.getuid?.() === 0 && isExecutable(aptGet);
}

/** Whether this machine's Debian offers the package, as far as its lists say. */
export function isOffered(name: string): boolean {
  return spawnSync('/usr/bin/apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;
}

/** @throws with apt-get's own output and the `advice` when they cannot be installed */
export function installPackages(names: readonly string[], advice: string): void {
  process.stderr.write(`Installing ${names.join(', ')} …\n`);
  for (const parameters of [
    ['update'],
    ['install', '--yes', '--no-install-recommends', ...names],
  ]) {
    const { status, stdout, stderr } = spawnSync(
      aptGet,
      ['--quiet=2', '--option', 'DPkg::Lock::Timeout=300', ...parameters],
      { encoding: 'utf8', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } },
    );
    if (status !== 0)
      throw new Error(`apt-get ${parameters[0]} failed.\n${stdout}\n${stderr}\n${advice}`);
  }
}

/** The first program of these names on PATH, or where Debian puts programs of administrators. */
export function findProgram(...names: string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/sbin'];
  return names
    .flatMap((name) => folders.filter(Boolean).map((folder) => path.join(folder, name)))
    .find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
