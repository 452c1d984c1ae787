import { afterEach, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import {
  type BallotRow,
  createMessageCounty,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openWorkerDatabase } from '../../../../../testing/worker-database.ts';
import { createLog } from '../../../platform/log.ts';
import type { Database } from '../../../platform/postgres.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { listOutbox } from '../outbox/store.ts';
import { remindVoters } from './remind.ts';

let county: MessageCounty;
/** By the login of a worker of production. */
let database: Database;
afterEach(async () => {
  await database.close();
  await county.drop();
});

const returned = { voter: 'V001', mailed: '2026-10-05', returned: '2026-10-20' } as const;
/** Keeps the office's file fresh, whatever becomes of the other voter's ballot. */
const other = { voter: 'V002', mailed: '2026-10-05' } as const;

async function createCounty(settings: Record<string, unknown> = {}): Promise<void> {
  county = await createMessageCounty(['V001', 'V002'], { now: '2026-10-21T15:00:00Z', settings });
  database = await openWorkerDatabase(county.database);
  await county.optIn('V001', { email: 'one@mail.example', sms: '+15555550101' });
  await county.importBallots([
    { ...returned, status: 'Outbound' },
    { ...other, status: 'Outbound' },
  ]);
  county.clock.set('2026-10-22T15:00:00Z');
  await county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'No signature' },
    { ...other, status: 'Outbound' },
  ]);
  await work();
}

/** Makes the reminders that are due, and hands over what is to go. */
async function work(): Promise<void> {
  await remindVoters(database, county.clock, createLog('silent'));
  await deliverAll(await createDelivery({ ...county, database }));
}

const outbox = async () => {
  const all = await listOutbox(county.database.system, county.account.accountId, null);
  return all
    .filter(({ kind }) => kind === 'fix-reminder')
    .map((one) => `${one.channel} ${one.state}`);
};

test('the first message has the reason, the deadline on the office’s clock, and the link', async () => {
  await createCounty();
  const messages = await listOutbox(county.database.system, county.account.accountId, null);
  const news = messages.filter(({ status }) => status === 'rejected-curable');
  expect(news.map(({ channel }) => channel).sort()).toEqual(['email', 'sms']);
  const { rows } = await sql<{ body: string }>`
    select body from local_deliveries order by message_id desc limit 2`.execute(
    county.database.system,
  );
  expect(rows).toHaveLength(2);
  for (const { body } of rows) {
    expect(body).toContain('The signature on your return envelope is missing.');
    expect(body).toContain('Thu, Nov 5, 5:00 PM EST');
    expect(body).toMatch(/https:\/\/adams\.\S+\/f\/[0-9A-Z]{8}\s/);
  }
});

test('a voter is reminded at each moment once, on one channel, and not after the deadline', async () => {
  await createCounty();
  const at: Record<string, number> = {};
  for (let hours = 0; hours < 18 * 24; hours += 4) {
    county.clock.set(
      new Date(Date.parse('2026-10-22T15:00:00Z') + hours * 3_600_000).toISOString(),
    );
    if (hours % 24 === 0)
      await county.importBallots([
        { ...returned, status: 'RejectedCurable', reason: 'No signature' },
        { ...other, status: hours % 48 === 0 ? 'Outbound' : 'Requested' },
      ]);
    await work();
    await work();
    at[county.clock.now().toISOString()] = (await outbox()).length;
  }
  expect(await outbox()).toEqual(Array(4).fill('sms sent'));
  expect(at['2026-10-29T03:00:00.000Z']).toBe(0);
  expect(at['2026-11-05T19:00:00.000Z']).toBe(4);
});

