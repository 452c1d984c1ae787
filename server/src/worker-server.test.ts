import { afterEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../testing/messages.ts';
import { sql } from '../../testing/sql.ts';
import { openWorkerDatabase } from '../../testing/worker-database.ts';
import { createLog } from './platform/log.ts';
import { createMetrics } from './platform/metrics.ts';
import type { Database } from './platform/postgres.ts';
import { createSecrets } from './platform/secrets.ts';
import { createWorkerServer, startWorker } from './worker.ts';

let county: MessageCounty;
let database: Database;
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await county.drop();
});

/** Two voters have a mail that is due, as of a quarter of an hour ago, and nothing takes it yet. */
async function begin() {
  county = await createMessageCounty(['1', '2'], { now: '2026-10-06T20:00:00Z' });
  for (const voter of ['1', '2']) await county.optIn(voter, { email: `v${voter}@mail.example` });
  await county.importBallots(
    ['1', '2'].map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-04' })),
  );
  county.clock.set('2026-10-06T20:15:00Z');
  const opened = await openWorkerDatabase(county.database);
  database = opened;
  stops.push(() => opened.close());
  const { config, clock } = county;
  const parts = { config, clock, database, log: createLog('silent'), metrics: createMetrics() };
  const server = await createWorkerServer(parts);
  stops.push(() => server.close());
  return { parts, server };
}

type Server = Awaited<ReturnType<typeof begin>>['server'];

async function figures(server: Server): Promise<string[]> {
  const { statusCode, body } = await server.inject({ url: '/metrics' });
  expect(statusCode).toBe(200);
  return body.split('\n');
}

test('the worker’s figures show how many messages wait and for how long, and then what became of them', async () => {
  const { parts, server } = await begin();
  // Waits for tomorrow, and is not late.
  await sql`insert into messages (account_id, kind, event_id, ballot_id, status, voter_id, channel, address, language, deliver_after)
    select account_id, kind, event_id, ballot_id, status, voter_id, 'sms', '+13525550100', language, deliver_after + interval '1 day'
    from messages order by message_id limit 1`.execute(county.database.system);
  const before = await figures(server);
  expect(before).toContain('beacon_queue_due_messages{channel="sms",lane="news"} 0');
  expect(before).toContain('beacon_queue_due_messages{channel="email",lane="news"} 2');
  expect(before).toContain('beacon_queue_oldest_due_seconds{channel="email",lane="news"} 900');
  expect(before).toContain('beacon_queue_due_messages{channel="email",lane="answers"} 0');
  expect(before).toContain('beacon_queue_oldest_due_seconds{channel="email",lane="urgent"} 0');
  expect(before).toContain('beacon_messages_total{channel="email",outcome="accepted"} 0');

  const secrets = createSecrets(['a test secret of thirty-two characters']);
  const worker = await startWorker({ ...parts, secrets, environment: {} });
  stops.push(() => worker.stop());
  await expect
    .poll(() => figures(server), { timeout: 20_000 })
    .toContain('beacon_messages_total{channel="email",outcome="accepted"} 2');
  const after = await figures(server);
  expect(after).toContain('beacon_queue_due_messages{channel="email",lane="news"} 0');
  expect(after).toContain('beacon_queue_oldest_due_seconds{channel="email",lane="news"} 0');
  expect(after).toContain('beacon_queue_sending_messages{channel="email"} 0');
  expect(after).toContain('beacon_database_connections{pool="work",state="most"} 6');
});

test('an import that waits for a second person is in the figures, with its age, until somebody decides', async () => {
  const { server } = await begin();
  const label = '{account="adams",state="file-held"}';
  expect(await figures(server)).not.toContainEqual(expect.stringContaining(label));
  await sql`update imports set state = 'file-held'`.execute(county.database.system);
  const waiting = await figures(server);
  expect(waiting).toContain(`beacon_waiting_imports${label} 2`);
  expect(waiting).toContain(`beacon_waiting_import_age_seconds${label} 900`);
  await sql`update imports set state = 'done'`.execute(county.database.system);
  expect(await figures(server)).toContain(
    'beacon_feed_age_seconds{account="adams",format="voter-focus-ballots"} 900',
  );
});

test('a worker is well while it runs, and ready only while its database answers', async () => {
  const { server } = await begin();
  const ask = async (url: string) => (await server.inject({ url })).statusCode;
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([200, 200]);
  stops.pop();
  stops.pop();
  await database.close();
  expect([await ask('/healthz'), await ask('/readyz')]).toEqual([200, 503]);
  await server.close();
});
