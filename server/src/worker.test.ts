import { afterEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../testing/messages.ts';
import { sql } from '../../testing/sql.ts';
import { testTokenKeys } from '../../testing/token-keys.ts';
import { openWorkerDatabase } from '../../testing/worker-database.ts';
import { listOutbox } from './modules/notifications/index.ts';
import { strengthenTokenHash } from './modules/voters/index.ts';
import { createLog } from './platform/log.ts';
import type { Database } from './platform/postgres.ts';
import { createSecrets } from './platform/secrets.ts';
import { startWorker, type WorkerParts } from './worker.ts';

type StartStrengthener = NonNullable<WorkerParts['startStrengthener']>;

let county: MessageCounty;
let worker: { stop(): Promise<void> } | undefined;
let workerDatabase: Database | undefined;
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await workerDatabase?.close();
  workerDatabase = undefined;
  await county.drop();
});

const code = (voter: number) => `00716123456${String(voter).padStart(9, '0')}`;
const statuses = async () => {
  const { rows } = await sql<{ status: string }>`
    select b.current_status as status from ballots b join voters v using (voter_id) order by v.registration_id`.execute(
    county.database.system,
  );
  return rows.map(({ status }) => status);
};
const messages = async () =>
  (await listOutbox(county.database.system, county.account.accountId, null)).map(
    ({ status }) => status,
  );

/** Voters 1 and 2 were sent a ballot; the carrier had that of 1 in the morning, that of 2 after the walk began. */
async function begin(): Promise<void> {
  county = await createMessageCounty(['1', '2'], {
    now: '2026-10-06T20:00:00Z',
    settings: { notifying_statuses: ['delivered'] },
  });
  for (const voter of ['1', '2']) await county.optIn(voter, { email: `v${voter}@mail.example` });
  await county.importBallots(
    ['1', '2'].map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-04' })),
  );
  await county.importLines('beacon-mailpieces', [
    'registration_id,election,outbound_imb',
    ...[1, 2].map((voter) => `${voter},100,${code(voter)}`),
  ]);
  await scan(
    `${code(1)},2026-10-06T06:00:00,3c,A,919,FL`,
    `${code(2)},2026-10-06T11:00:00,3c,A,919,FL`,
  );
}
const scan = (...rows: string[]) =>
  county.importLines('usps-iv-mtr', [
    'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityState',
    ...rows,
  ]);

/** In this process, and for next to nothing. */
const strengthenHere: StartStrengthener = () => ({
  strengthen: (stored) => strengthenTokenHash(stored, { N: 64, r: 8, p: 1 }),
  close() {},
});

async function start(startStrengthener = strengthenHere): Promise<void> {
  const { config, clock } = county;
  const database = await openWorkerDatabase(county.database);
  workerDatabase = database;
  const log = createLog('silent');
  const secrets = createSecrets(['a test secret of thirty-two characters']);
  const parts = { database, config, clock, log, secrets, startStrengthener };
  worker = await startWorker({ ...parts, environment: {} });
}
const wake = () =>
  sql`select graphile_worker.add_job('settle-estimates')`.execute(county.database.system);
/** Has the worker do a chore now, whenever it is due. */
const ask = (chore: string) =>
  sql`select graphile_worker.add_job(${chore})`.execute(county.database.system);
/** As an import stores it. */
const storeToken = (registration_id: string) =>
  sql`update voters set token_hash = ${testTokenKeys.store({ account_id: 1, registration_id }, 'K7QM-3XPD').hash}
    where registration_id = ${registration_id}`.execute(county.database.system);
const jobs = async () => {
  const { rows } =
    await sql`select from graphile_worker.jobs where task_identifier = 'settle-estimates'
    and run_at <= now()`.execute(county.database.system);
  return rows.length;
};

test('a day that ends makes its estimates count in the office’s tables too, and wakes nobody at night', async () => {
  await begin();
  // A minute before midnight in Florida, and one after.
  county.clock.set('2026-10-07T03:59:00Z');
  await start();
  await wake();
  await expect.poll(jobs, { timeout: 20_000 }).toBe(0);
  expect(await statuses()).toEqual(['in-transit', 'in-transit']);
  county.clock.set('2026-10-07T04:01:00Z');
  await wake();
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(['delivered', 'in-transit']);
  // Nobody saw it delivered: the page says so, and no message does.
  await scan(`${code(2)},2026-10-06T12:00:00,3c,A,919,FL`);
  expect(await messages()).toEqual([]);
});

