import type {
  Channel,
  ConsentAction,
  MessageKind,
  MessageState,
  SuppressionReason,
} from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { BallotId, VoterId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';

/** A voter's consents and messages, newest first. */
export interface ContactHistory {
  readonly consents: readonly {
    readonly at: Date;
    readonly channel: Channel;
    readonly address: string;
    readonly action: ConsentAction;
    /** Where the voter agreed: the page, a text, a mailed link. */
    readonly source: string;
    /** The version of the words that were agreed to. */
    readonly wording: string;
  }[];
  /** Addresses that the voter once gave and that get nothing more. */
  readonly suppressions: readonly {
    readonly at: Date;
    readonly channel: Channel;
    readonly address: string;
    readonly reason: SuppressionReason;
  }[];
  readonly messages: readonly {
    readonly message_id: number;
    readonly kind: MessageKind;
    readonly status: string | null;
    readonly ballot_id: BallotId | null;
    readonly channel: Channel;
    readonly address: string;
    readonly language: string;
    readonly state: MessageState;
    readonly error_code: string | null;
    readonly created_at: Date;
    readonly deliver_after: Date;
    readonly sent_at: Date | null;
  }[];
}

/**
 * @param db bound to the voter's account
 * @param limit the most messages
 */
export async function readContactHistory(
  db: Db,
  voterId: VoterId,
  limit: number,
): Promise<ContactHistory> {
  const consents = await sql<ContactHistory['consents'][number]>`
    select at, channel, address, action, source, wording from consents
    where account_id = current_account_id() and voter_id = ${voterId} order by consent_id desc`.execute(
    db,
  );
  const suppressions = await sql<ContactHistory['suppressions'][number]>`
    select s.at, s.channel, s.address, s.reason from suppressions s
    where s.account_id = current_account_id()
      and exists (select from consents c where c.voter_id = ${voterId} and c.channel = s.channel and c.address = s.address)
    order by s.at desc`.execute(db);
  const messages = await sql<ContactHistory['messages'][number]>`
    select message_id, kind, status, ballot_id, channel, address, language, state, error_code,
      created_at, deliver_after, sent_at
    from messages where account_id = current_account_id() and voter_id = ${voterId}
    order by message_id desc limit ${limit}`.execute(db);
  return { consents: consents.rows, suppressions: suppressions.rows, messages: messages.rows };
}
