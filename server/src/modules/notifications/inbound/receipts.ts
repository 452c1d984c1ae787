import type { Db } from '../../../platform/postgres.ts';
import type { Receipt } from '../channels/provider.ts';
import { applyReceipt, findMessageOwner, suppressAddress } from './store.ts';

/**
 * Applies what providers report. A final failure of mail, or a number that is none, stops further tries to
 * that address; a complaint turns mail off (decisions, Preferences and consent).
 */
export async function receiveReceipts(
  db: Db,
  receipts: readonly Receipt[],
  now: Date,
): Promise<void> {
  for (const receipt of receipts) {
    if (!(await applyReceipt(db, receipt, now))) continue;
    const owner = await findMessageOwner(db, receipt.messageId);
    if (!owner) continue;
    const { account_id: accountId, channel, address } = owner;
    const stop = { accountId, channel, address };
    if (receipt.outcome === 'complained')
      await suppressAddress(db, { ...stop, reason: 'complained', source: 'complaint' }, now);
    else if (receipt.outcome === 'failed-permanent' && channel === 'email')
      await suppressAddress(db, { ...stop, reason: 'bounced', source: 'bounce' }, now);
    else if (receipt.address !== null)
      await suppressAddress(db, { ...stop, reason: receipt.address, source: 'carrier' }, now);
  }
}
