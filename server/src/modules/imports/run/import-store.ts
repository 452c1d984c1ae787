import { sql } from 'kysely';
import type { ImportId } from '../../../platform/ids.ts';
import { isInEffect, newestNumbers } from '../../../platform/import-state-store.ts';
import type { Db, Tx } from '../../../platform/postgres.ts';
import type { AccountId } from '../../accounts/index.ts';
import type { EarlierFile, GoneBallot } from '../kinds/kind.ts';
import type { ImportReport } from './report.ts';

/** What became of a file; each is explained where the database checks it (migration 0016). */
export type ImportState =
  | 'done'
  | 'nothing-new'
  | 'file-held'
  | 'messages-held'
  | 'released'
  | 'corrected'
  | 'discarded'
  | 'refused';

/** States of files of which nothing was ever loaded. */
const notLoaded = sql`('refused', 'file-held', 'discarded')`;

/** Another import of the account takes longer than this one would wait. Nothing was read or changed. */
export class OtherImportRunning extends Error {
  override readonly name = 'OtherImportRunning';
}

/**
 * Keeps the account's next import waiting for this one, and lets a dead importer's statement end with it.
 * @param patienceMs how long it waits for the one before it; without end where it is not given
 * @throws {OtherImportRunning}
 */
export async function beginImport(
  tx: Tx,
  accountId: AccountId,
  patienceMs?: number,
): Promise<void> {
  await sql`set local client_connection_check_interval = '1s'`.execute(tx);
  await sql`set local work_mem = '256MB'`.execute(tx);
  // Temporary tables have no statistics to choose nested loops by; every join here is over a whole file.
  await sql`set local enable_nestloop = off`.execute(tx);
  await sql`set local jit = off`.execute(tx);
  const mayEnd = patienceMs !== undefined;
  if (mayEnd) await sql`set local lock_timeout = ${sql.lit(Math.ceil(patienceMs))}`.execute(tx);
  await takeTurn(tx, accountId).catch((error: Error & { code?: unknown }) => {
    const lockNotAvailable = '55P03';
    if (error.code !== lockNotAvailable) throw error;
    throw new OtherImportRunning('Another import of the account is under way.', { cause: error });
  });
  if (mayEnd) await sql`set local lock_timeout = 0`.execute(tx);
}

/** Waits for the account's import that is under way, and keeps the next one waiting. */
export async function takeTurn(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('import'), ${accountId})`.execute(tx);
}

/** Takes the turn of an import for this transaction unless another has it. */
export async function tryBeginImport(tx: Tx, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ is_ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('import'), ${accountId}) as is_ours`.execute(tx);
  return rows[0]?.is_ours === true;
}

/** Whether another import of the account is under way, which {@link beginImport} would wait for. */
export async function isImporting(db: Db, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`select exists (select from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database()) and classid = (hashtext('import')::bigint & 4294967295)::oid
      and objid = ${accountId}::oid) as is_locked`.execute(db);
  return rows[0]?.is_locked === true;
}

export interface ImportRecord {
  readonly accountId: AccountId;
  readonly format: string;
  readonly fileName: string;
  readonly operator: string;
  readonly startedAt: Date;
}

/** Records the import before its rows, which name it; {@link closeImport} records how it ended. */
export async function recordImport(tx: Tx, record: ImportRecord): Promise<ImportId> {
  const { accountId, format, fileName, operator, startedAt } = record;
  const { rows } = await sql<{ import_id: ImportId }>`
    insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at,
      finished_at, rows_read, rows_refused, report)
    values (${accountId}, ${format}, ${fileName}, '', 'done', ${operator}, ${startedAt}, ${startedAt}, 0, 0, '{}')
    returning import_id`.execute(tx);
  const importId = rows[0]?.import_id;
  if (importId === undefined) throw new Error('An import could not be recorded.');
  return importId;
}

