import { createHash } from 'node:crypto';
import type { Tx } from '../../../platform/postgres.ts';
import type { Election } from '../../accounts/index.ts';
import { digestSource } from '../read/source-file.ts';
import type { Findings } from './findings.ts';
import { findLastImport, isOverwritten, isUndone } from './import-store.ts';
import type { ImportRequest } from './request.ts';

/** Changes whenever the same bytes would be read in another way. @param more what the kind uses besides format and elections */
export function fingerprintReading(
  { format, election, isFull = false }: ImportRequest,
  elections: readonly Election[],
  more: object = {},
): string {
  const keys = elections.map((one) => [one.electionId, one.number, one.electionDate]);
  return createHash('sha256')
    .update(
      JSON.stringify([format, { election: election ?? null, isFull, elections: keys, ...more }]),
    )
    .digest('hex')
    .slice(0, 16);
}

/**
 * Whether the file is the last of its format, which was loaded without refused rows, and would be read the same way, and no file of another
 * format has said otherwise since. The same list of open cases on another day confirms what is gone.
 */
export async function isLastFile(
  tx: Tx,
  { account, file, format }: ImportRequest,
  reading: string,
  findings: Findings,
): Promise<boolean> {
  const last = await findLastImport(tx, account.accountId, format.name);
  if (
    !last ||
    last.report.reading !== reading ||
    last.report.rows.refused > 0 ||
    (last.report.learned?.leaving?.gone ?? []).length > 0
  )
    return false;
  if (file.size !== undefined && file.size !== last.report.bytes) return false;
  findings.sha256 = await digestSource(file);
  if (!last.fileSha256.equals(findings.sha256)) return false;
  if ((await isUndone(tx, last.importId)) || (await isOverwritten(tx, last.importId))) return false;
  findings.fileDay = last.report.fileDay ?? null;
  findings.elections = last.report.learned?.elections ?? [];
  return true;
}
