import type { MessageState } from '@ballot-beacon/contract/messages';
import { offeredChannels } from '../../accounts/index.ts';
import type { Outcome } from '../channels/provider.ts';
import { bindingHours, chosenHours } from '../hours.ts';
import type { Office } from '../office/store.ts';
import { asksTooLate, backoffMs, decideSend, maximumAttempts } from './rules.ts';
import { type ClaimedMessage, leaseMs, type Result } from './store.ts';
import type { Subject } from './subjects.ts';

/** The result of a message that does not leave now; undefined when it does. */
export function decide(
  one: ClaimedMessage,
  office: Office,
  now: number,
  { fix, stop }: Subject,
): Result | undefined {
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
      suppression: one.suppression,
      isWanted: one.is_wanted,
      isOffered: offeredChannels(account.settings).includes(one.channel),
      isVoterActive: one.is_voter_active,
      currentStatus: one.current_status,
      isElectionActive: one.is_election_active,
      isTooLateToReturn: asksTooLate(one, account.timeZone, now),
      isImportWaiting: one.is_import_waiting,
      isImportCorrected: one.is_import_corrected,
      isRestoring: one.is_restoring,
      correctedState: one.corrected_state,
      hours: bindingHours(
        one.channel,
        chosenHours(one.kind, { start: one.hours_start, end: one.hours_end }),
        account.settings.quiet_hours,
      ),
      timeZone: account.timeZone,
      fixBy: fix ? Date.parse(fix.deadline) : null,
      isOfEarlierProblem: fix?.isOfEarlierProblem ?? false,
      isOfEarlierMoment: fix?.isOfEarlierMoment ?? false,
      isStopped: stop !== undefined,
      isFeedLate: fix?.isFeedLate ?? stop?.isFeedLate ?? false,
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
        ...result(one, wasLost ? 'sending' : 'created', decision.code ?? 'outside-hours'),
        deliverAfter: until,
        isRetry: false,
        countsAsAttempt: false,
      };
    }
  }
}

/** How often a message with a gap is looked at again. */
const gapPatienceMs = 10 * 60_000;

/** The result of a message whose text has a gap: it waits for the office's words or number. */
export function waitForWords(one: ClaimedMessage, now: Date): Result {
  // What was handed over before may have arrived, and is not to be sent once more.
  if (one.first_claimed_at !== null) return result(one, 'outcome-unknown', 'empty-placeholder');
  return {
    ...result(one, 'created', 'empty-placeholder'),
    deliverAfter: new Date(now.getTime() + gapPatienceMs),
    isRetry: false,
    countsAsAttempt: false,
  };
}

/** The new state of a message that was handed over, by its outcome. */
export function resultOf(
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
export function pinToProvider(became: Result): Result {
  if (became.state === 'created') return { ...became, state: 'sending' };
  if (became.state === 'failed-temporary-exhausted') return { ...became, state: 'outcome-unknown' };
  return became;
}

export function result(one: ClaimedMessage, state: MessageState, code: string | null): Result {
  return {
    messageId: one.message_id,
    claimedAt: one.claimed_at,
    state,
    code,
    providerMessageId: null,
    deliverAfter: null,
    isRetry: true,
    countsAsAttempt: true,
  };
}
