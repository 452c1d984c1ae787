import { sql } from 'kysely';
import type { Db } from '../../../../platform/postgres.ts';
import type { OutboundMessage } from '../provider.ts';

/** Keeps messages once each: a repeat under the same reference changes nothing, as with any idempotent provider. */
export async function keepDeliveries(
  db: Db,
  messages: readonly OutboundMessage[],
  now: Date,
): Promise<void> {
  const column = <T>(pick: (message: OutboundMessage) => T) => messages.map(pick);
  await sql`
    insert into local_deliveries
      (account_id, message_id, channel, sender, recipient, subject, body, html, headers, received_at)
    select *, ${now}::timestamptz from unnest(
      ${column((m) => m.accountId)}::integer[], ${column((m) => m.messageId)}::bigint[],
      ${column((m) => m.channel)}::text[], ${column((m) => m.from)}::text[],
      ${column((m) => m.to)}::text[], ${column((m) => m.subject)}::text[],
      ${column((m) => m.body)}::text[], ${column((m) => m.html)}::text[],
      ${column((m) => JSON.stringify(headersOf(m)))}::jsonb[])
    on conflict (message_id) do nothing`.execute(db);
}

function headersOf(message: OutboundMessage): Record<string, string> {
  if (!message.unsubscribe) return {};
  return {
    'List-Unsubscribe': `<${message.unsubscribe.oneClick}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
