import type { OwnMessages } from '../contract/src/own-messages.ts';

/** A text that was refused, a mail about an earlier status, and a consent. */
export const ownMessages: OwnMessages = {
  messages: [
    {
      message_id: 7,
      channel: 'sms',
      topic: 'status',
      status: 'sent',
      address: '•••-0178',
      created_at: '2026-11-18T15:00:00Z',
      sent_at: '2026-11-18T15:00:04Z',
      outcome: 'refused',
      again: 'possible',
    },
    {
      message_id: 6,
      channel: 'email',
      topic: 'status',
      status: 'printed',
      address: 'r•••@example.com',
      created_at: '2026-11-12T15:00:00Z',
      sent_at: '2026-11-12T15:00:02Z',
      outcome: 'delivered',
      again: 'outdated',
    },
  ],
  consents: [
    {
      at: '2026-11-01T15:00:00Z',
      channel: 'sms',
      address: '•••-0178',
      action: 'confirmed',
      source: 'text',
    },
  ],
};
