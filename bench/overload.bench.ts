import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import {
  type Answered,
  countByStatus,
  loadClosed,
  loadOpen,
  type NextRequest,
  percentile,
} from './api/load.ts';
import { apiCommand, serve } from './api/processes.ts';
import { drawRequest } from './api/requests.ts';
import { seedOffices } from './api/seed.ts';

/**
 * Three times as many visitors as one api process can serve: `npm run bench -- overload [SECONDS]`, 60 by default.
 *
 * What it can serve is measured first, with 20 connections. Then requests come at three times that rate, whatever becomes of them:
 * voters' dashboards and the calls of open ones, the login page, and people who sign in. Fails unless what is accepted has its answer within 2 s (p99), everything
 * else is a 503, `/readyz` at HEALTH_PORT answers within 1 s throughout, and all is as before within 10 s of the end.
 */
const seconds = Number(process.argv[2] ?? 60);
const times = 3;
const capacityMs = 10_000;
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-overload-'));
const postgres = await startPrivatePostgres({ dataDirectory: folder });
try {
  await migrate(postgres.url);
  const database = openDatabase(postgres.url, { connections: 4 });
  const voters = await seedOffices(database, { offices: 3, votersOfEach: 5_000 });
  await database.close();
  const api = await serve(apiCommand, { DATABASE_URL: postgres.url });
  try {
    await measure(api, () => drawRequest(voters));
  } finally {
    await api.stop();
  }
} finally {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(
  { port, healthPort, readMegabytes }: Awaited<ReturnType<typeof serve>>,
  next: NextRequest,
): Promise<void> {
  await loadClosed(port, next, { connections: 20, ms: 5_000 }); // until everything is compiled and cached
  const usual = await loadClosed(port, next, { connections: 20, ms: capacityMs });
  const capacity = countAccepted(usual) / (capacityMs / 1000);
  say(`capacity  ${Math.round(capacity)} requests/s · p99 ${percentile(usual, 0.99)} ms`);

  const ready: Omit<Answered, 'kind'>[] = [];
  const probe = new Worker(new URL('./api/ready-probe.ts', import.meta.url), {
    workerData: { port: healthPort },
  });
  probe.on('message', (answer: Omit<Answered, 'kind'>) => ready.push(answer));
  const startedAt = performance.now();
  const answers = await loadOpen(port, next, {
    perSecond: capacity * times,
    ms: seconds * 1000,
  });
  const endedAt = startedAt + seconds * 1000;
  const normalAfterMs = await waitUntilNormal(port, next, capacity, endedAt);
  await probe.terminate();

  const accepted = answers.filter(isAccepted);
  const counts = countByStatus(answers);
  const others = answers.filter((one) => !isAccepted(one) && one.status !== 503);
  const refused = answers.filter(({ status }) => status === 503);
  const slowestReady = Math.round(Math.max(...ready.map(({ ms }) => ms)));
  const notReady = ready.filter(({ status }) => status !== 200).length;
  const figures = {
    name: 'overload',
    capacity: Math.round(capacity),
    offered: Math.round(answers.length / seconds),
    accepted: Math.round(accepted.length / seconds),
    acceptedP50: percentile(accepted, 0.5),
    acceptedP99: percentile(accepted, 0.99),
    refusedP99: percentile(refused, 0.99),
    counts,
    slowestReady,
    notReady,
    normalAfterMs: Math.round(normalAfterMs),
    megabytes: readMegabytes(),
  };
  say(
    `overload  ${figures.offered} requests/s for ${seconds} s: ${figures.accepted}/s accepted, p50 ${figures.acceptedP50} ms, p99 ${figures.acceptedP99} ms · refused p99 ${figures.refusedP99} ms · ${JSON.stringify(counts)}`,
  );
  for (const kind of new Set(answers.map((one) => one.kind))) {
    const own = answers.filter((one) => one.kind === kind);
    const served = own.filter(isAccepted);
    say(
      `  ${kind.padEnd(10)} ${Math.round((100 * served.length) / own.length)} % of ${own.length} served, p50 ${percentile(served, 0.5)} ms, p99 ${percentile(served, 0.99)} ms`,
    );
  }
  say(
    `readyz    slowest of ${ready.length} ${slowestReady} ms, ${notReady} not 200 · normal after ${figures.normalAfterMs} ms · ${figures.megabytes} MB`,
  );
  say(JSON.stringify(figures));
  const isHonest = others.length === 0 && notReady === 0 && slowestReady < 1_000;
  if (!isHonest || figures.acceptedP99 >= 2_000 || normalAfterMs >= 10_000) process.exitCode = 1;
}

function isAccepted({ status }: Answered): boolean {
  return status >= 200 && status < 400;
}

function countAccepted(answers: readonly Answered[]): number {
  return answers.filter(isAccepted).length;
}

/** @returns how long after the end a second of usual load went without a refusal and with a usual wait */
async function waitUntilNormal(
  port: number,
  next: NextRequest,
  capacity: number,
  endedAt: number,
): Promise<number> {
  for (let tries = 0; tries < 60; tries += 1) {
    const from = performance.now();
    const answers = await loadOpen(port, next, { perSecond: capacity / 3, ms: 1_000 });
    if (answers.every(isAccepted) && percentile(answers, 0.99) < 500) return from - endedAt;
  }
  return Number.POSITIVE_INFINITY;
}
