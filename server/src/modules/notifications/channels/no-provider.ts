import type { Channel } from '@ballot-beacon/contract/messages';
import type { Provider } from './provider.ts';

/** The provider of a channel that an operator turned off: its messages end as undeliverable, never as sent. */
export function createNoProvider(channel: Channel): Provider {
  return {
    name: 'none',
    channel,
    batchSize: 100,
    reportsReceipts: false,
    afterLoss: 'idempotent',
    async send(messages) {
      return messages.map(() => ({ kind: 'permanent', code: 'no-provider', address: null }));
    },
  };
}
