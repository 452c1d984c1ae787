import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostgresBinaries } from '../server/src/platform/postgres-binaries.ts';
import { preparePostgresHome } from '../server/src/platform/postgres-home.ts';
import { pg } from './sql.ts';

export interface TestStandby {
  readonly url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL that waits for a primary: it answers, and takes no writes. */
export async function startStandby(): Promise<TestStandby> {
  const folder = mkdtempSync('/tmp/beacon-standby-');
  const { owner } = preparePostgresHome(folder);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const binaries = findPostgresBinaries(undefined, undefined);
  const cluster = join(folder, 'cluster');
  const options = { ...owner, cwd: '/', env: {} };
  const made = spawnSync(
    join(binaries.folder, 'initdb'),
    ['--pgdata', cluster, '--username', 'beacon', '--auth', 'trust', '--no-sync'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr || String(made.error));
  writeFileSync(join(cluster, 'standby.signal'), '');
  const settings = { listen_addresses: '', unix_socket_directories: folder, fsync: 'off' };
  const server = spawn(
    join(binaries.folder, 'postgres'),
    [
      '-D',
      cluster,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...options, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = `postgresql://beacon@/postgres?host=${encodeURIComponent(folder)}`;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end();
    if (isUp) break;
    if (server.exitCode !== null) throw new Error('The standby did not start.');
    await wait(20);
  }
  return {
    url,
    async stop() {
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
