import { localDay } from '../../platform/clock.ts';
import type { ImportId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { findAccount } from '../accounts/index.ts';
import {
  announceChanges,
  type PutBackBallots,
  putBackBallots,
  stands,
  withdrawEvents,
} from '../ballots/index.ts';
import { putBackPieces } from '../mail-pieces/index.ts';
import { type PutBack, putBackRoll } from '../voters/index.ts';
import { repeatScanEvents } from './kinds/scans/events-store.ts';
import { touchCodesOf } from './kinds/scans/put-back-store.ts';
import { voterColumns } from './kinds/voters/rows.ts';
import { findImportKind } from './run/import-store.ts';
import { keptSince } from './run/kept-days.ts';

export type PutBackImport =
  | (PutBack & { readonly of: 'voters' })
  | (PutBackBallots & { readonly of: 'ballots' })
  | { readonly of: 'mailpieces'; readonly removed: number }
  | {
      readonly of: 'scans';
      /** Scans that count no longer, until another file has them too. */
      readonly withdrawn: number;
    };

/**
 * Puts back what a wrong import changed on the roll, of ballots, of their envelopes or of what was seen of these, in the transaction
 * that corrects it.
 *
 * @returns null when there is no such import
 */
export async function putBackImport(
  tx: Tx,
  importId: ImportId,
  now: Date,
): Promise<PutBackImport | null> {
  const found = await findImportKind(tx, importId);
  if (!found) return null;
  const { accountId, holds: kind } = found;
  const source = { accountId, importId };
  if (kind === 'voters') {
    const roll = await putBackRoll(tx, source, Object.keys(voterColumns), keptSince(now));
    return { of: 'voters', ...roll };
  }
  const account = await findAccount(tx, accountId);
  if (!account) return null;
  const { timeZone } = account;
  const task = { timeZone, today: localDay(now, timeZone) };
  if (kind === 'ballots') {
    const ballots = await putBackBallots(tx, source, task);
    await announceChanges(tx, accountId);
    return { of: 'ballots', ...ballots };
  }
  await withdrawEvents(tx, source);
  const withdrawn = await touchCodesOf(tx, source);
  const removed = kind === 'mailpieces' ? await putBackPieces(tx, source, stands) : 0;
  await repeatScanEvents(tx, { ...source, ...task });
  await announceChanges(tx, accountId);
  return kind === 'mailpieces' ? { of: 'mailpieces', removed } : { of: 'scans', withdrawn };
}
