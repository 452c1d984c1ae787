import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { enqueueMessages } from '../server/src/modules/notifications/index.ts';
import { readConfig } from '../server/src/platform/config.ts';
import type { AccountId, ImportId } from '../server/src/platform/ids.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { createSecrets } from '../server/src/platform/secrets.ts';
import { startWorker } from '../server/src/worker.ts';
import { sql } from '../testing/sql.ts';
import { recordChanges, seedCounty } from './notify-county.ts';

/**
 * From commit to hand-over of the message about an envelope to fix, while a million other messages wait and leave. The bulk is made
 * by the module's own door; its place in the queue is before every urgent message.
 */
const bulk = Number(process.env.BENCH_ROWS ?? 1_000_000);
const urgentPerSecond = 5;
const urgentSeconds = Number(process.env.BENCH_URGENT_SECONDS ?? 40);
const urgent = urgentPerSecond * urgentSeconds;
const voters = bulk + urgent;
/** The promise, in milliseconds. */
const mostMs = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'beacon-bench-urgent-'));
const postgres = await startPrivatePostgres({ dataDirectory: folder });
await migrate(postgres.url);
const database = openDatabase(postgres.url, { connections: 16 });
const config = readConfig({
  BASE_DOMAIN: 'beacon.example',
  PUBLIC_URL: 'https://beacon.example',
  SITE_VISITS_PER_SECOND: '0',
});
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

try {
  const accountId = await seedCounty(database, folder, { voters, optedIn: voters, mailOfTen: 10 });
  say(`seeded ${voters.toLocaleString('en-US')} voters`);
  await enqueue(accountId, bulk, 0, 'sent');
  say(`${bulk.toLocaleString('en-US')} messages wait`);
  await sql`analyze messages`.execute(database.system);
  const worker = await start();
  const committed = new Map<ImportId, number>();
  for (let second = 0; second < urgentSeconds; second += 1) {
    const due = wait(1000);
    const after = bulk + second * urgentPerSecond;
    const importId = await enqueue(accountId, urgentPerSecond, after, 'rejected-curable');
    committed.set(importId, Date.now());
    await due;
  }
  const stillWaiting = await countWaiting();
  const until = Date.now() + 60_000;
  while ((await readWaits(committed)).length < urgent && Date.now() < until) await wait(200);
  const waits = await readWaits(committed);
  await worker.stop();
  const at = (share: number): number =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.NaN;
  say(
    `commit to hand-over p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms (${waits.length} of ${urgent} urgent messages; ${stillWaiting.toLocaleString('en-US')} others still waited at the end)`,
  );
  const isMet = waits.length === urgent && at(0.99) < mostMs && stillWaiting > 0;
  if (!isMet) process.exitCode = 1;
  say(
    JSON.stringify({
      ...{ name: 'notify-urgent', rows: bulk, urgent, handedOver: waits.length, stillWaiting },
      ...{ p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99), mostMs, isMet },
    }),
  );
} finally {
  await database.close();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}

async function enqueue(
  accountId: AccountId,
  count: number,
  after: number,
  to: string,
): Promise<ImportId> {
  return database.transaction(async (tx) => {
    const importId = await recordChanges(tx, accountId, count, after, 'printed', to);
    const imported = { accountId, importId, rowsRead: count, isJudged: true };
    const verdict = await enqueueMessages(tx, config, imported, new Date());
    if (verdict.state !== 'done' || verdict.messages !== count)
      throw new Error(JSON.stringify(verdict));
    return importId;
  });
}

async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from messages where state = 'created' and status = 'sent'`.execute(
    database.system,
  );
  return rows[0]?.count ?? 0;
}

/** Milliseconds from commit to the provider, in order. */
async function readWaits(committed: ReadonlyMap<ImportId, number>): Promise<number[]> {
  const { rows } = await sql<{ import_id: ImportId; received_at: Date }>`
    select m.import_id, d.received_at from messages m join local_deliveries d using (message_id)
    where m.import_id = any(${[...committed.keys()]}::bigint[])`.execute(database.system);
  return rows
    .map((row) => Math.max(0, row.received_at.getTime() - (committed.get(row.import_id) ?? 0)))
    .sort((a, b) => a - b);
}

function start(): Promise<{ stop(): Promise<void> }> {
  return startWorker({
    config,
    database,
    log: createLog('warn'),
    secrets: createSecrets(['a secret of the bench, thirty-two characters']),
    environment: {},
  });
}
