import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addBallot, addOffice, addVoter } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { createTestClock } from '../../../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../testing/database.ts';
import { sql } from '../../../../testing/sql.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { deleteAllDiscarded } from './index.ts';

/** Two offices have an election of the same number and day, with a voter of the same ID and an envelope of the same code. */
let db: TestDatabase;
let beacon: Beacon;
const tables = ['ballots', 'ballot_events', 'mail_pieces', 'mail_scans', 'messages', 'receipts'];

beforeAll(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url, { clock: createTestClock('2028-09-04T15:00:00Z') });
  for (const subdomain of ['adams', 'lake']) await fill(subdomain);
});
afterAll(async () => {
  beacon.remove();
  await db.drop();
});

async function fill(subdomain: string): Promise<void> {
  const accountId = await addOffice(db, { subdomain });
  const voter = { registration_id: 'V1', firstname: subdomain, lastname: 'Lee' };
  const voterId = await addVoter(db, accountId, voter);
  await fillElection(accountId, voterId, {
    election: '100',
    code: '00716123456000000001',
    place: subdomain,
  });
}

/** A row of each kind, in which the place stands. */
async function fillElection(
  accountId: AccountId,
  voterId: VoterId,
  { election, code, place }: Readonly<Record<'election' | 'code' | 'place', string>>,
): Promise<void> {
  const { system } = db.database;
  const ballotId = await addBallot(db, accountId, voterId, {
    ...{ election, date: '2026-11-03', isActive: false, number: 'B1' },
    events: [
      { status: 'sent', on: '2026-10-04', reason: 'by mail' },
      { status: 'accepted', on: '2026-10-20' },
    ],
  });
  const { rows } = await sql<{
    id: number;
  }>`insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
      rows_read, rows_refused, report)
    values (${accountId}, 'x', ${`${place}.csv`}, '', 'done', 'tester', now(), now(), 1, 0, '{}') returning import_id as id`.execute(
    system,
  );
  const importId = rows[0]?.id;
  await sql`insert into ballot_events (account_id, ballot_id, kind, status, raw_status, import_id, source_line)
    values (${accountId}, ${ballotId}, 'office', 'counted', 'Counted', ${importId}, 12)`.execute(
    system,
  );
  await sql`insert into withdrawn_imports (import_id, account_id) values (${importId}, ${accountId})`.execute(
    system,
  );
  await sql`insert into mail_pieces (account_id, ballot_id, direction, tracking_code)
    values (${accountId}, ${ballotId}, 'outbound', ${code})`.execute(system);
  await sql`insert into mail_scans (account_id, tracking_code, routing_code, scanned_at, event_type, op_code, mail_phase, facility_city, facility_state, facility_zip)
    values (${accountId}, ${code}, '', '2026-10-05T06:00:00Z', 'A', '517', '1a', ${place}, 'FL', '34601')`.execute(
    system,
  );
  await sql`with made as (
      insert into messages (account_id, kind, voter_id, ballot_id, status, channel, address, language, cause, state,
        deliver_after, sent_at)
      values (${accountId}, 'status', ${voterId}, ${ballotId}, 'sent', 'email', ${`${place}@mail.example`}, 'english',
        'test', 'delivered', now(), now()) returning account_id, message_id)
    insert into receipts (account_id, message_id, provider, outcome)
    select account_id, message_id, 'local', 'delivered' from made`.execute(system);
  await sql`insert into fix_letters (account_id, ballot_id, problem_id, printed_at, printed_by)
    values (${accountId}, ${ballotId}, 1, now(), ${place})`.execute(system);
  await sql`insert into fix_link_opens (account_id, message_id, ballot_id, event_id, opened_at)
    select account_id, message_id, ballot_id, 1, now() from messages where ballot_id = ${ballotId}`.execute(
    system,
  );
  await sql`insert into office_deadlines (account_id, election_id, defect, ends_on, ends_at, reason, set_by)
    select account_id, election_id, 'id-missing', '2026-11-09', '17:00', ${place}, 'tester'
    from ballots where ballot_id = ${ballotId}`.execute(system);
}

/** Which of these offices have rows of each kind. */
async function countRows(among = ['adams', 'lake']): Promise<Record<string, string>> {
  const counts: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await sql<{ offices: string | null }>`
      select string_agg(distinct subdomain, ' ' order by subdomain) as offices
      from ${sql.table(table)} join accounts using (account_id)
      where subdomain = any(${among}::text[])`.execute(db.database.system);
    counts[table] = rows[0]?.offices ?? '';
  }
  return counts;
}
const each = (offices: string) => Object.fromEntries(tables.map((table) => [table, offices]));

