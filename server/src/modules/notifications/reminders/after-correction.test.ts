import { afterEach, expect, test } from 'vitest';
import {
  type BallotRow,
  createMessageCounty,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import { correct } from '../../approvals/index.ts';
import { setOfficeDeadline } from '../../deadlines/index.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { remindVoters } from './remind.ts';

/** A voter whose reminder of Nov 4 waits for the morning. */
let county: MessageCounty;
afterEach(() => county.drop());

const returned = { voter: 'V001', mailed: '2026-10-05', returned: '2026-10-20' } as const;

async function load(status: BallotRow['status'], other: BallotRow['status']): Promise<ImportId> {
  const reason = status === 'RejectedCurable' ? { reason: 'No signature' } : {};
  const { state, importId } = await county.importBallots([
    { ...returned, status, ...reason },
    { voter: 'V002', mailed: '2026-10-05', status: other },
  ]);
  expect(state).toBe('done');
  return importId as ImportId;
}

/** What became of the reminders by then. */
async function workAt(at: string): Promise<string[]> {
  county.clock.set(at);
  await remindVoters(county.database, county.clock, createLog('silent'));
  await deliverAll(await createDelivery(county));
  const { rows } = await sql<{ one: string }>`
    select channel || ' ' || split_part(cause, ':', 4) || ' ' || state as one from messages
    where kind = 'fix-reminder' order by message_id`.execute(county.database.system);
  return rows.map(({ one }) => one);
}

async function openCounty(): Promise<void> {
  county = await createMessageCounty(['V001', 'V002'], { now: '2026-10-21T15:00:00Z' });
  await county.optIn('V001', { sms: '+15555550101' });
  await load('Outbound', 'Outbound');
  county.clock.set('2026-10-22T15:00:00Z');
  await load('RejectedCurable', 'Outbound');
  county.clock.set('2026-11-04T04:00:00Z');
  await load('RejectedCurable', 'Requested');
  expect(await workAt('2026-11-04T04:00:00Z')).toEqual(['sms 48h created']);
}

test('a reminder that a wrong file ended goes after all once that file is put back', async () => {
  await openCounty();
  county.clock.set('2026-11-04T12:00:00Z');
  const wrong = await load('Accepted', 'Requested');
  expect(await workAt('2026-11-04T15:00:00Z')).toEqual(['sms 48h superseded']);
  const by = { actor: 'operator:Ben', name: 'Ben', details: {} } as const;
  expect(await correct(county, wrong, by)).toMatchObject({ ok: true });
  expect(await workAt('2026-11-04T16:00:00Z')).toEqual(['sms 48h sent']);
  expect(await workAt('2026-11-04T16:05:00Z')).toEqual(['sms 48h sent']);
});

test('a voter who was reminded because of a wrong file reads of the news and of the reminder that they were wrong', async () => {
  await openCounty();
  // The news goes with it.
  expect(await workAt('2026-11-04T15:00:00Z')).toEqual(['sms 48h sent']);
  const both = ['sms 48h sent', 'sms last-morning sent'];
  expect(await workAt('2026-11-05T15:00:00Z')).toEqual(both);
  const { rows } = await sql<{ import_id: ImportId }>`
    select import_id from messages where status = 'rejected-curable' and kind = 'status'`.execute(
    county.database.system,
  );
  const by = { actor: 'operator:Ben', name: 'Ben', details: {} } as const;
  expect(await correct(county, rows[0]?.import_id as ImportId, by)).toMatchObject({
    ...{ ok: true, corrections: 2 },
  });
  await deliverAll(await createDelivery(county));
  const { rows: texts } = await sql<{ day: string }>`
    select substring(body from 'our text of ([0-9/]+) about') as day from messages m
    join local_deliveries d using (message_id) where m.kind = 'correction' order by 1`.execute(
    county.database.system,
  );
  expect(texts.map(({ day }) => day)).toEqual(['11/4/26', '11/5/26']);
});

test('a voter reads nothing of a reminder of another problem, whose number begins as that of the wrong file', async () => {
  await openCounty();
  await workAt('2026-11-04T15:00:00Z');
  expect(await workAt('2026-11-05T15:00:00Z')).toHaveLength(2);
  const { system } = county.database;
  await sql`update messages set cause = concat_ws(':', 'fix', split_part(cause, ':', 2),
    split_part(cause, ':', 3) || '0', split_part(cause, ':', 4)) where kind = 'fix-reminder'`.execute(
    system,
  );
  const { rows } = await sql<{ import_id: ImportId }>`
    select import_id from messages where status = 'rejected-curable' and kind = 'status'`.execute(
    system,
  );
  const by = { actor: 'operator:Ben', name: 'Ben', details: {} } as const;
  expect(await correct(county, rows[0]?.import_id as ImportId, by)).toMatchObject({
    ...{ ok: true, corrections: 1 },
  });
});

test.each([
  [
    'its voter opted out',
    sql`update contact_channels set is_opted_in = false`,
    sql`update contact_channels set is_opted_in = true`,
  ],
  [
    'its voter was off the roll',
    sql`update voters set is_active = false`,
    sql`update voters set is_active = true`,
  ],
  [
    'its office sent no texts',
    sql`update accounts set settings = settings || '{"delivery_types": ["email"]}'`,
    sql`update accounts set settings = settings || '{"delivery_types": ["email", "sms"]}'`,
  ],
])('a reminder that ended because %s goes once that is over, and once', async (_why, end, undo) => {
  await openCounty();
  const { system } = county.database;
  await end.execute(system);
  expect(await workAt('2026-11-04T15:00:00Z')).toEqual(['sms 48h withdrawn']);
  await undo.execute(system);
  expect(await workAt('2026-11-04T16:00:00Z')).toEqual(['sms 48h sent']);
  expect(await workAt('2026-11-04T16:05:00Z')).toEqual(['sms 48h sent']);
});

test('a reminder that waited past the deadline for a late file goes once the office allows more time', async () => {
  await openCounty();
  // No file comes for five days.
  expect(await workAt('2026-11-09T15:00:00Z')).toEqual(['sms 48h expired']);
  const { account, database } = county;
  const { rows } = await sql<{ election_id: number }>`select election_id from elections`.execute(
    database.system,
  );
  const [{ election_id: electionId }] = rows as [(typeof rows)[0]];
  const defect = 'signature-missing';
  const more = { electionId, defect, endsOn: '2026-11-13', endsAt: '17:00' } as const;
  await database.transaction((tx) =>
    setOfficeDeadline(tx, account.accountId, { ...more, reason: 'A court said so', setBy: 'Ann' }),
  );
  county.clock.set('2026-11-11T23:00:00Z');
  await load('RejectedCurable', 'Undeliverable');
  expect(await workAt('2026-11-11T23:00:00Z')).toEqual(['sms 48h sent']);
});
