import { localDay } from '../../platform/clock.ts';
import type { ImportId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { findAccount } from '../accounts/index.ts';
import { announceChanges, type PutBackBallots, putBackBallots } from '../ballots/index.ts';
import { type PutBack, putBackRoll } from '../voters/index.ts';
import { voterColumns } from './kinds/voters/rows.ts';
import { findImportKind } from './run/import-store.ts';

export type PutBackImport =
  | (PutBack & { readonly of: 'voters' })
  | (PutBackBallots & { readonly of: 'ballots' });

/**
 * Puts back what a wrong import changed on the roll or of ballots, in the transaction that corrects it.
 *
 * @returns null for an import of anything else: mail pieces and scans are what the Postal Service saw
 */
export async function putBackImport(
  tx: Tx,
  importId: ImportId,
  now: Date,
): Promise<PutBackImport | null> {
  const found = await findImportKind(tx, importId);
  if (!found) return null;
  const { accountId } = found;
  if (found.holds === 'voters') {
    const roll = await putBackRoll(tx, { accountId, importId }, Object.keys(voterColumns));
    return { of: 'voters', ...roll };
  }
  const account = found.holds === 'ballots' ? await findAccount(tx, accountId) : undefined;
  if (!account) return null;
  const { timeZone } = account;
  const today = localDay(now, timeZone);
  const ballots = await putBackBallots(tx, { accountId, importId }, { timeZone, today });
  await announceChanges(tx, accountId);
  return { of: 'ballots', ...ballots };
}