test('no reminder goes once the office has the fix on record, not even a text that waited', async () => {
  await createCounty();
  county.clock.set('2026-11-04T04:00:00Z');
  await county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'No signature' },
    { ...other, status: 'Requested' },
  ]);
  // At night the text waits for the morning.
  await work();
  expect(await outbox()).toEqual(['sms created']);
  county.clock.set('2026-11-04T12:00:00Z');
  await county.importBallots([
    { ...returned, status: 'Accepted' },
    { ...other, status: 'Outbound' },
  ]);
  county.clock.set('2026-11-04T15:00:00Z');
  await work();
  expect(await outbox()).toEqual(['sms superseded']);
});

test('a reminder that waited for the morning is not one of a problem that came back meanwhile', async () => {
  await createCounty();
  county.clock.set('2026-11-04T04:00:00Z');
  await county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'No signature' },
    { ...other, status: 'Requested' },
  ]);
  await work();
  county.clock.set('2026-11-04T11:00:00Z');
  const fixed = await county.importBallots([
    { ...returned, status: 'Outbound' },
    { ...other, status: 'Requested' },
  ]);
  county.clock.set('2026-11-04T12:00:00Z');
  const again = await county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'Signature differs' },
    { ...other, status: 'Outbound' },
  ]);
  expect([fixed.state, again.state]).toEqual(['done', 'done']);
  county.clock.set('2026-11-04T15:00:00Z');
  await work();
  expect(await outbox()).toEqual(['sms superseded']);
});

test('news that waited for its voter’s evening does not go after the deadline', async () => {
  county = await createMessageCounty(['V001', 'V002'], { now: '2026-11-04T15:00:00Z' });
  database = await openWorkerDatabase(county.database);
  await county.optIn('V001', { email: 'one@mail.example', sms: '+15555550101' });
  await sql`update contact_channels set hours_start = '20:00', hours_end = '22:00'`.execute(
    county.database.system,
  );
  const sent = { voter: 'V001', mailed: '2026-10-05', status: 'Outbound' } as const;
  await county.importBallots([sent, { ...other, status: 'Outbound' }]);
  county.clock.set('2026-11-05T15:00:00Z');
  const { importId } = await county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'No signature' },
    { ...other, status: 'Outbound' },
  ]);
  // The deadline was at 5 PM.
  county.clock.set('2026-11-06T01:30:00Z');
  await work();
  const messages = await listOutbox(county.database.system, county.account.accountId, null);
  const news = messages.filter((one) => one.import_id === importId);
  expect(news.map(({ state, error_code }) => `${state} ${error_code}`)).toEqual(
    Array(2).fill('expired deadline-over'),
  );
});

test('a text that would come after the deadline goes as mail', async () => {
  await createCounty();
  await sql`update contact_channels set hours_start = '20:00', hours_end = '22:00' where channel = 'sms'`.execute(
    county.database.system,
  );
  // As its voter may have typed it.
  await sql`update contact_channels set address = 'One@Mail.example' where channel = 'email'`.execute(
    county.database.system,
  );
  county.clock.set('2026-11-05T15:00:00Z');
  await county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'No signature' },
    { ...other, status: 'Requested' },
  ]);
  await work();
  expect(await outbox()).toEqual(['email sent']);
});

test('a reminder waits while the office’s newest file is too old, and goes with its next file', async () => {
  await createCounty();
  county.clock.set('2026-11-04T15:00:00Z');
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  await remindVoters(database, county.clock, log);
  await work();
  expect(await outbox()).toEqual([]);
  // An operator reads of it.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'reminders.waiting', account: county.account.accountId, count: 1 },
  ]);
  await county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'No signature' },
    { ...other, status: 'Requested' },
  ]);
  await work();
  expect(await outbox()).toEqual(['sms sent']);
});

test.each([
  ['2026-11-04T15:00:00.000Z', ['sms sent']],
  ['2026-11-04T15:00:00.001Z', []],
])(
  'of an office that says nothing of its files one of four days ago is too old at %s',
  async (now, expected) => {
    await createCounty();
    county.clock.set('2026-10-31T15:00:00.000Z');
    await importAgain({ status: 'Requested' });
    await sql`update imports set finished_at = ${county.clock.now()}
    where import_id = (select max(import_id) from imports)`.execute(county.database.system);
    county.clock.set(now);
    await work();
    expect(await outbox()).toEqual(expected);
  },
);

