import type { SuppressionReason } from '@ballot-beacon/contract/messages';
import type { Db } from '../../../platform/postgres.ts';
import { suppressAddress } from '../../contacts/index.ts';
import type { Receipt } from '../channels/provider.ts';
import { applyReceipts, lockMessage, recordReceipt } from './store.ts';

/**
 * Applies what providers report, each receipt in a transaction of its own, so that a failing receipt does not affect the others. A
 * repeated receipt changes nothing, and receipts in any order lead to the same end.
 *
 * @throws the first fault, after every other receipt was applied: the provider reports again, and repeats are harmless
 */
export async function receiveReceipts(
  db: Db,
  receipts: readonly Receipt[],
  now: Date,
): Promise<void> {
  const faults: unknown[] = [];
  for (const receipt of receipts) {
    try {
      await db.transaction().execute((tx) => receiveReceipt(tx, receipt, now));
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}

async function receiveReceipt(tx: Db, receipt: Receipt, now: Date): Promise<void> {
  const message = await lockMessage(tx, receipt.messageId);
  if (!message) return;
  const { account_id: accountId, channel, address } = message;
  const isNew = await recordReceipt(tx, accountId, receipt, now);
  await applyReceipts(tx, receipt, now);
  const stop = stopOf(receipt, channel === 'email');
  // A report repeated later must not undo a START or a new address that came in between.
  if (stop && isNew) await suppressAddress(tx, { accountId, channel, address, ...stop }, now);
}

/** What a receipt ends: a complaint or a final failure of mail, a number that is none or that stopped us. */
function stopOf(
  { outcome, address }: Receipt,
  isMail: boolean,
): { readonly reason: SuppressionReason; readonly source: string } | null {
  if (outcome === 'complained') return { reason: 'complained', source: 'complaint' };
  if (isMail && outcome === 'failed-permanent') return { reason: 'bounced', source: 'bounce' };
  return address === null ? null : { reason: address, source: 'carrier' };
}
