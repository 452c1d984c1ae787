import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from './debian.ts';
import { unpackPackages } from './packaged-program.ts';
import { readCodeBlocks } from './pages.ts';
import { findFreePort } from './ports.ts';

const project = path.resolve(import.meta.dirname, '..');

/** A machine on which docs/operations/sftp.md was followed for one office. */
export interface SftpMachine {
  /** What stands for /srv/sftp. */
  readonly root: string;
  /** What sshd makes of its settings for the office's login, a line each. */
  readonly settings: string;
  /** A session of the office's program. @returns what it said */
  sftp(commands: readonly string[], password?: string): string;
  /** An attempt at a shell. @returns what it said */
  ssh(...parameters: string[]): string;
  /** As the user that runs the watch. @returns the exit status */
  asBeacon(command: string): number | null;
  close(): Promise<void>;
}

/** Whether this machine lets a test have mounts of its own. Some containers do not. */
export function mayMount(): boolean {
  return spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;
}

/**
 * Follows the page word for word as root, with users, services and `/srv` of its own: none of it is this machine's.
 *
 * @param password what the operator types for the login `adams`
 */
export async function followSftpPage(password: string): Promise<SftpMachine> {
  // Not below a folder of root's alone: the user of the watch must reach it.
  const folder = mkdtempSync('/tmp/beacon-sftp-');
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  const unpacked =
    findProgram('sshd') === undefined
      ? unpackPackages(['openssh-server', 'libwrap0'], 'This check needs sshd')
      : undefined;
  const sshd = findProgram('sshd') ?? path.join(unpacked ?? '', 'usr/sbin/sshd');
  const libraries = globSync('{usr/,}lib/*/libwrap.so.*', { cwd: unpacked ?? folder });
  const environment = {
    PATH: `${folder}/stubs:/usr/sbin:/usr/bin:/sbin:/bin`,
    LD_LIBRARY_PATH: [
      ...new Set(libraries.map((file) => path.join(unpacked ?? '', path.dirname(file)))),
    ].join(':'),
  };
  mkdirSync(path.join(folder, 'etc'));
  mkdirSync(path.join(folder, 'srv'));
  const blocks = readCodeBlocks('operations/sftp.md').filter(({ language }) => language === 'sh');
  const [ofMachine = '', ofOffice = ''] = blocks.map(({ text }) => text);
  const script = path.join(folder, 'machine.sh');
  writeFileSync(
    script,
    [
      'set -e',
      `cp -a /etc/. ${folder}/etc/`,
      `mount --bind ${folder}/etc /etc`,
      `mount --bind ${folder}/srv /srv`,
      'mount -t tmpfs tmpfs /run && mkdir /run/sshd',
      'mount -t tmpfs tmpfs /opt',
      `mkdir /opt/ballot-beacon && mount --bind ${project} /opt/ballot-beacon`,
      // From OpenSSH 9.8 on, sshd starts further programs of its package.
      unpacked !== undefined && existsSync(path.join(unpacked, 'usr/lib/openssh/sshd-session'))
        ? `mount --bind ${unpacked}/usr/lib/openssh /usr/lib/openssh`
        : '',
      // What the package, with its own settings, and the page about deployment do.
      'mkdir -p /etc/ssh/sshd_config.d && ssh-keygen -q -t ed25519 -N "" -f /etc/ssh/test_key',
      'id sshd >/dev/null 2>&1 || useradd --system --home-dir /run/sshd --shell /usr/sbin/nologin sshd',
      'id beacon >/dev/null 2>&1 || useradd --system --home-dir /var/lib/ballot-beacon beacon',
      `cat > /etc/ssh/sshd_config <<'END'`,
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      'HostKey /etc/ssh/test_key',
      'PidFile none',
      'UsePAM no',
      'END',
      `cat ${path.join(unpacked ?? '/', 'usr/share/openssh/sshd_config')} >> /etc/ssh/sshd_config`,
      ofMachine,
      ofOffice,
      'sshd -T -C user=adams,host=office.example,addr=192.0.2.1 > $0.settings',
      `exec ${sshd} -D -e`,
    ].join('\n'),
  );
  // What would change this machine, and what asks at the terminal.
  mkdirSync(path.join(folder, 'stubs'));
  for (const [name, text] of [
    ['apt-get', ':'],
    ['systemctl', ':'],
    ['sshd', `exec ${sshd} "$@"`],
    ['passwd', `echo "$1:${password}" | chpasswd`],
  ] as const)
    writeFileSync(path.join(folder, 'stubs', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const server = spawn('unshare', ['--mount', 'sh', script], { env: environment });
  let log = '';
  server.stderr.on('data', (text: Buffer) => {
    log += text.toString();
  });
  await untilListening(server, () => log);
  const ask = path.join(folder, 'ask');
  writeFileSync(ask, `#!/bin/sh\necho "$PASSWORD"\n`, { mode: 0o755 });
  const visit = (program: string, parameters: readonly string[], typed: string, input = '') => {
    const { stdout, stderr } = spawnSync(
      'setsid',
      [
        ...['--wait', program, '-q', '-o', 'PubkeyAuthentication=no'],
        ...['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
        ...['-o', 'NumberOfPasswordPrompts=1', '-o', `Port=${port}`, ...parameters],
      ],
      {
        encoding: 'utf8',
        input,
        env: {
          PATH: process.env.PATH,
          PASSWORD: typed,
          SSH_ASKPASS: ask,
          SSH_ASKPASS_REQUIRE: 'force',
        },
      },
    );
    return stdout + stderr;
  };
  return {
    root: path.join(folder, 'srv/sftp'),
    settings: readFileSync(`${script}.settings`, 'utf8'),
    sftp: (commands, typed = password) =>
      visit('sftp', ['adams@127.0.0.1'], typed, `${commands.join('\n')}\n`),
    ssh: (...parameters) => visit('ssh', [...parameters, 'adams@127.0.0.1'], password),
    asBeacon: (command) => runAsBeacon(folder, command),
    async close() {
      if (server.exitCode === null) {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
      rmSync(folder, { recursive: true });
      if (unpacked !== undefined) rmSync(unpacked, { recursive: true });
    },
  };
}

async function untilListening(server: ChildProcess, readLog: () => string): Promise<void> {
  while (!readLog().includes('Server listening')) {
    if (server.exitCode !== null) throw new Error(`The page could not be followed:\n${readLog()}`);
    await wait(20);
  }
}

function runAsBeacon(folder: string, command: string): number | null {
  const read = (file: string, name: string) =>
    readFileSync(path.join(folder, 'etc', file), 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`${name}:`))
      ?.split(':')[2] ?? '';
  const [uid, gid] = [read('passwd', 'beacon'), read('group', 'beacon-files')];
  const as = [`--reuid=${uid}`, `--regid=${uid}`, `--groups=${gid}`];
  return spawnSync('setpriv', [...as, 'sh', '-c', command], { stdio: 'ignore' }).status;
}
