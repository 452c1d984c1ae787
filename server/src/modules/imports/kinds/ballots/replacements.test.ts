import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clearBallots } from '../../../../../../testing/clear-ballots.ts';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { putBackImport } from '../../index.ts';

/** Ballots that an office mails a second time: the later day of mailing says so. */
let office: TestOffice;

beforeAll(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
});
afterAll(() => office.close());
beforeEach(async () => {
  await clearBallots(office.db.database.system);
  await office.import(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,01/02/1950,99301\n2,Bo,Lee,01/02/1950,99301',
  );
});

let files = 0;
/** Each file has bytes of its own, for the gate stops those of an older file. */
function importBallots(...rows: string[]) {
  files += 1;
  const header =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';
  return office.import('voter-focus-ballots', [header, ...rows].join('\n') + '\n'.repeat(files));
}

async function events(): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    select concat_ws(' ', status, occurred_on, nullif(reason_code, '')) as event from ballot_events order by event_id`.execute(
    office.db.database.system,
  );
  return rows.map(({ event }) => event);
}

/** By voter. */
async function statuses(): Promise<string[]> {
  const { rows } = await sql<{ current_status: string }>`
    select current_status from ballots join voters using (voter_id) order by registration_id`.execute(
    office.db.database.system,
  );
  return rows.map(({ current_status: status }) => status);
}

const status = async () => (await statuses())[0];

test('a later day of mailing is a replacement', async () => {
  await importBallots('7,1,Undeliverable,10/05/2026,10/12/2026,,');
  await importBallots('7,1,Outbound,10/15/2026,,,');
  expect((await events()).slice(2)).toEqual(['reprinted 2026-10-15']);
  expect(await status()).toBe('reprinted');
});

test.each([
  ['in other letters', ['7,1,OUTBOUND,10/15/2026,,,']],
  ['after a word that nobody knows', ['7,1,Void,10/15/2026,,,', '7,1,Outbound,10/15/2026,,,']],
  [
    'after a return that was a mistake',
    ['7,1,Outbound,10/15/2026,10/20/2026,,', '7,1,Outbound,10/15/2026,,,'],
  ],
  ['twice in one file', ['7,1,Outbound,10/15/2026,,,\n7,1,OUTBOUND,10/15/2026,,,']],
  ['after a day that was a mistake', ['7,1,Outbound,10/25/2026,,,', '7,1,Outbound,10/15/2026,,,']],
  ['after an empty day', ['7,1,Outbound,,,,', '7,1,Outbound,10/15/2026,,,']],
])('a replacement that is reported again %s stays a replacement', async (_, later) => {
  await importBallots('7,1,Outbound,10/05/2026,,,');
  await importBallots('7,1,Outbound,10/15/2026,,,');
  for (const row of later) await importBallots(row);
  expect(await status()).toBe('reprinted');
  expect(await events()).not.toContain('sent 2026-10-15');
});

test('a replacement, reported twice by a later file, is one', async () => {
  await importBallots('7,1,Outbound,10/05/2026,,,');
  await importBallots('7,1,Outbound,10/15/2026,,,', '7,1,OUTBOUND,10/15/2026,,,');
  expect(await status()).toBe('reprinted');
  // The next mailing is a step of its own again.
  await importBallots('7,1,Accepted,10/15/2026,10/20/2026,,');
  await importBallots('7,1,Outbound,10/05/2026,,,');
  expect(await status()).toBe('sent');
});

test('a replacement, reported twice by the file that brings the ballot, is one', async () => {
  const again = ['7,1,Outbound,10/15/2026,,,', '7,1,Outbound,10/15/2026,,R,Lost'];
  await importBallots('7,1,Outbound,10/05/2026,,,', ...again);
  expect(await events()).toEqual([
    'sent 2026-10-05',
    'reprinted 2026-10-15',
    'reprinted 2026-10-15 R',
  ]);
  expect(await status()).toBe('reprinted');
});

test('of several rows of one ballot, none of which is the row that is known, the later mailings are news', async () => {
  await importBallots('7,1,Outbound,10/05/2026,,,', '7,2,Outbound,10/28/2026,,,');
  const spoiled = '7,1,Outbound,10/05/2026,,S,Spoiled';
  await importBallots(spoiled, '7,1,Outbound,10/15/2026,,,', '7,1,Outbound,10/25/2026,,,');
  const known = ['sent 2026-10-05', 'sent 2026-10-28'];
  known.push('reprinted 2026-10-15', 'reprinted 2026-10-25');
  expect(await events()).toEqual(known);
  const lost = ['15', '25'].map((day) => `7,1,Outbound,10/${day}/2026,,L,Lost`);
  await importBallots(spoiled, ...lost, '7,1,Outbound,10/27/2026,,,');
  expect(await events()).toEqual([...known, 'reprinted 2026-10-27']);
});

test('a ballot that is reported as sent again stays sent, where its day is that of another voter’s replacement', async () => {
  const [replaced, sent] = ['1', '2'].map((voter) => `7,${voter},Outbound,10/15/2026`);
  await importBallots('7,1,Outbound,10/05/2026,,,');
  const spoiled = '7,1,Outbound,10/05/2026,,S,Spoiled';
  const unknown = '7,2,Void,10/15/2026,,,';
  await importBallots(spoiled, `${replaced},,,`, `${sent},,,`, unknown, `${sent},,W,Wet`);
  expect(await statuses()).toEqual(['reprinted', 'sent']);
  await importBallots(`${replaced},,,`, `${sent},10/20/2026,,`);
  await importBallots(`${replaced},,,`, `${sent},,,`);
  expect(await statuses()).toEqual(['reprinted', 'sent']);
});

test('a replacement is accepted, beside another of its day that is reported again', async () => {
  for (const day of ['05', '15'])
    await importBallots(...['1', '2'].map((voter) => `7,${voter},Outbound,10/${day}/2026,,,`));
  await importBallots('7,1,Accepted,10/15/2026,10/20/2026,,', '7,2,Outbound,10/15/2026,,R,Lost');
  expect(await statuses()).toEqual(['accepted', 'reprinted']);
});

test('a replacement that only a wrong file had is none when its day comes again', async () => {
  await importBallots('7,1,Outbound,10/05/2026,,,');
  const { importId } = await importBallots('7,1,Outbound,10/15/2026,,,');
  const { database } = office.db;
  await database.transaction((tx) => putBackImport(tx, importId as ImportId, office.clock.now()));
  await importBallots('7,1,Outbound,,,,');
  await importBallots('7,1,Outbound,10/15/2026,,,');
  expect(await status()).toBe('sent');
});

test('of a replacement that is reported with another day of its request, the request stays one', async () => {
  const load = (requested: string, sent: string) =>
    office.import(
      'beacon-ballots',
      `registration_id,election,status,requested_on,sent_on\n1,7,sent,${requested},${sent}`,
    );
  await load('2026-09-01', '2026-10-05');
  await load('2026-09-01', '2026-10-15');
  await load('2026-09-02', '2026-10-15');
  expect((await events()).slice(3)).toEqual(['requested 2026-09-02', 'reprinted 2026-10-15']);
});

test('a number of one column is kept as it is: in other letters it is another ballot', async () => {
  const numbered = 'registration_id,election,ballot_number,status\n1,7,b1,sent\n1,7,B1,sent';
  expect((await office.import('beacon-ballots', numbered)).report.rows).toMatchObject({ added: 2 });
});
