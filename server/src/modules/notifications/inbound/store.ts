import type {
  Channel,
  ConsentAction,
  SmsStatus,
  SuppressionReason,
} from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres.ts';
import type { Receipt } from '../channels/provider.ts';

/** The version of the words that voters agree to: raise it when they change (messages.json, `sms.opt-in`; main.json). */
const wordingVersion = '2026-11';

/**
 * Stops everything to an address of an account, and writes into the preferences of every voter who has it what that
 * means: their opt-in ends, or the mail address counts as unusable (decisions, Preferences and consent).
 *
 * @returns false when the address was stopped already
 */
export async function suppressAddress(
  db: Db,
  stop: {
    readonly accountId: number;
    readonly channel: Channel;
    readonly address: string;
    readonly reason: SuppressionReason;
    /** Where it came from, for the record of consents. */
    readonly source: string;
  },
  now: Date,
): Promise<boolean> {
  const { accountId, channel, address, reason, source } = stop;
  const { rows } = await sql<{ is_new: boolean }>`
    insert into suppressions (account_id, channel, address, reason, at)
    values (${accountId}, ${channel}, ${address}, ${reason}, ${now})
    on conflict do nothing returning true as is_new`.execute(db);
  if (reason === 'stopped' || reason === 'unsubscribed' || reason === 'complained')
    await withdrawConsents(db, { accountId, channel, address, source }, now);
  if (channel === 'email') {
    if (reason === 'unsubscribed')
      await sql`update contact_preferences set email = '', email_opt_in = false, is_valid_email = null, updated_at = ${now}
        where account_id = ${accountId} and lower(email) = ${address}`.execute(db);
    else
      await sql`update contact_preferences set is_valid_email = false, updated_at = ${now}
        where account_id = ${accountId} and lower(email) = ${address}`.execute(db);
  } else if (channel === 'sms' && reason === 'stopped')
    await sql`update contact_preferences set sms_status = 'opted-out', sms_opt_in = false, updated_at = ${now}
      where account_id = ${accountId} and phone_sms = ${address}`.execute(db);
  else if (channel === 'voice' && reason === 'stopped')
    await sql`update contact_preferences set voice_opt_in = false, updated_at = ${now}
      where account_id = ${accountId} and phone_voice = ${address}`.execute(db);
  return rows.length > 0;
}

async function withdrawConsents(
  db: Db,
  of: {
    readonly accountId: number;
    readonly channel: Channel;
    readonly address: string;
    readonly source: string;
  },
  now: Date,
): Promise<void> {
  const address = sql.ref(
    { email: 'p.email', sms: 'p.phone_sms', voice: 'p.phone_voice' }[of.channel],
  );
  await sql`
    insert into consents (account_id, voter_id, channel, address, action, source, wording, at)
    select p.account_id, p.voter_id, ${of.channel}, ${of.address}, 'withdrawn', ${of.source}, ${wordingVersion}, ${now}
    from contact_preferences p
    where p.account_id = ${of.accountId} and lower(${address}) = ${of.address}
      and (select k.action from consents k where k.voter_id = p.voter_id and k.channel = ${of.channel}
        and k.address = ${of.address} order by k.consent_id desc limit 1) <> 'withdrawn'`.execute(
    db,
  );
}

/** Notes what came in; false when this very message or call was handled before. */
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

/** A voter's subscription by text at one office. */
export interface SmsSubscription {
  readonly account_id: number;
  readonly voter_id: number;
  readonly language: string;
  readonly sms_status: SmsStatus;
  readonly sms_opt_in: boolean;
}

/** Subscriptions of a phone number with the offices behind a short code, the latest changed first. */
export async function findSubscriptions(
  db: Db,
  phone: string,
  shortCode: string,
): Promise<SmsSubscription[]> {
  const { rows } = await sql<SmsSubscription>`
    select p.account_id, p.voter_id, p.sms_status, p.sms_opt_in,
      coalesce(p.language_preference, v.language_preference, 'english') as language
    from contact_preferences p
    join voters v on v.voter_id = p.voter_id
    join accounts a on a.account_id = p.account_id
    where p.phone_sms = ${phone} and a.settings->>'short_code' = ${shortCode}
    order by p.updated_at desc, p.voter_id`.execute(db);
  return rows;
}

