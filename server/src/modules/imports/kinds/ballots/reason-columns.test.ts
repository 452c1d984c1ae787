import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportOutcome } from '../../index.ts';

/** A file says why in two columns: a code, and words. */
let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice(60);
});
afterEach(() => office.close());

/** Four envelopes to fix. @param reasonOf code and words, by voter */
function importList(reasonOf: (voter: number) => readonly string[]): Promise<ImportOutcome> {
  return office.import(
    'beacon-ballots',
    [
      'registration_id,election,status,sent_on,returned_on,reason_code,reason',
      ...range(0, 4).map(
        (n) => `${n},7,rejected-curable,2026-10-05,2026-10-20,${reasonOf(n).join()}`,
      ),
      ...range(4, 60).map((n) => `${n},7,sent,2026-10-05,,,`),
    ].join('\n'),
  );
}
const whole = ['signature-missing', 'Not signed'];

test.each([
  ['words', ['signature-missing', ''], 'reason', 'signature-missing'],
  ['code', ['', 'Not signed'], 'reason code', 'Not signed'],
])('reasons that lose their %s wait: voters read there what to fix', async (_, rest, lost, to) => {
  expect(reasonsOf(await importList(() => whole))).toEqual(['done']);
  const waiting = await importList(() => rest);
  expect(reasonsOf(waiting)).toEqual(['file-held', 'reasons-missing']);
  expect(waiting.report.gate?.[0]).toMatchObject({
    detail: `Election 7: 4 known ballots would have no ${lost} any more. Voters read there what is wrong. Is the column of reasons empty or in another place?`,
    rows: 4,
    examples: expect.arrayContaining([
      { voter: '0', from: 'signature-missing Not signed', to, line: 2 },
    ]),
  });
  // A clerk took two back, and the others still have theirs.
  expect(reasonsOf(await importList((voter) => (voter < 2 ? rest : whole)))).toEqual(['done']);
});

test('of what a row reports at once, the last alone has its word and its reason', async () => {
  await importList(() => whole);
  const { rows } = await sql<{ event: string[] }>`
    select array[e.status, e.raw_status, e.reason_code, e.reason] as event from ballot_events e
    join ballots b using (ballot_id) join voters v using (voter_id)
    where v.registration_id = '0' order by e.event_id`.execute(office.db.database.system);
  expect(rows.map(({ event }) => event)).toEqual([
    ['sent', '', '', ''],
    ['returned', '', '', ''],
    ['rejected-curable', 'rejected-curable', ...whole],
  ]);
});
