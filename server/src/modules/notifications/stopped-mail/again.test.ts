import { afterEach, expect, test } from 'vitest';
import {
  createMessageCounty,
  electionDay,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportId } from '../../../platform/ids.ts';
import { createLog } from '../../../platform/log.ts';
import { saveElection } from '../../accounts/index.ts';
import { correct } from '../../approvals/index.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { watchMail } from './watch.ts';

/** V001's envelope was seen on Oct 7 and no more; V002's shows that the scans still come. */
let county: MessageCounty;
afterEach(() => county.drop());

const voters = ['V001', 'V002'] as const;
const outbound = (voter: string) => `00716123456000000${voter.slice(1)}`;

type Word = 'Outbound' | 'Requested' | 'Accepted';

async function load(...words: readonly [Word, Word]): Promise<ImportId> {
  const { state, importId } = await county.importBallots(
    voters.map((voter, index) => {
      const status = words[index] ?? 'Outbound';
      const mailed = { voter, status, mailed: '2026-10-05' };
      return status === 'Accepted' ? { ...mailed, returned: '2026-10-28' } : mailed;
    }),
  );
  expect(state).toBe('done');
  return importId as ImportId;
}

async function scan(voter: string, day: string): Promise<void> {
  const { state } = await county.importLines('usps-iv-mtr', [
    JSON.stringify({
      msgGrpId: '1',
      events: [
        {
          imb: `${outbound(voter)}3260${Number(voter.slice(1)) % 3}1234`,
          scanDatetime: `${day}T09:15:00`,
          ...{ mailPhase: '1a', handlingEventType: 'A', scanEventCode: '517' },
          ...{ scanFacilityCity: 'PORT ALDEN', scanFacilityState: 'FL', scanFacilityZip: '34811' },
        },
      ],
    }),
  ]);
  expect(state).toBe('done');
}

async function openCounty(now: string, scansUntil: string): Promise<void> {
  county = await createMessageCounty(voters, {
    now: '2026-10-05T15:00:00Z',
    settings: { stopped_mail: { messages: true, replacement_days: 10 } },
  });
  await county.optIn('V001', { sms: '+15555550101' });
  await load('Outbound', 'Outbound');
  await county.importLines('beacon-mailpieces', [
    'registration_id,election,outbound_imb',
    ...voters.map((voter) => `${voter},100,${outbound(voter)}`),
  ]);
  county.clock.set('2026-10-08T15:00:00Z');
  await scan('V001', '2026-10-07');
  county.clock.set(now);
  await load('Outbound', 'Requested');
  await scan('V002', scansUntil);
}

const look = () => watchMail(county.database, county.clock, createLog('silent'));

async function outbox(): Promise<string[]> {
  await deliverAll(await createDelivery(county));
  const { rows } = await sql<{ one: string }>`
    select channel || ' ' || state as one from messages where kind = 'stopped-mail' order by message_id`.execute(
    county.database.system,
  );
  return rows.map(({ one }) => one);
}

test('a message that a wrong file ended while it waited for the morning goes after all once that file is put back', async () => {
  await openCounty('2026-10-29T04:00:00Z', '2026-10-28');
  await look();
  expect(await outbox()).toEqual(['sms created']);
  county.clock.set('2026-10-29T10:00:00Z');
  const wrong = await load('Accepted', 'Requested');
  county.clock.set('2026-10-29T15:00:00Z');
  expect(await outbox()).toEqual(['sms superseded']);
  const by = { actor: 'operator:Ben', name: 'Ben', details: {} } as const;
  expect(await correct(county, wrong, by)).toMatchObject({ ok: true });
  county.clock.set('2026-10-30T15:00:00Z');
  await look();
  expect(await outbox()).toEqual(['sms sent']);
  await look();
  expect(await outbox()).toEqual(['sms sent']);
});

test('a message that a scan ended while it waited for the morning goes once the envelope has stopped again', async () => {
  await openCounty('2026-10-21T04:00:00Z', '2026-10-20');
  await look();
  expect(await outbox()).toEqual(['sms created']);
  county.clock.set('2026-10-21T15:00:00Z');
  await scan('V001', '2026-10-21');
  expect(await outbox()).toEqual(['sms superseded']);
  county.clock.set('2026-11-01T15:00:00Z');
  await load('Outbound', 'Accepted');
  await scan('V002', '2026-10-31');
  await look();
  expect(await outbox()).toEqual(['sms sent']);
});

test('a message that ended because its voter opted out goes once the voter is back', async () => {
  await openCounty('2026-10-29T04:00:00Z', '2026-10-28');
  await look();
  const { system } = county.database;
  await sql`update contact_channels set is_opted_in = false`.execute(system);
  county.clock.set('2026-10-29T15:00:00Z');
  expect(await outbox()).toEqual(['sms withdrawn']);
  await sql`update contact_channels set is_opted_in = true`.execute(system);
  await look();
  expect(await outbox()).toEqual(['sms sent']);
  await look();
  expect(await outbox()).toEqual(['sms sent']);
});

test('a message that waited three days for a late file goes once the file has come', async () => {
  await openCounty('2026-10-28T04:00:00Z', '2026-10-27');
  await look();
  county.clock.set('2026-11-01T15:00:00Z');
  expect(await outbox()).toEqual(['sms created']);
  await load('Outbound', 'Accepted');
  await scan('V002', '2026-10-31');
  county.clock.set('2026-11-01T15:10:00Z');
  expect(await outbox()).toEqual(['sms expired']);
  await look();
  expect(await outbox()).toEqual(['sms sent']);
});

test.each([
  ['2026-11-03T23:59:00Z', 'sent'],
  ['2026-11-04T00:00:00Z', 'superseded'],
] as const)(
  'a message that waited on the last day until %s, where ballots must be back by 7 in the evening, is %s',
  async (at, state) => {
    await openCounty('2026-11-03T06:00:00Z', '2026-11-02');
    await county.database.transaction((tx) =>
      saveElection(tx, county.account.accountId, {
        ...{ number: '100', name: '2026 General Election', electionDate: electionDay },
        isActive: true,
        returnDeadline: { rule: 'received', date: electionDay, time: '19:00', place: '' },
      }),
    );
    await look();
    expect(await outbox()).toEqual(['sms created']);
    county.clock.set(at);
    expect(await outbox()).toEqual([`sms ${state}`]);
    await look();
    expect(await outbox()).toEqual([`sms ${state}`]);
  },
);
