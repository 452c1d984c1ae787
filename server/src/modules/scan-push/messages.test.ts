import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../testing/messages.ts';
import { sql } from '../../../../testing/sql.ts';
import { listOutbox } from '../notifications/index.ts';

let county: MessageCounty;
afterEach(() => county.drop());

const code = (voter: number): string => `00716123456${String(voter).padStart(9, '0')}`;
const scans = (...rows: readonly (readonly [voter: number, at: string, phase: string])[]) =>
  county.importLines('usps-iv-mtr', [
    'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityState',
    ...rows.map(([voter, at, phase]) => `${code(voter)},${at},${phase},A,517,GA`),
  ]);
const pieces = (...voters: readonly number[]) =>
  county.importLines('beacon-mailpieces', [
    'registration_id,election,outbound_imb',
    ...voters.map((voter) => `${voter},100,${code(voter)}`),
  ]);

/** Each message's status and state, in order of creation. */
async function messages(): Promise<string[]> {
  const found = await listOutbox(county.database.system, county.account.accountId, null);
  return found
    .toSorted((a, b) => a.message_id - b.message_id)
    .map(({ status, state }) => `${status} ${state}`);
}

async function begin(settings: Readonly<Record<string, unknown>>, now: string): Promise<void> {
  const voters = Array.from({ length: 40 }, (_, index) => String(index + 1));
  county = await createMessageCounty(voters, { now, settings });
  for (const voter of voters)
    await county.optIn(voter, { email: `v${voter}@mail.example`, hours: ['08:00', '20:00'] });
}
const mailedAll = () =>
  county.importBallots(
    Array.from({ length: 40 }, (_, index) => ({
      voter: String(index + 1),
      status: 'Outbound' as const,
      mailed: '2026-10-04',
    })),
  );

