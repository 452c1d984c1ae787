import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';

/** Of the table's pages in a transaction: a disk or a synchronous standby is kept busy for a moment only. */
const pagesAtOnce = 256;

/** Whether the account's move came to its end; the other cell then had every row. */
export async function hasMoved(db: Db, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ is_moved: boolean }>`
    select has_moved(${accountId}) as is_moved`.execute(db);
  return rows[0]?.is_moved === true;
}

/**
 * Deletes the rows of an account that moved away from one table, from the first page to the last: few tables have an index for it, and nobody
 * adds such rows any more.
 */
export async function deleteRows(db: Db, table: string, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::integer as count`.execute(
    db,
  );
  const pages = rows[0]?.count ?? 0;
  let deleted = 0;
  for (let page = 0; page < pages; page += pagesAtOnce) {
    const { numAffectedRows = 0n } = await sql`
      -- sequential scan: of some pages, once in the life of an office
      delete from ${sql.table(table)} where account_id = ${accountId}
        and ctid >= ${`(${page},0)`}::tid and ctid < ${`(${page + pagesAtOnce},0)`}::tid`.execute(
      db,
    );
    deleted += Number(numAffectedRows);
  }
  return deleted;
}
