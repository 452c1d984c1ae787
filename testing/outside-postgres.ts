import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCluster, startPostgres } from './postgres-process.ts';

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
  const folder = makeCluster('outside', (path) => {
    copyFileSync(certificate.certificate, join(path, 'server.crt'));
    copyFileSync(certificate.key, join(path, 'server.key'));
    const passwordFile = join(path, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    return ['--username', 'postgres', '--auth', 'scram-sha-256', '--pwfile', passwordFile];
  });
  const settings = {
    ...{ listen_addresses: '127.0.0.1', port: String(port), ssl: 'on' },
    ssl_cert_file: join(folder.path, 'server.crt'),
    ssl_key_file: join(folder.path, 'server.key'),
  };
  const adminUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=verify-full&sslrootcert=${certificate.certificate}`;
  const server = await startPostgres(folder, settings, adminUrl);
  return {
    adminUrl,
    async stop() {
      await server.stop();
      rmSync(folder.path, { recursive: true });
    },
  };
}
