import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type OutsidePostgres, startOutsidePostgres } from './outside-postgres.ts';
import { ensurePackagedProgram } from './packaged-program.ts';
import { type CodeBlock, readCodeBlocks } from './pages.ts';
import { findFreePort } from './ports.ts';
import { isRunning, onMachine, type TestMachine } from './systemctl.ts';

/** A machine on which docs/operations/deployment.md is followed. */
export interface Deployment {
  /** What a block printed, with its exit status. */
  readonly results: readonly {
    readonly heading: string;
    readonly status: number;
    readonly output: string;
  }[];
  /** Follows another page on the machine, the blocks under this heading. */
  follow(page: string, heading: string): void;
  /** The folder of the version that a process of this unit runs. */
  versionOf(unit: string): string;
  /** `curl` of the machine. @returns its output */
  curl(...parameters: string[]): string;
  /** What a process logged. */
  readLog(unit: string): string;
  readonly workerPort: number;
  /** Where the operator works. */
  readonly work: string;
  close(): Promise<void>;
}

const nobody = 65_534;
/** Blocks that may end otherwise than with 0: what `beacon doctor` finds is of the test's own making. */
const mayFail = /^beacon doctor$/m;

/**
 * Follows the page word for word, in a folder that stands for `/`, with ports and hosts of its own, a stand-in for systemd, and a user
 * who owns nothing.
 *
 * @param release the folder with the archive and its sums
 */
