import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import type { ImportOutcome } from '../../index.ts';

/** An office sends a list of all ballots, and after it another of the same ballots that knows less of them and more. */
let office: TestOffice;
let cases: string;

beforeEach(async () => {
  office = await openListOffice();
  cases = join(office.folder, 'cases.json');
  const rules = [{ when: { State: 'Open' }, becomes: 'rejected-curable' }];
  const fields = { registration_id: 'Voter', returned_on: 'Received', reason: 'Problem' };
  writeFileSync(
    cases,
    JSON.stringify({
      ...{ name: 'cases', title: 'Open cases', source: 'The office', holds: 'ballots', fields },
      ...{ required: ['Voter', 'State'], missing_rows: 'succeeded' },
      status: { columns: ['State'], rules },
    }),
  );
});
afterEach(() => office.close());

/** So many of the first voters have an envelope to fix. Each asked for the ballot on one of nine days. */
const open = 14;

function importAll(
  newlyAccepted: number,
  reason: readonly string[] = ['S', 'Signature'],
): Promise<ImportOutcome> {
  const rows = range(0, 300).map((voter) => {
    const days = `2026-09-0${1 + (voter % 9)},2026-10-05`;
    if (voter < open) return `${voter},7,rejected-curable,${days},2026-10-20,${reason.join()}`;
    return voter < 100 + newlyAccepted
      ? `${voter},7,accepted,${days},2026-10-20,,`
      : `${voter},7,sent,${days},,,`;
  });
  const header =
    'registration_id,election,status,requested_on,sent_on,returned_on,reason_code,reason';
  return office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
}

function importCases(problem = 'Not signed'): Promise<ImportOutcome> {
  const rows = range(0, open).map((voter) => `${voter},2026-10-20,${problem},Open`);
  return office.import(cases, ['Voter,Received,Problem,State', ...rows, ''].join('\n'), {
    election: '7',
  });
}

const nextDay = () => office.clock.advance(24 * 60 * 60 * 1000);

test('a list of open cases that has never had the days and codes of the office’s list loses none', async () => {
  expect(reasonsOf(await importAll(0))).toEqual(['done']);
  expect(reasonsOf(await importCases())).toEqual(['done']);
  nextDay();
  expect(reasonsOf(await importAll(1))).toEqual(['done']);
  expect(reasonsOf(await importCases('Not signed at all'))).toEqual(['done']);
  // What it has had itself, it may not lose.
  nextDay();
  expect(reasonsOf(await importAll(2))).toEqual(['done']);
  expect(reasonsOf(await importCases(''))).toEqual(['file-held', 'reasons-missing']);
});

test('an office’s list that never says why loses no reasons of its list of open cases', async () => {
  expect(reasonsOf(await importAll(0, ['', '']))).toEqual(['done']);
  expect(reasonsOf(await importCases())).toEqual(['done']);
  nextDay();
  expect(reasonsOf(await importAll(1, ['', '']))).toEqual(['done']);
});

test('a state’s list of days alone loses no words of the office’s list', async () => {
  const importDays = (last: number) => {
    const rows = range(0, last).map(
      (voter) => `${voter}|Adams|${voter < 100 ? '10/20/2026' : ''}||`,
    );
    const header = 'VOTER_ID|COUNTY|MAIL_BALLOT_RECEIVE_DATE|IN_PERSON_VOTE_DATE|VOTED_PARTY';
    return office.import('co-ce-068', [header, ...rows, ''].join('\n'), { election: '7' });
  };
  const importOwn = (last: number) => {
    const rows = range(0, last).map(
      (voter) => `${voter},7,${voter < 100 ? 'returned' : 'sent'},2026-10-05`,
    );
    return office.import(
      'beacon-ballots',
      ['registration_id,election,status,sent_on', ...rows, ''].join('\n'),
    );
  };
  expect(reasonsOf(await importOwn(280))).toEqual(['done']);
  expect(reasonsOf(await importDays(280))).toEqual(['done']);
  nextDay();
  expect(reasonsOf(await importOwn(281))).toEqual(['done']);
  expect(reasonsOf(await importDays(281))).toEqual(['done']);
});
