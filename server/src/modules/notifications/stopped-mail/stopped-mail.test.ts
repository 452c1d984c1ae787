import { afterEach, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openWorkerDatabase } from '../../../../../testing/worker-database.ts';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import type { Database } from '../../../platform/postgres.ts';
import { putBackImport } from '../../imports/index.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { listOutbox } from '../outbox/store.ts';
import { listIncidents } from './store.ts';
import { watchMail } from './watch.ts';

let county: MessageCounty;
/** By the login of a worker of production. */
let database: Database;
/** Whose ballots the office mailed. */
let mailed: readonly string[];
afterEach(async () => {
  await database.close();
  await county.drop();
});

const voters = Array.from({ length: 26 }, (_, index) => `V${String(index + 1).padStart(3, '0')}`);
const outbound = (voter: string) => `00716123456000000${voter.slice(1)}`;
/** Election Day is Nov 3. */
const nineDaysBefore = '2026-10-25T15:00:00Z';
const fiveDaysBefore = '2026-10-29T15:00:00Z';

interface Scan {
  readonly voter: string;
  /** Day. */
  readonly at: string;
  readonly time?: string;
  readonly city?: string;
}

/** A county whose ballots were mailed on Oct 5; V026's envelope shows day by day that the scans still come. */
async function createCounty(
  count: number,
  settings: Record<string, unknown> = { messages: true },
): Promise<void> {
  county = await createMessageCounty(voters, {
    now: '2026-10-05T15:00:00Z',
    settings: { stopped_mail: settings },
  });
  database = await openWorkerDatabase(county.database);
  mailed = [...voters.slice(0, count), 'V026'];
  await loadBallots();
  await county.importLines('beacon-mailpieces', [
    'registration_id,election,outbound_imb',
    ...mailed.map((voter) => `${voter},100,${outbound(voter)}`),
  ]);
  county.clock.set('2026-10-08T15:00:00Z');
}

/** The office's file: every ballot that it mailed, and what became of it. */
async function loadBallots(accepted: readonly string[] = []): Promise<void> {
  const outcome = await county.importBallots(
    mailed.map((voter) => ({
      voter,
      mailed: '2026-10-05',
      ...(accepted.includes(voter)
        ? { status: 'Accepted', returned: county.clock.now().toISOString().slice(0, 10) }
        : { status: 'Outbound' }),
    })),
  );
  expect(outcome.state).toMatch(/done|nothing-new/);
}

async function scan(...scans: Scan[]): Promise<ImportId | null> {
  const outcome = await county.importLines('usps-iv-mtr', [
    JSON.stringify({
      msgGrpId: String(scans.length),
      events: scans.map(({ voter, at, time = '09:15:00', city = 'PORT ALDEN' }) => ({
        imb: `${outbound(voter)}3260${Number(voter.slice(1)) % 3}1234`,
        scanDatetime: `${at}T${time}`,
        mailPhase: '1a',
        handlingEventType: 'A',
        scanEventCode: '517',
        scanFacilityCity: city,
        scanFacilityState: 'FL',
        scanFacilityZip: '34811',
      })),
    }),
  ]);
  expect(outcome.state).toMatch(/done|nothing-new|messages-held/);
  return outcome.importId;
}

/** The day's work: USPS and the office report, the worker looks and hands over. */
async function workOn(now: string, accepted: readonly string[] = []): Promise<void> {
  county.clock.set(now);
  await scan({ voter: 'V026', at: now.slice(0, 10) });
  await loadBallots(accepted);
  await watchMail(database, county.clock, createLog('silent'));
  await deliverAll(await createDelivery({ ...county, database }));
}

const outbox = async () => {
  const all = await listOutbox(county.database.system, county.account.accountId, null);
  return all
    .filter(({ kind }) => kind === 'stopped-mail')
    .map((one) => `${one.channel} ${one.state}`);
};

/** A push of scans up to a day, as an office's imports list it. */
async function reportScans(
  accountId: AccountId,
  state: string,
  newestDay = '2026-10-28',
): Promise<void> {
  await sql`insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
    values (${accountId}, 'usps-iv-mtr', 'push', '', ${state}, 'system', now(), now(), 1, 0,
      ${JSON.stringify({ holds: 'scans', learned: { newestDay } })})`.execute(
    county.database.system,
  );
}

const incidents = () => listIncidents(county.database.forOffice(county.account.accountId));