test.each([
  ['refused', 'ballots', []],
  ['file-held', 'ballots', []],
  ['discarded', 'ballots', []],
  ['corrected', 'ballots', []],
  ['done', 'voters', []],
  ['nothing-new', 'ballots', ['sms sent']],
])(
  'a newer file that is %s, of %s, says whether the envelope was fixed: %j',
  async (state, of, expected) => {
    await createCounty();
    county.clock.set('2026-11-04T15:00:00Z');
    await sql`insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
      rows_read, rows_refused, report)
    select account_id, format, file_name, file_sha256, ${state}, operator, ${county.clock.now()}, ${county.clock.now()}, 1, 0,
      report || jsonb_build_object('holds', ${of}::text)
    from imports order by import_id desc limit 1`.execute(county.database.system);
    await work();
    expect(await outbox()).toEqual(expected);
  },
);

test('where files of an office come in several rhythms, the slowest says which is too old', async () => {
  await createCounty({ feeds: { ballots: { every_hours: 6 }, voters: { every_hours: 240 } } });
  county.clock.set('2026-10-30T15:00:00Z');
  await work();
  expect(await outbox()).toEqual(['sms sent']);
});

test('a file of another office says nothing of the envelopes of this one', async () => {
  await createCounty();
  const lake = await addOffice(county, { subdomain: 'lake' });
  county.clock.set('2026-11-04T15:00:00Z');
  await sql`insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
      rows_read, rows_refused, report)
    select ${lake}::integer, format, file_name, file_sha256, state, operator, ${county.clock.now()}, ${county.clock.now()}, 1, 0, report
    from imports order by import_id desc limit 1`.execute(county.database.system);
  await work();
  expect(await outbox()).toEqual([]);
});

test('a reminder goes by a way that the office still offers, in the language that the voter chose, whatever the roll says', async () => {
  await createCounty();
  const { system } = county.database;
  // What another voter chose says nothing.
  const another = await county.optIn('V002', { email: 'two@mail.example' });
  await sql`update contact_preferences set language_preference = 'spanish' where voter_id <> ${another}`.execute(
    system,
  );
  await sql`update voters set language_preference = 'english'`.execute(system);
  await sql`update accounts set settings = settings || '{"delivery_types": ["email"]}'`.execute(
    system,
  );
  county.clock.set('2026-11-04T15:00:00Z');
  await importAgain({ status: 'Requested' });
  await work();
  const all = await listOutbox(system, county.account.accountId, null);
  const reminders = all.filter(({ kind }) => kind === 'fix-reminder');
  expect(reminders).toMatchObject([{ channel: 'email', language: 'spanish', state: 'sent' }]);
});

/** An office that sends files every six hours: its newest one is soon too old. */
const often = { feeds: { ballots: { every_hours: 6 } } };

/** A text that is made at night waits for the morning, by when the office's newest file is too old. */
async function waitFromNight(night: string, morning: string): Promise<void> {
  await createCounty(often);
  county.clock.set(night);
  await importAgain({ status: 'Requested' });
  await work();
  expect(await outbox()).toEqual(['sms created']);
  county.clock.set(morning);
  await work();
  expect(await outbox()).toEqual(['sms created']);
}

/** A file by which the envelope still has its problem. */
function importAgain(changed: Pick<BallotRow, 'status' | 'returned'>) {
  return county.importBallots([
    { ...returned, status: 'RejectedCurable', reason: 'No signature' },
    { ...other, ...changed },
  ]);
}

