import { once } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../testing/office.ts';
import { runs } from '../../../../testing/runs.ts';
import { pg, sql } from '../../../../testing/sql.ts';
import type { ImportId, VoterId } from '../../platform/ids.ts';
import { findWaitingImport, putBackImport } from '../imports/index.ts';
import { findEndedBallots } from './rivals.ts';
import { buildStatusHistory, deriveBallotStatus } from './rules.ts';
import { readBallots } from './store.ts';

let office: TestOffice;
const people = ['V1', 'V2', 'V3', 'V4'] as const;

beforeEach(openOffice);
afterEach(() => office.close());

async function openOffice(): Promise<void> {
  office = await createTestOffice();
  office.clock.set('2026-10-20T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  const voters = people.map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...voters].join('\n'));
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const header = 'registration_id,election,ballot_number,status,sent_on,returned_on,status_on';
let files = 0;

/** Loads a file, approved where the gate asks for it. @returns its number */
async function importRows(rows: readonly string[]): Promise<ImportId> {
  files += 1;
  const text = `${[header, ...rows].join('\n')}${'\n'.repeat(files)}`;
  const outcome = await office.import('beacon-ballots', text);
  const { importId } = outcome;
  if (importId === null) throw new Error(`The file is ${outcome.state}.`);
  const released = await findWaitingImport(office.db.database.system, importId);
  if (released) await office.import('beacon-ballots', text, { released });
  return importId;
}

async function putBack(importId: ImportId) {
  const { database } = office.db;
  return database.transaction((tx) => putBackImport(tx, importId, office.clock.now()));
}

/** What the voters see, and what later work goes by. */
async function readState() {
  const { database } = office.db;
  const { rows } = await sql<{ voter_id: VoterId; registration_id: string }>`
    select voter_id, registration_id from voters order by registration_id`.execute(database.system);
  const db = database.forAccount(office.account.accountId);
  const pages = rows.map(async ({ voter_id, registration_id }) => {
    const shown = await readBallots(db, {
      ...{ voterId: voter_id, isElectionActive: true, timeZone: office.account.timeZone },
    });
    const ended = findEndedBallots(shown);
    return shown.map((ballot) => {
      const { status, when } = deriveBallotStatus(ballot.events);
      return [
        registration_id,
        status,
        when,
        ended.has(ballot.ballotId),
        buildStatusHistory(ballot.events),
      ];
    });
  });
  const { rows: stored } = await sql<{ status: string }>`
    select v.registration_id, b.ballot_number, b.current_status as status, b.office_record
    from ballots b join voters v using (voter_id) where b.office_record is not null
    order by 1, 2`.execute(database.system);
  // In no order: the page goes by the numbers that ballots were given, which are others here.
  return { pages: (await Promise.all(pages)).flat().sort(byText), stored };
}

test('the right file is loaded after one with wrong numbers of ballots was put back', async () => {
  const rowOf = (id: string, kind: string) => `${id},7,${kind},sent,2026-10-01,,`;
  const list = (kind: string) => ['V1', 'V2', 'V3'].map((id) => rowOf(id, kind));
  await importRows([rowOf('V4', 'right')]);
  await putBack(await importRows([...list('wrong'), rowOf('V4', 'right')]));
  const right = [header, ...list('right'), rowOf('V4', 'right')].join('\n');
  const { state, report } = await office.import('beacon-ballots', right);
  expect([state, report.gate ?? [], report.after]).toEqual(['done', [], { '7 sent': 4 }]);
});

test('a wrong file that was loaded leaves every page as it was before', async () => {
  await importRows([
    'V1,7,1,accepted,2026-10-01,2026-10-10,2026-10-12',
    'V2,7,1,sent,2026-10-01,,',
  ]);
  const before = await readState();
  const wrong = await importRows([
    'V1,7,1,rejected,2026-10-01,2026-10-10,',
    'V2,7,1,rejected,2026-10-01,2026-10-11,',
    'V3,7,1,rejected,2026-10-01,2026-10-11,',
  ]);
  expect((await readState()).pages.map(([id, status]) => `${id} ${status}`)).toEqual([
    'V1 rejected',
    'V2 rejected',
    'V3 rejected',
  ]);
  const listener = new pg.Client({ connectionString: office.db.url });
  await listener.connect();
  await listener.query('listen ballot_changes');
  const heard = once(listener, 'notification');
  expect(await putBack(wrong)).toEqual({ of: 'ballots', restored: 3, changedLater: 0 });
  expect(await readState()).toEqual(before);
  // Open dashboards look again.
  expect(await heard).toMatchObject([{ payload: String(office.account.accountId) }]);
  await listener.end();
});

test('a ballot that a wrong file gave its day of mailing waits for the right one under its number of before', async () => {
  const importCarolina = (sent: string) =>
    office.import(
      'nc-absentee',
      [
        'ncid,election_dt,ballot_req_type,ballot_req_dt,ballot_send_dt,ballot_rtn_dt,ballot_rtn_status',
        `V1,11/03/2026,MAIL,09/01/2026,${sent}, , `,
      ].join('\n'),
    );
  await importCarolina(' ');
  const before = await readState();
  const { importId } = await importCarolina('09/20/2026');
  if (importId === null) throw new Error('The wrong file waits.');
  expect(await putBack(importId)).toMatchObject({ restored: 1, changedLater: 0 });
  expect(await readState()).toEqual(before);
  await importCarolina('09/25/2026');
  expect((await readState()).stored).toEqual([
    expect.objectContaining({ registration_id: 'V1', status: 'sent' }),
  ]);
});

test('what a later file said of a ballot stays', async () => {
  await importRows(['V1,7,1,sent,2026-10-01,,', 'V2,7,1,sent,2026-10-01,,']);
  const wrong = await importRows([
    'V1,7,1,rejected,2026-10-01,2026-10-10,',
    'V2,7,1,rejected,2026-10-01,2026-10-10,',
  ]);
  await importRows(['V1,7,1,accepted,2026-10-01,2026-10-10,2026-10-12']);
  expect(await putBack(wrong)).toEqual({ of: 'ballots', restored: 1, changedLater: 1 });
  expect((await readState()).pages.map(([id, status]) => `${id} ${status}`)).toEqual([
    'V1 accepted',
    'V2 sent',
  ]);
});

test.each(['the newer one first', 'the older one first'])(
  'two wrong files leave every page as it was before, %s',
  async (order) => {
    await importRows(['V1,7,1,sent,2026-10-01,,', 'V2,7,1,sent,2026-10-01,,']);
    const before = await readState();
    const older = await importRows(['V1,7,1,rejected,2026-10-01,2026-10-10,']);
    const between = await readState();
    const newer = await importRows([
      'V1,7,1,accepted,2026-10-01,2026-10-10,2026-10-12',
      'V2,7,1,rejected,2026-10-01,2026-10-10,',
    ]);
    const isNewerFirst = order === 'the newer one first';
    const first = await putBack(isNewerFirst ? newer : older);
    expect(first).toMatchObject(
      isNewerFirst ? { restored: 2, changedLater: 0 } : { restored: 0, changedLater: 1 },
    );
    if (isNewerFirst) expect(await readState()).toEqual(between);
    expect(await putBack(isNewerFirst ? older : newer)).toMatchObject({ changedLater: 0 });
    expect(await readState()).toEqual(before);
    // What was right in a wrong file counts once the right one says it.
    await importRows(['V1,7,1,rejected,2026-10-01,2026-10-10,']);
    expect((await readState()).pages.map(([id, status]) => `${id} ${status}`)).toEqual([
      'V1 rejected',
      'V2 sent',
    ]);
  },
);

test('a ballot that two wrong files had, and none before, is not there once both are put back', async () => {
  await importRows(['V2,7,1,sent,2026-10-01,,']);
  const before = await readState();
  const older = await importRows(['V1,7,1,sent,2026-10-01,,']);
  const newer = await importRows(['V1,7,1,rejected,2026-10-01,2026-10-10,']);
  await putBack(older);
  await putBack(newer);
  expect(await readState()).toEqual(before);
  await importRows(['V1,7,1,sent,2026-10-01,,']);
  expect((await readState()).pages.map(([id, status]) => `${id} ${status}`)).toEqual([
    'V1 sent',
    'V2 sent',
  ]);
});

test('a later mailing that only the wrong file had hides none of the right ones', async () => {
  const first = ['V1,7,1,sent,2026-10-01,,'];
  const right = ['V1,7,1,sent,2026-10-05,,', 'V1,7,1,sent,2026-10-08,,'];
  await importRows(first);
  await putBack(await importRows(['V1,7,1,sent,2026-10-15,,']));
  await importRows(right);
  const corrected = await readState();
  await office.close();
  await openOffice();
  await importRows(first);
  await importRows(right);
  expect(corrected).toEqual(await readState());
});

test('the right file then gives the end that it would have given without the wrong one', async () => {
  const row = fc
    .record({
      id: fc.constantFrom(...people),
      number: fc.constantFrom('1', '2'),
      status: fc.constantFrom('sent', 'returned', 'accepted', 'rejected', 'undeliverable'),
      day: fc.integer({ min: 1, max: 18 }),
    })
    .map(({ id, number, status, day }) => {
      const on = `2026-10-${String(day).padStart(2, '0')}`;
      const isBack = status !== 'sent' && status !== 'undeliverable';
      return `${id},7,${number},${status},2026-10-01,${isBack ? on : ''},${status === 'accepted' ? on : ''}`;
    });
  const file = fc.uniqueArray(row, {
    minLength: 1,
    maxLength: 6,
    selector: (text) => text.split(',').slice(0, 3).join(),
  });
  await fc.assert(
    fc.asyncProperty(file, file, file, async (first, wrong, right) => {
      await sql`alter table ballot_events disable trigger user`.execute(office.db.database.system);
      await sql`alter table withdrawn_imports disable trigger user`.execute(
        office.db.database.system,
      );
      const clear = async () => {
        for (const table of ['ballot_events', 'ballots', 'replaced_ballots', 'withdrawn_imports'])
          await sql`delete from ${sql.table(table)}`.execute(office.db.database.system);
      };
      await clear();
      await importRows(first);
      const before = await readState();
      const wrongImport = await importRows(wrong);
      await putBack(wrongImport);
      expect(await readState()).toEqual(before);
      await importRows(right);
      const after = await readState();
      await clear();
      await importRows(first);
      await importRows(right);
      expect(after).toEqual(await readState());
    }),
    { numRuns: runs(10) },
  );
});
