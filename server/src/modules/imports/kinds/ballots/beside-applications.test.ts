import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';

/** Applications come in files of their own: they say nothing of which ballots a file of ballots should have. */
let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice();
  await office.addElection('8', '2026-12-08');
});
afterEach(() => office.close());

async function importApplications(election: number, voters: readonly number[]) {
  const rows = voters.map((voter) => `${voter},${election},approved,2026-09-20`);
  const header = 'registration_id,election,application_status,decided_on';
  const outcome = await office.import('beacon-applications', [header, ...rows, ''].join('\n'));
  expect(reasonsOf(outcome)).toEqual(['done']);
}

function importBallots(rows: readonly string[]) {
  const header = 'registration_id,election,status,sent_on,returned_on';
  return office.import('beacon-ballots', [header, ...rows, ''].join('\n'));
}

const sent = (election: number, voters: readonly number[], day: string) =>
  voters.map((voter) => `${voter},${election},sent,${day},`);

test('a list that names another election by mistake waits, also where applications for that one have come', async () => {
  await importBallots(sent(7, range(0, 100), '2026-10-05'));
  await importApplications(8, range(200, 210));
  const outcome = await importBallots(sent(8, range(100, 200), '2026-10-27'));
  expect(reasonsOf(outcome)).toEqual(['file-held', 'other-election']);
});

test('an envelope that is back in one election and begins another waits, also where applications for that one have come', async () => {
  await importBallots([
    ...sent(7, range(0, 20), '2026-10-05'),
    '20,7,returned,2026-10-05,2026-10-20',
  ]);
  await importApplications(8, range(200, 210));
  const outcome = await importBallots([
    ...sent(7, range(0, 20), '2026-10-05'),
    ...sent(8, range(100, 109), '2026-10-27'),
    '20,8,returned,2026-10-05,2026-10-20',
  ]);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'moved-election']);
});

test('a list that lacks ballots shows these, and no applications', async () => {
  await importApplications(7, range(0, 50));
  await importBallots(sent(7, range(50, 300), '2026-10-05'));
  const { report } = await importBallots(sent(7, range(150, 300), '2026-10-05'));
  const shown = report.gate?.map(({ code, rows, examples }) => ({
    ...{ code, rows },
    voters: examples?.map(({ voter }) => voter),
  }));
  expect(shown).toEqual([
    { code: 'file-shrank', rows: 100, voters: ['50', '51', '52', '53', '54'] },
  ]);
});

test('a first list of ballots without days of return does not wait, also where applications have come', async () => {
  await importApplications(7, range(0, 50));
  const accepted = range(0, 60).map(
    (voter) => `${voter},7,accepted,2026-10-05,${voter < 50 ? '2026-10-20' : ''}`,
  );
  const outcome = await importBallots(accepted);
  expect(reasonsOf(outcome)).toEqual(['done']);
});
