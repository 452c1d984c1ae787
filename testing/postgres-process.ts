import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, globSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostgresBinaries } from '../server/src/platform/postgres-binaries.ts';
import { type Owner, preparePostgresHome } from '../server/src/platform/postgres-home.ts';
import { pg } from './sql.ts';

/** A folder in /tmp of the user that PostgreSQL runs as. */
export interface PostgresFolder {
  readonly path: string;
  readonly cluster: string;
  /** Undefined: ourselves. */
  readonly owner: Owner | undefined;
  /** Where PostgreSQL's programs are. */
  readonly binaries: string;
}

export interface PostgresProcess {
  /** Shuts it down, or kills it. */
  stop(signal?: 'SIGINT' | 'SIGKILL'): Promise<void>;
}

/**
 * Makes a cluster in a folder of its own.
 *
 * @param chooseParameters of initdb beyond the folder; it may put files there, which belong to the user of PostgreSQL
 */
export function makeCluster(
  name: string,
  chooseParameters: (folder: string) => readonly string[],
): PostgresFolder {
  const path = mkdtempSync(`/tmp/beacon-${name}-`);
  const { owner } = preparePostgresHome(path);
  const parameters = chooseParameters(path);
  if (owner)
    for (const file of [path, ...globSync(join(path, '*'))]) chownSync(file, owner.uid, owner.gid);
  const cluster = join(path, 'cluster');
  const binaries = findPostgresBinaries(undefined, undefined).folder;
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['--pgdata', cluster, '--no-sync', ...parameters],
    { ...owner, cwd: '/', env: {}, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr || String(made.error));
  return { path, cluster, owner, binaries };
}

/**
 * Starts the cluster and waits until it answers.
 *
 * @param settings beyond those in the cluster's file; the socket is in the folder
 * @param url to ask
 */
export async function startPostgres(
  { path, cluster, owner, binaries }: PostgresFolder,
  settings: Readonly<Record<string, string>>,
  url: string,
): Promise<PostgresProcess> {
  const all = { unix_socket_directories: path, fsync: 'off', ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binaries, 'postgres'), ['-D', cluster, ...options], {
    ...owner,
    ...{ cwd: '/', env: {}, stdio: 'ignore' },
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  await untilItAnswers(server, url);
  return {
    async stop(signal = 'SIGINT') {
      server.kill(signal);
      await ended;
    },
  };
}

async function untilItAnswers(server: ChildProcess, url: string): Promise<void> {
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isUp) return;
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}.`);
    await wait(20);
  }
}