export async function closeImport(
  tx: Tx,
  importId: ImportId,
  outcome: {
    readonly state: ImportState;
    readonly fileSha256: Buffer;
    readonly finishedAt: Date;
    readonly report: ImportReport;
  },
): Promise<void> {
  const { state, fileSha256, finishedAt, report } = outcome;
  await sql`
    update imports set state = ${state}, file_sha256 = ${fileSha256}, finished_at = ${finishedAt},
      rows_read = ${report.rows.read}, rows_refused = ${report.rows.refused}, report = ${JSON.stringify(report)}
    where import_id = ${importId}`.execute(tx);
}

/** A person released the messages of a loaded import. */
export async function markReleased(tx: Db, importId: ImportId): Promise<void> {
  await sql`update imports set state = 'released' where import_id = ${importId}`.execute(tx);
}

/** A person found a loaded import wrong. */
export async function markCorrected(tx: Db, importId: ImportId, now: Date): Promise<void> {
  await sql`
    update imports set state = 'corrected', report = report || jsonb_build_object('correctedAt', ${now}::timestamptz)
    where import_id = ${importId}`.execute(tx);
}

/** @returns undefined when there is no such import */
export async function findImportState(
  db: Db,
  importId: ImportId,
): Promise<ImportState | undefined> {
  const { rows } = await sql<{ state: ImportState }>`
    select state from imports where import_id = ${importId}`.execute(db);
  return rows[0]?.state;
}

/** What an import's file contains, by the word of stored reports; undefined when there is no such import. */
export async function findImportKind(
  db: Db,
  importId: ImportId,
): Promise<{ accountId: AccountId; holds: ImportReport['holds'] } | undefined> {
  const { rows } = await sql<{ accountId: AccountId; holds: ImportReport['holds'] }>`
    select account_id as "accountId", report->>'holds' as "holds" from imports
    where import_id = ${importId}`.execute(db);
  return rows[0];
}

/** The file of a format that was loaded last, even if it was found wrong later, and even if it had no rows. */
export async function findLastImport(
  tx: Tx,
  accountId: AccountId,
  format: string,
): Promise<LastImport | undefined> {
  const { rows } = await sql<LastImport>`
    select import_id as "importId", file_sha256 as "fileSha256", report from (
      select * from imports where account_id = ${accountId} and format = ${format} and state not in ${notLoaded}
        and (rows_read > 0 or report ? 'learned')
      order by import_id desc limit ${newestNumbers}
    ) newest order by finished_at desc, import_id desc limit 1`.execute(tx);
  return rows[0];
}

export interface LastImport {
  readonly importId: ImportId;
  readonly fileSha256: Buffer;
  readonly report: ImportReport;
}

