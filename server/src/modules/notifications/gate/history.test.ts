import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../testing/database.ts';
import { sql } from '../../../../../testing/sql.ts';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import { readGateHistory } from './store.ts';

let db: TestDatabase;
const offices = new Map<string, AccountId>();
beforeAll(async () => {
  db = await createTestDatabase();
  for (const subdomain of ['adams', 'lake'])
    offices.set(subdomain, await addOffice(db, { subdomain }));
});
afterAll(() => db.drop());
beforeEach(async () => {
  await sql`truncate import_gates`.execute(db.database.system);
});

interface Earlier {
  readonly office?: string;
  readonly kind?: string;
  readonly reasons?: readonly string[];
  readonly isReleased?: boolean;
  readonly isCorrected?: boolean;
}

/** An import that brought so many ballots into a status. */
async function add(accepted: number, earlier: Earlier): Promise<ImportId> {
  const { office = 'adams', kind = 'ballots', reasons = [] } = earlier;
  const accountId = offices.get(office);
  const at = new Date('2026-10-05T15:00:00Z');
  const { rows } = await sql<{ import_id: ImportId }>`
    with i as (
      insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read,
        rows_refused, report)
      values (${accountId}, 'f', 'f', '', 'done', 'o', ${at}, ${at}, 1, 0, jsonb_build_object('holds', ${kind}::text))
      returning import_id
    )
    insert into import_gates (account_id, import_id, changes, messages, rows_read, reasons, decided_at, released_at,
      corrected_at)
    select ${accountId}::integer, import_id, ${JSON.stringify({ accepted })}::jsonb, 1, 1, ${JSON.stringify(reasons)}::jsonb,
      ${at}::timestamptz, ${earlier.isReleased ? at : null}::timestamptz, ${earlier.isCorrected ? at : null}::timestamptz
    from i returning import_id`.execute(db.database.system);
  return rows[0]?.import_id as ImportId;
}

test.each<[string, Earlier, number]>([
  ['went out', {}, 90],
  ['a second person released', { reasons: ['volume'], isReleased: true }, 90],
  ['still waits', { reasons: ['volume'] }, 30],
  ['was corrected', { isCorrected: true }, 30],
  [
    'was released and then corrected',
    { ...{ reasons: ['volume'], isReleased: true }, isCorrected: true },
    30,
  ],
  ['has scans', { kind: 'scans' }, 30],
  ['another office loaded', { office: 'lake' }, 30],
])(
  'after an import of 30, and one of 90 that %s, %j, the most that is usual is %i',
  async (_what, earlier, most) => {
    await add(30, {});
    await add(90, earlier);
    const own = await add(500, {});
    const accountId = offices.get('adams') as AccountId;
    expect(await readGateHistory(db.database.system, accountId, own)).toEqual({ accepted: most });
  },
);
