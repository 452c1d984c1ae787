import type { Channel, MessageKind } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

/** What may be said of a message to anybody who has its code. */
export interface FoundMessage {
  readonly channel: Channel;
  readonly kind: MessageKind;
  /** When it was handed to a provider. */
  readonly at: Date;
}

/**
 * A message that was handed over, or may have been.
 *
 * @param db bound to the account
 * @param ids what its code may stand for
 */
export async function findSentMessage(
  db: Db,
  ids: readonly number[],
  since: Date,
): Promise<FoundMessage | undefined> {
  const { rows } = await sql<FoundMessage>`
    select channel, kind, coalesce(sent_at, claimed_at) as at from messages
    where account_id = current_account_id() and message_id = any(${[...ids]}::bigint[])
      and (sent_at is not null or state in ('sending', 'delivered', 'outcome-unknown'))
      and coalesce(sent_at, claimed_at) > ${since}
    limit 1`.execute(db);
  return rows[0];
}

/** One address or number and kind of message. */
export interface MessageOrigin {
  readonly channel: Channel;
  readonly sender: string;
  readonly kind: MessageKind;
}

/** @param db bound to the account @param since `YYYY-MM-DD` */
export async function readOrigins(db: Db, since: string): Promise<MessageOrigin[]> {
  const { rows } = await sql<MessageOrigin>`
    select distinct channel, sender, kind from message_origins
    where account_id = current_account_id() and day >= ${since}::date
    order by channel, sender, kind`.execute(db);
  return rows;
}
