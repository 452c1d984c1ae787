import type { Writable } from 'node:stream';
import { sql } from 'kysely';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Db } from '../../../platform/postgres.ts';
import type { AccountId } from '../../accounts/index.ts';
import type { HeldFile, ImportReport } from './report.ts';
import type { TakenSize } from './shrink.ts';

/** The connection of an import's one transaction. */
export type Connection = pg.PoolClient;
export type ImportId = number & { readonly brand: 'ImportId' };
export type ImportState = 'done' | 'refused' | 'held';

/** Another import of the account takes longer than this one would wait. Nothing was read or changed. */
export class OtherImportRunning extends Error {
  override readonly name = 'OtherImportRunning';
}

/**
 * Makes the account's next import wait for this one, and lets a dead importer's statement end with it.
 * @param patienceMs how long it waits for the one before it; without end where it is not given
 * @throws {OtherImportRunning}
 */
export async function beginImport(
  connection: Connection,
  accountId: AccountId,
  patienceMs?: number,
): Promise<void> {
  await connection.query(`set local client_connection_check_interval = '1s'`);
  await connection.query(`set local work_mem = '256MB'`);
  // Temporary tables have no statistics to choose nested loops by; every join here is over a whole file.
  await connection.query('set local enable_nestloop = off');
  await connection.query('set local jit = off');
  const mayEnd = patienceMs !== undefined;
  if (mayEnd) await connection.query(`set local lock_timeout = ${Math.ceil(patienceMs)}`);
  await connection
    .query('select pg_advisory_xact_lock(hashtext($1), $2)', ['import', accountId])
    .catch((error: Error & { code?: unknown }) => {
      const lockNotAvailable = '55P03';
      if (error.code !== lockNotAvailable) throw error;
      throw new OtherImportRunning('Another import of the account is under way.', { cause: error });
    });
  if (mayEnd) await connection.query('set local lock_timeout = 0');
}

/** Takes the turn of an import for this transaction unless another has it. */
export async function tryBeginImport(
  connection: Connection,
  accountId: AccountId,
): Promise<boolean> {
  const { rows } = await connection.query<{ is_ours: boolean }>(
    'select pg_try_advisory_xact_lock(hashtext($1), $2) as is_ours',
    ['import', accountId],
  );
  return rows[0]?.is_ours === true;
}

