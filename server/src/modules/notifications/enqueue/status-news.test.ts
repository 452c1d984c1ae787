import { afterEach, describe, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { saveElection } from '../../accounts/index.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { emailConfirmed } from '../index.ts';
import { listOutbox } from '../outbox/store.ts';

let county: MessageCounty;
afterEach(() => county.drop());

async function createCounty(settings: Record<string, unknown> = {}): Promise<void> {
  county = await createMessageCounty(['V001', 'V002'], { now: '2026-10-05T15:00:00Z', settings });
  await county.optIn('V001', { email: 'one@mail.example' });
}

/** The statuses of which a message waits to go to this address, V001's unless another is named. */
async function news(to = 'one@mail.example'): Promise<(string | null)[]> {
  const messages = await listOutbox(county.database.system, county.account.accountId, null);
  return messages
    .filter(({ address, state }) => address === to && state === 'created')
    .map(({ status }) => status);
}

describe('a verdict is news on the day on which the office reports it', () => {
  const returned = { voter: 'V001', mailed: '2026-09-20', returned: '2026-09-30' };

  test('of a ballot returned 35 days ago, where the file dates only the return', async () => {
    await createCounty();
    await county.importBallots([{ ...returned, status: 'Outbound' }]);
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importBallots([{ ...returned, status: 'Rejected' }]);
    expect(await news()).toContain('rejected');
  });

  test('of a ballot that a later file lists for the first time', async () => {
    await createCounty();
    await county.importBallots([{ voter: 'V002', status: 'Outbound', mailed: '2026-09-20' }]);
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importBallots([
      { voter: 'V002', status: 'Outbound', mailed: '2026-09-20' },
      { ...returned, status: 'Accepted' },
    ]);
    expect(await news()).toEqual(['accepted']);
  });

  test('but not of a ballot in the first file of an election', async () => {
    await createCounty();
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importBallots([{ ...returned, status: 'Accepted' }]);
    expect(await news()).toEqual([]);
  });

  test('nor of one in another part of that file', async () => {
    await createCounty();
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importBallots([{ voter: 'V002', status: 'Outbound', mailed: '2026-09-20' }]);
    county.clock.set('2026-11-04T21:00:00Z');
    await county.importBallots([{ ...returned, status: 'Accepted' }]);
    expect(await news()).toEqual([]);
  });

  test('of an envelope that USPS brought back 35 days ago, which no file said before', async () => {
    await createCounty();
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-09-20' }]);
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importBallots([{ ...returned, status: 'Undeliverable' }]);
    expect(await news()).toContain('undeliverable');
  });

  test('of an envelope that USPS brought back 35 days ago, which a later file lists for the first time', async () => {
    await createCounty();
    await county.importBallots([{ voter: 'V002', status: 'Outbound', mailed: '2026-09-20' }]);
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importBallots([
      { voter: 'V002', status: 'Outbound', mailed: '2026-09-20' },
      { ...returned, status: 'Undeliverable' },
    ]);
    expect(await news()).toEqual(['undeliverable']);
  });

  test('but not of one in the first file of an election', async () => {
    await createCounty();
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importBallots([{ ...returned, status: 'Undeliverable' }]);
    expect(await news()).toEqual([]);
  });

  test.each([
    ['where the file dates only its receipt', '', ['application-incomplete']],
    ['but not where the file dates it then', '2026-09-30', []],
  ])('of an application received 35 days ago and incomplete, %s', async (_what, day, expected) => {
    await createCounty();
    const header =
      'registration_id,election,application_status,received_on,decided_on,reason_code,reason';
    const row = (status: string, on: string) => `V001,100,${status},2026-09-29,${on},,`;
    const importRow = (line: string) => county.importLines('beacon-applications', [header, line]);
    await importRow(row('received', ''));
    county.clock.set('2026-11-04T15:00:00Z');
    await importRow(row('incomplete', day));
    expect(await news()).toEqual(expected);
  });

  test('and not when the file itself dates the verdict 35 days ago', async () => {
    await createCounty();
    const header = 'registration_id,election,sent_on,returned_on,status_on,status';
    const sent = 'V001,100,2026-09-20,2026-09-28';
    await county.importLines('beacon-ballots', [header, `${sent},2026-09-28,returned`]);
    county.clock.set('2026-11-04T15:00:00Z');
    await county.importLines('beacon-ballots', [header, `${sent},2026-09-30,accepted`]);
    expect(await news()).not.toContain('accepted');
  });
});

test('nothing is news to an address that is stopped, however it is written', async () => {
  await createCounty();
  await county.optIn('V002', { email: 'Two@Mail.example' });
  await sql`insert into suppressions (account_id, channel, address, reason)
    select account_id, 'email', 'two@mail.example', 'unsubscribed' from accounts`.execute(
    county.database.system,
  );
  await county.importBallots(
    ['V001', 'V002'].map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-04' }) as const),
  );
  expect([await news(), await news('two@mail.example')]).toEqual([['sent'], []]);
});

test('no message is made for a confidential voter, or for one who has left the roll', async () => {
  await createCounty();
  await county.optIn('V002', { email: 'two@mail.example' });
  const { system } = county.database;
  await sql`update voters set is_confidential = registration_id = 'V001', is_active = registration_id <> 'V002'`.execute(
    system,
  );
  await county.importBallots(
    ['V001', 'V002'].map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-04' }) as const),
  );
  const made = await sql`select from messages`.execute(system);
  const listed = await sql`select from ballots where current_status = 'sent'`.execute(system);
  expect([made.rows.length, listed.rows.length]).toEqual([0, 2]);
});

test('nothing is news by a way that the office does not offer', async () => {
  await createCounty({ delivery_types: ['sms'] });
  await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-10-04' }]);
  expect(await news()).toEqual([]);
});

describe('a ballot whose envelope USPS scans', () => {
  const load = (row: string, columns = 'status_on') =>
    county.importLines('beacon-ballots', [`registration_id,election,status,${columns}`, row]);
  const imb = '00716123456000000001';
  const scan = (day = '2026-10-05') =>
    county.importLines('usps-iv-mtr', [
      JSON.stringify({
        msgGrpId: '1',
        events: [
          {
            ...{ imb: `${imb}326001234`, scanDatetime: `${day}T06:15:00`, mailPhase: '1a' },
            ...{ handlingEventType: 'A', scanEventCode: '517', scanFacilityZip: '34811' },
            ...{ scanFacilityCity: 'PORT ALDEN', scanFacilityState: 'FL' },
          },
        ],
      }),
    ]);
  const open = async (statuses: readonly string[], first: string, columns?: string) => {
    await createCounty({ notifying_statuses: statuses });
    await load(first, columns);
    await county.importLines('beacon-mailpieces', [
      'registration_id,election,outbound_imb',
      `V001,100,${imb}`,
    ]);
  };

  test('was sent by its office, which is no news after the message about the scan', async () => {
    await open(['sent', 'in-transit'], 'V001,100,printed,2026-10-01');
    await scan();
    expect(await news()).toEqual(['in-transit']);
    await load('V001,100,sent,2026-10-04');
    expect(await news()).toEqual(['in-transit']);
  });

  test('has still the message that it was sent, which waits: the scan adds to it', async () => {
    await open(['sent', 'in-transit'], 'V001,100,sent,2026-10-04');
    await scan();
    expect((await news()).sort()).toEqual(['in-transit', 'sent']);
  });

  test('gets no message any more that it will be mailed soon', async () => {
    await open(['printed'], 'V001,100,printed,2026-10-04');
    await scan();
    await deliverAll(await createDelivery(county));
    const { rows } = await sql`select status, state from messages`.execute(county.database.system);
    expect(rows).toEqual([{ status: 'printed', state: 'superseded' }]);
  });

  test.each([
    ['2026-09-05', ['in-transit']],
    ['2026-09-04', []],
  ])('was last seen on %s, and news of it is made for 30 days', async (day, expected) => {
    await open(['in-transit'], 'V001,100,printed,2026-09-01');
    await scan(day);
    expect(await news()).toEqual(expected);
  });

  test('goes on being reported as sent, also after a word that no rule knows, which is no news', async () => {
    const columns = 'sent_on,reason';
    await open(['sent'], 'V001,100,sent,2026-10-02,', columns);
    await scan();
    await sql`update messages set state = 'sent'`.execute(county.database.system);
    await load('V001,100,On its way,2026-10-02,', columns);
    // What it last said of another voter's ballot does not count.
    await load('V002,100,requested,,', columns);
    await load('V001,100,sent,2026-10-02,Mailed', columns);
    expect(await news()).toEqual([]);
  });
});

test('that a ballot was requested is no news after the message that it is printed, and news to every other voter', async () => {
  await createCounty({ notifying_statuses: ['requested', 'printed'] });
  await county.optIn('V002', { email: 'two@mail.example' });
  const load = (...rows: string[]) =>
    county.importLines('beacon-ballots', ['registration_id,election,status,status_on', ...rows]);
  // A status that only the office knows.
  await load('V001,100,On the list,2026-10-02');
  await county.importLines('beacon-mailpieces', [
    'registration_id,election,printed_on,outbound_imb',
    'V001,100,2026-10-04,00716123456000000001',
  ]);
  expect(await news()).toEqual(['printed']);
  await load('V001,100,requested,2026-10-03', 'V002,100,requested,2026-10-03');
  expect([await news(), await news('two@mail.example')]).toEqual([['printed'], ['requested']]);
  await load('V001,100,requested,2026-10-03', 'V002,100,printed,2026-10-05');
  expect(await news('two@mail.example')).toContain('printed');
});

describe('once one ballot of a voter is complete, its other ballots make no news', () => {
  const header =
    'Ballot ID,Voter ID,Election,Ballot Status,Challenge Reason,Received Date,Return Method';
  const row = (id: number, status: string, on: string) => `${id},V001,100,${status},,${on},Mail,`;

  test('that one of them was rejected after the other was accepted', async () => {
    await createCounty();
    const accepted = row(2, 'Accepted', '10/03/2026');
    await county.importLines('wa-ballots', [header, row(1, 'Received', '10/02/2026'), accepted]);
    await county.importLines('wa-ballots', [header, row(1, 'Rejected', '10/04/2026'), accepted]);
    expect((await news()).sort()).toEqual(['accepted']);
  });

  test('that waited for the voter’s hours, and was never sent', async () => {
    await createCounty();
    await county.optIn('V002', { email: 'two@mail.example', hours: ['12:00', '13:00'] });
    const ofTwo = (line: string) => line.replace('V001', 'V002');
    const rejected = ofTwo(row(1, 'Rejected', '10/04/2026'));
    await county.importLines('wa-ballots', [header, rejected]);
    await county.importLines('wa-ballots', [
      header,
      rejected,
      ofTwo(row(2, 'Received', '10/03/2026')),
    ]);
    await county.importLines('wa-ballots', [
      header,
      rejected,
      ofTwo(row(2, 'Accepted', '10/03/2026')),
    ]);
    county.clock.set('2026-10-05T16:30:00Z');
    await deliverAll(await createDelivery(county));
    const messages = await listOutbox(county.database.system, county.account.accountId, null);
    expect(messages.map(({ status, state }) => `${status} ${state}`).sort()).toEqual([
      'accepted sent',
      'rejected superseded',
      'returned superseded',
    ]);
  });

  test('also for a voter who proves an address afterwards, and of the statuses that the office lists', async () => {
    await createCounty({ notifying_statuses: ['accepted', 'rejected'] });
    const voterId = await county.optIn('V002', { email: 'two@mail.example' });
    const confirm = () =>
      county.database.transaction((tx) =>
        emailConfirmed(
          tx,
          county.config,
          { accountId: county.account.accountId, voterId, email: 'two@mail.example' },
          county.clock.now(),
        ),
      );
    const ofTwo = (line: string) => line.replace('V001', 'V002');
    await county.importLines('wa-ballots', [header, ofTwo(row(1, 'Received', '10/01/2026'))]);
    await confirm();
    expect(await news('two@mail.example')).toEqual([]);
    await county.importLines('wa-ballots', [
      header,
      ofTwo(row(1, 'Rejected', '10/02/2026')),
      ofTwo(row(2, 'Accepted', '10/03/2026')),
    ]);
    await sql`delete from messages`.execute(county.database.system);
    await confirm();
    expect(await news('two@mail.example')).toEqual(['accepted']);
    // What never left goes again to an address that is proven again, and nothing goes twice.
    for (const [state, again] of [
      ['failed-temporary-exhausted', ['accepted']],
      ['sent', []],
    ] as const) {
      await sql`update messages set state = ${state}`.execute(county.database.system);
      await confirm();
      expect(await news('two@mail.example'), state).toEqual(again);
    }
  });

  test('but the ballot of another election does', async () => {
    await createCounty();
    await county.database.transaction((tx) =>
      saveElection(tx, county.account.accountId, {
        ...{ number: '200', name: 'Runoff', electionDate: '2026-11-17', isActive: true },
      }),
    );
    const other = (status: string, on: string) => row(2, status, on).replace(',100,', ',200,');
    const accepted = row(1, 'Accepted', '10/02/2026');
    await county.importLines('wa-ballots', [header, accepted, other('Received', '10/02/2026')]);
    await county.importLines('wa-ballots', [header, accepted, other('Rejected', '10/04/2026')]);
    expect((await news()).sort()).toEqual(['accepted', 'rejected']);
  });

  test('when both verdicts come in one file', async () => {
    await createCounty();
    await county.importLines('wa-ballots', [
      header,
      row(1, 'Rejected', '10/04/2026'),
      row(2, 'Accepted', '10/03/2026'),
    ]);
    expect(await news()).toEqual(['accepted']);
  });
});

describe('what happened long ago is history, and no news', () => {
  test.each([
    ['2026-09-22', ['sent']],
    ['2026-09-21', ['sent']],
    ['2026-09-20', []],
  ])('of a ballot never seen before that was mailed on %s', async (mailed, expected) => {
    await createCounty();
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed }]);
    expect(await news()).toEqual(expected);
  });

  test.each([
    ['2026-09-06', ['sent']],
    ['2026-09-05', ['sent']],
    ['2026-09-04', []],
  ])('of a ballot that the office listed, and mailed on %s', async (mailed, expected) => {
    await createCounty();
    await county.importBallots([{ voter: 'V001', status: 'Requested' }]);
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed }]);
    expect(await news()).toEqual(expected);
  });

  test('by the office’s calendar, also where it is tomorrow already elsewhere', async () => {
    await createCounty();
    county.clock.set('2026-10-06T03:59:00Z');
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-09-21' }]);
    expect(await news()).toEqual(['sent']);
  });

  test('and tomorrow in the office’s calendar it is too late', async () => {
    await createCounty();
    county.clock.set('2026-10-06T04:00:00Z');
    await county.importBallots([{ voter: 'V001', status: 'Outbound', mailed: '2026-09-21' }]);
    expect(await news()).toEqual([]);
  });
});

test('an import’s messages are counted once each, whatever they say and in how many elections', async () => {
  await createCounty();
  await county.optIn('V002', { email: 'two@mail.example', sms: '+13525550002' });
  await county.database.transaction((tx) =>
    saveElection(tx, county.account.accountId, {
      ...{ number: '101', name: 'Runoff', electionDate: '2026-12-01', isActive: true },
    }),
  );
  const { importId } = await county.importBallots([
    { voter: 'V001', status: 'Outbound', mailed: '2026-10-04' },
    { voter: 'V002', status: 'Accepted', mailed: '2026-10-01', returned: '2026-10-05' },
    { voter: 'V002', status: 'Outbound', mailed: '2026-10-04', election: '101' },
  ]);
  const { rows } = await sql<{ counted: number; made: number }>`
    select messages as counted, (select count(*) from messages) as made from import_gates
    where import_id = ${importId}`.execute(county.database.system);
  expect(rows).toEqual([{ counted: 5, made: 5 }]);
});
