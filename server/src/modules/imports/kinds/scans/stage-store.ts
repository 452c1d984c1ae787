import { sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { analyzeTempTable } from '../../../../platform/temp-tables.ts';
import { openScanCopy } from '../../../mail-pieces/index.ts';
import { createFileReader } from '../../run/file-reader.ts';
import { openStaging, reportWriting, stageRows } from '../../run/stage-store.ts';
import type { KindTask, Staged } from '../kind.ts';
import { createScanReader, stagedScans } from './rows.ts';

/** Stages a file of scans. The account's first scans go straight into the table where they stay instead. */
export async function stageScans(tx: Tx, task: KindTask): Promise<Staged> {
  const { accountId } = task.account;
  const isLoaded = task.mayLoadDirectly && (await hasNoScans(tx, accountId));
  let idLabel = '';
  const { rows, columns } = await stageRows(task, (match) => {
    const reader = createFileReader({ createReader: createScanReader }, task, match);
    idLabel = reader.idLabel;
    return {
      ...reader,
      constants: isLoaded ? [accountId, task.importId] : null,
      open: async () =>
        isLoaded ? openScanCopy(tx, reader.columns) : openStaging(tx, stagedScans, reader.columns),
    };
  });
  reportWriting(task);
  if (!isLoaded) await analyzeTempTable(tx, stagedScans);
  return { rows, columns, idLabel, isLoaded };
}

async function hasNoScans(tx: Tx, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`select from mail_scans where account_id = ${accountId} limit 1
      -- sequential scan: once per import, and it ends at the account's first row`.execute(tx);
  return rows.length === 0;
}
