import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { applyAccountFile, saveElection } from '../server/src/modules/accounts/index.ts';
import { enqueueMessages } from '../server/src/modules/notifications/index.ts';
import { readConfig } from '../server/src/platform/config.ts';
import type { AccountId, ImportId } from '../server/src/platform/ids.ts';
import { createLog } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrations.ts';
import { openDatabase, type Tx } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';
import { createSecrets } from '../server/src/platform/secrets.ts';
import { startWorker } from '../server/src/worker.ts';
import { sql } from '../testing/sql.ts';

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
const config = readConfig({ BASE_DOMAIN: 'beacon.example', PUBLIC_URL: 'https://beacon.example' });
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

try {
  const accountId = await seed();
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

/** An invented county where every voter has a printed ballot and signed up for mail. */
async function seed(): Promise<AccountId> {
  const hour = new Date().getUTCHours();
  const clock = (h: number): string => `${String((h + 24) % 24).padStart(2, '0')}:00`;
  const file = join(folder, 'account.json');
  writeFileSync(
    file,
    JSON.stringify({
      subdomain: 'bench',
      name: 'Bench County Elections',
      county: 'Bench',
      state: 'FL',
      time_zone: 'Etc/UTC',
      languages: ['english', 'spanish'],
      contact_phone: '5555550100',
      contact_email: 'elections@bench.example',
      // Open now, whatever the time of the run.
      quiet_hours: { start: clock(hour - 2), end: clock(hour + 6) },
    }),
  );
  const applied = await applyAccountFile(database, file);
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  const { accountId } = applied;
  const today = new Date().toISOString().slice(0, 10);
  const election = { number: '1', name: 'General Election', electionDate: today, isActive: true };
  await database.transaction((tx) => saveElection(tx, accountId, election));
  await database.transaction(async (tx) => {
    await sql`insert into voters (account_id, registration_id, firstname, lastname, birthdate, zipcode)
      select ${accountId}, 'B' || n, 'Voter', 'Number ' || n, '1980-01-01', '32601' from generate_series(1, ${voters}::int) n`.execute(
      tx,
    );
    await sql`insert into contact_preferences (account_id, voter_id, language_preference)
      select account_id, voter_id, case when voter_id % 5 = 0 then 'spanish' end
      from voters order by voter_id limit ${voters}`.execute(tx);
    await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
      select account_id, voter_id, 'email', 'voter' || voter_id || '@mail.example',
        'proven', true
      from contact_preferences`.execute(tx);
    await sql`insert into consents (account_id, voter_id, channel, address, action, source, wording)
      select account_id, voter_id, channel, address, 'confirmed', 'bench', 'bench' from contact_channels`.execute(
      tx,
    );
    await sql`insert into ballots (account_id, voter_id, election_id, current_status)
      select v.account_id, v.voter_id, e.election_id, 'printed' from voters v, elections e`.execute(
      tx,
    );
  });
  await sql`analyze`.execute(database.system);
  say(`seeded ${voters.toLocaleString('en-US')} voters`);
  return accountId;
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

async function recordChanges(
  tx: Tx,
  accountId: AccountId,
  count: number,
  after: number,
  from: string,
  to: string,
): Promise<ImportId> {
  const { rows } = await sql<{ import_id: ImportId }>`
    insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
    values (${accountId}, 'bench', 'bench.csv', '\\x00', 'done', 'operator:bench', now(), now(), ${count}, 0, '{}') returning import_id`.execute(
    tx,
  );
  const [added] = rows;
  if (!added) throw new Error('The import was not added.');
  const importId = added.import_id;
  await sql`create temp table changed_ballots on commit drop as
    with added as (insert into ballot_events (account_id, ballot_id, kind, status, occurred_on, import_id)
      select account_id, ballot_id, 'office', ${to}, current_date, ${importId}::bigint from ballots
      where ballot_id > ${after} order by ballot_id limit ${count} returning ballot_id, event_id)
    select ballot_id, event_id, ${from}::text as old_status, ${to}::text as new_status, election_id, current_date as occurred_on
    from added join ballots using (ballot_id)`.execute(tx);
  await sql`update ballots b set current_status = new_status, current_event_id = event_id from changed_ballots c
    where b.ballot_id = c.ballot_id`.execute(tx);
  return importId;
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
