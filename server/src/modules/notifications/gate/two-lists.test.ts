import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type BallotRow,
  createMessageCounty,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';

/** Each day an office sends the list of all ballots, which only says that an envelope is back, and then its list of open cases. */
let county: MessageCounty;
let folder: string;
let cases: string;

beforeEach(async () => {
  county = await createMessageCounty(['V001', 'V002'], { now: '2026-10-20T13:00:00Z' });
  await county.optIn('V001', { sms: '+15555550101' });
  folder = mkdtempSync(join(tmpdir(), 'beacon-lists-'));
  cases = join(folder, 'cases.json');
  const rules = [{ when: { State: 'Open' }, becomes: 'rejected-curable' }];
  writeFileSync(
    cases,
    JSON.stringify({
      ...{ name: 'cases', title: 'Open cases', source: 'The office', holds: 'ballots' },
      ...{ required: ['Voter', 'State'], missing_rows: 'succeeded' },
      fields: { registration_id: 'Voter', election: 'Election', reason: 'Problem' },
      status: { columns: ['State'], rules },
    }),
  );
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await county.drop();
});

/** What the lists of a day say, and how V001's ballot stands after each of them. */
async function sendLists(day: number, status: BallotRow['status'], problem: string | null) {
  const file: BallotRow[] = [
    { voter: 'V001', status, mailed: '2026-10-05', returned: '2026-10-19' },
    { voter: 'V002', status: 'Outbound', mailed: '2026-10-05', returned: `2026-10-${day}` },
  ];
  const rows = problem === null ? [] : [`V001,100,${problem},Open`];
  const deliver = await openSilentDelivery(county);
  const stands: string[] = [];
  for (const load of [
    () => county.importBallots(file),
    () => county.importLines(cases, ['Voter,Election,Problem,State', ...rows]),
  ]) {
    county.clock.advance(3_600_000);
    expect((await load()).state).toMatch(/done|nothing-new/);
    await deliver();
    const { rows: found } = await sql<{ status: string }>`
      select b.current_status as status from ballots b join voters v using (voter_id)
      where v.registration_id = 'V001'`.execute(county.database.system);
    stands.push(found[0]?.status ?? '');
  }
  county.clock.advance(22 * 3_600_000);
  return stands;
}

async function readNews(): Promise<string[]> {
  const { rows } = await sql<{ status: string }>`
    select status from messages where state = 'sent' order by message_id`.execute(
    county.database.system,
  );
  return rows.map(({ status }) => status);
}

test('a problem with an envelope stays the same one, and is news once, while the list of all ballots repeats that it is back', async () => {
  const open = ['rejected-curable', 'rejected-curable'];
  expect(await sendLists(20, 'Outbound', 'Not signed')).toEqual(['returned', 'rejected-curable']);
  expect(await sendLists(21, 'Outbound', 'Not signed')).toEqual(open);
  expect(await sendLists(22, 'Outbound', 'No date')).toEqual(open);
  expect(await sendLists(23, 'Outbound', 'No date')).toEqual(open);
  expect(await sendLists(24, 'Accepted', null)).toEqual(['accepted', 'accepted']);
  expect(await readNews()).toEqual(['returned', 'rejected-curable', 'accepted']);
});

test('a case that two days’ lists lack stays accepted while the list of all ballots repeats that it is back', async () => {
  await sendLists(20, 'Outbound', 'Not signed');
  expect(await sendLists(21, 'Outbound', null)).toEqual(['rejected-curable', 'rejected-curable']);
  expect(await sendLists(22, 'Outbound', null)).toEqual(['rejected-curable', 'accepted']);
  expect(await sendLists(23, 'Outbound', null)).toEqual(['accepted', 'accepted']);
  expect(await readNews()).toEqual(['returned', 'rejected-curable', 'accepted']);
});

test('a refused envelope that can be fixed stays one to fix, and is news once, while the list of all ballots repeats that it is refused', async () => {
  const open = ['rejected-curable', 'rejected-curable'];
  expect(await sendLists(20, 'Rejected', 'Not signed')).toEqual(['rejected', 'rejected-curable']);
  expect(await sendLists(21, 'Rejected', 'Not signed')).toEqual(open);
  expect(await sendLists(22, 'Rejected', 'No date')).toEqual(open);
  expect(await sendLists(23, 'Accepted', null)).toEqual(['accepted', 'accepted']);
  expect(await readNews()).toEqual(['rejected', 'rejected-curable', 'accepted']);
});

test('a case that two days’ lists lack is refused again where that is what the list of all ballots repeats', async () => {
  // Before election day a second person would be asked.
  county.clock.set('2026-11-10T13:00:00Z');
  await sendLists(20, 'Rejected', 'Not signed');
  expect(await sendLists(21, 'Rejected', null)).toEqual(['rejected-curable', 'rejected-curable']);
  expect(await sendLists(22, 'Rejected', null)).toEqual(['rejected-curable', 'rejected']);
  expect(await sendLists(23, 'Rejected', null)).toEqual(['rejected', 'rejected']);
});
