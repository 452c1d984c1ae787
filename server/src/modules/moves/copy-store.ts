import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { copyInto, copyOut, type Database, type Db, type Tx } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';

/** How many rows each table has of an account. */
export type RowCounts = Readonly<Record<string, number>>;

/** The migrations of a database, which must be those of the other one. */
export async function readSchemaVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select string_agg(name || ' ' || sha256, e'\n' order by name) as version from schema_migrations`.execute(
    db,
  );
  return rows[0]?.version ?? '';
}

/** The number of this cell; null where it was never said. */
export async function readCellNumber(db: Db): Promise<number | null> {
  const { rows } = await sql<{ number: number }>`
    select number from cell
    -- sequential scan: a table of one row`.execute(db);
  return rows[0]?.number ?? null;
}

/** Says which cell this database is, once. @returns whether it is that one now */
export async function saveCellNumber(db: Db, number: number): Promise<boolean> {
  await sql`insert into cell (number) values (${number}) on conflict do nothing`.execute(db);
  await numberByCell(db);
  return (await readCellNumber(db)) === number;
}

/** Also for tables that a newer version added. */
export async function numberByCell(db: Db): Promise<void> {
  await sql`select number_by_cell()`.execute(db);
}

export async function countFilesThatWait(db: Db, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from imports where account_id = ${accountId} and state = 'file-held'`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Keeps imports of the account out, of this transaction's database. */
export async function lockImports(tx: Tx, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('import'), ${accountId}) as is_ours`.execute(tx);
  return rows[0]?.is_ours === true;
}

/** Copies every row of an account, each table as it was at one moment, because nobody can write them any more. */
export async function copyRows(
  from: Database,
  to: Tx,
  tables: readonly string[],
  accountId: AccountId,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const columns = await listColumns(from.system, table);
    const names = columns.map((name) => `"${name}"`);
    counts[table] = await from.transaction(async (tx) => {
      const out = copyOut(
        tx,
        sql`select ${sql.raw(names.join(', '))} from ${sql.table(table)} where account_id = ${sql.lit(accountId)}`,
        'text',
      );
      const into = copyInto(to, table, names);
      await pipeline(out, into);
      return countRows(tx, table, accountId);
    });
    const arrived = await countRows(to, table, accountId);
    if (arrived !== counts[table])
      throw new Error(`Of ${counts[table]} rows of ${table} ${arrived} arrived.`);
  }
  return counts;
}

async function listColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(db);
  return rows.map(({ name }) => name);
}

async function countRows(db: Db, table: string, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    -- sequential scan: once in the life of an office
    select count(*) as count from ${sql.table(table)} where account_id = ${accountId}`.execute(db);
  return rows[0]?.count ?? 0;
}
