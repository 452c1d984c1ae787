import type { Tx } from '../../platform/postgres.ts';
import { type AccountReview, detailChanges, saveSettings } from '../accounts/index.ts';
import { recordAudit } from '../audit/index.ts';
import type { SignedInVisit } from '../people/index.ts';

/** Stores what a review found to change, and who changed it. Nothing is recorded where nothing changes. */
export async function applyReview(
  tx: Tx,
  { account, session }: Pick<SignedInVisit, 'account' | 'session'>,
  { file, changes }: Extract<AccountReview, { ok: true }>,
): Promise<void> {
  if (changes.length === 0) return;
  await saveSettings(tx, account.accountId, file);
  await recordAudit(tx, account.accountId, {
    actor: session.actor,
    action: 'account.apply',
    target: account.subdomain,
    details: detailChanges(changes),
  });
}
