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
 * From a file's status changes to hand-over: 1,000,000 changes with 400,000 opted-in voters, through the
 * whole path (hours, consent, status, texts) to the local provider. Each figure is compared with the same database
 * doing only the plain writes.
 */
const changes = Number(process.env.BENCH_ROWS ?? 1_000_000);
const optedIn = Math.round(changes * 0.4);
const pacedPerSecond = 400;
const pacedSeconds = Number(process.env.BENCH_PACED_SECONDS ?? 30);

const folder = mkdtempSync(join(tmpdir(), 'beacon-bench-notify-'));
const postgres = await startPrivatePostgres({ dataDirectory: folder });
await migrate(postgres.url);
const database = openDatabase(postgres.url, { connections: 16 });
const config = readConfig({
  BASE_DOMAIN: 'beacon.example',
  PUBLIC_URL: 'https://beacon.example',
  SITE_VISITS_PER_SECOND: '0',
});
let peakMb = 0;
const memory = setInterval(() => {
  peakMb = Math.max(peakMb, process.memoryUsage().rss / 1e6);
}, 200);
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

try {
  const accountId = await seedCounty(database, folder, { voters: changes, optedIn, mailOfTen: 7 });
  say(`seeded ${changes.toLocaleString('en-US')} voters`);
  const floor = await measureFloor();
  const enqueueSeconds = await enqueue(accountId, changes);
  const drained = await drain();
  const paced = await pace(accountId);
  say(
    `\nenqueue      ${changes.toLocaleString('en-US')} changes, ${optedIn.toLocaleString('en-US')} messages: ${enqueueSeconds.toFixed(1)} s (bare insert ${floor.insertSeconds.toFixed(1)} s, share ${percent(floor.insertSeconds / enqueueSeconds)})`,
  );
  say(
    `hand-over    ${Math.round(drained.perSecond).toLocaleString('en-US')} messages/s (bare claims and records ${Math.round(floor.claimsPerSecond).toLocaleString('en-US')} rows/s, share ${percent(drained.perSecond / floor.claimsPerSecond)})`,
  );
  say(
    `at ${pacedPerSecond}/s    commit to hand-over p50 ${paced.p50} ms, p95 ${paced.p95} ms, p99 ${paced.p99} ms (${paced.count} messages)`,
  );
  say(`peak memory  ${Math.round(peakMb)} MB`);
  say(
    JSON.stringify({
      name: 'notify',
      rows: changes,
      messages: optedIn,
      seconds: round(enqueueSeconds + drained.seconds),
      floorSeconds: round(floor.insertSeconds + optedIn / floor.claimsPerSecond),
      ratio: round(
        (enqueueSeconds + drained.seconds) /
          (floor.insertSeconds + optedIn / floor.claimsPerSecond),
      ),
      peakMb: Math.round(peakMb),
      enqueueSeconds: round(enqueueSeconds),
      enqueueShareOfDatabase: round(floor.insertSeconds / enqueueSeconds),
      messagesPerSecond: Math.round(drained.perSecond),
      messagesShareOfDatabase: round(drained.perSecond / floor.claimsPerSecond),
      p50Ms: paced.p50,
      p95Ms: paced.p95,
      p99Ms: paced.p99,
    }),
  );
} finally {
  clearInterval(memory);
  await database.close();
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The database alone: the same rows into the same indexes, and batches claimed and recorded without any decision. */
async function measureFloor(): Promise<{ insertSeconds: number; claimsPerSecond: number }> {
  await sql`create table bare_messages (like messages including all)`.execute(database.system);
  const insertSeconds = await time(() =>
    sql`insert into bare_messages (account_id, kind, event_id, ballot_id, status, import_id, voter_id, channel, address, language, deliver_after)
      select 1, 'status', n, n, 'sent', 1, n, 'email', 'voter' || n || '@mail.example', 'english', now() from generate_series(1, ${optedIn}::int) n`.execute(
      database.system,
    ),
  );
  const rows = Math.min(optedIn, 100_000);
  let left = rows;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 250;
      const { rows: claimed } = await sql<{ message_id: number }>`
        with due as materialized (select message_id from bare_messages where state = 'created' and channel = 'email' and not is_answer
          and deliver_after <= now() order by deliver_after limit 250 for update skip locked)
        update bare_messages m set state = 'sending', claimed_at = now() from due where m.message_id = due.message_id returning m.message_id`.execute(
        database.system,
      );
      await sql`update bare_messages set state = 'sent', sent_at = now() where message_id = any(${claimed.map((row) => row.message_id)}::bigint[])`.execute(
        database.system,
      );
    }
  };
  const seconds = await time(() => Promise.all([lane(), lane(), lane(), lane()]));
  await sql`drop table bare_messages`.execute(database.system);
  return { insertSeconds, claimsPerSecond: rows / seconds };
}

