import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { ImportRequest } from '../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-10-20T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  await office.import(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,01/02/1950,99301',
  );
});
afterEach(() => office.close());

async function importOf(day: string, row: string, more: Partial<ImportRequest> = {}) {
  const bytes = Buffer.from(`registration_id,election,status,sent_on,returned_on\n1,7,${row}\n`);
  const file = {
    name: `ballots-${day}.csv`,
    size: bytes.length,
    open: () => Readable.from([bytes]),
  };
  return (await office.import('beacon-ballots', '', { file, ...more })).state;
}

const askedReason = { code: 'asked', detail: 'Please look at it.' };
const monday = ['2026-10-12', 'sent,2026-10-05,'] as const;
const tuesday = ['2026-10-13', 'sent,2026-10-06,'] as const;
const wednesday = ['2026-10-14', 'returned,2026-10-05,2026-10-14'] as const;

/** Of the files of ballots, in the order in which they came. */
async function listStates() {
  const { rows } = await sql<{ state: string }>`
    select state from imports where format = 'beacon-ballots' order by import_id`.execute(
    office.db.database.system,
  );
  return rows.map(({ state }) => state);
}

beforeEach(async () => {
  expect(await importOf(...monday)).toBe('done');
  expect(await importOf(...wednesday, { askedReason })).toBe('file-held');
});

test('a file goes on waiting while the same file as before or that of a day between comes', async () => {
  expect(await importOf(...monday)).toBe('nothing-new');
  expect(await importOf(...tuesday)).toBe('done');
  expect(await listStates()).toEqual(['done', 'file-held', 'nothing-new', 'done']);
});

test('a file goes on waiting beside that of a day before, which waits too', async () => {
  expect(await importOf(...tuesday, { askedReason })).toBe('file-held');
  expect(await listStates()).toEqual(['done', 'file-held', 'file-held']);
});

test('a waiting file is discarded for the same file as before of a later day', async () => {
  expect(await importOf('2026-10-15', monday[1])).toBe('nothing-new');
  expect(await listStates()).toEqual(['done', 'discarded', 'nothing-new']);
});

test('a file goes on waiting while an older file comes whose name has no day', async () => {
  expect(await importOf(...tuesday)).toBe('done');
  expect(await importOf('again', monday[1])).toBe('file-held');
  expect(await listStates()).toEqual(['done', 'file-held', 'done', 'file-held']);
});