/** Whether an import, or any since it, was corrected: what its file said may have been put back with that. */
export async function isUndone(tx: Tx, importId: ImportId): Promise<boolean> {
  const { rows } = await sql`
    select from imports i join imports c on c.account_id = i.account_id and c.state = 'corrected'
      and (c.import_id = i.import_id or (c.report->>'correctedAt')::timestamptz >= i.finished_at)
    where i.import_id = ${importId} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Whether a file of another format has changed the same since: voters, ballots or envelopes, of which each format's last word counts. */
export async function isOverwritten(tx: Tx, importId: ImportId): Promise<boolean> {
  const { rows } = await sql`
    select from imports i join (select * from imports where ${isInEffect}) o on o.account_id = i.account_id
      and o.format <> i.format and o.report->>'holds' = i.report->>'holds'
      and (o.finished_at, o.import_id) > (i.finished_at, i.import_id)
      and (o.report->'rows'->>'added')::bigint + (o.report->'rows'->>'changed')::bigint > 0
    where i.import_id = ${importId} limit 1`.execute(tx);
  return rows.length > 0;
}

/** A list of open cases that was loaded. */
export interface LastList extends Pick<EarlierFile, 'importId' | 'fileDay'> {
  /** Cases that it lacked, and that are not accepted yet. */
  readonly gone: readonly GoneBallot[];
  readonly rows: number;
  /** Numbers of the elections of its rows. */
  readonly elections: readonly string[];
}

/** The last list of open cases of this format, also one without rows; null where none is loaded. */
export async function readLastList(
  tx: Tx,
  accountId: AccountId,
  format: string,
): Promise<LastList | null> {
  const { rows } = await sql<LastList>`
    select import_id as "importId", report->>'fileDay' as "fileDay",
      report->'learned'->'leaving'->'gone' as gone, report->'learned'->'elections' as elections,
      rows_read - coalesce((report->'rows'->>'passedOver')::bigint, 0) as rows from imports
    where account_id = ${accountId} and format = ${format} and ${isInEffect}
      and report->'learned'->'leaving' ? 'gone'
    order by finished_at desc, import_id desc limit 1`.execute(tx);
  return rows[0] ?? null;
}

/** As many of a format's files as the gate learns from: a season of daily files. */
const learnedFiles = 60;

/** This format's last loaded files, the last one first. */
export async function listEarlierFiles(
  tx: Tx,
  accountId: AccountId,
  of: { readonly format: string; readonly before: ImportId },
): Promise<EarlierFile[]> {
  const { rows } = await sql<EarlierFile>`
    select import_id as "importId", file_sha256 as sha256,
      rows_read - coalesce((report->'rows'->>'passedOver')::bigint, 0) as rows, report ? 'releasedBy' as "isReleased",
      (select coalesce(sum((one->>'count')::bigint), 0) from jsonb_array_elements(report->'unknownStatuses') one)::bigint
        as "unknownStatuses", report->>'fileDay' as "fileDay", (report->>'endsInLine')::boolean as "endsInLine",
      report->'learned' as learned
    from imports where account_id = ${accountId} and format = ${of.format} and import_id <> ${of.before} and rows_read > 0
      and ${isInEffect}
    order by finished_at desc, import_id desc limit ${learnedFiles}`.execute(tx);
  return rows;
}

export interface ListedImport {
  readonly importId: ImportId;
  readonly format: string;
  readonly fileName: string;
  readonly state: ImportState;
  readonly operator: string;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly rowsRead: number;
  readonly rowsRefused: number;
  readonly report: ImportReport;
}

/** Newest first. @param isOfFiles without what was pushed */
export async function listImports(
  db: Db,
  accountId: AccountId,
  limit: number,
  isOfFiles = false,
): Promise<ListedImport[]> {
  const { rows } = await sql<ListedImport>`
    select import_id as "importId", format, file_name as "fileName", state, operator,
      started_at as "startedAt", finished_at as "finishedAt", rows_read as "rowsRead",
      rows_refused as "rowsRefused", report
    from imports where account_id = ${accountId} and not (${isOfFiles} and ${isFoldedPush})
    order by import_id desc limit ${limit}`.execute(db);
  return rows;
}

/** What the Postal Service pushed on one day without anything to look at. */
export interface PushedDay {
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly day: string;
  readonly format: string;
  readonly pushes: number;
  /** The last of them. */
  readonly importId: ImportId;
  readonly finishedAt: Date;
  readonly rowsRead: number;
  readonly rowsRefused: number;
}

/** The file name of an import that was pushed. */
export const pushName = 'push';

/** A push that was refused or whose messages wait is listed by itself. */
export const isFoldedPush = sql`file_name = ${pushName} and operator = 'system' and state in ('done', 'nothing-new')`;

/** Newest first. @param timeZone the account's */
export async function listPushedDays(
  db: Db,
  accountId: AccountId,
  timeZone: string,
  limit: number,
): Promise<PushedDay[]> {
  const { rows } = await sql<PushedDay>`
    select (finished_at at time zone ${timeZone})::date as day, format, count(*) as pushes,
      max(import_id) as "importId", max(finished_at) as "finishedAt",
      sum(rows_read)::bigint as "rowsRead", sum(rows_refused)::bigint as "rowsRefused"
    from imports where account_id = ${accountId} and ${isFoldedPush}
    group by 1, 2 order by max(import_id) desc limit ${limit}`.execute(db);
  return rows;
}
