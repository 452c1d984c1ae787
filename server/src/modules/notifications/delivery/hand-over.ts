import { setTimeout as wait } from 'node:timers/promises';
import { codeOf, plainText } from '../../../platform/log.ts';
import { suppressAddress } from '../../contacts/index.ts';
import type { OutboundMessage, Outcome, Provider } from '../channels/provider.ts';
import { demoteProvider, pauseProvider } from '../failover/store.ts';
import { countParts } from '../texts/segments.ts';
import { composeMessage } from './compose.ts';
import type { DeliveryParts } from './parts.ts';
import { decide, pinToProvider, result, resultOf, waitForWords } from './results.ts';
import { type Claim, settle } from './sender-limits.ts';
import { type ClaimedMessage, leaseMs, type Result, recordResults } from './store.ts';
import { readSubjects } from './subjects.ts';

interface Leaving {
  readonly claimed: ClaimedMessage;
  readonly message: OutboundMessage;
}

/**
 * Decides on each claimed message, hands over what is still to go, and records what became of it.
 * @param claim within whose limits they were claimed; of lost messages there is none
 */
export async function handOver(
  parts: DeliveryParts,
  provider: Provider,
  claimed: readonly ClaimedMessage[],
  claim?: Claim,
): Promise<void> {
  const results: Result[] = [];
  const written: Leaving[] = [];
  const subjects = await readSubjects(parts, claimed);
  for (const one of claimed) {
    const subject = subjects.get(one.message_id) ?? {};
    const office = await parts.office(one.account_id);
    const decided = decide(one, office, parts.clock.now().getTime(), subject);
    if (decided) results.push(decided);
    else {
      const { message, gaps } = composeMessage(one, office, parts, subject);
      if (gaps.length > 0) results.push(waitForWords(one, parts.clock.now()));
      else written.push({ claimed: one, message });
    }
  }
  const { leaving, waiting } = await keepLimits(parts, written, claim);
  results.push(...waiting);
  await record(parts, results);
  // Before they leave: a visitor may ask about the first of them at once.
  await parts.origins.note(
    parts.db,
    leaving.map(({ claimed: { kind }, message }) => ({ ...message, kind })),
    parts.clock.now(),
  );
  // Where a repeat would arrive twice, each is handed over and recorded alone: the time in which a crash leads to
  // one is then a single statement.
  const groups = provider.afterLoss === 'repeat' ? leaving.map((one) => [one]) : [leaving];
  await Promise.all(groups.map((group) => handOverGroup(parts, provider, group)));
}

/** How long a message whose outcome was lost waits for its sender. */
const lostPatienceMs = 1_000;

/** Parts what its sender may send now from what goes back to where it was. */
async function keepLimits(
  parts: DeliveryParts,
  written: readonly Leaving[],
  claim: Claim | undefined,
): Promise<{ leaving: Leaving[]; waiting: Result[] }> {
  const leaving: Leaving[] = [];
  const waiting: Result[] = [];
  const keep = async (
    booking: Pick<Claim, 'sender' | 'booked' | 'bookedAt'>,
    own: readonly Leaving[],
  ): Promise<void> => {
    const sizes = own.map(({ claimed: { lane }, message }) => ({ lane, parts: partsOf(message) }));
    const count = await settle(parts, booking, sizes);
    leaving.push(...own.slice(0, count));
    for (const { claimed: one } of own.slice(count)) {
      const isLost = one.first_claimed_at !== null;
      waiting.push({
        ...result(one, isLost ? 'sending' : 'created', 'sender-limit'),
        ...(isLost && { deliverAfter: new Date(parts.clock.now().getTime() + lostPatienceMs) }),
        countsAsAttempt: false,
      });
    }
  };
  if (claim) {
    await keep(claim, written);
    return { leaving, waiting };
  }
  const senders = await Promise.all(
    written.map(({ claimed: { channel, account_id: id } }) => parts.senders.of(channel, id)),
  );
  for (const [sender, own] of Map.groupBy(written, (_, index) => senders[index]))
    if (sender) await keep({ sender, booked: 0, bookedAt: 0 }, own);
  return { leaving, waiting };
}

/** As its provider counts them. */
function partsOf({ channel, body }: OutboundMessage): number {
  return channel === 'sms' ? countParts(body) : 1;
}

async function handOverGroup(
  parts: DeliveryParts,
  provider: Provider,
  leaving: readonly Leaving[],
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

/** Records results, also when the database is away for a while: what was handed over is known only here. */
export async function record(parts: DeliveryParts, results: readonly Result[]): Promise<void> {
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

/** What we learn from a batch about its provider and the addresses. */
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
  // Another provider does not make an office's number right, and the other offices need this one.
  const isItsOwn = outcomes.some(
    (one) => one.kind === 'unknown' || (one.kind === 'retryable' && one.isOfSender !== true),
  );
  if (isItsOwn) await demoteProvider(db, provider.channel, provider.name, names, now);
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
