import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openListOffice, range, reasonsOf } from '../../../../../../testing/ballot-list.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { findWaitingImport, type WaitingImport } from '../../index.ts';

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
  more: { released?: WaitingImport; name?: string; back?: string } = {},
) {
  const { name = 'ballots.csv', back = '2026-10-20', ...others } = more;
  const rows = range(0, ballots).map((voter) =>
    voter < accepted
      ? `${voter},${election},accepted,2026-10-05,${back}`
      : `${voter},${election},sent,2026-10-05,`,
  );
  const header = 'registration_id,election,status,sent_on,returned_on';
  const bytes = Buffer.from([header, ...rows, ''].join('\n'));
  const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
  return office.import('beacon-ballots', bytes, { file, ...others });
}

async function approve(
  importId: ImportId | null,
  ballots: number,
  accepted = 0,
  { election = 8, ...more }: { election?: number; back?: string } = {},
): Promise<string> {
  const { system } = office.db.database;
  const released = importId && (await findWaitingImport(system, importId));
  if (!released) return 'not waiting';
  return (await importList(election, ballots, accepted, { released, ...more })).state;
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

test('the first file of an election waits on while files of another election come, until a newer one of its own', async () => {
  expect(reasonsOf(await importList(7, 180, 10))).toEqual(['done']);
  const first = await importList(8, 80, 0);
  expect(first.state).toBe('file-held');
  expect(reasonsOf(await importList(7, 180, 11))).toEqual(['done']);
  // The same again, and a file that waits itself.
  expect((await importList(7, 180, 11)).state).toBe('nothing-new');
  expect((await importList(7, 90, 11)).state).toBe('file-held');
  expect(await states()).toEqual(['file-held', 'file-held']);
  const second = await importList(8, 81, 0);
  expect(await states()).toEqual(['discarded', 'file-held', 'file-held']);
  expect(await approve(first.importId, 80)).toBe('not waiting');
  expect(await approve(second.importId, 81)).toBe('released');
});

test('a file of one election is not old because a file of another is of a later day', async () => {
  const named = (name: string) => ({ name });
  await importList(7, 180, 10, named('general-2026-10-25.csv'));
  const first = await importList(8, 80, 10, named('runoff-2026-10-25.csv'));
  expect(await approve(first.importId, 80, 10)).toBe('released');
  expect((await importList(7, 180, 12, named('general-2026-10-27.csv'))).state).toBe('done');
  const next = await importList(8, 80, 12, named('runoff-2026-10-26.csv'));
  expect(reasonsOf(next)).toEqual(['done']);
  const old = await importList(8, 80, 11, named('runoff-2026-10-25.csv'));
  expect(reasonsOf(old)).toEqual(['file-held', 'old-file']);
});

test('a clerk takes back an acceptance of one election though the days of the other are later', async () => {
  await importList(8, 80, 10);
  const second = await importList(7, 180, 10, { back: '2026-10-27' });
  expect(await approve(second.importId, 180, 10, { election: 7, back: '2026-10-27' })).toBe(
    'released',
  );
  expect(reasonsOf(await importList(8, 80, 9))).toEqual(['done']);
});

/** Of the files that were not loaded, in the order in which they came. */
async function states(): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`
    select state from imports where state in ('file-held', 'discarded') order by import_id`.execute(
    office.db.database.system,
  );
  return rows.map(({ state }) => state);
}
