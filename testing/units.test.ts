import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apiEnvironment, apiFlags } from '../server/src/platform/api-flags.ts';
import { findProgram } from './debian.ts';
import { readDeploymentSettings } from './deployment-settings.ts';

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

const readUnit = (name: string) => readFileSync(path.join(units, name), 'utf8');
/** Of a key that a unit has once or several times. */
const valuesOf = (name: string, key: string) =>
  [...readUnit(name).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].flatMap(([, value = '']) =>
    value.split(' '),
  );
const environmentOf = (name: string) =>
  Object.fromEntries(valuesOf(name, 'Environment').map((word) => word.split('=', 2)));

test('each unit reads the logins of its process from the files of the page, and no other', () => {
  const settings = readDeploymentSettings();
  const loginsOf = (name: string) =>
    valuesOf(name, 'EnvironmentFile')
      .flatMap((file) => settings.get(file) ?? [`nothing in ${file}`])
      .filter((one) => /^(DATABASE_|nothing)/.test(one));
  const ofVoters = ['DATABASE_API_URL', 'DATABASE_INTAKE_URL'];
  expect(
    Object.fromEntries(
      globSync('*.service', { cwd: units }).map((name) => [name, loginsOf(name).sort()]),
    ),
  ).toEqual({
    'beacon-api.service': ofVoters,
    'beacon-console.service': [...ofVoters, 'DATABASE_OFFICE_URL'],
    'beacon-watch.service': [...ofVoters, 'DATABASE_OFFICE_URL'],
    'beacon-worker@.service': ['DATABASE_WORKER_URL'],
    'beacon-migrate.service': ['DATABASE_URL'],
    'beacon-backup.service': ['DATABASE_URL'],
  });
});

test('a unit may write to its folders, and others find and may read what it leaves there', () => {
  const { BACKUP_FOLDER, BACKUP_STAMP } = environmentOf('beacon-backup.service');
  expect(valuesOf('beacon-backup.service', 'ReadWritePaths')).toEqual([BACKUP_FOLDER]);
  for (const name of globSync('*.service', { cwd: units })) {
    const state = valuesOf(name, 'StateDirectory').map((folder) => `/var/lib/${folder}`);
    const { BEACON_DATA = state[0] } = environmentOf(name);
    expect(state, name).toEqual([BEACON_DATA]);
  }
  // Where beacon doctor looks for it, by the file that every process reads.
  const page = readFileSync(path.join(root, 'docs/operations/deployment.md'), 'utf8');
  expect(page).toContain(`\nBACKUP_STAMP=${BACKUP_STAMP}\n`);
  // An office fetches its reports by the group of its login.
  const [, group] =
    /^Match Group (\S+)$/m.exec(
      readFileSync(path.join(root, 'deploy/sftp/ballot-beacon.conf'), 'utf8'),
    ) ?? [];
  expect(valuesOf('beacon-watch.service', 'SupplementaryGroups')).toEqual([group]);
  const [mask = ''] = valuesOf('beacon-watch.service', 'UMask');
  expect(Number.parseInt(mask, 8) & 0o040).toBe(0);
});

test('the process for voters and that of the console listen where the proxy looks for them', () => {
  const site = readFileSync(path.join(root, 'deploy/nginx/ballot-beacon.conf'), 'utf8');
  const portOf = (name: string) =>
    new RegExp(`upstream beacon_${name} \\{\\s*server 127\\.0\\.0\\.1:(\\d+);`).exec(site)?.[1];
  for (const name of ['api', 'console'])
    expect(environmentOf(`beacon-${name}.service`).PORT, name).toBe(portOf(name));
});

test('what serves comes back by itself, and a worker that is stopped hears from every provider first', () => {
  for (const name of globSync('*.service', { cwd: units }))
    expect(valuesOf(name, 'Restart'), name).toEqual(
      valuesOf(name, 'Type').includes('oneshot') ? [] : ['always'],
    );
  const manifests = readFileSync(
    path.join(root, 'deploy/container/kubernetes/ballot-beacon.yaml'),
    'utf8',
  );
  const [, ofWorker = ''] = /^metadata: \{ name: beacon-worker,(.*?)^---/ms.exec(manifests) ?? [];
  const compose = readFileSync(path.join(root, 'deploy/container/compose.yaml'), 'utf8');
  const seconds = [
    valuesOf('beacon-worker@.service', 'TimeoutStopSec')[0],
    /terminationGracePeriodSeconds: (\d+)/.exec(ofWorker)?.[1],
    /stop_grace_period: (\d+)s/.exec(compose)?.[1],
  ];
  // A provider has 15 seconds to be reached, to greet and to take a message each.
  for (const one of seconds) expect(Number(one)).toBeGreaterThan(3 * 15);
});

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

test('an upgrade and a rollback restart every process, and a restore stops every process', () => {
  const processes = globSync('*.service', { cwd: units })
    .filter((name) => /^Restart=always$/m.test(readFileSync(path.join(units, name), 'utf8')))
    .map((name) => name.replace('.service', ''))
    .sort();
  expect(processes).toHaveLength(4);
  /** The units that the commands of a part of the page name. */
  const named = (page: string, heading: string, verb: RegExp) => {
    const text = readFileSync(path.join(root, 'docs/operations', page), 'utf8');
    const part = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
    const commands = part.match(/systemctl [^`\n]*/g) ?? [];
    const words = commands.filter((one) => verb.test(one)).flatMap((one) => one.split(' '));
    return [...new Set(words.map((word) => word.replaceAll("'", '').replace(/(?<=@).*/, '')))]
      .filter((word) => word.startsWith('beacon-'))
      .sort();
  };
  expect(named('upgrade.md', 'Upgrade', / (try-)?restart /)).toEqual(processes);
  expect(named('upgrade.md', 'Rollback', / (try-)?restart /)).toEqual(processes);
  expect(named('backup.md', 'Restore', / stop /)).toEqual(processes);
});
