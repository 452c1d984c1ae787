import { spawn } from 'node:child_process';
import path from 'node:path';
import { findFreePort } from '../testing/ports.ts';
import { expect } from './fixtures.ts';

export interface OwnServer {
  readonly origin: string;
  stop(): Promise<void>;
}

interface OwnServerOptions {
  /** Modules that Node loads ahead of the server, relative to e2e/. */
  readonly before?: readonly string[];
  /** What runs, relative to the root of the tree. */
  readonly entry?: string;
}

/** A second server over the data of the one under test, with settings of its own. */
export async function startOwnServer(
  environment: Record<string, string>,
  { before = [], entry = 'server/src/api.ts' }: OwnServerOptions = {},
): Promise<OwnServer> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const ahead = before.flatMap((name) => ['--import', path.join(import.meta.dirname, name)]);
  const server = spawn(process.execPath, [...ahead, entry], {
    cwd: path.dirname(import.meta.dirname),
    env: {
      ...process.env,
      PORT: String(port),
      BEACON_DATA: process.env.E2E_DATA,
      TRUST_PROXY: 'loopback',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await expect
    .poll(
      () =>
        fetch(`${origin}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      { timeout: 60_000 },
    )
    .toBe(true);
  return {
    origin,
    async stop() {
      server.kill('SIGTERM');
      await new Promise((resolve) => server.once('exit', resolve));
    },
  };
}