/** Offices that text from a short code. */
export async function findAccountsByShortCode(db: Db, shortCode: string): Promise<number[]> {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from accounts where settings->>'short_code' = ${shortCode}
    order by account_id`.execute(db);
  return rows.map((row) => row.account_id);
}

/** Takes back answers that have not left yet: after a STOP nothing but its confirmation may follow. */
export async function withdrawAnswers(db: Db, phone: string, now: Date): Promise<void> {
  await sql`
    update messages set state = 'withdrawn', error_code = 'stopped', finished_at = ${now}
    where state = 'created' and channel = 'sms' and is_answer and kind <> 'stopped' and address = ${phone}`.execute(
    db,
  );
}

export async function setSmsStatus(
  db: Db,
  subscription: SmsSubscription,
  phone: string,
  change: 'confirmed' | 'asked',
  now: Date,
): Promise<void> {
  await sql`
    update contact_preferences set sms_opt_in = true, updated_at = ${now},
      sms_status = ${change === 'confirmed' ? 'active' : 'pending'}
    where voter_id = ${subscription.voter_id}`.execute(db);
  await recordConsent(
    db,
    {
      accountId: subscription.account_id,
      voterId: subscription.voter_id,
      channel: 'sms',
      address: phone,
      action: change,
      source: 'sms reply',
    },
    now,
  );
}

export async function recordConsent(
  db: Db,
  consent: {
    readonly accountId: number;
    readonly voterId: number;
    readonly channel: Channel;
    readonly address: string;
    readonly action: ConsentAction;
    readonly source: string;
  },
  now: Date,
): Promise<void> {
  await sql`
    insert into consents (account_id, voter_id, channel, address, action, source, wording, at)
    values (${consent.accountId}, ${consent.voterId}, ${consent.channel}, ${consent.address},
      ${consent.action}, ${consent.source}, ${wordingVersion}, ${now})`.execute(db);
}

export async function liftSuppression(
  db: Db,
  of: { readonly accountId: number; readonly channel: Channel; readonly address: string },
): Promise<void> {
  await sql`delete from suppressions where account_id = ${of.accountId} and channel = ${of.channel}
    and address = ${of.address}`.execute(db);
}

export async function isSuppressed(
  db: Db,
  of: { readonly accountId: number; readonly channel: Channel; readonly address: string },
): Promise<boolean> {
  const { rows } = await sql`select from suppressions where account_id = ${of.accountId}
    and channel = ${of.channel} and address = ${of.address}`.execute(db);
  return rows.length > 0;
}

/** Whether this number was sent the help text within a day, so that a chatty machine does not get one each time. */
export async function wasHelpedLately(db: Db, phone: string, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from inbound_contacts where address = ${phone} and keyword in ('help', 'other')
      and at > ${new Date(now.getTime() - 24 * 3_600_000)} limit 2`.execute(db);
  // The one just noted is among them.
  return rows.length > 1;
}

export interface ConfirmedVoice {
  readonly account_id: number;
  readonly voter_id: number;
  readonly language: string;
  /** The number it takes the place of; empty when there was none. */
  readonly replaced: string;
}

/** Makes a pending number the voice number of each voter who gave it to an office with this from-number. */
export async function confirmVoice(
  db: Db,
  from: string,
  to: string,
  now: Date,
): Promise<ConfirmedVoice[]> {
  const { rows } = await sql<ConfirmedVoice>`
    with pending as (
      select p.voter_id, p.phone_voice as replaced, coalesce(p.language_preference, v.language_preference, 'english') as language
      from contact_preferences p
      join accounts a on a.account_id = p.account_id
      join voters v on v.voter_id = p.voter_id
      where p.pending_voice = ${from} and a.settings->>'from_voice' = ${to} for update of p
    )
    update contact_preferences p set phone_voice = p.pending_voice, pending_voice = '', voice_opt_in = true,
      updated_at = ${now}
    from pending where p.voter_id = pending.voter_id
    returning p.account_id, p.voter_id, pending.language,
      case when pending.replaced = p.phone_voice then '' else pending.replaced end as replaced`.execute(
    db,
  );
  return rows;
}

export async function findAccountByVoiceNumber(db: Db, number: string): Promise<number | null> {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from accounts where settings->>'from_voice' = ${number}
    order by account_id limit 1`.execute(db);
  return rows[0]?.account_id ?? null;
}

export interface MessageOwner {
  readonly account_id: number;
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

/** Keeps a receipt and moves its message on; false when there is no such message. */
export async function applyReceipt(db: Db, receipt: Receipt, now: Date): Promise<boolean> {
  const { messageId, provider, outcome, code } = receipt;
  const { rows } = await sql<MessageOwner>`
    insert into receipts (account_id, message_id, provider, outcome, error_code, at)
    select account_id, message_id, ${provider}, ${outcome}, ${code}, ${now} from messages
    where message_id = ${messageId}
    returning account_id`.execute(db);
  if (rows.length === 0) return false;
  if (outcome === 'complained') return true;
  const state =
    outcome === 'delivered'
      ? 'delivered'
      : outcome === 'failed-permanent'
        ? outcome
        : 'failed-temporary-exhausted';
  await sql`
    update messages set state = ${state}::message_state, error_code = ${code}, finished_at = ${now},
      sent_at = coalesce(sent_at, ${now})
    where message_id = ${messageId} and state in ('sending', 'sent', 'outcome-unknown')`.execute(
    db,
  );
  return true;
}
