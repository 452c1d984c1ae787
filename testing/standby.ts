import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCluster, startPostgres } from './postgres-process.ts';

export interface TestStandby {
  readonly url: string;
  stop(): Promise<void>;
}

/** A PostgreSQL that waits for a primary: it answers, and takes no writes. */
export async function startStandby(): Promise<TestStandby> {
  const folder = makeCluster('standby', () => ['--username', 'beacon', '--auth', 'trust']);
  writeFileSync(join(folder.cluster, 'standby.signal'), '');
  const url = `postgresql://beacon@/postgres?host=${encodeURIComponent(folder.path)}`;
  const server = await startPostgres(folder, { listen_addresses: '' }, url);
  return {
    url,
    async stop() {
      await server.stop();
      rmSync(folder.path, { recursive: true });
    },
  };
}
