import { setTimeout as wait } from 'node:timers/promises';
import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import type { Clock } from '../../../platform/clock.ts';
import { codeOf, type Log, plainText } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { Secrets } from '../../../platform/secrets.ts';
import type { Providers } from '../channels/index.ts';
import type { OutboundMessage, Outcome, Provider } from '../channels/provider.ts';
import { chooseProvider } from '../failover/rules.ts';
import { demoteProvider, pauseProvider, readHealth } from '../failover/store.ts';
import { bindingHours } from '../hours.ts';
import { suppressAddress } from '../inbound/store.ts';
import type { Office } from '../office/store.ts';
import { composeMessage } from './compose.ts';
import { backoffMs, decideSend, maximumAttempts } from './rules.ts';
import {
  type ClaimedMessage,
  claimDue,
  claimLost,
  leaseMs,
  type Result,
  recordResults,
} from './store.ts';

export interface DeliveryParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics;
  readonly secrets: Secrets;
  readonly providers: Providers;
  readonly mailDomain: string;
  office(accountId: number): Promise<Office>;
}

/** What one turn did, so that its caller knows whether to go on. */
export interface Turn {
  readonly claimed: number;
  /** As many as one call takes: there may be more. */
  readonly isFull: boolean;
}

/**
 * One turn of a channel: claims a batch, decides on each message anew, hands over what still holds, and writes what
 * became of it. No connection is held while a provider is called.
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
 * Finds out what became of messages whose outcome was lost, by what their provider offers: an idempotent one gets
 * the same message again and knows it; of another we ask; and where neither is possible the message is sent again,
 * because a voter told twice is better off than one never told (docs/operations.md, The window).
 */
