import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import { inOrder, type ListPage, withinPage } from '../../../platform/list-page.ts';
import type { Db } from '../../../platform/postgres.ts';
import { isFoldedPush, type ListedImport } from './import-store.ts';

/** An office's imports, without what was pushed. @param db bound to the account */
export function pageImports(db: Db, page: ListPage, limit: number): Promise<ListedImport[]> {
  const key = sql`import_id`;
  const conditions = [sql`not (${isFoldedPush})`, ...withinPage(key, page)];
  return select(
    db,
    sql`${sql.join(conditions, sql` and `)} order by ${inOrder(key, page)} limit ${limit}`,
  );
}

/** @param db bound to the account @returns undefined when the office has no such import */
export async function findImport(db: Db, importId: ImportId): Promise<ListedImport | undefined> {
  return (await select(db, sql`import_id = ${importId}`))[0];
}

/** Whose import it is, and who imported it. @param system every account's */
export async function findImporter(
  system: Db,
  importId: ImportId,
): Promise<{ readonly accountId: AccountId; readonly operator: string } | undefined> {
  const { rows } = await sql<{ accountId: AccountId; operator: string }>`
    select account_id as "accountId", operator from imports where import_id = ${importId}`.execute(
    system,
  );
  return rows[0];
}

/** How many of an office's files, and of its imports' messages, wait for a second person. @param db bound to the account */
export async function countWaiting(db: Db): Promise<{ files: number; messages: number }> {
  const { rows } = await sql<{ files: number; messages: number }>`
    select count(*) filter (where state = 'file-held') as files,
      count(*) filter (where state = 'messages-held') as messages
    from imports where account_id = current_account_id() and state in ('file-held', 'messages-held')`.execute(
    db,
  );
  return rows[0] ?? { files: 0, messages: 0 };
}

async function select(db: Db, where: RawBuilder<unknown>): Promise<ListedImport[]> {
  const { rows } = await sql<ListedImport>`
    select import_id as "importId", format, file_name as "fileName", state, operator,
      started_at as "startedAt", finished_at as "finishedAt", rows_read as "rowsRead",
      rows_refused as "rowsRefused", report
    from imports where account_id = current_account_id() and ${where}`.execute(db);
  return rows;
}
