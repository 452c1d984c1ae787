import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createMessageCounty,
  electionDay,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { createLog } from '../../../platform/log.ts';
import { saveElection } from '../../accounts/index.ts';
import { listOpenFixes } from '../../ballots/index.ts';
import { setOfficeDeadline } from '../../deadlines/index.ts';
import { readFixQueue } from '../../fix-queue/index.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { listOutbox } from '../outbox/store.ts';
import { remindVoters } from './remind.ts';

/** One voter has a ballot in a runoff, which is accepted, and one in the general election, whose envelope can be fixed. */
let county: MessageCounty;
beforeEach(async () => {
  county = await createMessageCounty(['V001', 'V002'], { now: '2026-10-21T15:00:00Z' });
  await save({ number: '200', name: 'Runoff', electionDate: '2026-11-10', isActive: true });
  await county.optIn('V001', { email: 'one@mail.example' });
});
afterEach(() => county.drop());

function save(election: Parameters<typeof saveElection>[2]): Promise<number> {
  const { account, database } = county;
  return database.transaction((tx) => saveElection(tx, account.accountId, election));
}

const mailed = { voter: 'V001', mailed: '2026-10-05' } as const;
const back = { ...mailed, returned: '2026-10-20' } as const;

async function deliver(): Promise<void> {
  await deliverAll(await createDelivery(county));
}

const outbox = async () => {
  const { database, account } = county;
  return (await listOutbox(database.system, account.accountId, null))
    .reverse()
    .map(({ kind, status, state }) => `${kind} ${status} ${state}`);
};

test('a ballot that is accepted in one election ends none of the other', async () => {
  await county.importBallots([
    { ...mailed, status: 'Outbound' },
    { ...mailed, status: 'Outbound', election: '200' },
  ]);
  county.clock.set('2026-10-22T15:00:00Z');
  await county.importBallots([
    { ...back, status: 'RejectedCurable', reason: 'No signature' },
    { ...back, status: 'Accepted', election: '200' },
  ]);
  await deliver();
  const news = ['status accepted sent', 'status rejected-curable sent'];
  expect((await outbox()).sort()).toEqual(news);
  const { system } = county.database;
  const all = { electionId: null, isOpen: true };
  const queue = await readFixQueue(system, county.account, all, county.clock.now());
  expect(queue.map(({ registrationId, state }) => [registrationId, state])).toEqual([
    ['V001', 'open'],
  ]);
  county.clock.set('2026-11-03T15:00:00Z');
  await county.importBallots([
    { ...back, status: 'RejectedCurable', reason: 'No signature' },
    { ...back, status: 'Accepted', election: '200' },
  ]);
  await remindVoters(county.database, county.clock, createLog('silent'));
  await deliver();
  expect((await outbox()).sort()).toEqual(['fix-reminder rejected-curable sent', ...news]);
});

test('of one election, the accepted ballot ends the voter’s other one', async () => {
  await county.importBallots([{ ...back, status: 'RejectedCurable', reason: 'No signature' }]);
  await deliver();
  await sql`with again as (
      insert into ballots (account_id, voter_id, election_id, ballot_number, current_status)
      select account_id, voter_id, election_id, 'again', 'accepted' from ballots returning ballot_id
    ) select from again`.execute(county.database.system);
  const { system } = county.database;
  const all = { electionId: null, isOpen: true };
  const queue = await readFixQueue(system, county.account, all, county.clock.now());
  expect(queue.map(({ state }) => state)).toEqual(['ended']);
  county.clock.set('2026-11-03T15:00:00Z');
  await remindVoters(county.database, county.clock, createLog('silent'));
  expect((await outbox()).filter((one) => one.startsWith('fix-reminder'))).toEqual([]);
});

test('of two elections on one day each keeps the deadline that the office set for it', async () => {
  const { account, database } = county;
  const day = { electionDate: electionDay, isActive: true };
  const ends = { V001: '2026-11-04', V002: '2026-11-09' };
  for (const [number, endsOn] of [
    ['100', ends.V001],
    ['200', ends.V002],
  ] as const) {
    const electionId = await save({ number, name: `Election ${number}`, ...day });
    const deadline = { electionId, defect: 'signature-missing', endsOn, endsAt: '17:00' } as const;
    await database.transaction((tx) =>
      setOfficeDeadline(tx, account.accountId, { ...deadline, reason: 'Order 7', setBy: 'test' }),
    );
  }
  await county.optIn('V002', { email: 'two@mail.example' });
  const problem = { ...back, status: 'RejectedCurable', reason: 'No signature' } as const;
  await county.importBallots([problem, { ...problem, voter: 'V002', election: '200' }]);

  const all = { electionId: null, isOpen: true };
  const queue = await readFixQueue(database.system, account, all, county.clock.now());
  const expected = Object.values(ends).map((end) => `${end}T17:00:00-05:00`);
  const inOrder = queue.toSorted((a, b) => a.registrationId.localeCompare(b.registrationId));
  expect(inOrder.map(({ deadline }) => deadline)).toEqual(expected);
  const open = await listOpenFixes(database.forAccount(account.accountId), account);
  expect(open.map(({ deadline }) => deadline).sort()).toEqual(expected);
});
