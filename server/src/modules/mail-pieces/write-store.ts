import type { Writable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId, BallotId, ImportId } from '../../platform/ids.ts';
import { copyIntoGuarded, type Tx } from '../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../platform/temp-tables.ts';

export interface PieceImport {
  readonly accountId: AccountId;
  readonly importId: ImportId;
}

export interface NewPiece {
  readonly tracking_code: string;
  readonly ballot_id: BallotId;
  readonly direction: string | null;
  /** `YYYY-MM-DD` */
  readonly mailed_on: string | null;
}

/** Ties barcodes to ballots, set-wise and in the order of the rows. @returns how many */
export async function addPieces(
  tx: Tx,
  { accountId, importId }: PieceImport,
  rows: RawBuilder<NewPiece>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into mail_pieces (account_id, tracking_code, ballot_id, direction, mailed_on, import_id)
    select ${accountId}, r.tracking_code, r.ballot_id, r.direction, r.mailed_on, ${importId} from (${rows}) r`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

export interface PieceUpdate {
  readonly mail_piece_id: number;
  readonly direction: string | null;
  /** Null keeps the known day. */
  readonly mailed_on: string | null;
  /** The barcode was another ballot's since; now it is this one's again. */
  readonly is_overtaken: boolean;
}

/** Changes pieces, set-wise, and keeps what they were. They stay those of the import that added them. @returns how many */
export async function updatePieces(
  tx: Tx,
  importId: ImportId,
  rows: RawBuilder<PieceUpdate>,
): Promise<number> {
  await sql`
    insert into replaced_pieces (account_id, import_id, ballot_id, tracking_code, direction, mailed_on, replaced_import_id,
      replaced_direction, replaced_mailed_on, replaced_piece_id)
    select p.account_id, ${importId}, p.ballot_id, p.tracking_code, r.direction, r.mailed_on, coalesce(p.changed_by, p.import_id),
      p.direction, p.mailed_on, p.mail_piece_id
    from (${rows}) r join mail_pieces p on p.mail_piece_id = r.mail_piece_id`.execute(tx);
  const { numAffectedRows } = await sql`
    update mail_pieces p set direction = r.direction, mailed_on = coalesce(r.mailed_on, p.mailed_on), changed_by = ${importId}
    from (${rows}) r where p.mail_piece_id = r.mail_piece_id`.execute(tx);
  // A barcode belongs to the piece reported last, which is the one with the highest ID.
  await sql`
    update mail_pieces p set mail_piece_id = default
    from (${rows}) r where p.mail_piece_id = r.mail_piece_id and r.is_overtaken`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** What is left of each piece that an import added or changed, once it counts no longer. */
const restoredPieces = defineTempTable('restored_pieces', {
  was_piece_id: 'bigint',
  ballot_id: 'bigint',
  tracking_code: 'text',
  /** Null where no import is left that has the piece. */
  mail_piece_id: 'bigint',
  direction: 'text',
  mailed_on: 'date',
  /** The last import whose word it is; null where that import added it. */
  changed_by: 'bigint',
});

/**
 * Makes the pieces that an import added or changed as if it had not come, in whatever order imports are put back: what the imports that
 * still count said of a piece is said again, in the order in which they were loaded. A piece that none of them has is removed, so that
 * a ballot that had its barcode before has it again.
 *
 * @param stands SQL of whether an import still counts, as this one does no longer
 * @returns how many were removed
 */
export async function putBackPieces(
  tx: Tx,
  { accountId, importId }: PieceImport,
  stands: (importId: RawBuilder<unknown>) => RawBuilder<boolean>,
): Promise<number> {
  await fillTempTable(
    tx,
    restoredPieces,
    sql`
    with touched as (
      select * from mail_pieces where account_id = ${accountId} and (import_id = ${importId} or changed_by = ${importId})
      union
      select p.* from replaced_pieces r join mail_pieces p using (ballot_id, tracking_code) where r.import_id = ${importId}
    ), changes as (
      select r.*, row_number() over piece as place, lead(r.replaced_piece_id) over piece as next_piece_id
      from touched t join replaced_pieces r using (ballot_id, tracking_code)
      -- A file that waited for approval is loaded later than its number says.
      join imports i on i.import_id = r.import_id
      window piece as (partition by r.ballot_id, r.tracking_code order by i.finished_at, i.import_id)
    ), words as (
      -- What was known before the first change that is kept.
      select t.mail_piece_id as was_piece_id, 0 as place, coalesce(c.replaced_piece_id, t.mail_piece_id) as mail_piece_id,
        case when c.import_id is null then t.direction else c.replaced_direction end as direction,
        case when c.import_id is null then t.mailed_on else c.replaced_mailed_on end as mailed_on,
        case when c.import_id is not null and ${stands(sql`c.replaced_import_id`)} then c.replaced_import_id else t.import_id end as import_id
      from touched t left join changes c on c.ballot_id = t.ballot_id and c.tracking_code = t.tracking_code and c.place = 1
      union all
      select t.mail_piece_id, c.place, coalesce(c.next_piece_id, t.mail_piece_id), c.direction, c.mailed_on, c.import_id
      from touched t join changes c using (ballot_id, tracking_code)
    ), standing as (
      select was_piece_id, (array_agg(mail_piece_id order by place desc))[1] as mail_piece_id,
        (array_agg(direction order by place desc))[1] as direction,
        (array_agg(mailed_on order by place desc) filter (where mailed_on is not null))[1] as mailed_on,
        (array_agg(import_id order by place desc))[1] as import_id
      from words where ${stands(sql`words.import_id`)} group by 1
    )
    select t.mail_piece_id as was_piece_id, t.ballot_id, t.tracking_code, s.mail_piece_id, s.direction, s.mailed_on,
      nullif(s.import_id, t.import_id) as changed_by
    from touched t left join standing s on s.was_piece_id = t.mail_piece_id`,
  );
  await sql`
    update mail_pieces p set mail_piece_id = r.mail_piece_id, direction = r.direction, mailed_on = r.mailed_on, changed_by = r.changed_by
    from ${restoredPieces} r where p.mail_piece_id = r.was_piece_id and r.mail_piece_id is not null`.execute(
    tx,
  );
  const { numAffectedRows } = await sql`
    delete from mail_pieces p using ${restoredPieces} r
    where p.mail_piece_id = r.was_piece_id and r.mail_piece_id is null`.execute(tx);
  await sql`
    delete from replaced_pieces p using ${restoredPieces} r
    where p.ballot_id = r.ballot_id and p.tracking_code = r.tracking_code and r.mail_piece_id is null`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

/** A scan is the same as another when these agree. */
export const scanKey = ['tracking_code', 'scanned_at', 'op_code', 'event_type'] as const;
/** What two reports of one scan may differ in: the fuller one counts. */
export const scanDetails = [
  'routing_code',
  'mail_phase',
  'facility_city',
  'facility_state',
  'facility_zip',
  'expected_delivery_date',
] as const;
const scanColumns = [...scanKey, ...scanDetails];

/**
 * The stream that fills the scans of an account that has none, which spares half the work. Each row starts with the account and the
 * import, and then has the columns given.
 */
export function openScanCopy(tx: Tx, columns: readonly string[]): Promise<Writable> {
  return copyIntoGuarded(tx, 'mail_scans', ['account_id', 'import_id', ...columns]);
}

/** After {@link openScanCopy}: the planner knows nothing of these scans, and they are joined to their pieces next. */
export async function analyzeScans(tx: Tx): Promise<void> {
  await sql`select analyze_loaded('mail_scans')`.execute(tx);
}

/** Adds scans, set-wise. @param rows give {@link scanKey} and {@link scanDetails} @returns how many */
export async function addScans(
  tx: Tx,
  { accountId, importId }: PieceImport,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into mail_scans (account_id, import_id, ${sql.raw(scanColumns.join(', '))})
    select ${accountId}, ${importId}, ${sql.raw(scanColumns.map((name) => `r.${name}`).join(', '))} from (${rows}) r`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}

/**
 * Adds to known scans what another report knows of them. Those of an import that was put back are this one's from now on, as it has them.
 *
 * @param rows give `scan_id`, {@link scanDetails} and whether the scan `is_adopted` from such an import
 * @returns how many
 */
export async function supplementScans(
  tx: Tx,
  { importId }: PieceImport,
  rows: RawBuilder<unknown>,
): Promise<number> {
  const changes = scanDetails.map(
    (name) =>
      `${name} = case when r.is_adopted then r.${name} else greatest(m.${name}, r.${name}) end`,
  );
  const { numAffectedRows } = await sql`
    update mail_scans m set ${sql.raw(changes.join(', '))},
      import_id = case when r.is_adopted then ${importId} else m.import_id end
    from (${rows}) r where r.scan_id = m.scan_id`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
