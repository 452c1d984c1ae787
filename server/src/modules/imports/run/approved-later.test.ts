import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { readLastImport } from '../../ballots/index.ts';
import { findWaitingImport, type ImportOutcome, type ImportRequest } from '../index.ts';

/** A list of open cases waits, that of the day before is loaded meanwhile, and then the first is approved. */
let office: TestOffice;
let format: string;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  const voters = ['1', '2', '3', '4'].map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', [header, ...voters, ''].join('\n'));
  format = join(office.folder, 'cases.json');
  const rules = [{ when: { State: 'Open' }, becomes: 'rejected-curable' }];
  writeFileSync(
    format,
    JSON.stringify({
      ...{ name: 'cases', title: 'Open cases', source: 'The office', holds: 'ballots' },
      ...{ required: ['Voter', 'State'], missing_rows: 'succeeded' },
      fields: { registration_id: 'Voter', returned_on: 'Received' },
      status: { columns: ['State'], rules },
    }),
  );
});
afterEach(() => office.close());

function fileOf(name: string, text: string) {
  const bytes = Buffer.from(text);
  return { name: `${name}.csv`, size: bytes.length, open: () => Readable.from([bytes]) };
}

function importList(day: string, voters: string, more: Partial<ImportRequest> = {}) {
  const rows = [...voters].map((voter) => `${voter},2026-10-09,Open`);
  const file = fileOf(`cases-2026-10-${day}`, ['Voter,Received,State', ...rows, ''].join('\n'));
  return office.import(format, '', { file, election: '7', ...more });
}

async function findWaiting({ importId }: ImportOutcome) {
  if (importId === null) throw new Error('It is not on record.');
  const waiting = await findWaitingImport(office.db.database.system, importId);
  if (waiting === null) throw new Error('It does not wait.');
  return waiting;
}

async function approveWednesdayAfterTuesday() {
  office.clock.set('2026-10-12T15:00:00Z');
  expect((await importList('12', '123')).state).toBe('done');
  office.clock.set('2026-10-14T15:00:00Z');
  const askedReason = { code: 'asked', detail: 'Please look at it.' };
  const wednesday = await importList('14', '1234', { askedReason });
  expect(wednesday.state).toBe('file-held');
  office.clock.set('2026-10-14T16:00:00Z');
  expect((await importList('13', '12')).state).toBe('done');
  const released = await findWaiting(wednesday);
  office.clock.set('2026-10-14T17:00:00Z');
  expect((await importList('14', '1234', { released })).state).toBe('released');
}

test('a case that the list approved last has again is not accepted once the next list lacks it', async () => {
  await approveWednesdayAfterTuesday();
  office.clock.set('2026-10-15T15:00:00Z');
  const thursday = await importList('15', '124');
  expect([thursday.state, thursday.report.after]).toEqual(['done', { '7 rejected-curable': 4 }]);
  office.clock.set('2026-10-16T15:00:00Z');
  const friday = await importList('16', '124');
  expect(friday.report.after).toEqual({ '7 accepted': 1, '7 rejected-curable': 3 });
});

test('what the page and its stream call the newest data is the file that was loaded last', async () => {
  await approveWednesdayAfterTuesday();
  const { database } = office.db;
  const newest = await readLastImport(database.forAccount(office.account.accountId));
  expect(newest?.toISOString()).toBe('2026-10-14T17:00:00.000Z');
});

test('a file that would undo the one approved last waits, also where it is the same as the one loaded before that', async () => {
  const importBallot = (day: string, row: string, more: Partial<ImportRequest> = {}) => {
    office.clock.advance(3_600_000);
    const text = `registration_id,election,status,sent_on,returned_on\n1,7,${row}\n`;
    return office.import('beacon-ballots', '', {
      file: fileOf(`ballots-2026-10-${day}`, text),
      ...more,
    });
  };
  office.clock.set('2026-10-14T15:00:00Z');
  const [sent, returned] = ['sent,2026-10-06,', 'returned,2026-10-05,2026-10-14'];
  await importBallot('12', 'sent,2026-10-05,');
  const askedReason = { code: 'asked', detail: 'Please look at it.' };
  const released = await findWaiting(await importBallot('14', returned, { askedReason }));
  expect((await importBallot('13', sent)).state).toBe('done');
  expect((await importBallot('14', returned, { released })).state).toBe('released');
  const { state, report } = await importBallot('14', sent);
  expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['old-file']]);
});
