import type { Channel } from '@ballot-beacon/contract/messages';
import type { Provider } from '../channels/provider.ts';
import { chooseProvider } from '../failover/rules.ts';
import { readHealth } from '../failover/store.ts';
import { composeMessage } from './compose.ts';
import { type DeliveryParts, handOver, record } from './hand-over.ts';
import { result } from './results.ts';
import { backoffMs, maximumAttempts } from './rules.ts';
import { type ClaimedMessage, claimDue, claimLost, type Result } from './store.ts';
import { readSubjects } from './subjects.ts';

export type { DeliveryParts } from './hand-over.ts';

/** What one turn did, so that its caller knows whether to go on. */
export interface Turn {
  readonly claimed: number;
  /** As many as one call takes: there may be more. */
  readonly isFull: boolean;
}

/**
 * One turn of a channel: claims a batch, decides again on each message, hands over those that are still true, and
 * records the results. No database connection is in use while a provider is called.
 *
 * A message goes only from `created` to `sending`, and from there by this worker alone until its lease ends; after
 * that another takes it over by {@link resolveLost}, because nobody knows what became of it.
 */
export async function deliverDue(parts: DeliveryParts, channel: Channel): Promise<Turn> {
  const providers = parts.providers[channel];
  const provider = await pickProvider(parts, channel, providers);
  if (!provider) return { claimed: 0, isFull: false };
  const claimed = await claimDue(
    parts.db,
    channel,
    provider.name,
    provider.batchSize,
    parts.clock.now(),
  );
  if (claimed.length > 0) await handOver(parts, provider, claimed);
  return { claimed: claimed.length, isFull: claimed.length === provider.batchSize };
}

/**
 * Finds out what became of messages whose outcome was lost, by what their provider offers. An idempotent
 * provider gets the same message again and recognizes it; others can be asked; where neither is possible, it is sent again,
 * because two messages are better for a voter than none (docs/operations.md, The window).
 */
export async function resolveLost(parts: DeliveryParts, channel: Channel): Promise<Turn> {
  const limit = 50;
  const lost = await claimLost(parts.db, channel, limit, parts.clock.now());
  for (const [name, messages] of Object.entries(Object.groupBy(lost, (m) => m.provider))) {
    const provider = parts.providers[channel].find((candidate) => candidate.name === name);
    if (!messages) continue;
    if (!provider) {
      // Its provider was removed from the settings and cannot be asked any more.
      const results = messages.map((m) => result(m, 'outcome-unknown', 'provider-gone'));
      await record(parts, results);
    } else if (provider.afterLoss === 'query') await askProvider(parts, provider, messages);
    else
      for (let at = 0; at < messages.length; at += provider.batchSize)
        await handOver(parts, provider, messages.slice(at, at + provider.batchSize));
  }
  return { claimed: lost.length, isFull: lost.length === limit };
}

async function pickProvider(
  parts: DeliveryParts,
  channel: Channel,
  providers: readonly Provider[],
): Promise<Provider | undefined> {
  const names = providers.map(({ name }) => name);
  const healths = await readHealth(parts.db, channel, names);
  const chosen = chooseProvider(healths, parts.clock.now());
  return providers.find(({ name }) => name === chosen);
}

async function askProvider(
  parts: DeliveryParts,
  provider: Provider,
  messages: readonly ClaimedMessage[],
): Promise<void> {
  const now = parts.clock.now();
  const results: Result[] = [];
  const subjects = await readSubjects(parts, messages);
  for (const one of messages) {
    const { message } = composeMessage(
      one,
      await parts.office(one.account_id),
      parts,
      subjects.get(one.message_id) ?? {},
    );
    const found = await provider.find?.(message, one.created_at);
    if (found === 'absent')
      results.push({ ...result(one, 'created', 'not-at-provider'), deliverAfter: now });
    else if (found === undefined || found === 'unknown') {
      const state = one.attempts >= maximumAttempts ? 'outcome-unknown' : 'sending';
      results.push({
        ...result(one, state, 'provider-silent'),
        deliverAfter: new Date(now.getTime() + backoffMs(one.attempts)),
      });
    } else
      results.push({ ...result(one, 'sent', null), providerMessageId: found.providerMessageId });
  }
  await record(parts, results);
}
