import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { growthOf, median } from './api/figures.ts';
import {
  type Answered,
  countByStatus,
  loadClosed,
  loadOpen,
  type NextRequest,
  percentile,
} from './api/load.ts';
import { describeOthers, watchDatabase, watchOthers } from './api/machine.ts';
import { apiCommand, type Served, serve } from './api/processes.ts';
import { drawRequest } from './api/requests.ts';
import { seedOffices } from './api/seed.ts';

/**
 * A long busy day in short: `npm run bench -- soak [MINUTES]`, 8 by default.
 *
 * What one api process can serve is measured first, with 20 connections. Then requests come at 70 % of that rate. Fails unless none is answered wrongly, refused or
 * later than 250 ms (p99), and the memory in the last quarter is at most 5 % above that in the second.
 */
const minutes = Number(process.argv[2] ?? 8);
const share = 0.7;
const most = { p99: 250, growth: 1.05 };
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

const folder = mkdtempSync(path.join(tmpdir(), 'beacon-bench-soak-'));
const postgres = await startPrivatePostgres({ dataDirectory: folder });
try {
  await migrate(postgres.url);
  const database = openDatabase(postgres.url, { connections: 4 });
  const voters = await seedOffices(database, { offices: 20, votersOfEach: 2_000 });
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

function isRight({ status }: Answered): boolean {
  return status >= 200 && status < 400;
}

async function measure(api: Served, next: NextRequest): Promise<void> {
  const readDatabaseCpu = await watchDatabase(postgres.url);
  const warmUpMs = 10_000;
  await loadClosed(api.port, next, { connections: 20, ms: warmUpMs });
  const capacityMs = 10_000;
  const usual = await loadClosed(api.port, next, { connections: 20, ms: capacityMs });
  const capacity = (usual.filter(isRight).length * 1000) / capacityMs;
  const perSecond = share * capacity;
  say(`capacity  ${Math.round(capacity)} requests/s · p99 ${percentile(usual, 0.99)} ms`);

  const readOthers = watchOthers(() => api.readCpu() + readDatabaseCpu());
  const megabytes: number[] = [];
  const watch = setInterval(() => megabytes.push(api.readMegabytes()), 1_000);
  const answers = await loadOpen(api.port, next, { perSecond, ms: minutes * 60_000 });
  clearInterval(watch);

  const right = answers.filter(isRight);
  const errors = answers.length - right.length;
  const growth = growthOf(megabytes);
  const figures = {
    name: 'soak',
    minutes,
    perSecond: Math.round(perSecond),
    requests: answers.length,
    errors,
    p50: percentile(right, 0.5),
    p99: percentile(right, 0.99),
    counts: countByStatus(answers),
    megabytes: { middle: median(megabytes), most: Math.max(...megabytes), growth },
  };
  for (const kind of new Set(answers.map((one) => one.kind))) {
    const own = answers.filter((one) => one.kind === kind);
    say(
      `  ${kind.padEnd(10)} ${own.length}: p50 ${percentile(own, 0.5)} ms, p99 ${percentile(own, 0.99)} ms`,
    );
  }
  say(
    `soak      ${figures.perSecond} requests/s for ${minutes} min: ${errors} errors of ${answers.length}, p50 ${figures.p50} ms, p99 ${figures.p99} ms · ${describeOthers(readOthers())}`,
  );
  const everySo = Math.max(1, Math.floor(megabytes.length / 16));
  say(
    `memory    ${megabytes.filter((_, second) => second % everySo === 0).join(' ')} MB · last quarter ${growth} × the second`,
  );
  say(JSON.stringify(figures));
  if (errors > 0 || figures.p99 >= most.p99 || growth > most.growth) process.exitCode = 1;
}