describe('a scan', () => {
  test('sends no message if the office does not list its status, and does not stop the office’s own messages', async () => {
    await begin({}, '2026-10-05T15:00:00Z');
    await county.importBallots([{ voter: '1', status: 'Outbound', mailed: '2026-10-04' }]);
    await pieces(1);
    const seen = await scans([1, '2026-10-05T06:00:00', '2a']);
    expect(seen).toMatchObject({ state: 'done', report: { events: 1 } });
    expect(await messages()).toEqual(['sent created']);
  });

  test('that the office lists sends one message, and replaces outdated messages', async () => {
    const all = ['sent', 'in-transit', 'delivered'];
    await begin({ notifying_statuses: all }, '2026-10-05T15:00:00Z');
    await county.importBallots([{ voter: '1', status: 'Outbound', mailed: '2026-10-04' }]);
    await scans([1, '2026-10-05T06:00:00', '2a']);
    // The piece comes last: the messages are the same.
    await pieces(1);
    expect(await messages()).toEqual(['sent created', 'in-transit created']);
    await scans([1, '2026-10-05T06:00:00', '2a'], [1, '2026-10-05T10:30:00', '4c']);
    await scans([1, '2026-10-05T10:31:00', '4c']);
    expect(await messages()).toEqual([
      'sent created',
      'in-transit superseded',
      'delivered created',
    ]);
  });

  test('is news for thirty days, and history from then on', async () => {
    await begin({ notifying_statuses: ['in-transit'] }, '2026-10-05T15:00:00Z');
    await county.importBallots(
      ['1', '2'].map((voter) => ({ voter, status: 'Outbound', mailed: '2026-09-02' })),
    );
    await pieces(1, 2);
    const late = await scans([1, '2026-09-05T06:00:00', '2a'], [2, '2026-09-04T06:00:00', '2a']);
    expect(late.report.events).toBe(2);
    const { rows } = await sql`
      select registration_id as voter from messages join voters using (voter_id)`.execute(
      county.database.system,
    );
    expect(rows).toEqual([{ voter: '1' }]);
  });

  test('comes before the office’s file: the office’s status is sent, unless the voter already got a later status', async () => {
    for (const [listed, expected] of [
      [['sent'], ['sent created']],
      [['sent', 'in-transit'], ['in-transit created']],
    ] as const) {
      await begin({ notifying_statuses: listed }, '2026-10-05T15:00:00Z');
      await county.importBallots([{ voter: '1', status: 'Requested' }]);
      await pieces(1);
      await scans([1, '2026-10-05T06:00:00', '2a']);
      await county.importBallots([{ voter: '1', status: 'Outbound', mailed: '2026-10-04' }]);
      expect(await messages()).toEqual(expected);
      if (listed.length === 1) await county.drop();
    }
  });

  test('sends "printed" once, whichever file reports it first', async () => {
    await begin({}, '2026-10-05T15:00:00Z');
    await county.importBallots([{ voter: '1', status: 'Requested' }]);
    await pieces(1);
    expect(await messages()).toEqual(['printed created']);
    await pieces(1, 1);
    await county.importBallots([{ voter: '1', status: 'Requested', mailed: '2026-10-06' }]);
    expect(await messages()).toEqual(['printed created']);
    await county.importBallots([{ voter: '1', status: 'Outbound', mailed: '2026-10-05' }]);
    expect(await messages()).toEqual(['printed superseded', 'sent created']);
  });

  test('passes the gate like any update: an impossible status waits for approval', async () => {
    await begin({ notifying_statuses: ['delivered'] }, '2026-10-05T15:00:00Z');
    await mailedAll();
    await pieces(...Array.from({ length: 40 }, (_, index) => index + 1));
    // By the office's clock 45 days after the election, and elsewhere a day more.
    county.clock.set('2026-12-19T02:00:00Z');
    expect(await scans([40, '2026-12-18T11:00:00', '4c'])).toMatchObject({ state: 'done' });
    // Seven weeks after the election.
    county.clock.set('2026-12-22T15:00:00Z');
    const late = await scans(
      ...Array.from(
        { length: 30 },
        (_, index) => [index + 1, '2026-12-21T11:00:00', '4c'] as const,
      ),
    );
    expect(late.state).toBe('messages-held');
    // Envelopes are on their way for two months after an election: that alone is not unusual.
    expect(late.report.gate?.map(({ code: reason }) => reason)).toEqual(['election-over']);
    expect(new Set(await messages())).toEqual(new Set(['delivered created', 'delivered held']));
    // Once the office has ended the election, nobody gets messages about it, and nobody is asked.
    const before = await messages();
    await county.database.systemPool.query(
      `with ended as (update elections set is_active = false returning account_id)
      insert into elections (account_id, number, name, election_date, is_active)
      select account_id, '200', 'Runoff', '2027-06-12', true from ended`,
    );
    const ended = await scans(
      ...Array.from(
        { length: 10 },
        (_, index) => [index + 31, '2026-12-22T09:00:00', '4c'] as const,
      ),
    );
    expect(ended).toMatchObject({ state: 'done', report: { gate: [] } });
    expect(await messages()).toEqual(before);
  });

  describe('of envelopes on their way back', () => {
    const voters = Array.from({ length: 40 }, (_, index) => index + 1);
    const back = (voter: number) => code(voter).replace('716', '777');
    const scanBack = (from: number, to: number) =>
      county.importLines('usps-iv-mtr', [
        'imb,scanDatetime,mailPhase,handlingEventType,scanEventCode,scanFacilityState',
        ...voters
          .slice(from, to)
          .map((voter) => `${back(voter)},2026-10-${19 + (voter % 2)}T06:00:00,1,A,517,GA`),
      ]);

    beforeEach(async () => {
      await begin({ notifying_statuses: ['return-in-transit'] }, '2026-10-20T15:00:00Z');
      await mailedAll();
      // Nobody gets a message yet: a voter who proves the number meanwhile must not hear of it either.
      await county.database.systemPool.query(
        `update contact_channels set channel = 'sms', status = 'unproven', address = '+1352555' || 1000 + voter_id`,
      );
      await county.importLines('beacon-mailpieces', [
        'registration_id,election,outbound_imb,inbound_imb',
        ...voters.map((voter) => `${voter},100,${code(voter)},${back(voter)}`),
      ]);
    });

    test('waits when too many come at once, though as many came by earlier scans', async () => {
      expect(await scanBack(0, 14)).toMatchObject({ state: 'done', report: { gate: [] } });
      const many = await scanBack(14, 40);
      expect(many.state).toBe('messages-held');
      expect(many.report.gate?.map(({ detail }) => detail)).toEqual([
        'Election 100: 26 ballots became return-in-transit at once; up to 25 of its 40 would be normal.',
      ]);
    });

    test('is looked at by nobody where only voters of other ballots asked for messages', async () => {
      await county.database.systemPool.query(
        `update contact_channels c set is_opted_in = v.registration_id::integer > 26
        from voters v where v.voter_id = c.voter_id`,
      );
      expect(await scanBack(0, 26)).toMatchObject({ state: 'done', report: { gate: [] } });
    });
  });

  test('of today is as it should be, however many come', async () => {
    const all = Array.from({ length: 40 }, (_, index) => index + 1);
    await begin({ notifying_statuses: ['in-transit'] }, '2026-10-07T15:00:00Z');
    await mailedAll();
    await pieces(...all);
    const today = await scans(...all.map((voter) => [voter, '2026-10-07T09:00:00', '2a'] as const));
    expect(today).toMatchObject({ state: 'done', report: { gate: [] } });
    expect(new Set(await messages())).toEqual(new Set(['in-transit created']));
  });
});
