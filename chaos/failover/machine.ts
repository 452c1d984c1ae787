import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Owner } from '../../server/src/platform/postgres-home.ts';
import type { CodeBlock } from '../../testing/pages.ts';
import type { FailoverPrograms, Service } from './programs.ts';

export interface MachineOptions {
  readonly name: string;
  /** Stands for `/`. */
  readonly root: string;
  readonly programs: FailoverPrograms;
  /** The user of all services; undefined: ourselves. */
  readonly owner: Owner | undefined;
  /** What a text of the page is here, but for the machine's own folders. */
  readonly translate: (text: string) => string;
  /** Of commands that an operator types. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where these commands are typed. */
  readonly folder: string;
}

/** One machine of the page: a folder that stands for `/`, and services that are processes of this run. */
export class Machine {
  readonly #of: MachineOptions;
  readonly #running = new Map<Service, ChildProcess>();

  constructor(options: MachineOptions) {
    this.#of = options;
    const { owner } = options;
    for (const folder of ['etc/default', 'etc/patroni', 'etc/haproxy', 'etc/pgbouncer'])
      mkdirSync(this.at(folder), { recursive: true });
    // Its packages make these for the services' own users.
    for (const folder of ['etc/pgbouncer', 'var/lib/etcd', 'var/lib/postgresql']) {
      mkdirSync(this.at(folder), { recursive: true });
      if (owner) chownSync(this.at(folder), owner.uid, owner.gid);
    }
  }

  at(file: string): string {
    return path.join(this.#of.root, file);
  }

  /** Does what a block of the page says: a file that it names is written, a command is run. */
  follow({ language, heading, text }: CodeBlock): void {
    const here = this.#here(text);
    const [, file] = /^# (\/\S+)\n/.exec(here) ?? [];
    if (file !== undefined) {
      writeFileSync(file, here);
      if (this.#of.owner) chownSync(file, this.#of.owner.uid, this.#of.owner.gid);
    } else if (language === 'sh') this.#run(heading, here);
  }

  /** Starts every service that the page had started. */
  boot(): void {
    for (const service of this.#running.keys()) this.#start(service);
  }

  /** Ends everything at once, and leaves the files. */
  cutPower(): void {
    const postgres = this.#readPostmaster();
    for (const child of this.#running.values()) child.kill('SIGKILL');
    if (postgres !== undefined) kill(postgres);
  }

  /** Ends PostgreSQL at once; the other services go on. */
  killPostgres(): void {
    const postgres = this.#readPostmaster();
    if (postgres !== undefined) kill(postgres);
  }

  async close(): Promise<void> {
    this.cutPower();
    for (const child of this.#running.values())
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }

  #here(text: string): string {
    return this.#of
      .translate(text)
      .replaceAll(/(?<![\w./-])\/(etc|var\/lib)\//g, `${this.#of.root}/$1/`);
  }

  #run(heading: string, command: string): void {
    const asked = this.at('asked');
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', command], {
      cwd: this.#of.folder,
      env: { ...this.#of.environment, ASKED: asked },
      encoding: 'utf8',
    });
    if (status !== 0)
      throw new Error(`${this.#of.name}, ${heading}:\n${command}\n${stdout}${stderr}`);
    if (!existsSync(asked)) return;
    const services = readFileSync(asked, 'utf8').trim().split('\n') as Service[];
    rmSync(asked);
    for (const service of services) this.#start(service);
  }

  /** As its unit does. */
  #start(service: Service): void {
    const { programs, owner, name } = this.#of;
    const log = openSync(path.join(path.dirname(this.#of.root), `${name}-${service}.log`), 'a');
    const parameters: Readonly<Record<Service, readonly string[]>> = {
      etcd: [],
      patroni: [this.at('etc/patroni/config.yml')],
      haproxy: ['-db', '-f', this.at('etc/haproxy/haproxy.cfg')],
      pgbouncer: [this.at('etc/pgbouncer/pgbouncer.ini')],
    };
    const [program = '', ...before] = programs.services[service];
    const child = spawn(program, [...before, ...parameters[service]], {
      ...owner,
      cwd: '/',
      env: { ...programs.environment, ...(service === 'etcd' && this.#readEtcdSettings()) },
      stdio: ['ignore', log, log],
    });
    this.#running.set(service, child);
  }

  #readEtcdSettings(): Readonly<Record<string, string>> {
    return readVariables(this.at('etc/default/etcd'));
  }

  #readPostmaster(): number | undefined {
    const file = this.at('var/lib/postgresql/beacon/data/postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : undefined;
  }
}

/** A file of variables, as systemd reads it. */
export function readVariables(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').matchAll(/^([A-Z_]+)=(.*)$/gm);
  return Object.fromEntries(
    [...lines].map(([, name = '', value = '']) => [name, value.replace(/^(['"])(.*)\1$/, '$2')]),
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It died by itself, and left its note.
  }
}
