import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import type { ImportOutcome } from '../../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice();
});
afterEach(() => office.close());

const rows = (from: number, to: number, status: string, back = '') =>
  range(from, to).map((voter) => `${voter},7,2026-10-05,${back},${status}`);
const accepted = rows(0, 40, 'accepted', '2026-10-20');
const fileOf = (lines: readonly string[]) =>
  ['registration_id,election,sent_on,returned_on,status', ...lines, ''].join('\n');
const importList = (lines: readonly string[]): Promise<ImportOutcome> =>
  office.import('beacon-ballots', fileOf(lines));
test('envelopes that would be rejected and never came back wait, where those that are back have a day', async () => {
  await importList([...accepted, ...rows(40, 300, 'sent')]);
  const outcome = await importList([
    ...accepted,
    ...rows(40, 44, 'rejected'),
    ...rows(44, 300, 'sent'),
  ]);
  expect(reasonsOf(outcome)).toEqual(['file-held', 'rejected-undated']);
  expect(outcome.report.gate?.[0]).toMatchObject({
    detail:
      'Election 7: 4 of 4 ballots that would be rejected have no day of return; 40 ballots that are back in this file have one. Is the status right, or was it filled in for too many rows?',
    rows: 4,
  });
  expect(outcome.report.gate?.[0]?.examples?.[0]).toEqual({
    ...{ voter: '40', from: 'sent', to: 'rejected, no return day', line: 42 },
  });
});

test('an office that does not date what it rejects is not asked about it each day', async () => {
  const listed = (rejected: number) => [
    ...accepted,
    ...rows(40, 40 + rejected, 'rejected'),
    ...rows(40 + rejected, 300, 'sent'),
  ];
  for (const rejected of [0, 2, 4, 8])
    expect(reasonsOf(await importList(listed(rejected)))).toEqual(['done']);
});
