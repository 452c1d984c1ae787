import type { MessageTopic } from '@ballot-beacon/contract/message-check';
import type { MessageKind, MessageState } from '@ballot-beacon/contract/messages';
import type {
  AgainAnswer,
  ConsentSource,
  MessageOutcome,
  OwnConsent,
  OwnMessage,
} from '@ballot-beacon/contract/own-messages';
import { maskAddress } from '../contacts/index.ts';
import { isOvertaken } from '../notifications/index.ts';
import type { LedgerConsent, LedgerMessage } from './own-store.ts';

const topics: Readonly<Record<MessageKind, MessageTopic>> = {
  status: 'status',
  'fix-reminder': 'status',
  'stopped-mail': 'status',
  'catch-up': 'status',
  correction: 'correction',
  'opt-in': 'confirm',
  welcome: 'confirm',
  confirmed: 'reply',
  stopped: 'reply',
  help: 'reply',
  'news-waiting': 'news',
  change: 'notice',
  registered: 'notice',
  'contact-code': 'code',
};

/** What a message of this kind was for, to its reader. */
export function topicOf(kind: MessageKind): MessageTopic {
  return topics[kind];
}

function outcomeOf(state: MessageState): MessageOutcome {
  switch (state) {
    case 'created':
    case 'held':
      return 'waiting';
    case 'failed-permanent':
      return 'refused';
    case 'failed-temporary-exhausted':
      return 'failed';
    case 'outcome-unknown':
      return 'unknown';
    default:
      return state;
  }
}

const sources: Readonly<Record<string, ConsentSource>> = {
  'preferences page': 'page',
  'mailed code': 'email-link',
  'sms reply': 'text',
  'voice call': 'call',
  'unsubscribe link': 'unsubscribe',
  'one-click unsubscribe': 'unsubscribe',
  bounce: 'provider',
  complaint: 'provider',
  carrier: 'provider',
  provider: 'provider',
};

/**
 * Whether a message can be sent once more: it must still be true, and somebody must want it.
 *
 * @param isFixOver its ballot still waits to be fixed, and the time for that has ended: nobody is asked to fix it any more
 */
export function againOf(message: LedgerMessage, isFixOver: boolean): AgainAnswer {
  const { status, current_status: current, state } = message;
  if (topicOf(message.kind) !== 'status' || status === null) return 'never';
  const outcome = outcomeOf(state);
  if (message.is_on_way || outcome === 'waiting' || outcome === 'sending') return 'on-way';
  if (current === null || message.is_election_active !== true || isOvertaken(status, current))
    return 'outdated';
  if (isFixOver) return 'never';
  return message.current_address === null ? 'no-address' : 'possible';
}

/** A message as its voter sees it. */
export function showMessage(message: LedgerMessage, again: AgainAnswer): OwnMessage {
  const { channel, state } = message;
  return {
    message_id: message.message_id,
    channel,
    topic: topicOf(message.kind),
    status: message.status,
    address: maskAddress(channel, message.address),
    created_at: message.created_at.toISOString(),
    sent_at: message.sent_at?.toISOString() ?? null,
    outcome: outcomeOf(state),
    again,
  };
}

export function showConsent({ at, channel, address, action, source }: LedgerConsent): OwnConsent {
  return {
    at: at.toISOString(),
    channel,
    address: maskAddress(channel, address),
    action,
    source: sources[source] ?? 'other',
  };
}