test('a voter whose ballot stopped gets one message, once something can be done: seven days before, a drop box', async () => {
  await createCounty(1);
  await county.optIn('V001', { email: 'one@mail.example', sms: '+15555550101' });
  await scan({ voter: 'V001', at: '2026-10-07' });
  await workOn(nineDaysBefore);
  expect(await outbox()).toEqual([]);
  await workOn(fiveDaysBefore);
  expect(await outbox()).toEqual(['sms sent']);
  const { rows } = await sql<{ body: string }>`
    select body from local_deliveries order by message_id desc limit 1`.execute(
    county.database.system,
  );
  expect(rows[0]?.body).toContain('your ballot may be delayed in the mail');
  expect(rows[0]?.body).toContain('official drop box');
  await workOn('2026-10-30T15:00:00Z');
  await workOn('2026-11-02T15:00:00Z');
  expect(await outbox()).toEqual(['sms sent']);
});

test('two days before the deadline the message says to come in person', async () => {
  await createCounty(1);
  await county.optIn('V001', { email: 'one@mail.example' });
  await scan({ voter: 'V001', at: '2026-10-07' });
  await workOn('2026-11-01T15:00:00Z');
  const { rows } = await sql<{ body: string }>`
    select body from local_deliveries order by message_id desc limit 1`.execute(
    county.database.system,
  );
  expect(rows[0]?.body).toContain('too late for the mail');
});

test.each([
  'an office record',
  'an office that sends such messages no more',
  'many at its facility',
])('%s ends it, also for a text that waits for the morning', async (what) => {
  const isMany = what === 'many at its facility';
  await createCounty(isMany ? 20 : 1);
  await county.optIn('V001', { sms: '+15555550101' });
  await scan({ voter: 'V001', at: '2026-10-07' });
  await workOn('2026-10-29T04:00:00Z');
  expect(await outbox()).toEqual(['sms created']);
  const withdraw = sql`update accounts set settings = jsonb_set(settings::jsonb, '{stopped_mail,messages}', 'false')`;
  if (isMany) await scan(...voters.slice(1, 20).map((voter) => ({ voter, at: '2026-10-07' })));
  else if (what.endsWith('no more')) await withdraw.execute(county.database.system);
  await workOn('2026-10-29T15:00:00Z', what === 'an office record' ? ['V001'] : []);
  expect(await outbox()).toEqual(['sms superseded']);
});

test('a text that waits for the morning goes once the scans come again, and not before', async () => {
  await createCounty(1);
  await county.optIn('V001', { sms: '+15555550101', hours: ['08:00', '09:00'] });
  county.clock.set(fiveDaysBefore);
  await scan({ voter: 'V001', at: '2026-10-07' }, { voter: 'V026', at: '2026-10-25' });
  await loadBallots();
  await watchMail(database, county.clock, createLog('silent'));
  county.clock.set('2026-10-30T12:05:00Z');
  await loadBallots();
  await deliverAll(await createDelivery({ ...county, database }));
  expect(await outbox()).toEqual(['sms created']);
  await workOn('2026-10-30T12:30:00Z');
  expect(await outbox()).toEqual(['sms sent']);
});

test('a confidential voter, one who is not active, and one whose other ballot is accepted hear nothing', async () => {
  await createCounty(4);
  for (const voter of voters.slice(0, 4))
    await county.optIn(voter, { email: `${voter}@mail.example` });
  await scan(...voters.slice(0, 4).map((voter) => ({ voter, at: '2026-10-07' })));
  county.clock.set(fiveDaysBefore);
  await scan({ voter: 'V026', at: '2026-10-29' });
  await loadBallots();
  const { system } = county.database;
  await sql`update voters set is_confidential = registration_id = 'V001', is_active = registration_id <> 'V002'`.execute(
    system,
  );
  await sql`insert into ballots (account_id, voter_id, election_id, ballot_number, current_status)
    select account_id, voter_id, election_id, 'second', 'accepted' from ballots join voters using (account_id, voter_id)
    where registration_id = 'V003'`.execute(system);
  await watchMail(database, county.clock, createLog('silent'));
  const { rows } = await sql<{ address: string }>`
    select address from messages where kind = 'stopped-mail'`.execute(system);
  expect(rows).toEqual([{ address: 'v004@mail.example' }]);
});

