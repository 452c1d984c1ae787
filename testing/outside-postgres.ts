import { spawn, spawnSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPostgresBinaries } from '../server/src/platform/postgres-binaries.ts';
import { preparePostgresHome } from '../server/src/platform/postgres-home.ts';
import { pg } from './sql.ts';

export interface OutsidePostgres {
  /** Of its administrator, over TLS. */
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/**
 * A PostgreSQL as an operator has it on another machine: over TCP with TLS, and with passwords.
 *
 * @param certificate files; the certificate is for 127.0.0.1, and its own authority
 */
export async function startOutsidePostgres(
  port: number,
  certificate: { readonly certificate: string; readonly key: string },
): Promise<OutsidePostgres> {
  const password = 'a-password-of-the-administrator';
  const folder = mkdtempSync('/tmp/beacon-outside-');
  const { owner } = preparePostgresHome(folder);
  const files = { certificate: join(folder, 'server.crt'), key: join(folder, 'server.key') };
  const passwordFile = join(folder, 'password');
  copyFileSync(certificate.certificate, files.certificate);
  copyFileSync(certificate.key, files.key);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner)
    for (const path of [folder, passwordFile, ...Object.values(files)])
      chownSync(path, owner.uid, owner.gid);
  const binaries = findPostgresBinaries(undefined, undefined);
  const cluster = join(folder, 'cluster');
  const options = { ...owner, cwd: '/', env: {} };
  const made = spawnSync(
    join(binaries.folder, 'initdb'),
    [
      ...['--pgdata', cluster, '--username', 'postgres', '--no-sync'],
      ...['--auth', 'scram-sha-256', '--pwfile', passwordFile],
    ],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr || String(made.error));
  const settings = {
    ...{ listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: folder },
    ...{ ssl: 'on', ssl_cert_file: files.certificate, ssl_key_file: files.key, fsync: 'off' },
  };
  const server = spawn(
    join(binaries.folder, 'postgres'),
    [
      ...['-D', cluster],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    { ...options, stdio: 'ignore' },
  );
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const adminUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=verify-full&sslrootcert=${certificate.certificate}`;
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl });
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (isUp) break;
    if (server.exitCode !== null) throw new Error('The outside PostgreSQL did not start.');
    await wait(50);
  }
  return {
    adminUrl,
    async stop() {
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
