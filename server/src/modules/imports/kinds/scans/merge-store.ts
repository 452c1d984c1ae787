import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  defineTempTable,
  fillTempTable,
} from '../../../../platform/temp-tables.ts';
import { derivedStatuses, stands } from '../../../ballots/index.ts';
import {
  addScans,
  analyzeScans,
  scanDetails,
  scanKey,
  supplementScans,
} from '../../../mail-pieces/index.ts';
import type { Applied, Counts, KindTask, Staged } from '../kind.ts';
import { addScanEvents, touchedCodes } from './events-store.ts';
import { stagedScans } from './rows.ts';

const { line: _, ...scanColumns } = stagedScans.columns;

/** Each scan once that is not known, or of which more is known now; with its `scan_id` if it is known. */
export const newScans = defineTempTable('new_scans', {
  scan_id: 'bigint',
  ...scanColumns,
  /** The mail phase that was known. */
  was_phase: 'text',
  /** It was known by an import alone that was put back. */
  is_adopted: 'boolean',
});

export interface ScanSize {
  /** `YYYY-MM-DD` by the facilities' clocks: the day of the newest scan that was not known; null for none. */
  readonly newestDay: string | null;
  /** The account had no scans before. */
  readonly isLoaded: boolean;
}

/**
 * Keeps the staged scans, those of no known piece too, and adds the events they prove. The same scan comes by
 * push, in a pulled file, and again: it is one, with all that any report of it said. Those that say nothing new change
 * nothing.
 */
export async function mergeScans(
  tx: Tx,
  { account, importId, today, findings }: KindTask,
  { rows: staged, isLoaded }: Staged,
): Promise<Applied<ScanSize>> {
  const { accountId, timeZone } = account;
  const of = { accountId, importId };
  // A push is of few scans among millions, a file pulled again of as many as are known: their statistics say which.
  await sql`set local enable_nestloop = on`.execute(tx);
  const { added, changed } = isLoaded ? { added: staged, changed: 0 } : await keepNew(tx, of);
  if (isLoaded) await analyzeScans(tx);
  const ofAccount = sql`(select tracking_code from mail_scans where account_id = ${sql.lit(Number(accountId))})`;
  const codes = isLoaded ? ofAccount : sql`${newScans}`;
  await fillTempTable(tx, touchedCodes, sql`select distinct tracking_code from ${codes} s`);
  const newestDay = await findNewestDay(
    tx,
    isLoaded ? sql`mail_scans where account_id = ${sql.lit(Number(accountId))}` : sql`${newScans}`,
  );
  const events = await addScanEvents(tx, { ...of, timeZone, today });
  const unmatched = await countUnmatched(tx, accountId, isLoaded ? ofAccount : sql`${stagedScans}`);
  if (unmatched > 0)
    findings.warnings.add(
      'the barcode is in no mail-piece file yet: the scan is kept, and shown once a file names it',
      unmatched,
    );
  return {
    added,
    changed,
    unchanged: staged - added - changed,
    refused: 0,
    superseded: 0,
    events,
    ...(await countMoved(tx)),
    refusedRows: null,
    size: { newestDay, isLoaded },
  };
}

/** Adds the staged scans that are not known to those kept, and what they add to what is known of the others. */
async function keepNew(
  tx: Tx,
  of: { readonly accountId: AccountId; readonly importId: ImportId },
): Promise<{ added: number; changed: number }> {
  const columns = (names: readonly string[], toSql: (name: string) => string) =>
    sql.raw(names.map(toSql).join(', '));
  const isSame = sql.raw(scanKey.map((name) => `m.${name} = s.${name}`).join(' and '));
  const isFuller = sql.raw(
    `${scanDetails.map((name) => `s.${name} > m.${name}`).join(' or ')}
      or m.expected_delivery_date is null and s.expected_delivery_date is not null`,
  );
  await fillTempTable(
    tx,
    newScans,
    sql`
    with compared as (
      select m.scan_id, s.*, m.mail_phase as was_phase, m.is_adopted,
        row_number() over same > 1 or lead(true, 1, false) over same as is_repeated
      from ${stagedScans} s
      left join (select *, not ${stands(sql`mail_scans.import_id`)} as is_adopted from mail_scans) m
        on m.account_id = ${sql.lit(Number(of.accountId))} and ${isSame}
      where m.scan_id is null or (${isFuller}) or m.is_adopted
      window same as (partition by ${columns(scanKey, (name) => `s.${name}`)} order by s.line)
    )
    select scan_id, ${columns([...scanKey, ...scanDetails], (name) => name)}, was_phase, is_adopted
    from compared where not is_repeated
    union all
    select scan_id, ${columns(scanKey, (name) => name)}, ${columns(scanDetails, (name) => `max(${name})`)}, max(was_phase), bool_or(is_adopted)
    from compared where is_repeated group by scan_id, ${columns(scanKey, (name) => name)}`,
  );
  await analyzeTempTable(tx, newScans);
  const changed = await supplementScans(
    tx,
    of,
    sql`select * from ${newScans} where scan_id is not null`,
  );
  const added = await addScans(tx, of, sql`select * from ${newScans} where scan_id is null`);
  return { added, changed };
}

async function findNewestDay(tx: Tx, scans: RawBuilder<unknown>): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max(scanned_at)::date as day from ${scans}
    -- sequential scan: of the file's own rows, which the import has just read`.execute(tx);
  return rows[0]?.day ?? null;
}

/** Of the ballots that got another status, not of all: counting a county's takes longer than everything else that a push does. */
async function countMoved(tx: Tx): Promise<{ before: Counts; after: Counts }> {
  const { rows } = await sql<{ name: string; before: number; after: number }>`
    select e.number || ' ' || coalesce(m.status, 'requested') as name, count(*) filter (where not m.is_new) as before,
      count(*) filter (where m.is_new) as after
    from (
      select election_id, old_status as status, false as is_new from ${derivedStatuses} where old_status is distinct from new_status
      union all
      select election_id, new_status, true from ${derivedStatuses} where old_status is distinct from new_status
    ) m
    join elections e on e.election_id = m.election_id group by 1 order by 1`.execute(tx);
  return {
    before: Object.fromEntries(rows.map(({ name, before }) => [name, before])),
    after: Object.fromEntries(rows.map(({ name, after }) => [name, after])),
  };
}

/** A mail-piece file that never came, or is of other envelopes, is noticed by its scans. */
async function countUnmatched(
  tx: Tx,
  accountId: AccountId,
  scans: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${scans} s where not exists (
      select from mail_pieces p where p.account_id = ${accountId} and p.tracking_code = s.tracking_code)`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}