/** The import's part is done by hand and not timed; the module's own part is timed until its commit. */
async function enqueue(accountId: AccountId, count: number): Promise<number> {
  let seconds = 0;
  await database.transaction(async (tx) => {
    const importId = await recordChanges(tx, accountId, count, 0, 'printed', 'sent');
    seconds = await time(async () => {
      const verdict = await enqueueMessages(
        tx,
        config,
        { accountId, importId, rowsRead: count, isJudged: true },
        new Date(),
      );
      if (verdict.state !== 'done') throw new Error(JSON.stringify(verdict));
    });
  });
  return seconds;
}

/** Hands everything over with this process as the only worker. */
async function drain(): Promise<{ seconds: number; perSecond: number }> {
  await database.systemPool.query('vacuum analyze messages');
  const started = performance.now();
  const worker = await start();
  let sent = 0;
  while (sent < optedIn) {
    await wait(500);
    sent = await countDelivered();
    if (performance.now() - started > 900_000) throw new Error(`Only ${sent} went out.`);
  }
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  return { seconds, perSecond: optedIn / seconds };
}

async function pace(
  accountId: AccountId,
): Promise<{ p50: number; p95: number; p99: number; count: number }> {
  const worker = await start();
  const committed = new Map<ImportId, number>();
  const batches = 10;
  const perBatch = pacedPerSecond / batches;
  const writes: Promise<void>[] = [];
  for (let tick = 0; tick < pacedSeconds * batches; tick += 1) {
    const due = wait(1000 / batches);
    writes.push(
      (async () => {
        const imported = await database.transaction(async (tx) => {
          const importId = await recordChanges(
            tx,
            accountId,
            perBatch,
            tick * perBatch,
            'sent',
            'returned',
          );
          const verdict = await enqueueMessages(
            tx,
            config,
            { accountId, importId, rowsRead: perBatch, isJudged: true },
            new Date(),
          );
          if (verdict.messages !== perBatch)
            throw new Error(`Batch ${tick}: ${JSON.stringify(verdict)}`);
          if (verdict.state === 'messages-held')
            throw new Error(`Batch ${tick} waits for approval.`);
          return importId;
        });
        committed.set(imported, Date.now());
      })(),
    );
    await due;
  }
  await Promise.all(writes);
  const expected = optedIn + pacedSeconds * pacedPerSecond;
  const deadline = Date.now() + 60_000;
  while ((await countDelivered()) < expected && Date.now() < deadline) await wait(200);
  await worker.stop();
  const { rows } = await sql<{ import_id: ImportId; received_at: Date }>`
    select m.import_id, d.received_at from messages m join local_deliveries d using (message_id)
    where m.import_id = any(${[...committed.keys()]}::bigint[])`.execute(database.system);
  const waits = rows
    .map((row) => Math.max(0, row.received_at.getTime() - (committed.get(row.import_id) ?? 0)))
    .sort((a, b) => a - b);
  const at = (share: number): number =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count: waits.length };
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

async function countDelivered(): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*) as count from local_deliveries`.execute(database.system);
  return rows[0]?.count ?? 0;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
