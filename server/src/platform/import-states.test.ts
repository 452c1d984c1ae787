import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { pg } from '../../../testing/sql.ts';
import { type Migration, migrate, readMigrations } from './migrations.ts';

let database: TestDatabase;
let client: pg.Client;
let tree: Migration[];

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  tree = await readMigrations();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const migrateTo = (last: string) =>
  migrate(database.url, { migrations: tree.filter(({ name }) => name.slice(0, 4) <= last) });

async function createAccount(): Promise<void> {
  await client.query(`insert into accounts (subdomain, name, county, state, time_zone, settings)
    values ('adams', 'Adams County', 'Adams', 'WA', 'America/Los_Angeles', '{}')`);
}

interface OldImport {
  readonly state: string;
  readonly report?: object;
  /** Columns of its gate. */
  readonly gate?: { readonly released?: true; readonly corrected?: true };
}

/** Writes imports as an earlier version did, each under its name. */
async function writeImports(imports: Readonly<Record<string, OldImport>>): Promise<void> {
  for (const [name, { state, report = {}, gate }] of Object.entries(imports)) {
    const { rows } = await client.query<{ import_id: number }>(
      `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at,
        rows_read, rows_refused, report)
      select account_id, 'beacon-ballots', $1, '', $2, 'operator:tester', now(), now(), 1, 0, $3 from accounts
      returning import_id`,
      [name, state, JSON.stringify(report)],
    );
    if (gate)
      await client.query(
        `insert into import_gates (account_id, import_id, changes, messages, rows_read, reasons, decided_at, released_at,
          corrected_at)
        select account_id, $1, '{}', 1, 1, '[]', now(), case when $2 then now() end, case when $3 then now() end
        from accounts`,
        [rows[0]?.import_id, gate.released === true, gate.corrected === true],
      );
  }
}

async function readStates(): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; state: string }>(
    'select file_name as name, state from imports',
  );
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

test('imports of the first release get the one state that says what became of them', async () => {
  await migrateTo('0006');
  await createAccount();
  await writeImports({
    loaded: { state: 'done' },
    'loaded, its messages passed by themselves': { state: 'done', gate: {} },
    'the same file again': { state: 'done', report: { isRepeat: true } },
    'file approved': { state: 'done', report: { isRepeat: false, releasedBy: 'operator:bea' } },
    'messages approved': { state: 'done', gate: { released: true } },
    'file waits': { state: 'held', report: { heldFile: { election: null } } },
    'messages wait': { state: 'held', gate: {} },
    'messages waited, then corrected': { state: 'held', gate: { corrected: true } },
    'approved, then corrected': { state: 'held', gate: { released: true, corrected: true } },
    refused: { state: 'refused', report: { refusedBecause: 'The file is empty.' } },
    'refused, the same file again': { state: 'refused', report: { isRepeat: true } },
  });
  await migrateTo('0007');
  expect(await readStates()).toEqual({
    loaded: 'done',
    'loaded, its messages passed by themselves': 'done',
    'the same file again': 'nothing-new',
    'file approved': 'released',
    'messages approved': 'released',
    'file waits': 'file-held',
    'messages wait': 'messages-held',
    'messages waited, then corrected': 'corrected',
    'approved, then corrected': 'corrected',
    refused: 'refused',
    'refused, the same file again': 'refused',
  });
  await expect(writeImports({ old: { state: 'held' } })).rejects.toThrow(/imports_state_check/);
});

test('a file whose place a newer one took is discarded, and no longer looks refused', async () => {
  await migrateTo('0015');
  await createAccount();
  const replaced = 'It waited for approval until a newer file came: import 7.';
  await writeImports({
    replaced: { state: 'refused', report: { refusedBecause: replaced, bytes: 12 } },
    refused: { state: 'refused', report: { refusedBecause: 'The file is empty.' } },
    waiting: { state: 'file-held', report: { refusedBecause: null } },
  });
  await migrateTo('0016');
  expect(await readStates()).toEqual({
    replaced: 'discarded',
    refused: 'refused',
    waiting: 'file-held',
  });
  const { rows } = await client.query(`select report from imports where file_name = 'replaced'`);
  expect(rows).toEqual([
    { report: { refusedBecause: null, discardedBecause: replaced, bytes: 12 } },
  ]);
});