/** Whether another import of the account is under way, which {@link beginImport} would wait for. */
export async function isImporting(db: Db, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select exists (select from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database()) and classid = (hashtext('import')::bigint & 4294967295)::oid
      and objid = ${accountId}::oid) as held`.execute(db);
  return rows[0]?.held === true;
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** Makes the staging table, and the stream that fills it from the rows of PostgreSQL's COPY text format. */
export async function openStaging(
  connection: Connection,
  columns: readonly Column[],
): Promise<Writable> {
  const all = [{ name: 'line', type: 'bigint' }, ...columns];
  await connection.query(`create temp table staged (
    ${all.map(({ name, type }) => `${name} ${type}`).join(', ')}) on commit drop`);
  return openCopy(connection, 'staged', all);
}

/** What a first file's rows are kept in, of which nothing has to be compared with anything. */
const homes = {
  voters: { table: 'voters', importColumn: 'last_import_id' },
  scans: { table: 'mail_scans', importColumn: 'import_id' },
} as const;

/** The stream that fills the table in which such rows are kept: each starts with the account and the import. */
export function openHome(
  connection: Connection,
  holds: keyof typeof homes,
  columns: readonly Column[],
): Writable {
  const { table, importColumn } = homes[holds];
  return openCopy(connection, table, [{ name: 'account_id' }, { name: importColumn }, ...columns]);
}

/** The stream that fills columns of a table from the rows of PostgreSQL's COPY text format. */
export function openCopy(
  connection: Connection,
  table: string,
  columns: readonly { readonly name: string }[],
): Writable {
  const names = columns.map(({ name }) => name).join(', ');
  return connection.query(copyFrom(`copy ${table} (${names}) from stdin with (encoding 'UTF8')`));
}

/** @param columns those that joins are on; without them all */
export async function finishStaging(
  connection: Connection,
  columns: readonly string[] = [],
): Promise<void> {
  await connection.query(`analyze staged ${columns.length > 0 ? `(${columns.join(', ')})` : ''}`);
}

const batchSize = 20_000;

/** Reads a query's rows in batches through a cursor, so that memory does not grow with them. */
export async function* readInBatches<Row extends pg.QueryResultRow>(
  connection: Connection,
  query: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Row[]> {
  await connection.query(`declare batches no scroll cursor for ${query}`, [...values]);
  try {
    for (;;) {
      const { rows } = await connection.query<Row>(`fetch ${batchSize} from batches`);
      if (rows.length > 0) yield rows;
      if (rows.length < batchSize) return;
    }
  } finally {
    await connection.query('close batches').catch(() => {});
  }
}

export interface ImportRecord {
  readonly accountId: AccountId;
  readonly format: string;
  readonly fileName: string;
  readonly operator: string;
  readonly startedAt: Date;
}

/** Writes the import down before its rows, which name it; {@link closeImport} says how it went. */
export async function recordImport(
  connection: Connection,
  record: ImportRecord,
): Promise<ImportId> {
  const { accountId, format, fileName, operator, startedAt } = record;
  const { rows } = await connection.query<{ import_id: ImportId }>(
    `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at,
      finished_at, rows_read, rows_refused, report)
    values ($1, $2, $3, '', 'done', $4, $5, $5, 0, 0, '{}') returning import_id`,
    [accountId, format, fileName, operator, startedAt],
  );
  const importId = rows[0]?.import_id;
  if (importId === undefined) throw new Error('An import could not be recorded.');
  return importId;
}

export async function closeImport(
  connection: Connection,
  importId: ImportId,
  outcome: {
    readonly state: ImportState;
    readonly fileSha256: Buffer;
    readonly finishedAt: Date;
    readonly report: ImportReport;
  },
): Promise<void> {
  const { state, fileSha256, finishedAt, report } = outcome;
  await connection.query(
    `update imports set state = $2, file_sha256 = $3, finished_at = $4, rows_read = $5, rows_refused = $6, report = $7
    where import_id = $1`,
    [
      ...[importId, state, fileSha256, finishedAt],
      ...[report.rows.read, report.rows.refused, JSON.stringify(report)],
    ],
  );
}

/** The newest import of voters, or of ballots, that was taken in. */
export async function findLastImport(
  connection: Connection,
  accountId: AccountId,
  holds: ImportReport['holds'],
): Promise<
  { importId: ImportId; finishedAt: Date; fileSha256: Buffer; report: ImportReport } | undefined
> {
  const { rows } = await connection.query<{
    importId: ImportId;
    finishedAt: Date;
    fileSha256: Buffer;
    report: ImportReport;
  }>(
    `select import_id as "importId", finished_at as "finishedAt", file_sha256 as "fileSha256", report
    from imports where account_id = $1 and report->>'holds' = $2 and state <> 'refused'
      and not report ? 'heldFile'
    order by import_id desc limit 1`,
    [accountId, holds],
  );
  return rows[0];
}

/** A file of which nothing is in until somebody else than its operator releases it. */
export interface HeldImport {
  readonly importId: ImportId;
  readonly accountId: AccountId;
  readonly subdomain: string;
  readonly fileName: string;
  readonly operator: string;
  readonly sha256: Buffer;
  readonly heldFile: HeldFile;
}

/** @returns null when there is no such import, or it is no held file, or no longer */
export async function findHeldImport(db: Db, importId: number): Promise<HeldImport | null> {
  const { rows } = await sql<HeldImport>`
    select i.import_id as "importId", i.account_id as "accountId", a.subdomain, i.file_name as "fileName",
      i.operator, i.file_sha256 as sha256, i.report->'heldFile' as "heldFile"
    from imports i join accounts a using (account_id)
    where i.import_id = ${importId} and i.state = 'held' and i.report ? 'heldFile'`.execute(db);
  return rows[0] ?? null;
}

/** A newer file makes the held ones of its kind void. @param except stays */
export async function giveUpHeld(
  connection: Connection,
  accountId: AccountId,
  of: {
    readonly holds: ImportReport['holds'];
    readonly except: ImportId;
    readonly because: string;
  },
): Promise<void> {
  await connection.query(
    `update imports set state = 'refused',
      report = report - 'heldFile' || jsonb_build_object('refusedBecause', $4::text)
    where account_id = $1 and report->>'holds' = $2 and state = 'held' and report ? 'heldFile' and import_id <> $3`,
    [accountId, of.holds, of.except, of.because],
  );
}

/** SHA-256 of the account's held files. */
export async function listHeld(db: Db, accountId: AccountId): Promise<Buffer[]> {
  const { rows } = await sql<{ sha256: Buffer }>`select file_sha256 as sha256 from imports
    where account_id = ${accountId} and state = 'held' and report ? 'heldFile'`.execute(db);
  return rows.map(({ sha256 }) => sha256);
}

/** The sizes of this format's last files that were taken in, newest first. */
export async function listSizes(
  connection: Connection,
  accountId: AccountId,
  of: { readonly format: string; readonly before: ImportId },
): Promise<TakenSize[]> {
  const { rows } = await connection.query<TakenSize>(
    `select rows_read as rows, report ? 'releasedBy' as "isReleased" from imports
    where account_id = $1 and format = $2 and import_id < $3 and rows_read > 0 and state = 'done'
    order by import_id desc limit 10`,
    [accountId, of.format, of.before],
  );
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

/** What the post office pushed on one day and nobody has to look at. */
export interface PushedDay {
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly day: string;
  readonly format: string;
  readonly pushes: number;
  /** The last of them. */
  readonly importId: number;
  readonly finishedAt: Date;
  readonly rowsRead: number;
  readonly rowsRefused: number;
}

/** The name of an import that is no file. */
export const pushName = 'push';

/** One that was refused or held is told by itself. */
const isFoldedPush = sql`file_name = ${pushName} and operator = 'system' and state = 'done'`;

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