test('nobody hears of an election that is over or by a way that the office no longer offers, and else in the language of the voter', async () => {
  await createCounty(1);
  await county.optIn('V001', { email: 'one@mail.example', language: 'spanish' });
  await scan({ voter: 'V001', at: '2026-10-07' });
  county.clock.set(fiveDaysBefore);
  await scan({ voter: 'V026', at: '2026-10-29' });
  await loadBallots();
  const { system } = county.database;
  await sql`update voters set language_preference = 'english'`.execute(system);
  const watch = async () => {
    await watchMail(database, county.clock, createLog('silent'));
    const all = await listOutbox(system, county.account.accountId, null);
    return all.filter(({ kind }) => kind === 'stopped-mail').map(({ language }) => language);
  };
  await sql`update elections set is_active = false`.execute(system);
  expect(await watch()).toEqual([]);
  await sql`update elections set is_active = true`.execute(system);
  await sql`update accounts set settings = settings || '{"delivery_types": ["sms"]}'`.execute(
    system,
  );
  expect(await watch()).toEqual([]);
  await sql`update accounts set settings = settings || '{"delivery_types": ["email"]}'`.execute(
    system,
  );
  expect(await watch()).toEqual(['spanish']);
});

test('the day on which USPS expects to deliver a ballot outweighs the office’s', async () => {
  await createCounty(1);
  await county.optIn('V001', { email: 'one@mail.example' });
  await scan({ voter: 'V001', at: '2026-10-07' });
  await sql`update ballots set outbound_expected_delivery_date = '2026-10-09', office_expected_on = '2026-10-28'`.execute(
    county.database.system,
  );
  await workOn(fiveDaysBefore);
  const { rows } = await sql<{ body: string }>`select body from local_deliveries d
    join messages m using (message_id) where m.kind = 'stopped-mail'`.execute(
    county.database.system,
  );
  expect(rows).toEqual([{ body: expect.stringContaining('was expected before today') }]);
});

test('while the office’s own file is late nobody gets a message, for the ballot may be back', async () => {
  await createCounty(1);
  await county.optIn('V001', { email: 'one@mail.example' });
  await scan({ voter: 'V001', at: '2026-10-07' });
  // Four days and a second.
  county.clock.set('2026-10-25T14:59:59Z');
  await loadBallots();
  county.clock.set(fiveDaysBefore);
  await scan({ voter: 'V026', at: '2026-10-29' });
  await watchMail(database, county.clock, createLog('silent'));
  expect(await outbox()).toEqual([]);
  await loadBallots();
  await watchMail(database, county.clock, createLog('silent'));
  expect(await outbox()).toEqual(['email created']);
});

test('an office that has not switched messages on sends none', async () => {
  await createCounty(1, {});
  await county.optIn('V001', { email: 'one@mail.example' });
  await scan({ voter: 'V001', at: '2026-10-07' });
  await workOn(fiveDaysBefore);
  expect(await outbox()).toEqual([]);
});

test.each([
  ['2026-10-22', []],
  ['2026-10-24', []],
  // A weekend with a holiday.
  ['2026-10-25', ['email created']],
])('while the newest scans are of %s the messages are %j', async (newest, messages) => {
  await createCounty(4);
  await county.optIn('V001', { email: 'one@mail.example' });
  county.clock.set(fiveDaysBefore);
  // USPS pushes many times a day, and the first pushes are soon the oldest.
  for (let push = 0; push < 30; push += 1)
    await reportScans(county.account.accountId, 'done', '2026-10-07');
  await scan({ voter: 'V001', at: '2026-10-07' }, { voter: 'V026', at: newest });
  // The office's own file is of today, which says nothing of how far the scans go.
  await loadBallots(['V002', 'V003', 'V004']);
  // Nor does a file of scans that is not loaded.
  for (const state of ['refused', 'file-held', 'discarded', 'corrected'])
    await reportScans(county.account.accountId, state);
  await watchMail(database, county.clock, createLog('silent'));
  expect(await outbox()).toEqual(messages);
});

test.each([
  ['2026-10-22', []],
  ['2026-10-25', ['email created']],
])(
  'newer scans by another office with the same barcode say nothing here, where the newest are of %s',
  async (newest, messages) => {
    await createCounty(1);
    await county.optIn('V001', { email: 'one@mail.example' });
    county.clock.set(fiveDaysBefore);
    await scan({ voter: 'V001', at: '2026-10-07' }, { voter: 'V026', at: newest });
    await loadBallots();
    const { system } = county.database;
    const lake = await addOffice(county, { subdomain: 'lake' });
    await sql`insert into mail_scans (account_id, tracking_code, routing_code, scanned_at, event_type, op_code, mail_phase, facility_city, facility_state, facility_zip)
    values (${lake}, ${outbound('V001')}, '', '2026-10-28T09:15:00', 'A', '517', '1a', 'BAYSIDE', 'FL', '34811')`.execute(
      system,
    );
    await reportScans(lake, 'done');
    await watchMail(database, county.clock, createLog('silent'));
    expect(await outbox()).toEqual(messages);
  },
);