test('the worker reminds voters, writes to them of mail that stopped, links the audit and strengthens tokens', async () => {
  const voters = ['001', '002', '003'];
  county = await createMessageCounty(voters, {
    now: '2026-10-25T15:00:00Z',
    settings: {
      stopped_mail: { messages: true },
      feeds: { 'voter-focus-ballots': { every_hours: 240 } },
    },
  });
  for (const voter of ['001', '002'])
    await county.optIn(voter, { email: `v${voter}@mail.example` });
  const sent = { status: 'Outbound', mailed: '2026-10-05' } as const;
  const returned = { returned: '2026-10-20', reason: 'No signature' };
  await county.importBallots([
    ...['001', '003'].map((voter) => ({ ...sent, voter })),
    { ...sent, ...returned, voter: '002', status: 'RejectedCurable' },
  ]);
  await county.importLines('beacon-mailpieces', [
    'registration_id,election,outbound_imb',
    ...['001', '003'].map((voter) => `${voter},100,${code(Number(voter))}`),
  ]);
  county.clock.set('2026-11-01T15:00:00Z');
  // The third voter's envelope shows that scans still come.
  await scan(
    `${code(1)},2026-10-07T06:00:00,1a,A,517,FL`,
    `${code(3)},2026-11-01T06:00:00,1a,A,517,FL`,
  );
  await storeToken('001');
  await start();
  for (const chore of ['remind-voters', 'watch-mail', 'chain-audit', 'strengthen-tokens'])
    await ask(chore);
  const done = async () => {
    const { rows } = await sql<{ what: string }>`
      select kind || ' ' || address as what from messages where kind in ('fix-reminder', 'stopped-mail')
      union all select 'strong token' from voters where token_hash like 'keyed-scrypt$%'
      union all (select 'linked' from audit_chain limit 1) order by 1`.execute(
      county.database.system,
    );
    return rows.map(({ what }) => what);
  };
  await expect
    .poll(done, { timeout: 20_000 })
    .toEqual([
      'fix-reminder v002@mail.example',
      'linked',
      'stopped-mail v001@mail.example',
      'strong token',
    ]);
});

test('a worker that stops does not wait for the token that it is hashing', async () => {
  county = await createMessageCounty(['1']);
  await storeToken('1');
  let isHashing = false;
  let endedBy: unknown;
  await start((signal) => ({
    strengthen: () =>
      new Promise((resolve) => {
        isHashing = true;
        signal.addEventListener('abort', () => {
          endedBy = signal.reason.name;
          resolve(undefined);
        });
      }),
    close() {},
  }));
  await ask('strengthen-tokens');
  await expect.poll(() => isHashing, { timeout: 20_000 }).toBe(true);
  await worker?.stop();
  worker = undefined;
  // The chore’s own end is half a minute away, and a time-out.
  expect(endedBy).toBe('AbortError');
});

test('once a night the worker deletes what imports left, old notes of calls, replaced images and elections long over', async () => {
  county = await createMessageCounty(['1'], {
    now: '2026-10-06T20:00:00Z',
    settings: { election_retention_days: 30 },
  });
  await county.importBallots([{ voter: '1', status: 'Outbound', mailed: '2026-10-04' }]);
  await sql`update elections set is_active = false`.execute(county.database.system);
  await sql`update imports set state = 'file-held'`.execute(county.database.system);
  // Notes of calls and replaced images are of years ago.
  await sql`insert into voter_notes (account_id, voter_id, at, noted_by, text)
    select account_id, voter_id, '2020-01-01', 'operator:x', 'Asked' from voters`.execute(
    county.database.system,
  );
  await sql`insert into replaced_images (account_id, kind, replaced_at)
    select account_id, 'logo', '2020-01-01' from accounts`.execute(county.database.system);
  county.clock.set('2028-11-06T20:00:00Z');
  await start();
  for (const chore of [
    ...['expire-imports', 'discard-old-notes', 'discard-replaced-images'],
    'discard-past-elections',
  ])
    await ask(chore);
  const states = async () =>
    (await sql`select distinct state from imports`.execute(county.database.system)).rows;
  await expect.poll(states, { timeout: 20_000 }).toEqual([{ state: 'discarded' }]);
  const left = async () =>
    (
      await sql`select at from voter_notes union all select replaced_at from replaced_images`.execute(
        county.database.system,
      )
    ).rows;
  await expect.poll(left, { timeout: 20_000 }).toEqual([]);
  const elections = async () =>
    (
      await sql`select (select count(*) from elections)::int as elections, (select count(*) from ballots)::int as ballots`.execute(
        county.database.system,
      )
    ).rows;
  await expect
    .poll(elections, { timeout: 20_000 })
    .toEqual([{ elections: 0, ballots: expect.any(Number) }]);
  await ask('delete-past-elections');
  await expect.poll(elections, { timeout: 20_000 }).toEqual([{ elections: 0, ballots: 0 }]);
});

test('a file that comes before the worker leaves the estimates of other ballots to it, and neither sends a message', async () => {
  await begin();
  county.clock.set('2026-10-07T04:01:00Z');
  await scan(`${code(2)},2026-10-06T12:00:00,3c,A,919,FL`);
  expect(await statuses()).toEqual(['in-transit', 'in-transit']);
  await start();
  await wake();
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(['delivered', 'in-transit']);
  expect(await messages()).toEqual([]);
});

test('an import under way is not waited for: the estimates come the next minute', async () => {
  await begin();
  county.clock.set('2026-10-07T04:01:00Z');
  await start();
  await county.database.transaction(async (tx) => {
    const { accountId } = county.account;
    await sql`select pg_advisory_xact_lock(hashtext('import'), ${accountId})`.execute(tx);
    await wake();
    await expect.poll(jobs, { timeout: 20_000 }).toBe(0);
    expect(await statuses()).toEqual(['in-transit', 'in-transit']);
  });
  await wake();
  await expect.poll(statuses, { timeout: 20_000 }).toEqual(['delivered', 'in-transit']);
});
