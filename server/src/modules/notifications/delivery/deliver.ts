import type { Channel } from '@ballot-beacon/contract/messages';
import type { Provider } from '../channels/provider.ts';
import { chooseProvider } from '../failover/rules.ts';
import { readHealth } from '../failover/store.ts';
import { composeMessage } from './compose.ts';
import { handOver, record } from './hand-over.ts';
import type { DeliveryParts } from './parts.ts';
import { result } from './results.ts';
import { backoffMs, maximumAttempts } from './rules.ts';
import { claimWithinLimits, findWaitingSenders } from './sender-limits.ts';
import { type ClaimedMessage, claimLost, type Result, readProviderIds } from './store.ts';
import { readSubjects } from './subjects.ts';

/** What one turn did, so that its caller knows whether to go on. */
export interface Turn {
  readonly claimed: number;
  /** There may be more that can leave at once. */
  readonly isFull: boolean;
  /** Of a turn that claimed nothing: when a sender whose messages wait may send again (ms since the epoch). */
  readonly roomAt: number | null;
}

/** A sender that is at its limit because another worker just claims for it. */
const busyMs = 20;

/**
 * One turn of a channel: claims a batch of one sender within its limits, decides again on each message, hands over those that are
 * still true, and records the results. No database connection is in use while a provider is called.
 *
 * A message goes only from `created` to `sending`, and from there by this worker alone until its lease ends; after
 * that another takes it over by {@link resolveLost}, because nobody knows what became of it.
 */
export async function deliverDue(parts: DeliveryParts, channel: Channel): Promise<Turn> {
  const provider = await pickProvider(parts, channel, parts.providers[channel]);
  if (!provider) return { claimed: 0, isFull: false, roomAt: null };
  const waiting = await findWaitingSenders(parts, channel);
  const open = waiting.filter(({ roomAt }) => roomAt === null);
  let roomAt = Math.min(...waiting.map((one) => one.roomAt ?? Number.POSITIVE_INFINITY));
  for (const [index, { sender }] of open.entries()) {
    const claim = await claimWithinLimits(parts, sender, provider);
    if (!claim) {
      roomAt = Math.min(roomAt, parts.clock.now().getTime() + busyMs);
      continue;
    }
    const { claimed } = claim;
    if (claimed.length === 0) continue;
    await handOver(parts, provider, claimed, claim);
    const isFull = claimed.length === provider.batchSize || index + 1 < open.length;
    return { claimed: claimed.length, isFull, roomAt: null };
  }
  return { claimed: 0, isFull: false, roomAt: Number.isFinite(roomAt) ? roomAt : null };
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
  return { claimed: lost.length, isFull: lost.length === limit, roomAt: null };
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
  const known = await readProviderIds(parts.db, provider, messages);
  for (const one of messages) {
    const { message } = composeMessage(
      one,
      await parts.office(one.account_id),
      parts,
      subjects.get(one.message_id) ?? {},
    );
    const others = known.get(one.address) ?? new Set();
    const found = await provider.find?.(message, one.created_at, others);
    if (found === 'absent')
      results.push({ ...result(one, 'created', 'not-at-provider'), deliverAfter: now });
    else if (found === undefined || found === 'unknown') {
      const state = one.attempts >= maximumAttempts ? 'outcome-unknown' : 'sending';
      results.push({
        ...result(one, state, 'provider-silent'),
        deliverAfter: new Date(now.getTime() + backoffMs(one.attempts)),
      });
    } else {
      known.set(one.address, new Set([...others, found.providerMessageId]));
      results.push({ ...result(one, 'sent', null), providerMessageId: found.providerMessageId });
    }
  }
  await record(parts, results);
}
