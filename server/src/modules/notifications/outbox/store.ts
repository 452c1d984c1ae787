import type { Channel, MessageKind, MessageState } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';

/** A message with, where the local provider took it, what it said. */
export interface OutboxMessage {
  readonly message_id: number;
  readonly kind: MessageKind;
  readonly status: string | null;
  readonly channel: Channel;
  readonly address: string;
  readonly language: string;
  readonly state: MessageState;
  readonly import_id: ImportId | null;
  readonly registration_id: string | null;
  readonly attempts: number;
  readonly error_code: string | null;
  readonly created_at: Date;
  readonly deliver_after: Date;
  readonly sent_at: Date | null;
  readonly sender: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly html: string | null;
  readonly headers: Readonly<Record<string, string>> | null;
}

/** An account's messages, newest first. @param limit null for all */
export async function listOutbox(
  db: Db,
  accountId: AccountId,
  limit: number | null,
): Promise<OutboxMessage[]> {
  const { rows } = await sql<OutboxMessage>`
    select m.message_id, m.kind, m.status, m.channel, m.address, m.language, m.state, m.import_id, v.registration_id,
      m.attempts, m.error_code, m.created_at, m.deliver_after, m.sent_at, d.sender, d.subject, d.body, d.html, d.headers
    from messages m
    left join voters v on v.voter_id = m.voter_id
    left join local_deliveries d on d.message_id = m.message_id
    where m.account_id = ${accountId} and v.is_confidential is not true
    order by m.message_id desc limit ${limit}`.execute(db);
  return rows;
}
