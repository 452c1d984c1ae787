import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { barcodeOf } from '../../../../testing/mail-pieces.ts';
import { createTestOffice, type TestOffice } from '../../../../testing/office.ts';
import { sql } from '../../../../testing/sql.ts';
import { createLog } from '../../platform/log.ts';
import { createImportsCleanup } from './index.ts';

let office: TestOffice;
let lines: string[];

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-10-01T20:00:00Z');
  lines = [];
});
afterEach(() => office.close());

/** The folder of the account, as every command has it. */
const folder = () => join(office.folder, 'adams');
const files = (within: string) => (existsSync(within) ? readdirSync(within).sort() : []);
const rejects = () => files(folder()).filter((name) => name.endsWith('.rejects.csv'));
const kept = () => files(join(folder(), 'held'));

function importRoll(ids: readonly string[], more: { first?: string; isFull?: boolean } = {}) {
  const { first = 'Ann', isFull = false } = more;
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  const rows = ids.map((id, n) => `${id},${n < 5 ? first : 'Ann'},Lee,01/02/1950,99301`);
  return office.import('beacon-voters', [header, ...rows].join('\n'), {
    rejectsDirectory: folder(),
    isFull,
  });
}
const ids = (count: number) => Array.from({ length: count }, (_, n) => `V${n}`);

const cleanUp = () =>
  createImportsCleanup(
    office.db.database,
    office.clock,
    createLog('info', { write: (line) => lines.push(line) }),
    office.folder,
  )();

async function replacedCount(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select import_id from replaced_voters union all select import_id from replaced_ballots
    union all select import_id from replaced_pieces) r`.execute(office.db.database.system);
  return rows[0]?.count;
}

test('what an import left is deleted when its 30 days are over, and not before', async () => {
  await importRoll(ids(100));
  await office.addElection('7', '2026-11-03');
  const ballots = (status: string) =>
    office.import('beacon-ballots', `registration_id,election,status\nV1,7,${status}`);
  await ballots('requested');
  await ballots('sent');
  const refused = await importRoll([...ids(99), ''], { first: 'Eve' });
  expect(refused).toMatchObject({ state: 'done', report: { rows: { changed: 5, refused: 1 } } });
  const waiting = await importRoll(ids(50), { isFull: true });
  expect(waiting.state).toBe('file-held');
  // Its messages may still be released.
  await sql`update imports set state = 'messages-held' where import_id = ${refused.importId}`.execute(
    office.db.database.system,
  );
  const before = await replacedCount();
  expect([rejects(), kept(), before]).toEqual([[expect.any(String)], [expect.any(String)], 6]);

  office.clock.set('2026-10-31T19:59:59Z');
  await cleanUp();
  expect([rejects().length, kept().length, await replacedCount(), lines]).toEqual([1, 1, 6, []]);

  office.clock.set('2026-10-31T20:00:01Z');
  const long = new Date('2026-10-01T20:00:00Z');
  for (const name of kept()) utimesSync(join(folder(), 'held', name), long, long);
  await cleanUp();
  expect([rejects(), kept(), await replacedCount()]).toEqual([[], [], 0]);
  const { rows } = await sql`select state, report->>'discardedBecause' as because from imports
    where import_id in (${refused.importId}, ${waiting.importId}) order by import_id`.execute(
    office.db.database.system,
  );
  expect(rows).toEqual([
    { state: 'messages-held', because: null },
    { state: 'discarded', because: 'Nobody approved it within 30 days.' },
  ]);
  const audit = await sql`select actor, action, target, details from audit_log
    where action = 'import.expire'`.execute(office.db.database.system);
  expect(audit.rows).toEqual([
    {
      actor: 'system',
      action: 'import.expire',
      target: String(waiting.importId),
      details: { format: 'beacon-voters', days: 30 },
    },
  ]);
  expect(JSON.parse(lines.join(''))).toMatchObject({
    event: 'imports.expired',
    waiting: 1,
    files: 2,
    replaced: 6,
  });
});

test('what a later import left stays until its own 30 days are over', async () => {
  await importRoll(ids(100));
  await office.addElection('7', '2026-11-03');
  const ballots = (...rows: readonly string[]) =>
    office.import('beacon-ballots', ['registration_id,election,status', ...rows].join('\n'));
  await ballots('V1,7,requested', 'V2,7,requested');
  const pieces = (day: string) =>
    office.import(
      'beacon-mailpieces',
      `registration_id,election,outbound_imb,mailed_on\nV1,7,${barcodeOf(1)},2026-10-0${day}`,
    );
  await pieces('5');
  await importRoll(ids(100), { first: 'Eve' });
  await ballots('V1,7,sent', 'V2,7,requested');
  await pieces('6');
  office.clock.set('2026-10-10T20:00:00Z');
  await importRoll(ids(100), { first: 'Ida' });
  await ballots('V1,7,sent', 'V2,7,sent');
  await pieces('7');
  expect(await replacedCount()).toBe(14);

  office.clock.set('2026-10-31T20:00:01Z');
  await cleanUp();
  expect(await replacedCount()).toBe(7);
  office.clock.set('2026-11-09T20:00:01Z');
  await cleanUp();
  expect(await replacedCount()).toBe(0);
});

test('the cleanup spares a copy that is being written, and files that are not of imports', async () => {
  await importRoll(ids(100));
  await importRoll(ids(50), { isFull: true });
  office.clock.set(new Date().toISOString());
  writeFileSync(join(folder(), 'held', `${'0'.repeat(64)}.half`), 'half');
  writeFileSync(join(folder(), 'notes.csv'), 'kept');
  await cleanUp();
  expect(kept()).toContain(`${'0'.repeat(64)}.half`);
  expect(files(folder())).toContain('notes.csv');
});

test('a machine without a worker deletes its old lists of refused rows when it imports', async () => {
  await importRoll([...ids(10), '']);
  expect(rejects()).toHaveLength(1);
  office.clock.set('2026-11-01T20:00:00Z');
  await importRoll(ids(11));
  expect(rejects()).toEqual([]);
});
