import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { Receipt } from '../channels/provider.ts';
import { laneOf } from '../delivery/store.ts';

/** Records an inbound text or call; false when it was handled before. */
export async function noteInbound(
  db: Db,
  inbound: {
    readonly provider: string;
    readonly providerMessageId: string;
    readonly channel: 'sms' | 'voice';
    readonly address: string;
    readonly keyword: string;
  },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into inbound_contacts (provider, provider_message_id, channel, address, keyword, at)
    values (${inbound.provider}, ${inbound.providerMessageId}, ${inbound.channel}, ${inbound.address},
      ${inbound.keyword}, ${now})
    on conflict do nothing returning 1`.execute(db);
  return rows.length > 0;
}

/** Offices that text from a short code. */
export async function findAccountsByShortCode(db: Db, shortCode: string): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from accounts where settings->>'short_code' = ${shortCode}
    order by account_id`.execute(db);
  return rows.map((row) => row.account_id);
}

/** Withdraws these offices' answers that have not left yet: after a STOP nothing but its confirmation may follow. */
export async function withdrawAnswers(
  db: Db,
  accounts: readonly AccountId[],
  phone: string,
  now: Date,
): Promise<void> {
  await sql`
    update messages m set state = 'withdrawn', error_code = 'stopped', finished_at = ${now}
    where state = 'created' and channel = 'sms' and ${laneOf} = 'answers' and kind <> 'stopped' and address = ${phone}
      and account_id = any(${[...accounts]}::integer[])`.execute(db);
}

/** Whether this number was sent the help text within a day, so that a chatty machine does not get one each time. A call is answered in words. */
export async function wasHelpedLately(db: Db, phone: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from inbound_contacts where channel = 'sms' and address = ${phone} and keyword in ('help', 'other')
      and at > ${new Date(now.getTime() - 24 * 3_600_000)} limit 2`.execute(db);
  // The text just recorded is among them.
  return rows.length > 1;
}

/** Answers to one number in a day. Two machines that answer each other's texts come to an end. */
const mostAnswers = 20;

/** Whether this number texted so often within a day that only STOP is still answered. */
export async function isAnsweredEnough(db: Db, phone: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from inbound_contacts where address = ${phone}
      and at > ${new Date(now.getTime() - 24 * 3_600_000)} limit ${mostAnswers + 1}`.execute(db);
  // The one just noted is among them.
  return rows.length > mostAnswers;
}

export async function findAccountByVoiceNumber(db: Db, number: string): Promise<AccountId | null> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from accounts where settings->>'from_voice' = ${number}
    order by account_id limit 1`.execute(db);
  return rows[0]?.account_id ?? null;
}

export interface MessageOwner {
  readonly account_id: AccountId;
  readonly channel: Channel;
  readonly address: string;
  readonly language: string;
}

export async function findMessageOwner(
  db: Db,
  messageId: number,
): Promise<MessageOwner | undefined> {
  const { rows } = await sql<MessageOwner>`
    select account_id, channel, address, language from messages where message_id = ${messageId}`.execute(
    db,
  );
  return rows[0];
}

/** The message that a receipt is of, locked until the transaction ends. */
export async function lockMessage(tx: Db, messageId: number): Promise<MessageOwner | undefined> {
  const { rows } = await sql<MessageOwner>`
    select account_id, channel, address, language from messages where message_id = ${messageId}
    for update`.execute(tx);
  return rows[0];
}

/**
 * Records a receipt once, however often it is repeated.
 *
 * @returns false when it was on record already
 */
export async function recordReceipt(
  tx: Db,
  accountId: AccountId,
  { messageId, provider, outcome, address, code }: Receipt,
  now: Date,
): Promise<boolean> {
  // A repeat may carry another code; the same one is kept in whatever order they come.
  const { rows } = await sql<{ is_new: boolean }>`
    insert into receipts as r (account_id, message_id, provider, outcome, address_fault, error_code, at)
    values (${accountId}, ${messageId}, ${provider}, ${outcome}, ${address}, ${code}, ${now})
    on conflict (message_id, provider, outcome, address_fault) do update
      set error_code = least(r.error_code, excluded.error_code)
    returning (xmax = 0) as is_new`.execute(tx);
  return rows[0]?.is_new ?? false;
}

/**
 * Moves a message to the state that all its receipts together say, in whatever order they came: a final failure
 * outweighs a delivery, which outweighs a passing failure. A complaint says nothing about the delivery. What was delivered waits no
 * longer to go again: its provider did not know it when it was asked, or the database was restored to before it left.
 */
export async function applyReceipts(
  tx: Db,
  { messageId, provider, providerMessageId }: Receipt,
  now: Date,
): Promise<void> {
  await sql`
    update messages m set
      provider_message_id = coalesce(m.provider_message_id, case when m.provider = ${provider} then ${providerMessageId ?? null}::text end),
      error_code = r.error_code, finished_at = ${now}, sent_at = coalesce(m.sent_at, ${now}),
      state = case r.outcome when 'failed-temporary' then 'failed-temporary-exhausted' else r.outcome end::message_state
    from (
      select outcome, min(error_code) as error_code from receipts
      where message_id = ${messageId} and outcome <> 'complained'
      group by outcome
      order by array_position(array['failed-permanent', 'delivered', 'failed-temporary'], outcome) limit 1
    ) r
    where m.message_id = ${messageId} and (m.state in ('sending', 'sent', 'outcome-unknown', 'delivered',
      'failed-permanent', 'failed-temporary-exhausted')
      or (m.state in ('created', 'held') and r.outcome = 'delivered'))`.execute(tx);
}
