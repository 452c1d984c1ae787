import type { AccountId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { type RequestsDecision, resumeSending } from './limits-store.ts';

/**
 * Sends what waits above the daily limit, or withdraws it, counts today's requests from zero again, and records who
 * decided so.
 *
 * @param by.runAs who ran the command, where another person is responsible
 * @returns how many messages there were
 */
export async function decideRequests(
  tx: Tx,
  account: { readonly accountId: AccountId; readonly timeZone: string },
  decision: RequestsDecision,
  by: { readonly actor: Actor; readonly runAs?: string },
  now: Date,
): Promise<number> {
  const { channel, isDiscarded } = decision;
  const messages = await resumeSending(tx, account, decision, now);
  await recordAudit(tx, account.accountId, {
    ...{ actor: by.actor, action: 'sending.resume', target: channel },
    details: { messages, discarded: isDiscarded, ...(by.runAs && { run_as: by.runAs }) },
  });
  return messages;
}
