import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram, installPackages, mayInstall } from './debian.ts';
import { pg } from './sql.ts';

const advice = [
  'The tests of connection poolers need PgBouncer. Install it and run again:',
  '  sudo apt-get install pgbouncer',
].join('\n');

export interface TestPooler {
  /** The same database, reached through the pooler. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface TestPoolerOptions {
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Connections to the server that all clients share. */
  readonly serverConnections: number;
  /** Names that may connect. */
  readonly users?: readonly string[];
}

/** Path of PgBouncer; as root on Debian, installs it where it is missing. */
function ensurePgBouncer(): string {
  const found = findProgram('pgbouncer');
  if (found !== undefined) return found;
  if (!mayInstall()) throw new Error(advice);
  installPackages(['pgbouncer'], advice);
  const installed = findProgram('pgbouncer');
  if (installed === undefined) throw new Error(`apt-get installed no PgBouncer. ${advice}`);
  return installed;
}

/** A real PgBouncer of its own in front of a test database on a unix socket. */
export async function startPgBouncer(
  databaseUrl: string,
  { mode, serverConnections, users = [] }: TestPoolerOptions,
): Promise<TestPooler> {
  const program = ensurePgBouncer();
  const server = new URL(databaseUrl.replace('@/', '@socket/'));
  const serverFolder = server.searchParams.get('host') ?? '';
  // The server's socket is for its own user alone, and PgBouncer does not run as root.
  const { uid, gid } = statSync(serverFolder);
  const folder = mkdtempSync('/tmp/beacon-pooler-');
  const configuration = join(folder, 'pgbouncer.ini');
  const userList = join(folder, 'users.txt');
  writeFileSync(userList, [server.username, ...users].map((name) => `"${name}" ""\n`).join(''));
  writeFileSync(
    configuration,
    `[databases]
* = host=${serverFolder}
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${userList}
pool_mode = ${mode}
default_pool_size = ${serverConnections}
max_client_conn = 200
logfile = ${join(folder, 'log')}
`,
  );
  for (const path of [folder, configuration, userList]) chownSync(path, uid, gid);
  const child = spawn(program, ['--quiet', configuration], {
    ...(process.getuid?.() === 0 && { uid, gid }),
    cwd: '/',
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  server.searchParams.set('host', folder);
  server.searchParams.set('port', '6432');
  const url = server.href.replace('@socket/', '@/');
  if (!(await answers(url, child))) {
    await stop();
    throw new Error('PgBouncer did not start.');
  }
  return { url, stop };
}

async function answers(url: string, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await wait(20);
    }
  }
  return false;
}
