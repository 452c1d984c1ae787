import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../testing/ports.ts';

/** A server of the bench: the product's api, or a floor. */
export interface Served {
  readonly port: number;
  /** Of the product alone. */
  readonly healthPort: number;
  /** Seconds of processor that it has used. */
  readCpu(): number;
  /** Resident memory. */
  readMegabytes(): number;
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../..');

/** @param parameters of Node, such as `server/src/api.ts` */
export async function serve(
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Served> {
  const [port, healthPort] = [await findFreePort(), await findFreePort()];
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    env: {
      ...process.env,
      ...{ PORT: String(port), HEALTH_PORT: String(healthPort), TRUST_PROXY: 'loopback' },
      ...{ LOG_LEVEL: 'warn', CAPTCHA: 'off', ...environment },
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitUntilReady(child, port);
  return {
    port,
    healthPort,
    readCpu: () => readCpuOf(child.pid),
    readMegabytes() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Math.round((Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6);
    },
    async stop() {
      const ended = child.exitCode === null && once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const ticksPerSecond = 100;

function readCpuOf(pid: number | string | undefined): number {
  // After the name, which may contain spaces: utime and stime are the 12th and 13th fields.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function waitUntilReady(child: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await wait(100);
  }
  throw new Error('The server did not start.');
}