export async function resolveLost(parts: DeliveryParts, channel: Channel): Promise<Turn> {
  const limit = 50;
  const lost = await claimLost(parts.db, channel, limit, parts.clock.now());
  for (const [name, messages] of Object.entries(Object.groupBy(lost, (m) => m.provider))) {
    const provider = parts.providers[channel].find((candidate) => candidate.name === name);
    if (!messages) continue;
    if (!provider) {
      // Its provider was taken out of the settings and can not be asked any more.
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

async function handOver(
  parts: DeliveryParts,
  provider: Provider,
  claimed: readonly ClaimedMessage[],
): Promise<void> {
  const results: Result[] = [];
  const leaving: { claimed: ClaimedMessage; message: OutboundMessage }[] = [];
  for (const one of claimed) {
    const office = await parts.office(one.account_id);
    const decided = decide(one, office, parts.clock.now().getTime());
    if (decided) results.push(decided);
    else {
      const { message, gaps } = composeMessage(one, office, parts);
      if (gaps.length > 0) results.push(result(one, 'held', 'empty-placeholder'));
      else leaving.push({ claimed: one, message });
    }
  }
  await record(parts, results);
  // Where a repeat would arrive twice, each is handed over and written down by itself: that keeps the time in which a
  // crash leads to one as short as a single statement.
  const groups = provider.afterLoss === 'repeat' ? leaving.map((one) => [one]) : [leaving];
  await Promise.all(groups.map((group) => handOverGroup(parts, provider, group)));
}

async function handOverGroup(
  parts: DeliveryParts,
  provider: Provider,
  leaving: readonly { readonly claimed: ClaimedMessage; readonly message: OutboundMessage }[],
): Promise<void> {
  if (leaving.length === 0) return;
  const messages = leaving.map(({ message }) => message);
  const outcomes = await send(provider, messages);
  const now = parts.clock.now();
  const results = leaving.map(({ claimed: one }, index) => {
    const outcome = outcomes[index] ?? { kind: 'unknown', code: 'NO-OUTCOME' };
    parts.metrics?.messages.inc({ channel: one.channel, outcome: outcome.kind });
    const became = resultOf(one, outcome, now, parts.providers[one.channel].length > 1);
    return one.first_claimed_at === null ? became : pinToProvider(became);
  });
  await record(parts, results);
  const claimed = leaving.map(({ claimed: one }) => one);
  await learn(parts, provider, claimed, outcomes);
}

/** Writes results down, also when the database is away for a while: what was handed over is known only here. */
async function record(parts: DeliveryParts, results: readonly Result[]): Promise<void> {
  const until = performance.now() + leaseMs / 2;
  for (;;) {
    try {
      await recordResults(parts.db, results, parts.clock.now());
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await wait(200);
    }
  }
}

async function send(
  provider: Provider,
  messages: readonly OutboundMessage[],
): Promise<readonly Outcome[]> {
  try {
    return await provider.send(messages);
  } catch (error) {
    // A provider must not throw; when it does, what left is unknown.
    return messages.map(() => ({ kind: 'unknown', code: codeOf(error) }));
  }
}

/** The result of a message that does not leave now; undefined when it does. */
function decide(one: ClaimedMessage, office: Office, now: number): Result | undefined {
  // A worker that was put to sleep after its claim must not send what another may have taken over.
  const wasLost = one.first_claimed_at !== null;
  if (now - one.claimed_at.getTime() > leaseMs / 3)
    return result(one, wasLost ? 'sending' : 'created', 'claim-too-old');
  const { account } = office;
  const decision = decideSend(
    {
      kind: one.kind,
      isAnswer: one.is_answer,
      status: one.status,
      createdAt: one.created_at,
      consent: one.consent,
      isSuppressed: one.is_suppressed,
      isWanted: one.is_wanted,
      isVoterActive: one.is_voter_active,
      currentStatus: one.current_status,
      isElectionActive: one.is_election_active,
      isImportHeld: one.is_import_held,
      correctedState: one.corrected_state,
      hours: bindingHours(
        one.channel,
        { before: one.hours_before, after: one.hours_after },
        account.settings.quiet_hours,
      ),
      timeZone: account.timeZone,
    },
    now,
  );
  switch (decision.action) {
    case 'send':
      return undefined;
    case 'hold':
      return result(one, wasLost ? 'outcome-unknown' : 'held', decision.code);
    case 'end':
      // It may have arrived before it became pointless.
      return result(one, wasLost ? 'outcome-unknown' : decision.state, decision.code);
    case 'defer': {
      const until = new Date(decision.until);
      return {
        ...result(one, wasLost ? 'sending' : 'created', 'outside-hours'),
        deliverAfter: until,
        countsAsAttempt: false,
      };
    }
  }
}

function resultOf(
  one: ClaimedMessage,
  outcome: Outcome,
  now: Date,
  hasOtherProvider: boolean,
): Result {
  switch (outcome.kind) {
    case 'accepted':
      return {
        ...result(one, 'sent', null),
        providerMessageId: outcome.providerMessageId,
      };
    case 'permanent':
      return result(one, 'failed-permanent', outcome.code);
    case 'throttled':
      return {
        ...result(one, 'created', outcome.code),
        deliverAfter: new Date(now.getTime() + (outcome.retryAfterMs ?? 2_000)),
        countsAsAttempt: false,
      };
    case 'unknown': {
      if (one.attempts >= maximumAttempts) return result(one, 'outcome-unknown', outcome.code);
      const wait = one.attempts === 1 ? 10_000 : backoffMs(one.attempts);
      return {
        ...result(one, 'sending', outcome.code),
        deliverAfter: new Date(now.getTime() + wait),
      };
    }
    case 'retryable': {
      if (one.attempts >= maximumAttempts)
        return result(one, 'failed-temporary-exhausted', outcome.code);
      // With another provider at hand the next try is soon, and more likely there each time.
      const wait = hasOtherProvider && one.attempts <= 6 ? 3_000 : backoffMs(one.attempts);
      return {
        ...result(one, 'created', outcome.code),
        deliverAfter: new Date(now.getTime() + wait),
      };
    }
  }
}

/** A message that its provider may already have does not go to another one. */
function pinToProvider(became: Result): Result {
  if (became.state === 'created') return { ...became, state: 'sending' };
  if (became.state === 'failed-temporary-exhausted') return { ...became, state: 'outcome-unknown' };
  return became;
}

function result(one: ClaimedMessage, state: MessageState, code: string | null): Result {
  return {
    messageId: one.message_id,
    claimedAt: one.claimed_at,
    state,
    code,
    providerMessageId: null,
    deliverAfter: null,
    countsAsAttempt: true,
  };
}

/** What a batch teaches of its provider and of the addresses. */
async function learn(
  parts: DeliveryParts,
  provider: Provider,
  messages: readonly ClaimedMessage[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const { db, log } = parts;
  const now = parts.clock.now();
  const names = parts.providers[provider.channel].map(({ name }) => name);
  const fault = outcomes.find(({ kind }) => kind === 'retryable' || kind === 'unknown');
  const throttled = outcomes.find((outcome) => outcome.kind === 'throttled');
  for (const bad of [fault, throttled])
    if (bad && bad.kind !== 'accepted')
      log.write('provider.failed', {
        provider: plainText(provider.name),
        channel: provider.channel,
        outcome: bad.kind,
        code: plainText(bad.code),
      });
  if (fault) await demoteProvider(db, provider.channel, provider.name, names, now);
  if (throttled?.kind === 'throttled' && outcomes.every(({ kind }) => kind !== 'accepted')) {
    const until = new Date(now.getTime() + Math.min(throttled.retryAfterMs ?? 1_000, 60_000));
    await pauseProvider(db, provider.channel, provider.name, until);
  }
  for (const [index, outcome] of outcomes.entries()) {
    const message = messages[index];
    if (message && outcome.kind === 'permanent' && outcome.address !== null)
      await suppressAddress(
        db,
        {
          accountId: message.account_id,
          channel: message.channel,
          address: message.address,
          reason:
            outcome.address === 'stopped'
              ? 'stopped'
              : message.channel === 'email'
                ? 'bounced'
                : 'invalid',
          source: 'provider',
        },
        now,
      );
  }
}

async function askProvider(
  parts: DeliveryParts,
  provider: Provider,
  messages: readonly ClaimedMessage[],
): Promise<void> {
  const now = parts.clock.now();
  const results: Result[] = [];
  for (const one of messages) {
    const { message } = composeMessage(one, await parts.office(one.account_id), parts);
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
