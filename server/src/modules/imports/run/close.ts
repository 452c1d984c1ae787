import type { Clock } from '../../../platform/clock.ts';
import type { ImportId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import { recordAudit } from '../../audit/index.ts';
import { closeImport } from './import-store.ts';
import type { ImportOutcome, ImportRequest } from './request.ts';

/** Ends the transaction of a dry run, its outcome in hand. */
export class DryRunEnd extends Error {
  readonly outcome: ImportOutcome;

  constructor(outcome: ImportOutcome) {
    super('dry run');
    this.outcome = outcome;
  }
}

/**
 * Records how the import ended, here and in the audit; the commit follows.
 * @throws {DryRunEnd}
 */
export async function closeImportRun(
  tx: Tx,
  clock: Clock,
  request: ImportRequest,
  outcome: ImportOutcome & { readonly importId: ImportId },
  fileSha256: Buffer,
): Promise<ImportOutcome> {
  const { account, format, operator, record, released, isDryRun } = request;
  const { importId, state, report } = outcome;
  if (isDryRun === true) throw new DryRunEnd({ ...outcome, importId: null });
  await closeImport(tx, importId, { state, fileSha256, finishedAt: clock.now(), report });
  const imported = state === 'refused' ? 'file.refuse' : 'file.import';
  await recordAudit(tx, account.accountId, {
    actor: operator,
    action: released ? 'import.release' : imported,
    target: String(importId),
    details: { format: format.name, state, ...report.rows, ...record },
  });
  await request.whenRecorded?.(tx, importId);
  return outcome;
}
