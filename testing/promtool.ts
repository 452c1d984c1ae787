import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findProgram } from './debian.ts';

const advice = 'The check of the alerts needs promtool: sudo apt-get install prometheus';
const cache = path.resolve(import.meta.dirname, '../node_modules/.cache/promtool');

/**
 * Path of Prometheus's own checker. Where the machine has none, it is taken out of Debian's package, without installing
 * that: the package would start a server.
 *
 * @throws with what to do where Debian's packages cannot be had
 */
export function ensurePromtool(): string {
  const kept = path.join(cache, 'promtool');
  const found = existsSync(kept) ? kept : findProgram('promtool');
  if (found !== undefined) return found;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'unpacked-'));
  try {
    run('apt-get', ['download', '--quiet=2', 'prometheus'], folder);
    const [archive = ''] = globSync('prometheus_*.deb', { cwd: folder });
    run('dpkg-deb', ['--extract', archive, '.'], folder);
    renameSync(path.join(folder, 'usr/bin/promtool'), kept);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return kept;
}

function run(program: string, parameters: readonly string[], cwd: string): void {
  const { status, stderr, error } = spawnSync(program, parameters, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}\n${advice}`);
}
