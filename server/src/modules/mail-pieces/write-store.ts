import type { Writable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId, BallotId, ImportId } from '../../platform/ids.ts';
import { copyIntoGuarded, type Tx } from '../../platform/postgres.ts';

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

/** Changes pieces, set-wise. They stay those of the import that added them. @returns how many */
export async function updatePieces(
  tx: Tx,
  importId: ImportId,
  rows: RawBuilder<PieceUpdate>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update mail_pieces p set direction = r.direction, mailed_on = coalesce(r.mailed_on, p.mailed_on),
      changed_by = ${importId}, replaced_direction = p.direction, replaced_mailed_on = p.mailed_on
    from (${rows}) r where p.mail_piece_id = r.mail_piece_id`.execute(tx);
  // A barcode belongs to the piece reported last, which is the one with the highest ID.
  await sql`
    update mail_pieces p set mail_piece_id = default
    from (${rows}) r where p.mail_piece_id = r.mail_piece_id and r.is_overtaken`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Removes the barcodes that an import added, so that a ballot that had one of them before has it again, and puts back those that
 * it changed, unless a later import changed them again: what that names is its own from now on.
 *
 * @returns how many were removed
 */
export async function putBackPieces(tx: Tx, { accountId, importId }: PieceImport): Promise<number> {
  await sql`
    update mail_pieces set import_id = changed_by, changed_by = null
    where account_id = ${accountId} and import_id = ${importId} and changed_by is not null`.execute(
    tx,
  );
  const { numAffectedRows } = await sql`
    delete from mail_pieces where account_id = ${accountId} and import_id = ${importId}`.execute(
    tx,
  );
  await sql`
    update mail_pieces set direction = replaced_direction, mailed_on = replaced_mailed_on, changed_by = null
    where account_id = ${accountId} and changed_by = ${importId}`.execute(tx);
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
