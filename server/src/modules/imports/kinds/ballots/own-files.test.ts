import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { findWaitingImport } from '../../index.ts';

/** An office whose system writes one file for each election, as North Carolina's does. */
let office: TestOffice;

beforeEach(async () => {
  office = await openListOffice();
  await office.addElection('8', '2026-12-08');
});
afterEach(() => office.close());

const nextDay = () => office.clock.advance(24 * 3_600_000);

/** A file of an election's ballots, of which so many were accepted. */
function importList(
  election: number,
  ballots: number,
  accepted: number,
  more: Parameters<TestOffice['import']>[2] = {},
) {
  const rows = range(0, ballots).map((voter) =>
    voter < accepted
      ? `${voter},${election},accepted,2026-10-05,2026-10-20`
      : `${voter},${election},sent,2026-10-05,`,
  );
  const header = 'registration_id,election,status,sent_on,returned_on';
  return office.import('beacon-ballots', [header, ...rows, ''].join('\n'), more);
}

async function approve(importId: ImportId | null, ballots: number): Promise<string> {
  const { system } = office.db.database;
  const released = importId && (await findWaitingImport(system, importId));
  return released ? (await importList(8, ballots, 0, { released })).state : 'not waiting';
}

test.each([
  ['smaller', 80],
  ['larger', 280],
])(
  'the files of a %s second election are compared with its own file of the day before',
  async (_, ballots) => {
    expect(reasonsOf(await importList(7, 180, 10))).toEqual(['done']);
    const first = await importList(8, ballots, 0);
    expect(reasonsOf(first)).toContain('other-election');
    expect(await approve(first.importId, ballots)).toBe('released');
    for (const day of [1, 2]) {
      nextDay();
      expect(reasonsOf(await importList(7, 180, 10 + day))).toEqual(['done']);
      expect(reasonsOf(await importList(8, ballots, day))).toEqual(['done']);
    }
    nextDay();
    expect(reasonsOf(await importList(8, ballots / 2, 2))).toContain('file-shrank');
    expect(reasonsOf(await importList(7, 90, 12))).toContain('file-shrank');
  },
);