/** Reads a table of an archive, in which no value has a comma. */
const readFrom = (folder: string) => (name: string) => {
  const text = gunzipSync(readFileSync(`${folder}/${name}.csv.gz`)).toString();
  const [head = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return rows.map((row) =>
    Object.fromEntries(head.map((column, at) => [column, row[at]?.replaceAll('"', '')])),
  );
};

test('an archive has each row of its office alone, with what is known of it', async () => {
  const folder = beacon.path('archive');
  const read = readFrom(folder);
  expect(await countRows()).toEqual(each('adams lake'));
  const discard = ['election', 'discard', '100', '--account', 'lake'];
  const what = '1 ballot, 3 events, 1 envelope, 1 scan, 1 message';
  expect(await beacon.do(...discard, '--dry-run')).toContain(`has ${what}.`);
  expect(await beacon.do(...discard, '--archive', folder)).toContain(`Deleted: ${what}.`);
  expect(read('ballots')).toEqual([
    expect.objectContaining({ registration_id: 'V1', firstname: 'lake', ballot_number: 'B1' }),
  ]);
  expect(read('events').map((one) => [one.status, one.reason, one.is_withdrawn])).toEqual([
    ['sent', 'by mail', 'f'],
    ['accepted', '', 'f'],
    ['counted', '', 't'],
  ]);
  const imported = read('events').at(-1);
  expect(imported).toMatchObject({ file_name: 'lake.csv', source_line: '12' });
  expect(imported?.import_id).toMatch(/^\d+$/);
  expect(read('envelopes')).toMatchObject([{ tracking_code: '00716123456000000001' }]);
  expect(read('scans')).toMatchObject([{ facility_city: 'lake' }]);
  expect(read('messages')).toMatchObject([{ address: 'lake@mail.example', state: 'delivered' }]);
  expect(read('receipts')).toMatchObject([{ outcome: 'delivered' }]);
  expect(read('letters')).toMatchObject([{ printed_by: 'lake' }]);
  const [message] = read('messages');
  expect(read('opened-links')).toMatchObject([{ message_id: message?.message_id }]);
  expect(read('deadlines')).toMatchObject([
    { defect: 'id-missing', ends_on: '2026-11-09', ends_at: '17:00', reason: 'lake' },
  ]);
  expect(await countRows()).toEqual(each('adams'));
  const kept = await beacon.do('election', 'list', '--account', 'adams');
  expect(kept).toContain('not active');
  expect(kept).not.toContain('discarded');
  expect(await beacon.do('election', 'list', '--account', 'lake')).toContain('discarded');
});

test('an archive has each row of its election alone, and the others stay', async () => {
  const accountId = await addOffice(db, { subdomain: 'elm' });
  const voterId = await addVoter(db, accountId, { registration_id: 'V1' });
  for (const number of [1, 2])
    await fillElection(accountId, voterId, {
      ...{ election: `${number}00`, code: `0071612345600000000${number}`, place: `elm${number}` },
    });
  const folder = beacon.path('archive-elm');
  const read = readFrom(folder);
  const discard = ['election', 'discard', '200', '--account', 'elm'];
  const what = '1 ballot, 3 events, 1 envelope, 1 scan, 1 message';
  expect(await beacon.do(...discard, '--dry-run')).toContain(`has ${what}.`);
  expect(await beacon.do(...discard, '--archive', folder)).toContain(`Deleted: ${what}.`);
  expect(read('ballots')).toHaveLength(1);
  expect(read('events')).toHaveLength(3);
  expect(read('envelopes')).toMatchObject([{ tracking_code: '00716123456000000002' }]);
  expect(read('scans')).toMatchObject([{ facility_city: 'elm2' }]);
  expect(read('messages')).toMatchObject([{ address: 'elm2@mail.example' }]);
  expect(read('receipts')).toHaveLength(1);
  expect(read('letters')).toMatchObject([{ printed_by: 'elm2' }]);
  expect(read('opened-links')).toHaveLength(1);
  expect(read('deadlines')).toMatchObject([{ reason: 'elm2' }]);
  expect(await countRows(['elm'])).toEqual(each('elm'));
});

test('the list has the day of a discard by the office’s clock', async () => {
  const accountId = await addOffice(db, { subdomain: 'fir', time_zone: 'Pacific/Honolulu' });
  const voterId = await addVoter(db, accountId, { registration_id: 'V1' });
  await addBallot(db, accountId, voterId, {
    ...{ election: '100', date: '2026-11-03', isActive: false },
    events: [{ status: 'accepted', on: '2026-10-20' }],
  });
  const evening = createBeacon(db.url, { clock: createTestClock('2028-09-05T05:00:00Z') });
  try {
    await evening.do('election', 'discard', '100', '--account', 'fir');
    expect(await evening.do('election', 'list', '--account', 'fir')).toContain(
      'discarded 09/04/2028',
    );
  } finally {
    evening.remove();
  }
});

test('of elections of two offices that leave at once, all ballots leave, and each counts its own', async () => {
  const { system } = db.database;
  for (const [subdomain, ...voters] of [
    ['oak', 'V1'],
    ['pine', 'V1', 'V2'],
  ] as const) {
    const accountId = await addOffice(db, { subdomain });
    for (const registration_id of voters) {
      const voterId = await addVoter(db, accountId, { registration_id });
      await addBallot(db, accountId, voterId, {
        ...{ election: `of ${subdomain}`, date: '2026-11-03', isActive: false },
        events: [{ status: 'accepted', on: '2026-10-20' }],
      });
    }
  }
  const clock = createTestClock('2028-09-04T15:00:00Z');
  await sql`select discard_election(election_id, ${clock.now()}, 'operator:tester', '{}')
    from elections where number like 'of %' order by number desc`.execute(system);
  await deleteAllDiscarded(db.database, clock, createLog('silent'), () => false);
  const { rows } = await sql`
    select number, deleted ->> 'ballots' as ballots, finished_at is not null as "isFinished"
    from discarded_elections where number like 'of %' order by number`.execute(system);
  expect(rows).toEqual([
    { number: 'of oak', ballots: '1', isFinished: true },
    { number: 'of pine', ballots: '2', isFinished: true },
  ]);
});
