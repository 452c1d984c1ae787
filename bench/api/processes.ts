import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import { apiEnvironment, apiFlags } from '../../server/src/platform/api-flags.ts';
import { findFreePort } from '../../testing/ports.ts';
import { readCpuOf } from './machine.ts';
import type { Trip } from './recorder.ts';

/** A server of the bench: the product's api, or a floor. */
export interface Served {
  readonly port: number;
  /** Of the product alone. */
  readonly healthPort: number;
  /** Seconds of processor that it has used. */
  readCpu(): number;
  /** Resident memory. */
  readMegabytes(): number;
  /** Asks for what `recording-api.ts` has recorded since the last time. */
  takeTrips(): Promise<readonly Trip[]>;
  stop(): Promise<void>;
}

const root = path.resolve(import.meta.dirname, '../..');

/** The product's API, as its unit starts it. */
export const apiCommand = [...apiFlags, 'server/src/api.ts'];

/** @param parameters of Node, such as {@link apiCommand} */
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
      ...{ LOG_LEVEL: 'error', CAPTCHA: 'off', ...apiEnvironment, ...environment },
    },
    // By the channel it knows when the bench is gone, however it went.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await waitUntilReady(child, port);
  return {
    port,
    healthPort,
    readCpu: () => readCpuOf(child.pid).own,
    readMegabytes() {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Math.round((Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024) / 1e6);
    },
    async takeTrips() {
      child.send('take');
      for (;;) {
        // The product sends messages of its own.
        const [message] = (await once(child, 'message')) as [{ kind: string; trips: string }];
        if (message.kind === 'trips') return deserialize(Buffer.from(message.trips, 'base64'));
      }
    },
    async stop() {
      const ended = child.exitCode === null && once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
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
