import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../testing/office.ts';
import { sql } from '../../../../testing/sql.ts';
import type { ImportId } from '../../platform/ids.ts';
import {
  findWaitingImport,
  type ImportRequest,
  markCorrected,
  putBackImport,
} from '../imports/index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-10-20T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  await office.import(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\nV1,Ann,Lee,01/02/1950,99301',
  );
  await importRow('sent,2026-10-01,');
});
afterEach(() => office.close());

async function load(format: string, text: string, more: Partial<ImportRequest> = {}) {
  office.clock.advance(60_000);
  const { importId, state } = await office.import(format, text, more);
  if (importId === null) throw new Error(`The file is ${state}.`);
  return importId;
}

const fileOf = (row: string) => `registration_id,election,status,sent_on,returned_on\nV1,7,${row}`;
const importRow = (row: string, more: Partial<ImportRequest> = {}) =>
  load('beacon-ballots', fileOf(row), more);

/** A file of another program of the office. */
const importOther = (row: string) =>
  load(
    'voter-focus-ballots',
    `ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription\n7,V1,${row},,`,
  );

/** A file waits, another program's file is loaded meanwhile, and then the first is approved. */
async function approveAfterOther(waiting: string, other: string) {
  const askedReason = { code: 'asked', detail: 'Please look at it.' };
  const first = await importRow(waiting, { askedReason });
  const second = await importOther(other);
  const released = await findWaitingImport(office.db.database.system, first);
  if (released === null) throw new Error('It does not wait.');
  await importRow(waiting, { released });
  return { first, second };
}

const putBack = (importId: ImportId) =>
  office.db.database.transaction(async (tx) => {
    await markCorrected(tx, importId, office.clock.now());
    return putBackImport(tx, importId, office.clock.now());
  });

async function readStatus() {
  const { rows } = await sql<{ status: string; record: string }>`
    select current_status as status, split_part(office_record, E'\x1f', 2) as record from ballots`.execute(
    office.db.database.system,
  );
  return rows[0];
}

test('what an approved file said is put back although another file came while it waited', async () => {
  const row = 'accepted,2026-10-01,2026-10-12';
  const { first } = await approveAfterOther(row, 'Outbound,10/01/2026,');
  expect(await putBack(first)).toMatchObject({ restored: 1, changedLater: 0 });
  expect(await readStatus()).toEqual({ status: 'sent', record: 'Outbound' });
  await importRow(row);
  expect(await readStatus()).toEqual({ status: 'accepted', record: 'accepted' });
});

test('what an approved file said stays although a file that came while it waited is put back', async () => {
  const { second } = await approveAfterOther(
    'accepted,2026-10-01,2026-10-12',
    'Outbound,10/01/2026,',
  );
  expect(await putBack(second)).toMatchObject({ restored: 0, changedLater: 1 });
  expect(await readStatus()).toEqual({ status: 'accepted', record: 'accepted' });
});

test('what stood between two wrong files stays, whichever numbers they have', async () => {
  const wrong = await importRow('returned,2026-10-01,2026-10-09');
  const { first } = await approveAfterOther(
    'accepted,2026-10-01,2026-10-12',
    'Outbound,10/01/2026,',
  );
  // Its row has changed since, so this leaves it as it is.
  await putBack(wrong);
  await putBack(first);
  expect(await readStatus()).toEqual({ status: 'sent', record: 'Outbound' });
});
