import { sql } from 'kysely';
import type { ImportId } from '../../../platform/ids.ts';
import type { Db, Tx } from '../../../platform/postgres.ts';
import type { AccountId } from '../../accounts/index.ts';
import { readFormat } from '../formats/format.ts';
import type { Day } from '../read/dates.ts';
import type { WaitingFile } from './report.ts';

/** A file that waits until a second person approves it; nothing of it is loaded. */
export interface WaitingImport {
  readonly importId: ImportId;
  readonly accountId: AccountId;
  readonly subdomain: string;
  readonly fileName: string;
  readonly operator: string;
  readonly sha256: Buffer;
  readonly heldFile: WaitingFile;
}

/** @returns null when there is no such import, or its file does not wait, or no longer */
export async function findWaitingImport(db: Db, importId: ImportId): Promise<WaitingImport | null> {
  const { rows } = await sql<WaitingImport>`
    select i.import_id as "importId", i.account_id as "accountId", a.subdomain, i.file_name as "fileName",
      i.operator, i.file_sha256 as sha256, i.report->'heldFile' as "heldFile"
    from imports i join accounts a using (account_id)
    where i.import_id = ${importId} and i.state = 'file-held'`.execute(db);
  const [found] = rows;
  if (!found) return null;
  // An earlier version of the product may have stored it, without the keys that formats have now.
  const read = readFormat(found.heldFile.format);
  return read.ok ? { ...found, heldFile: { ...found.heldFile, format: read.format } } : found;
}

/**
 * A newer file takes the place of the waiting ones of its format. @param of.except stays
 * @param of.fileDay the day that it is of, where that is known: a waiting file of a later day stays, too
 * @param of.elections numbers of those of its ballots, where they are known: a waiting file of other elections alone stays, too
 */
export async function discardWaiting(
  tx: Tx,
  accountId: AccountId,
  of: {
    readonly format: string;
    readonly except: ImportId;
    readonly fileDay: Day | null;
    readonly elections: readonly string[];
  },
): Promise<void> {
  const theirs = sql`report->'learned'->'elections'`;
  const areOthers = sql`jsonb_array_length(${theirs}) > 0 and not ${theirs} ?| ${[...of.elections]}::text[]`;
  const because = `It waited for approval until a newer file came: import ${of.except}.`;
  await sql`
    update imports set ${discarded(because)}
    where account_id = ${accountId} and format = ${of.format} and state = 'file-held'
      and import_id <> ${of.except} and not coalesce((report->>'fileDay')::date > ${of.fileDay}::date, false)
      and not (${of.elections.length > 0} and coalesce(${areOthers}, false))`.execute(tx);
}

/** A person found a waiting file wrong, and it is never loaded. */
export async function discardOne(tx: Tx, importId: ImportId, because: string): Promise<void> {
  await sql`update imports set ${discarded(because)} where import_id = ${importId}`.execute(tx);
}

/**
 * Discards the files of all accounts that have waited since before this moment, and deletes what imports before it could be
 * put back from; the audit has each discarded file. One function of the database, for which the worker's login needs no
 * right to these rows.
 *
 * @param days for the reason: how long a file waits
 * @returns how many files and rows
 */
export async function expireImports(
  db: Db,
  before: Date,
  days: number,
): Promise<{ waiting: number; replaced: number }> {
  const { rows } = await sql<{ waiting: number; replaced: number }>`
    select waiting, replaced from expire_imports(${before}, ${days})`.execute(db);
  return rows[0] ?? { waiting: 0, replaced: 0 };
}

function discarded(because: string) {
  return sql`state = 'discarded',
    report = report - 'heldFile' || jsonb_build_object('discardedBecause', ${because}::text)`;
}

/** SHA-256 of the account's waiting files. */
export async function listWaiting(db: Db, accountId: AccountId): Promise<Buffer[]> {
  const { rows } = await sql<{ sha256: Buffer }>`select file_sha256 as sha256 from imports
    where account_id = ${accountId} and state = 'file-held'`.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

/** SHA-256 of the waiting files of all accounts. */
export async function listAllWaiting(db: Db): Promise<Buffer[]> {
  const { rows } = await sql<{ sha256: Buffer }>`
    -- sequential scan: once a night
    select file_sha256 as sha256 from imports where state = 'file-held'`.execute(db);
  return rows.map(({ sha256 }) => sha256);
}
