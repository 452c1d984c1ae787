import type { Language } from '@ballot-beacon/contract/languages';
import type { Channel, MessageKind, MessageState } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { ImportId, VoterId } from '../../platform/ids.ts';
import { inOrder, type ListPage, withinPage } from '../../platform/list-page.ts';
import type { Db } from '../../platform/postgres.ts';
import { type Days, withinDays } from '../../platform/within-days.ts';
import { isConfidential } from '../voters/index.ts';

/** The days are those of creation. */
export interface MessageFilter extends Days, ListPage {
  readonly kind?: MessageKind | undefined;
  readonly channel?: Channel | undefined;
  readonly language?: string | undefined;
  readonly states?: readonly MessageState[] | undefined;
}

export interface OfficeMessage {
  readonly message_id: number;
  readonly created_at: Date;
  readonly kind: MessageKind;
  readonly status: string | null;
  readonly channel: Channel;
  readonly language: Language;
  readonly state: MessageState;
  readonly voter_id: VoterId | null;
  readonly registration_id: string | null;
}

/** What a clerk may see: no message to a confidential voter. */
const visible = sql`m.account_id = current_account_id() and not ${isConfidential(sql`m.voter_id`)}`;
const columns = sql`m.message_id, m.created_at, m.kind, m.status, m.channel, m.language, m.state, m.voter_id,
  (select v.registration_id from voters v where v.voter_id = m.voter_id) as registration_id`;

/** The office's messages. @param db bound to the account */
export async function pageMessages(
  db: Db,
  { kind, channel, language, states, order, before, after, ...days }: MessageFilter,
  limit: number,
): Promise<OfficeMessage[]> {
  const key = sql`m.message_id`;
  const page = { order, before, after };
  const conditions = [
    visible,
    ...withinPage(key, page),
    ...withinDays(sql`m.created_at`, days),
    ...(kind === undefined ? [] : [sql`m.kind = ${kind}`]),
    ...(channel === undefined ? [] : [sql`m.channel = ${channel}`]),
    ...(language === undefined ? [] : [sql`m.language = ${language}`]),
    ...(states === undefined ? [] : [sql`m.state = any (${states}::message_state[])`]),
  ];
  const { rows } = await sql<OfficeMessage>`
    -- sequential scan: by a filter that few messages match; clerks look a few times an hour, and an index would slow each message
    select ${columns} from messages m where ${sql.join(conditions, sql` and `)}
    order by ${inOrder(key, page)} limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

export interface WholeMessage extends OfficeMessage {
  readonly address: string;
  readonly deliver_after: Date;
  readonly sent_at: Date | null;
  readonly attempts: number;
  readonly provider: string | null;
  readonly error_code: string | null;
  readonly import_id: ImportId | null;
}

/** @param db bound to the account */
export async function readMessage(db: Db, messageId: number): Promise<WholeMessage | undefined> {
  const { rows } = await sql<WholeMessage>`
    select ${columns}, m.address, m.deliver_after, m.sent_at, m.attempts, m.provider, m.error_code, m.import_id
    from messages m where ${visible} and m.message_id = ${messageId}`.execute(db);
  return rows[0];
}

export interface Receipt {
  readonly at: Date;
  readonly outcome: string;
  readonly error_code: string | null;
}

/** What a provider reported of a message, oldest first. @param db bound to the account */
export async function readReceipts(db: Db, messageId: number): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select at, outcome, error_code from receipts
    where account_id = current_account_id() and message_id = ${messageId} order by receipt_id`.execute(
    db,
  );
  return rows;
}
