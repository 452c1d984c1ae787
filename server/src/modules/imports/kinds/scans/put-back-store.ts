import { sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import { fillTempTable } from '../../../../platform/temp-tables.ts';
import type { EventSource } from '../../../ballots/index.ts';
import { touchBallotsOfCodes, touchedCodes } from './events-store.ts';

/**
 * Fills {@link touchedCodes} with the barcodes that an import brought, changed or has scans of, and adds the ballots they are on to
 * those touched: called before the barcodes themselves are put back.
 *
 * @returns how many scans the import brought
 */
export async function touchCodesOf(tx: Tx, { accountId, importId }: EventSource): Promise<number> {
  await fillTempTable(
    tx,
    touchedCodes,
    sql`
    select tracking_code from mail_pieces where account_id = ${accountId} and (import_id = ${importId} or changed_by = ${importId})
    union select tracking_code from replaced_pieces where account_id = ${accountId} and import_id = ${importId}
    -- sequential scan: of a whole file that was wrong, which happens seldom
    union select tracking_code from mail_scans where account_id = ${accountId} and import_id = ${importId}`,
  );
  await touchBallotsOfCodes(tx, { accountId });
  const { rows } = await sql<{ count: number }>`
    -- sequential scan: as above
    select count(*) as count from mail_scans where account_id = ${accountId} and import_id = ${importId}`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}
