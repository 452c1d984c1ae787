import type { Config } from '../../platform/config.ts';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { SecurityEvents } from '../audit/index.ts';
import { maskAddress } from '../contacts/index.ts';
import { sendAgain } from '../notifications/index.ts';
import { countResend, countSave, explainWait, type VoterApi } from '../sessions/index.ts';
import { lockVoter, readConsents, readLedger } from './own-store.ts';
import { againOf, showConsent, showMessage } from './rules.ts';

const ledgerLastsMs = 90 * 24 * 60 * 60_000;

/** "What we sent you": the signed-in voter's messages and consents. */
export function registerOwnMessageRoutes(
  api: VoterApi,
  {
    config,
    secrets,
    securityEvents,
  }: {
    readonly config: Config;
    readonly secrets: Secrets;
    readonly securityEvents: SecurityEvents;
  },
): void {
  api.answer('getOwnMessages', async ({ session, now }) => {
    const { site, voterId, isConfidential } = session;
    // From before the record was confidential; the letter does not open them.
    if (isConfidential) return { messages: [], consents: [] };
    const since = new Date(now.getTime() - ledgerLastsMs);
    const [messages, consents] = await Promise.all([
      readLedger(site.db, voterId, since, null),
      readConsents(site.db, voterId),
    ]);
    return { messages: messages.map(showMessage), consents: consents.map(showConsent) };
  });

  api.answer('sendMessageAgain', async ({ session, request, now }, { params }) => {
    const { site, voterId, isConfidential } = session;
    if (isConfidential) throw problem(404, 'You have no such message.');
    const { db, account } = site;
    const until = await countSave(db, secrets.sign, { address: request.ip, voterId, now });
    if (until) throw explainWait(until, now);
    const since = new Date(now.getTime() - ledgerLastsMs);
    const { address, limit } = await db.transaction().execute(async (tx) => {
      await lockVoter(tx, voterId);
      const [message] = await readLedger(tx, voterId, since, Number(params.id));
      if (!message) throw problem(404, 'You have no such message.');
      const again = againOf(message);
      const { channel, current_address: address } = message;
      if (again !== 'possible' || address === null) throw problem(409, again);
      const { accountId } = account;
      const full = await countResend(tx, secrets.sign, { accountId, address, now });
      if (full) throw explainWait(full, now);
      const hours = { start: message.hours_start, end: message.hours_end };
      const asked = { voterId, messageId: message.message_id, channel, address, hours };
      const limit = await sendAgain(tx, config, accountId, asked, now);
      // Inside, so that it does not count for the address.
      if (limit === 'again-limited') throw problem(429, 'Too Many Attempts');
      return { address: maskAddress(channel, address), limit };
    });
    if (limit)
      securityEvents.record({ kind: limit, address: request.ip, accountId: account.accountId });
    return { address };
  });
}
