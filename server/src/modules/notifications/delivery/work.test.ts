import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openWorkerDatabase } from '../../../../../testing/worker-database.ts';
import { localDay } from '../../../platform/clock.ts';
import { createLog } from '../../../platform/log.ts';
import type { Database } from '../../../platform/postgres.ts';
import { createSecrets } from '../../../platform/secrets.ts';
import { emailConfirmed, startMessageDelivery } from '../index.ts';
import { listOutbox } from '../outbox/store.ts';

let county: MessageCounty;
const workers: { stop(): Promise<void> }[] = [];
const databases: Database[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await Promise.all(databases.splice(0).map((database) => database.close()));
  await county.drop();
});

/** By the clock of the machine, a month before its election. */
async function openCounty(voters: readonly string[], settings = {}): Promise<void> {
  county = await createMessageCounty(voters, { now: new Date().toISOString(), settings });
  await sql`update elections set election_date = current_date + 30`.execute(county.database.system);
}

async function startWorker(): Promise<void> {
  const { config } = county;
  const database = await openWorkerDatabase(county.database);
  databases.push(database);
  workers.push(
    await startMessageDelivery({
      database,
      config,
      clock: { now: () => new Date() },
      log: createLog('silent'),
      secrets: createSecrets(['a test secret of thirty-two characters']),
      settings: { TWILIO_API_URL: 'https://api.twilio.com' },
    }),
  );
}

/** Milliseconds until so many messages are out. */
async function untilSent(count: number): Promise<number> {
  const started = Date.now();
  for (;;) {
    const messages = await listOutbox(county.database.system, county.account.accountId, null);
    if (messages.filter(({ state }) => state === 'sent').length >= count)
      return Date.now() - started;
    if (Date.now() - started > 20_000)
      throw new Error(JSON.stringify(messages.map(({ state }) => state)));
    await wait(20);
  }
}

const voters = Array.from({ length: 300 }, (_, index) => `V${index + 1}`);
/** The office's local date. In its evening UTC is a day ahead, and a file with ballots from tomorrow would wait for approval. */
const today = () => localDay(new Date(), county.account.timeZone);

test('an import’s news leaves within seconds of its commit, and a worker that starts later finds what waits or was lost', async () => {
  await openCounty(voters);
  await county.optIn('V1', { email: 'one@mail.example' });
  await county.optIn('V2', { email: 'two@mail.example' });
  await county.optIn('V3', { email: 'three@mail.example' });
  await county.importBallots([{ voter: 'V3', status: 'Outbound', mailed: today() }]);
  // As a worker leaves it that is killed while it sends.
  await sql`update messages set state = 'sending', attempts = 1, provider = 'local',
    claimed_at = now() - interval '2 minutes'`.execute(county.database.system);
  await county.importBallots([{ voter: 'V1', status: 'Outbound', mailed: today() }]);
  await startWorker();
  await untilSent(2);
  await county.importBallots([{ voter: 'V2', status: 'Outbound', mailed: today() }]);
  expect(await untilSent(3)).toBeLessThan(10_000);
});

test('several workers share the work, and no message goes out twice', async () => {
  await openCounty(voters);
  for (const voter of voters) await county.optIn(voter, { email: `${voter}@mail.example` });
  await startWorker();
  await startWorker();
  await county.importBallots(
    voters.map((voter) => ({ voter, status: 'Outbound', mailed: today() }) as const),
  );
  await untilSent(voters.length);
  const { rows } = await sql<{
    most: number;
  }>`select max(attempts)::int as most from messages`.execute(county.database.system);
  expect(rows).toEqual([{ most: 1 }]);
});

test('a voter who confirms an address gets the ballot’s status within a minute', async () => {
  await openCounty(['V1']);
  await startWorker();
  await county.importBallots([{ voter: 'V1', status: 'Outbound', mailed: today() }]);
  const voterId = await county.optIn('V1', { email: 'one@mail.example' });
  const { accountId } = county.account;
  await county.database.transaction((tx) =>
    emailConfirmed(
      tx,
      county.config,
      { accountId, voterId, email: 'one@mail.example' },
      new Date(),
    ),
  );
  expect(await untilSent(1)).toBeLessThan(10_000);
});

