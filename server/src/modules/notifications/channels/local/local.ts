import type { Channel, ReceiptOutcome } from '@ballot-beacon/contract/messages';
import type { Clock } from '../../../../platform/clock.ts';
import type { Db } from '../../../../platform/postgres.ts';
import type { OutboundMessage, Outcome, Provider, Receipt } from '../provider.ts';
import { keepDeliveries } from './store.ts';

/**
 * Recipients that cause each result that a real provider can have, here and nowhere else: mail to NAME@magic.invalid or
 * NAME+ANYTHING@magic.invalid, so that voters do not share a result; or the number. Numbers are of the exchange
 * 555-01xx, which is never given out.
 */
const magicRecipients: Readonly<Record<string, Outcome>> = {
  'throttled@magic.invalid': { kind: 'throttled', retryAfterMs: 1000, code: '4.7.0' },
  '+12025550101': { kind: 'throttled', retryAfterMs: 1000, code: 'throttled' },
  'busy@magic.invalid': { kind: 'retryable', code: '4.2.0' },
  '+12025550102': { kind: 'retryable', code: 'unreachable' },
  'unknown-user@magic.invalid': { kind: 'permanent', code: '5.1.1', address: 'invalid' },
  '+12025550103': { kind: 'permanent', code: 'invalid-number', address: 'invalid' },
  '+12025550104': { kind: 'permanent', code: 'opted-out', address: 'stopped' },
  'refused@magic.invalid': { kind: 'permanent', code: '5.7.1', address: null },
  'lost@magic.invalid': { kind: 'unknown', code: 'TIMEOUT' },
  '+12025550105': { kind: 'unknown', code: 'TIMEOUT' },
};

/** Recipients whose mail is accepted and then bounces, or is reported as spam, a moment later. */
const magicReceipts: Readonly<Record<string, ReceiptOutcome>> = {
  'bounces-later@magic.invalid': 'failed-permanent',
  'complains@magic.invalid': 'complained',
  '+12025550106': 'failed-permanent',
};

/**
 * The provider that sends nothing and keeps everything where people and tests can read it (`beacon outbox`).
 * It is used until a real provider is set up.
 */
export function createLocalProvider(
  channel: Channel,
  db: Db,
  clock: Clock,
  onReceipts: (receipts: readonly Receipt[]) => Promise<void> = async () => {},
): Provider {
  return {
    name: 'local',
    channel,
    batchSize: 250,
    reportsReceipts: false,
    afterLoss: 'idempotent',
    async send(messages) {
      const outcomes = messages.map(
        (message): Outcome =>
          magicRecipients[withoutTag(message.to)] ?? {
            kind: 'accepted',
            providerMessageId: message.reference,
          },
      );
      const taken = messages.filter((_, index) => outcomes[index]?.kind === 'accepted');
      if (taken.length > 0) await keepDeliveries(db, taken, clock.now());
      const receipts = taken.flatMap((message) => receiptOf(message));
      if (receipts.length > 0) await onReceipts(receipts);
      return outcomes;
    },
  };
}

function receiptOf(message: OutboundMessage): Receipt[] {
  const outcome = magicReceipts[withoutTag(message.to)];
  if (!outcome) return [];
  const { messageId } = message;
  return [{ messageId, provider: 'local', outcome, address: null, code: null }];
}

/** `name@host` for `name+tag@host`; a number, which begins with its plus, as it is. */
function withoutTag(to: string): string {
  return to.replace(/^([^+@]+)\+[^@]*@/, '$1@');
}
