import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apiEnvironment, apiFlags } from '../server/src/platform/api-flags.ts';
import { findProgram } from './debian.ts';

const root = path.resolve(import.meta.dirname, '..');
const units = path.join(root, 'deploy/systemd');
const installed = '/opt/ballot-beacon';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-units-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What systemd itself says about the units, with this tree where an operator has the installed one. */
function verify(change: (text: string) => string): string {
  const program = findProgram('systemd-analyze');
  if (program === undefined)
    throw new Error('The check of the units needs systemd: sudo apt-get install systemd');
  const files = globSync('*.{service,timer}', { cwd: units }).map((name) => {
    // A template is checked as one of its instances.
    const file = path.join(folder, name.replace('@.', '@8081.'));
    const text = readFileSync(path.join(units, name), 'utf8').replaceAll(installed, root);
    writeFileSync(file, change(text));
    return file;
  });
  expect(files).toHaveLength(7);
  const { stdout, stderr } = spawnSync(program, ['verify', '--man=no', ...files], {
    encoding: 'utf8',
  });
  // Of other programs on this machine it has things to say, too.
  return (stdout + stderr)
    .split('\n')
    .filter((line) => line.includes('beacon-'))
    .join('\n');
}

test('systemd accepts the units of every process and the timer, and would find a mistake in them', () => {
  expect(verify((text) => text)).toBe('');
  expect(verify((text) => text.replace('UMask=0027', 'UMask=mine'))).toContain(
    'Failed to parse mode value',
  );
  expect(verify((text) => text.replace('server/beacon', 'server/none'))).toContain('server/none');
});

test('what each unit starts is a file of the product', () => {
  for (const name of globSync('*.service', { cwd: units })) {
    const text = readFileSync(path.join(units, name), 'utf8');
    const started = /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(' ').find(isOfProduct) ?? '';
    expect(existsSync(path.resolve(root, started.replace(installed, root))), name).toBe(true);
    expect(started).not.toBe('');
  }
});

/** Not Node itself. */
function isOfProduct(word: string): boolean {
  return /(^|\/)(server|deploy)\//.test(word);
}

test('wherever an API is started, Node gets the flags that keep its memory', () => {
  const files = ['docs/operations/deployment.md', ...globSync('deploy/**/*', { cwd: root })];
  const starts = files
    .filter((file) => /\.(service|yaml|md)$|Containerfile$/.test(file))
    .flatMap((file) => readFileSync(path.join(root, file), 'utf8').split('\n'))
    .filter((line) => /\bnode\b.*server\/src\/api\.ts/.test(line));
  expect(starts).toHaveLength(8);
  for (const flag of apiFlags)
    expect(starts.filter((line) => !line.includes(`${flag}`))).toEqual([]);
});

test('wherever an API is started, with the console or without, its environment is the measured one', () => {
  const starts = [
    'deploy/systemd/beacon-api.service',
    'deploy/systemd/beacon-console.service',
    // Of every container: what starts one sets nothing beside.
    'deploy/container/Containerfile',
  ];
  for (const file of starts) {
    const words = readFileSync(path.join(root, file), 'utf8').split(/\s+/);
    for (const [name, value] of Object.entries(apiEnvironment))
      expect(
        words.map((word) => word.replace('Environment=', '')),
        file,
      ).toContain(`${name}=${value}`);
  }
});
