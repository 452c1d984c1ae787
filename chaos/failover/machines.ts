import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostgresBinaries } from '../../server/src/platform/postgres-binaries.ts';
import { preparePostgresHome } from '../../server/src/platform/postgres-home.ts';
import { makeCertificate } from '../../testing/deployment.ts';
import { readCodeBlocks } from '../../testing/pages.ts';
import { findFreePort } from '../../testing/ports.ts';
import { pg } from '../../testing/sql.ts';
import { Machine, readVariables } from './machine.ts';
import { type FailoverPrograms, unpackPrograms } from './programs.ts';

const project = path.resolve(import.meta.dirname, '../..');
export const databaseMachines = ['db1', 'db2'] as const;
export type DatabaseMachine = (typeof databaseMachines)[number];
type MachineName = DatabaseMachine | 'witness' | 'site';

/** Which machines each part of the page is for. */
const parts: readonly (readonly [heading: string, on: readonly MachineName[]])[] = [
  ['etcd', [...databaseMachines, 'witness']],
  ['PostgreSQL under Patroni', databaseMachines],
  ['The way to the primary', ['site']],
  ['In use', databaseMachines],
];
const passwordNames = [
  ...['ADMIN', 'REPLICATION', 'REWIND', 'OWNER', 'API', 'INTAKE', 'WORKER', 'OFFICE'],
].map((name) => `${name}_PASSWORD`);
/** A word that a shell would replace itself is left to it. */
/** Others name the variables of the environment. */
const linesWithPasswords = /^(?!export |\\getenv ).*$/gm;
const passwordWord = /(?<!\$)\b[A-Z]+_PASSWORD\b/g;
const patienceMs = 120_000;

/** Members of the cluster that run, by what they are. */
export interface Roles {
  readonly leader?: DatabaseMachine;
  readonly standby?: DatabaseMachine;
}

/** The machines of docs/operations/failover.md, all on this one, each with an address and a folder of its own. */
export interface Machines {
  readonly database: Readonly<Record<DatabaseMachine, Machine>>;
  /** The settings of the site's processes, as the page gives them. */
  readonly settings: Readonly<Record<string, string>>;
  /** What Patroni says; nothing while no server of it answers. */
  readRoles(): Promise<Roles>;
  /** Until there is a primary and a standby that has all that was answered. @throws with the last lines of all logs */
  waitUntilSafe(): Promise<void>;
  close(): Promise<void>;
}

