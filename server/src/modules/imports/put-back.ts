import { localDay } from '../../platform/clock.ts';
import type { ImportId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { findAccount } from '../accounts/index.ts';
import { announceChanges, type PutBackBallots, putBackBallots } from '../ballots/index.ts';
import { putBackPieces } from '../mail-pieces/index.ts';
import { type PutBack, putBackRoll } from '../voters/index.ts';
import { voterColumns } from './kinds/voters/rows.ts';
import { findImportKind } from './run/import-store.ts';

export type PutBackImport =
  | (PutBack & { readonly of: 'voters' })
  | (PutBackBallots & { readonly of: 'ballots' })
  | { readonly of: 'mailpieces'; readonly removed: number };

/**
 * Puts back what a wrong import changed on the roll, of ballots or of their envelopes, in the transaction that corrects it.
 *
 * @returns null for an import of scans: they are what the Postal Service saw
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
  const account = found.holds === 'scans' ? undefined : await findAccount(tx, accountId);
  if (!account) return null;
  const { timeZone } = account;
  const today = localDay(now, timeZone);
  const removed =
    found.holds === 'mailpieces' ? await putBackPieces(tx, { accountId, importId }) : 0;
  const ballots = await putBackBallots(tx, { accountId, importId }, { timeZone, today });
  await announceChanges(tx, accountId);
  if (found.holds === 'mailpieces') return { of: 'mailpieces', removed };
  return { of: 'ballots', ...ballots };
}
