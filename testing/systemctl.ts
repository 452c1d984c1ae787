/**
 * Stands in for systemctl where a test follows docs/operations/deployment.md on a machine that is not its own: starts units in the folder of
 * the test, as the user they name, with nothing in the environment but what they say. `node testing/systemctl.ts MACHINE VERB UNIT…`
 */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

/** Written by the test. */
export interface TestMachine {
  /** What stands for `/`. */
  readonly root: string;
  /** Texts of the page and of units, with what stands for each here. */
  readonly replace: readonly (readonly [text: string, by: string])[];
  /** Stands for the user `beacon`; undefined where the test is no administrator. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
}

export function onMachine({ replace }: Pick<TestMachine, 'replace'>, text: string): string {
  return replace.reduce((changed, [from, to]) => changed.replaceAll(from, to), text);
}

interface Unit {
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly isOneShot: boolean;
  readonly writable: readonly string[];
}
/** Of a unit that asks for a folder which is not there (systemd.exec, EXIT_NAMESPACE). */
const noNamespace = 226;

function readUnit(machine: TestMachine, name: string): Unit {
  const [, template, instance = ''] = /^([^@]+@?)([^@]*)$/.exec(name) ?? [];
  const file = path.join(machine.root, 'etc/systemd/system', `${template}.service`);
  // Its words are those of the page: the replacements come after the instance.
  const text = onMachine(machine, readFileSync(file, 'utf8').replaceAll('%i', instance));
  const values = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const environment: Record<string, string> = { PATH: '/usr/local/bin:/usr/bin:/bin' };
  const add = (line: string) => {
    const [, variable = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(line.trim()) ?? [];
    if (variable !== '') environment[variable] = value.replace(/^(['"])(.*)\1$/, '$2');
  };
  for (const line of values('Environment')) for (const word of line.split(' ')) add(word);
  for (const each of values('EnvironmentFile'))
    for (const line of readFileSync(each, 'utf8').split('\n')) add(line);
  return {
    command: values('ExecStart')[0]?.split(' ') ?? [],
    folder: values('WorkingDirectory')[0] ?? '/',
    environment,
    isOneShot: values('Type').includes('oneshot'),
    writable: values('ReadWritePaths').flatMap((paths) => paths.split(' ')),
  };
}

/** @returns the exit status */
function start(machine: TestMachine, name: string): number {
  // Nothing waits for the hour of a timer.
  if (name.endsWith('.timer'))
    return existsSync(path.join(machine.root, 'etc/systemd/system', name)) ? 0 : 1;
  const { command, folder, environment, isOneShot, writable } = readUnit(machine, name);
  if (!writable.every((each) => existsSync(each))) return noNamespace;
  const [program = '', ...parameters] = command;
  const state = path.join(machine.root, 'var/lib/ballot-beacon');
  mkdirSync(state, { recursive: true });
  const { user } = machine;
  if (user) chownSync(state, user.uid, user.gid);
  const options = { cwd: folder, env: environment, ...user };
  if (isOneShot)
    return spawnSync(program, parameters, { ...options, stdio: 'inherit' }).status ?? 1;
  const log = openSync(path.join(machine.root, `${name}.log`), 'a');
  const child = spawn(program, parameters, {
    ...{ ...options, detached: true, stdio: ['ignore', log, log] },
  });
  writeFileSync(path.join(machine.root, 'run', `${name}.pid`), String(child.pid));
  child.unref();
  return 0;
}

/** What a process does with SIGTERM is all of a stop: systemd waits for its end. */
function stop(machine: TestMachine, name: string): void {
  const pid = Number(readFileSync(path.join(machine.root, 'run', `${name}.pid`), 'utf8'));
  process.kill(pid, 'SIGTERM');
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (isRunning(pid)) Atomics.wait(pause, 0, 0, 50);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // What ended and was not waited for, because its parent is gone, is running to nobody.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const [file = '', verb, ...rest] = process.argv.slice(2);
  const machine = JSON.parse(readFileSync(file, 'utf8')) as TestMachine;
  const names = rest.filter((word) => !word.startsWith('--'));
  if (verb === 'start' || verb === 'enable')
    for (const name of names) process.exitCode ||= start(machine, name);
  else if (verb === 'restart' || verb === 'try-restart')
    for (const name of names) {
      if (verb === 'try-restart' && !existsSync(path.join(machine.root, 'run', `${name}.pid`)))
        continue;
      stop(machine, name);
      process.exitCode ||= start(machine, name);
    }
  else if (verb !== 'daemon-reload' && verb !== 'reload') throw new Error(`systemctl ${verb}?`);
}
