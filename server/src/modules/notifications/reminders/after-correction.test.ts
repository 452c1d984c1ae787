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