/** Follows the page word for word, with addresses, ports, folders and passwords of this run. */
export async function followFailoverPage(): Promise<Machines> {
  // Not below a folder of root's alone: the user of the services must reach it.
  const root = mkdtempSync('/tmp/beacon-failover-');
  chmodSync(root, 0o755);
  const { owner } = preparePostgresHome(path.join(root, 'home'));
  const programs = unpackPrograms(path.join(root, 'programs'));
  const binaries = findPostgresBinaries(undefined, undefined).folder;
  const certificates = path.join(root, 'certificates');
  mkdirSync(certificates);
  const { certificate } = makeCertificate(certificates);
  copyFileSync(certificate, path.join(certificates, 'authority.pem'));
  writeStubs(path.join(root, 'stubs'), programs);

  const network = `127.${(process.pid >> 8) & 0xff}.${process.pid & 0xff}`;
  const [primaryPort, poolPort] = await Promise.all([findFreePort(), findFreePort()]);
  const passwords = Object.fromEntries(
    passwordNames.map((name) => [name, randomBytes(24).toString('hex')]),
  );
  const translate = (text: string): string =>
    text
      .replaceAll(linesWithPasswords, (line) =>
        line.replaceAll(passwordWord, (word) => passwords[word] ?? word),
      )
      // HAProxy comes from this machine's first address.
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('10.0.0', network)
      .replaceAll('verify-full', `verify-full&sslrootcert=${certificate}`)
      .replaceAll('db.example.gov', '127.0.0.1')
      .replaceAll(/\b5000\b/g, String(primaryPort))
      .replaceAll(/\b6432\b/g, String(poolPort))
      .replaceAll('/usr/lib/postgresql/15/bin', binaries)
      .replaceAll('/opt/ballot-beacon', project)
      .replaceAll(/(?<=-o |chown )postgres/g, String(owner?.uid ?? process.getuid?.()));

  const page = readCodeBlocks('operations/failover.md');
  const adminUrl = translate(readAdminUrl());
  const addresses = { db1: `${network}.1`, db2: `${network}.2`, witness: `${network}.3`, site: '' };
  const make = (name: MachineName) =>
    new Machine({
      ...{ name, root: path.join(root, name), programs, owner, folder: certificates },
      translate: (text) =>
        translate(text)
          .replaceAll(/\bNAME\b/g, name)
          .replaceAll(/\bADDRESS\b/g, addresses[name]),
      environment: {
        PATH: `${path.join(root, 'stubs')}:${binaries}:${programs.environment.PATH}`,
        ADMIN_URL: adminUrl,
        ...passwords,
      },
    });
  const machines = {
    ...{ db1: make('db1'), db2: make('db2'), witness: make('witness'), site: make('site') },
  };

  async function readRoles(): Promise<Roles> {
    for (const name of databaseMachines) {
      const answer = await fetch(`http://${addresses[name]}:8008/cluster`, {
        signal: AbortSignal.timeout(2_000),
      }).catch(() => undefined);
      if (!answer?.ok) continue;
      const { members } = (await answer.json()) as { members: Member[] };
      const find = (role: string) =>
        members.find((one) => one.role === role && running.has(one.state))?.name;
      const [leader, standby] = [find('leader'), find('sync_standby')];
      return { ...(leader && { leader }), ...(standby && { standby }) };
    }
    return {};
  }

  async function waitUntilSafe(): Promise<void> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const { leader, standby } = await readRoles();
      if (leader && standby) return;
      if (Date.now() > deadline) throw new Error(`No two servers:\n${readLogs(root)}`);
      await wait(200);
    }
  }

  async function close(): Promise<void> {
    for (const machine of Object.values(machines)) await machine.close();
    rmSync(root, { recursive: true, maxRetries: 20, retryDelay: 100 });
  }

  try {
    for (const [heading, names] of parts)
      for (const name of names) {
        if (name === 'site') await waitUntilSafe();
        for (const block of page.filter((each) => each.heading === heading)) {
          // Where the page says so.
          if (/\bpsql\b/.test(block.text)) await createDatabase(machines.site, adminUrl);
          machines[name].follow(block);
        }
      }
    const settings = ['', '-worker', '-office', '-migrate'].map((which) =>
      readVariables(machines.site.at(`etc/ballot-beacon${which}.env`)),
    );
    return {
      database: machines,
      settings: Object.assign({}, ...settings),
      ...{ readRoles, waitUntilSafe, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Member {
  readonly name: DatabaseMachine;
  readonly role: string;
  readonly state: string;
}

const running = new Set(['running', 'streaming']);

async function createDatabase(site: Machine, adminUrl: string): Promise<void> {
  // HAProxy finds the primary with its first looks.
  const deadline = Date.now() + patienceMs;
  while (!(await answers(adminUrl))) {
    if (Date.now() > deadline) throw new Error('HAProxy leads to no primary.');
    await wait(100);
  }
  for (const block of readCodeBlocks('operations/deployment.md'))
    if (block.heading === 'Create the database') site.follow(block);
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

function readAdminUrl(): string {
  const text = readFileSync(path.join(project, 'docs/operations/failover.md'), 'utf8');
  const [, url] = /`ADMIN_URL="([^"]+)"`/.exec(text) ?? [];
  if (url === undefined) throw new Error('The page has no ADMIN_URL.');
  return url;
}

/** Programs that would change this machine. */
function writeStubs(folder: string, { patronictl, environment }: FailoverPrograms): void {
  mkdirSync(folder);
  const variables = Object.entries(environment).map(([name, value]) => `${name}='${value}'`);
  const stub = (name: string, text: string) =>
    writeFileSync(path.join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  stub('apt-get', 'exit 0');
  stub('patronictl', `exec env ${variables.join(' ')} ${patronictl.join(' ')} "$@"`);
  stub('systemctl', 'if [ "$1" = restart ]; then echo "$2" >> "$ASKED"; fi');
}

function readLogs(root: string): string {
  return spawnSync('sh', ['-c', `tail -n 20 ${root}/*.log`], { encoding: 'utf8' }).stdout;
}