test('an old message is discarded with its receipt and its copy, a recent or needed message is kept', async () => {
  await openCounty(voters, { message_retention_days: 60 });
  const { database } = county;
  await county.optIn('V1', { email: 'one@mail.example' });
  await county.importBallots([{ voter: 'V1', status: 'Outbound', mailed: today() }]);
  await startWorker();
  await untilSent(1);
  // What was about the active election, and copies about none: old or young, ended, waiting for a person or for its time.
  await sql`update messages set created_at = now() - interval '61 days'`.execute(database.system);
  await sql`
    insert into messages (account_id, kind, voter_id, channel, address, language, cause, state, created_at, deliver_after)
    select account_id, 'change', voter_id, channel, address, language, made.cause, made.state::message_state,
      now() - days * interval '1 day', now() + interval '1 day'
    from messages, (values ('old', 'sent', 61), ('held', 'held', 61), ('young', 'sent', 59), ('waiting', 'created', 61)) as made (cause, state, days)`.execute(
    database.system,
  );
  // Of an office that says nothing of its messages, so they stay for two years, and has an election that is over.
  const lake = await addOffice(county, { subdomain: 'lake' });
  await sql`update accounts set settings = settings - 'message_retention_days' where account_id = ${lake}`.execute(
    database.system,
  );
  await sql`with over as (insert into elections (account_id, number, name, election_date, is_active)
      values (${lake}, '100', 'Primary', '2026-08-18', false))
    insert into messages (account_id, kind, channel, address, language, cause, state, created_at, deliver_after)
    select ${lake}::integer, 'change', 'email', 'one@mail.example', 'english', 'of lake, ' || days, 'sent',
      now() - days * interval '1 day', now()
    from unnest(array[729.9, 730.1]) as days`.execute(database.system);
  await sql`insert into receipts (account_id, message_id, provider, outcome)
    select account_id, message_id, 'local', 'delivered' from messages where cause is not null`.execute(
    database.system,
  );
  await sql`insert into local_deliveries (account_id, message_id, channel, sender, recipient, body)
    select account_id, message_id, channel, 'a', 'b', 'c' from messages where cause = 'old'`.execute(
    database.system,
  );
  // Where messages came from is asked for 30 days.
  await sql`insert into message_origins (account_id, day, channel, sender, kind)
    select ${county.account.accountId}::integer, current_date - days, 'email', days::text, 'status'
    from unnest(array[59, 61]) as days`.execute(database.system);
  // As for a worker that was down at the hour of the night.
  await sql`update graphile_worker._private_known_crontabs
    set known_since = now() - interval '3 days', last_execution = null
    where identifier = 'discard-old-messages'`.execute(database.system);
  await startWorker();
  const messages = async () => {
    const { rows } = await sql<{ cause: string }>`
      select coalesce(cause, 'election') as cause from messages order by message_id`.execute(
      database.system,
    );
    return rows.map(({ cause }) => cause);
  };
  await expect.poll(messages, { timeout: 20_000 }).not.toContain('old');
  expect(await messages()).toEqual(['election', 'young', 'waiting', 'of lake, 729.9']);
  // For what is due tomorrow nobody looks before.
  const hoursUntilWake = async () => {
    const { rows } = await sql<{ hours: number }>`
      select extract(epoch from run_at - now())::float / 3600 as hours from graphile_worker.jobs
      where key = 'deliver-messages:email:later'`.execute(database.system);
    return rows[0]?.hours;
  };
  await sql`select wake_messages('email')`.execute(database.system);
  await expect.poll(hoursUntilWake, { timeout: 20_000 }).toBeGreaterThan(23);
  const { rows } = await sql<{ receipts: number; copies: number }>`
    select (select count(*) from receipts) as receipts,
      (select count(*) from local_deliveries where body = 'c') as copies`.execute(database.system);
  expect(rows).toEqual([{ receipts: 3, copies: 0 }]);
  const { rows: origins } = await sql<{ sender: string }>`
    select sender from message_origins where day < current_date - 1`.execute(database.system);
  expect(origins).toEqual([{ sender: '59' }]);
});