test('scans of a file that was put back say nothing, and those of other files go on saying where an envelope is', async () => {
  await createCounty(2);
  for (const voter of ['V001', 'V002'])
    await county.optIn(voter, { email: `${voter}@mail.example` });
  county.clock.set('2026-10-27T15:00:00Z');
  await scan({ voter: 'V001', at: '2026-10-07' }, { voter: 'V002', at: '2026-10-26' });
  const wrong = await scan({ voter: 'V001', at: '2026-10-26' });
  const { transaction } = county.database;
  await transaction((tx) => putBackImport(tx, wrong as ImportId, county.clock.now()));
  await workOn(fiveDaysBefore);
  const all = await listOutbox(county.database.system, county.account.accountId, null);
  const stopped = all.filter(({ kind }) => kind === 'stopped-mail');
  expect(stopped.map(({ address }) => address)).toEqual(['v001@mail.example']);
});

test('a replacement counts from its own day, not from the last scan of the envelope before', async () => {
  await createCounty(1);
  await county.optIn('V001', { email: 'one@mail.example' });
  await sql`update mail_pieces set mailed_on = '2026-10-05'`.execute(county.database.system);
  county.clock.set(fiveDaysBefore);
  await scan({ voter: 'V001', at: '2026-10-07' }, { voter: 'V026', at: '2026-10-29' });
  const replaced = { status: 'Outbound', mailed: '2026-10-26' } as const;
  await county.importBallots(mailed.map((voter) => ({ voter, ...replaced })));
  await watchMail(database, county.clock, createLog('silent'));
  expect(await outbox()).toEqual([]);
});

test('twenty that stopped at one facility on one day are one notice with ZIP codes to the office, and no message', async () => {
  await createCounty(21);
  await county.optIn('V001', { email: 'one@mail.example' });
  await county.optIn('V021', { email: 'other@mail.example' });
  await scan(...voters.slice(0, 20).map((voter) => ({ voter, at: '2026-10-07' })), {
    voter: 'V021',
    at: '2026-10-07',
    city: 'BAYSIDE',
  });
  await workOn(fiveDaysBefore);
  expect(await outbox()).toEqual(['email sent']);
  expect(await incidents()).toEqual([
    {
      facility: 'PORT ALDEN, FL 34811',
      day: '2026-10-07',
      envelopes: 20,
      zips: ['32600', '32601', '32602'],
      noticedAt: new Date(fiveDaysBefore),
    },
  ]);

  // The next day the same notice stays, noticed once.
  await workOn('2026-10-30T15:00:00Z');
  expect(await incidents()).toHaveLength(1);
  expect((await incidents())[0]?.noticedAt).toEqual(new Date(fiveDaysBefore));
  expect(await outbox()).toEqual(['email sent']);

  county.clock.set('2026-10-31T14:00:00Z');
  await scan(
    ...voters.slice(0, 20).map((voter) => ({ voter, at: '2026-10-31', time: '07:40:10' })),
  );
  await workOn('2026-10-31T15:00:00Z');
  expect(await incidents()).toEqual([]);
});

test('more at once than usual are the office’s to look at, not a message to each voter', async () => {
  await createCounty(24);
  for (const voter of voters.slice(0, 24))
    await county.optIn(voter, { email: `${voter}@mail.example` });
  await scan(
    ...voters
      .slice(0, 24)
      .map((voter) => ({ voter, at: '2026-10-07', city: `PLACE ${Number(voter.slice(1)) % 2}` })),
  );
  await workOn(fiveDaysBefore);
  expect(await outbox()).toEqual([]);
  expect(await incidents()).toMatchObject([{ facility: '', envelopes: 24 }]);

  // Of all 25 that are in the mail, not of those that stopped.
  await sql`update accounts set settings = jsonb_set(settings, '{stopped_mail, messages_limit_percent}', '99')`.execute(
    county.database.system,
  );
  await workOn('2026-10-30T15:00:00Z');
  expect(await outbox()).toHaveLength(24);
});