test('a reminder goes with the next file however long it waited for it, as long as no later one is due', async () => {
  await waitFromNight('2026-10-30T04:00:00Z', '2026-10-30T15:00:00Z');
  county.clock.set('2026-11-02T16:00:00Z');
  await importAgain({ status: 'Outbound', returned: '2026-10-29' });
  await work();
  expect(await outbox()).toEqual(['sms sent']);
});

test('of two reminders that are due when the next file comes, only the later one goes', async () => {
  await waitFromNight('2026-11-04T04:00:00Z', '2026-11-04T15:00:00Z');
  // 24 hours before the deadline have begun.
  county.clock.set('2026-11-04T23:00:00Z');
  await importAgain({ status: 'Outbound', returned: '2026-10-29' });
  await work();
  // The newest first.
  expect(await outbox()).toEqual(['sms sent', 'sms superseded']);
});

test.each([
  ['voters', `is_confidential = registration_id = 'V001'`],
  ['voters', `is_active = registration_id <> 'V001'`],
  ['elections', `is_active = number <> '100'`],
  ['imports', `state = 'messages-held'`],
  ['imports', `state = 'corrected'`],
])('no reminder is made once %s have %s', async (table, change) => {
  await createCounty();
  county.clock.set('2026-11-04T15:00:00Z');
  await importAgain({ status: 'Requested' });
  // Beside an envelope in another election, of a voter without an address.
  await sql`with runoff as (
      insert into elections (account_id, number, name, election_date, is_active)
      select account_id, '200', 'Runoff', '2026-11-03', true from accounts returning account_id, election_id)
    insert into ballots (account_id, voter_id, election_id, ballot_number, current_status)
    select account_id, voter_id, election_id, 'runoff', 'rejected-curable'
    from runoff join voters using (account_id) where registration_id = 'V002'`.execute(
    county.database.system,
  );
  await sql.raw(`update ${table} set ${change}`).execute(county.database.system);
  await remindVoters(database, county.clock, createLog('silent'));
  // The outbox shows nothing of confidential voters.
  const { rows } = await sql`select from messages where kind = 'fix-reminder'`.execute(
    county.database.system,
  );
  expect(rows).toEqual([]);
});

test('a file whose messages wait keeps back no reminder of what another file said', async () => {
  await createCounty();
  county.clock.set('2026-11-04T15:00:00Z');
  await importAgain({ status: 'Requested' });
  await sql`update imports set state = 'messages-held' where import_id <> (
    select e.import_id from ballots b join ballot_events e on e.event_id = b.current_event_id
    where b.current_status = 'rejected-curable')`.execute(county.database.system);
  await work();
  expect(await outbox()).toEqual(['sms sent']);
});

test('a number that stopped texts of another office is reminded by this one', async () => {
  await createCounty();
  const lake = await addOffice(county, { subdomain: 'lake' });
  await sql`insert into suppressions (account_id, channel, address, reason)
    select ${lake}::integer, channel, address, 'stopped' from contact_channels
    union all select account_id, 'voice', '+15555550101', 'stopped' from contact_channels where channel = 'sms'`.execute(
    county.database.system,
  );
  county.clock.set('2026-11-04T15:00:00Z');
  await importAgain({ status: 'Requested' });
  await work();
  expect(await outbox()).toEqual(['sms sent']);
  // Nor does it keep other news from it.
  await county.importBallots([
    { ...returned, status: 'Accepted' },
    { ...other, status: 'Outbound' },
  ]);
  await work();
  const all = await listOutbox(county.database.system, county.account.accountId, null);
  const accepted = all.filter(({ status }) => status === 'accepted');
  expect(accepted.map(({ channel, state }) => `${channel} ${state}`).sort()).toEqual([
    ...['email sent', 'sms sent'],
  ]);
});

test('an office that wants no reminders sends none', async () => {
  await createCounty({ envelope_fix: { reminders: [] } });
  county.clock.set('2026-10-25T15:00:00Z');
  await work();
  expect(await outbox()).toEqual([]);
});