export async function followDeployment(release: string): Promise<Deployment> {
  // Not below a folder of root's alone: the user of the processes must reach it.
  const root = mkdtempSync('/tmp/beacon-deployment-');
  chmodSync(root, 0o755);
  for (const folder of [
    'etc/systemd/system',
    'etc/nginx/conf.d',
    'etc/ssl/ballot-beacon',
    'usr/local/bin',
    'run',
    'stubs',
    'opt',
    'var/backups',
    'var/lib',
    'work',
  ])
    mkdirSync(path.join(root, folder), { recursive: true });
  const [api, worker, console_, http, https, database] = await Promise.all(
    Array.from({ length: 6 }, findFreePort),
  );
  const certificate = makeCertificate(path.join(root, 'etc/ssl/ballot-beacon'));
  const postgres = await startOutsidePostgres(database ?? 0, certificate);
  const secrets = ['RANDOM_SECRETS', 'RANDOM_FILE_KEYS', 'RANDOM_METRICS_TOKEN'];
  const passwords = [
    'OWNER_PASSWORD',
    'API_PASSWORD',
    'INTAKE_PASSWORD',
    'WORKER_PASSWORD',
    'OFFICE_PASSWORD',
  ];
  const drawn = Object.fromEntries(
    [...secrets, ...passwords].map((name) => [name, randomBytes(24).toString('hex')]),
  );
  const machine: TestMachine = {
    root,
    user: process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined,
    replace: [
      ...[
        '/opt/ballot-beacon',
        '/var/backups',
        '/var/lib/ballot-beacon',
        '/usr/local/bin/',
        '/etc/ballot-beacon',
        '/etc/systemd',
        '/etc/nginx',
        '/etc/ssl',
      ].map((at) => [at, path.join(root, at)] as const),
      [
        'db.example.gov/beacon?sslmode=verify-full',
        `127.0.0.1:${database}/beacon?sslmode=verify-full&sslrootcert=${certificate.certificate}`,
      ],
      ['8080', String(api)],
      ['8081', String(worker)],
      ['8082', String(console_)],
      ['    listen [::]', '    # listen [::]'],
      ['listen 80;', `listen 127.0.0.1:${http};`],
      ['listen 443 ', `listen 127.0.0.1:${https} `],
    ],
  };
  writeStubs(machine, { http: http ?? 0, https: https ?? 0 });
  cpSync(release, path.join(root, 'work'), { recursive: true });
  writeFileSync(
    path.join(root, 'work/adams.json'),
    JSON.stringify({
      subdomain: 'adams',
      name: 'Adams County Elections',
      county: 'Adams',
      state: 'FL',
      time_zone: 'America/New_York',
    }),
  );
  const environment = {
    PATH: `${path.join(root, 'stubs')}:${path.join(root, 'usr/local/bin')}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    HOME: root,
    ADMIN_URL: postgres.adminUrl,
    ...Object.fromEntries(passwords.map((name) => [name, drawn[name]])),
  };
  const close = () => closeDeployment(root, postgres);
  const follow = ({ language, heading, text }: CodeBlock) => {
    if (language === 'ini') writeSettings(machine, text, drawn);
    if (language !== 'sh') return [];
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', onMachine(machine, text)], {
      ...{ cwd: path.join(root, 'work'), env: environment, encoding: 'utf8' },
    });
    const output = stdout + stderr;
    if (status !== 0 && !mayFail.test(text))
      throw new Error(
        `${heading}: the block ended with ${status}:\n${text}\n${output}\n${readLogs(root)}`,
      );
    return [{ heading, status: status ?? 1, output }];
  };
  try {
    const results = readCodeBlocks('operations/deployment.md').flatMap(follow);
    return {
      results,
      follow(page, heading) {
        for (const block of readCodeBlocks(page)) if (block.heading === heading) follow(block);
      },
      versionOf(unit) {
        const pid = readFileSync(path.join(root, `run/${onMachine(machine, unit)}.pid`), 'utf8');
        return path.basename(readlinkSync(`/proc/${pid}/cwd`));
      },
      curl: (...parameters) =>
        execFileSync('curl', ['--silent', '--show-error', ...parameters], {
          env: environment,
          encoding: 'utf8',
        }),
      readLog: (unit) => readFileSync(path.join(root, `${unit}.log`), 'utf8'),
      workerPort: worker ?? 0,
      work: path.join(root, 'work'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A block that begins with the name of its file, as root keeps it. */
function writeSettings(
  machine: TestMachine,
  text: string,
  drawn: Readonly<Record<string, string>>,
): void {
  const [, file] = /^# (\/\S+)\n/.exec(text) ?? [];
  if (file === undefined) return;
  const filled = Object.entries(drawn).reduce(
    (changed, [name, value]) => changed.replace(new RegExp(`(?<=[:'])${name}(?=['@])`), value),
    onMachine(machine, text),
  );
  writeFileSync(onMachine(machine, file), filled, { mode: 0o600 });
}

/** Programs of the machine that would change this one. */
function writeStubs(machine: TestMachine, { http, https }: { http: number; https: number }): void {
  const { root, user } = machine;
  const file = path.join(root, 'machine.json');
  writeFileSync(file, JSON.stringify(machine));
  const stub = (name: string, text: string) =>
    writeFileSync(path.join(root, 'stubs', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const nginx = ensurePackagedProgram('nginx');
  const configuration = path.join(root, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${root}/run/${each};`,
  );
  writeFileSync(
    configuration,
    `daemon on; pid ${root}/run/nginx.pid; error_log ${root}/nginx.log; ${user ? 'user nobody nogroup;' : ''} events {} http { access_log off; ${temporary.join(' ')} include ${root}/site.conf; }`,
  );
  const here = path.join(root, 'etc/nginx/conf.d/ballot-beacon.conf');
  const write = path.join(import.meta.dirname, 'write-site.ts');
  stub('useradd', 'exit 0');
  stub(
    'install',
    `exec /usr/bin/install $(echo "$@" | sed 's/-o beacon/${user ? `-o ${user.uid}` : ''}/')`,
  );
  stub(
    'nginx',
    `${process.execPath} ${write} ${file} ${here} ${root}/site.conf && exec ${nginx} -c ${configuration} "$@"`,
  );
  stub(
    'systemctl',
    `if [ "$*" = "reload nginx" ]; then exec ${root}/stubs/nginx > ${root}/nginx.log 2>&1; fi\nexec ${process.execPath} ${path.join(import.meta.dirname, 'systemctl.ts')} ${file} "$@"`,
  );
  stub(
    'runuser',
    user
      ? `shift 3; exec setpriv --reuid ${user.uid} --regid ${user.gid} --clear-groups "$@"`
      : 'shift 3; exec "$@"',
  );
  const names = ['vote.example.gov', 'adams.vote.example.gov'].flatMap((host) => [
    `--connect-to ${host}:443:127.0.0.1:${https}`,
    `--connect-to ${host}:80:127.0.0.1:${http}`,
  ]);
  stub(
    'curl',
    `exec /usr/bin/curl --cacert ${root}/etc/ssl/ballot-beacon/fullchain.pem ${names.join(' ')} "$@"`,
  );
}

export function makeCertificate(folder: string): { certificate: string; key: string } {
  const certificate = path.join(folder, 'fullchain.pem');
  const key = path.join(folder, 'privkey.pem');
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-subj', '/CN=vote.example.gov', '-keyout', key, '-out', certificate],
      ...['-addext', 'subjectAltName=DNS:vote.example.gov,DNS:*.vote.example.gov,IP:127.0.0.1'],
    ],
    { stdio: 'ignore' },
  );
  return { certificate, key };
}

function readLogs(root: string): string {
  return globSync('*.log', { cwd: root })
    .map((file) => `${file}:\n${readFileSync(path.join(root, file), 'utf8')}`)
    .join('\n');
}

async function closeDeployment(root: string, postgres: OutsidePostgres): Promise<void> {
  for (const file of globSync('run/*.pid', { cwd: root })) {
    const pid = Number(readFileSync(path.join(root, file), 'utf8'));
    if (!isRunning(pid)) continue;
    process.kill(pid, 'SIGTERM');
    while (isRunning(pid)) await wait(50);
  }
  await postgres.stop();
  rmSync(root, { recursive: true });
}
