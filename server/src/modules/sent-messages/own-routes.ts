import { problem } from '../../platform/problem.ts';
import { maskAddress } from '../contacts/index.ts';
import type { VoterApi } from '../sessions/index.ts';
import { type AgainParts, fulfillAgain, judgeAgain, ledgerStart } from './again.ts';
import { readConsents, readLedger } from './own-store.ts';
import { showConsent, showMessage } from './rules.ts';

/** "What we sent you": the signed-in voter's messages and consents. */
export function registerOwnMessageRoutes(api: VoterApi, parts: AgainParts): void {
  api.answer('getOwnMessages', async ({ session, now }) => {
    const { site, voterId, isConfidential } = session;
    // From before the record was confidential; the letter does not open them.
    if (isConfidential) return { messages: [], consents: [] };
    const [messages, consents] = await Promise.all([
      readLedger(site.db, voterId, ledgerStart(now), null),
      readConsents(site.db, voterId),
    ]);
    const again = await judgeAgain(site.db, site.account, messages, now);
    return {
      messages: messages.map((one) => showMessage(one, again(one))),
      consents: consents.map(showConsent),
    };
  });

  api.answer('sendMessageAgain', async ({ session, request, now }, { params }) => {
    const { site, voterId, isConfidential } = session;
    if (isConfidential) throw problem(404, 'You have no such message.');
    const { channel, address } = await fulfillAgain(site.db, parts, {
      account: site.account,
      ...{ voterId, messageId: Number(params.id), from: request.ip, now },
      refuse: (why) => problem(409, why),
    });
    return { address: maskAddress(channel, address) };
  });
}
