import { type Channel, channels } from '@ballot-beacon/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { type ContactChannel, type Contacts, noChannel, noContacts } from './rules.ts';

/** What a voter saved, as {@link selectContacts} gives it. */
export interface StoredContacts {
  readonly language: string | null;
  readonly isConfirmed: boolean;
  /** ISO 8601 */
  readonly updatedAt: string;
  readonly channels: Readonly<Partial<Record<Channel, ContactChannel>>>;
}

const channelValue = sql`json_build_object('address', address, 'status', status, 'isOptedIn', is_opted_in,
  'pendingAddress', pending_address, 'start', to_char(hours_start, 'HH24:MI'), 'end', to_char(hours_end, 'HH24:MI'))`;

/**
 * A voter's contacts as one JSON value, {@link StoredContacts} or null before the first save, for a statement that
 * reads the voter anyway: `selectContacts(sql.ref('v.voter_id'))`.
 */
export function selectContacts(voterId: RawBuilder<unknown>): RawBuilder<StoredContacts | null> {
  return sql<StoredContacts | null>`(
    select json_build_object('language', language_preference, 'isConfirmed', is_confirmed, 'updatedAt', updated_at,
      'channels', coalesce((select json_object_agg(channel, ${channelValue}) from contact_channels
        where contact_channels.voter_id = contact_preferences.voter_id), '{}'))
    from contact_preferences where contact_preferences.voter_id = ${voterId})`;
}

/** Fills in what was never saved. */
export function toContacts(stored: StoredContacts | null): Contacts {
  if (!stored) return noContacts;
  const { language, isConfirmed } = stored;
  return {
    language,
    isConfirmed,
    channels: {
      email: stored.channels.email ?? noChannel,
      sms: stored.channels.sms ?? noChannel,
      voice: stored.channels.voice ?? noChannel,
    },
  };
}

/**
 * A voter's contacts, locked until the transaction ends, so that two saves at once, or a save and a STOP, come one
 * after the other; undefined before the first save.
 */
export async function lockContacts(
  tx: Db,
  accountId: AccountId,
  voterId: VoterId,
): Promise<Contacts | undefined> {
  const first = await sql`
    insert into contact_preferences (account_id, voter_id) values (${accountId}, ${voterId})
    on conflict (voter_id) do nothing returning 1`.execute(tx);
  const { rows: own } = await sql<{ language: string | null; isConfirmed: boolean }>`
    select language_preference as language, is_confirmed as "isConfirmed" from contact_preferences
    where account_id = ${accountId} and voter_id = ${voterId} for update`.execute(tx);
  const { rows } = await sql<{ channel: Channel; value: ContactChannel }>`
    select channel, ${channelValue} as value from contact_channels
    where account_id = ${accountId} and voter_id = ${voterId} order by channel for update`.execute(
    tx,
  );
  const [saved] = own;
  if (first.rows.length > 0 || !saved) return undefined;
  const known = Object.fromEntries(rows.map(({ channel, value }) => [channel, value]));
  return toContacts({ ...saved, updatedAt: '', channels: known });
}

/** Writes what a save changed; `before` is what {@link lockContacts} gave in the same transaction. */
export async function writeContacts(
  tx: Db,
  { accountId, voterId }: { readonly accountId: AccountId; readonly voterId: VoterId },
  before: Contacts,
  after: Contacts,
  now: Date,
): Promise<void> {
  await sql`
    update contact_preferences set language_preference = ${after.language}, is_confirmed = ${after.isConfirmed},
      updated_at = ${now}
    where account_id = ${accountId} and voter_id = ${voterId}`.execute(tx);
  for (const channel of channels) {
    const value = after.channels[channel];
    if (isSame(value, before.channels[channel])) continue;
    await sql`
      insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in, pending_address,
        hours_start, hours_end, updated_at)
      values (${accountId}, ${voterId}, ${channel}, ${value.address}, ${value.status}, ${value.isOptedIn},
        ${value.pendingAddress}, ${value.start}, ${value.end}, ${now})
      on conflict (voter_id, channel) do update set address = excluded.address, status = excluded.status,
        is_opted_in = excluded.is_opted_in, pending_address = excluded.pending_address,
        hours_start = excluded.hours_start, hours_end = excluded.hours_end, updated_at = excluded.updated_at`.execute(
      tx,
    );
  }
}

function isSame(one: ContactChannel, other: ContactChannel): boolean {
  const names = Object.keys(noChannel) as (keyof ContactChannel)[];
  return names.every((name) => one[name] === other[name]);
}

/** A voter's subscription by text at one office. */
export interface SmsSubscription {
  readonly account_id: AccountId;
  readonly voter_id: VoterId;
  readonly language: string;
  readonly is_opted_in: boolean;
  readonly status: ContactChannel['status'];
}

/**
 * Locks what voters chose for texts to a number until the transaction ends: of two texts of one moment, each reads what the other
 * led to. In the order in which an address is stopped.
 */
export async function lockSmsChannels(tx: Db, phone: string): Promise<void> {
  await sql`
    select from contact_channels
    where channel = 'sms' and lower(address) = ${phone} and address <> ''
    order by voter_id for update`.execute(tx);
}

/** Subscriptions of a phone number with the offices behind a short code, the latest changed first. */
export async function findSmsSubscriptions(
  db: Db,
  phone: string,
  shortCode: string,
): Promise<SmsSubscription[]> {
  const { rows } = await sql<SmsSubscription>`
    select c.account_id, c.voter_id, c.is_opted_in, c.status,
      coalesce(p.language_preference, v.language_preference, 'english') as language
    from contact_channels c
    join contact_preferences p on p.voter_id = c.voter_id
    join voters v on v.voter_id = c.voter_id
    join accounts a on a.account_id = c.account_id
    where c.channel = 'sms' and lower(c.address) = ${phone} and c.address <> ''
      and a.settings->>'short_code' = ${shortCode}
    order by greatest(c.updated_at, p.updated_at) desc, c.voter_id`.execute(db);
  return rows;
}

/** Opts a number in by a text of its own: `proven` by YES, asked anew (`unproven`) by START. */
export async function setSmsStatus(
  db: Db,
  voterId: VoterId,
  status: 'proven' | 'unproven',
  now: Date,
): Promise<void> {
  await sql`
    update contact_channels set is_opted_in = true, status = ${status}, updated_at = ${now}
    where voter_id = ${voterId} and channel = 'sms'`.execute(db);
}

export interface ConfirmedVoice {
  readonly account_id: AccountId;
  readonly voter_id: VoterId;
  readonly language: string;
  /** The number it replaces, as far as that was still called; empty for none. */
  readonly replaced: string;
}

/** Confirms a pending number, for each voter who gave it to an office with this from-number and still wants calls. */
export async function confirmVoice(
  db: Db,
  from: string,
  to: string,
  now: Date,
): Promise<ConfirmedVoice[]> {
  const { rows } = await sql<ConfirmedVoice>`
    with pending as (
      select c.voter_id, case when c.is_reachable then c.address else '' end as replaced,
        coalesce(p.language_preference, v.language_preference, 'english') as language
      from contact_channels c
      join accounts a on a.account_id = c.account_id
      join voters v on v.voter_id = c.voter_id
      left join contact_preferences p on p.voter_id = c.voter_id
      where c.channel = 'voice' and c.pending_address = ${from} and c.pending_address <> '' and c.is_opted_in
        and a.settings->>'from_voice' = ${to}
      for update of c
    )
    update contact_channels c set address = c.pending_address, pending_address = '', status = 'proven',
      updated_at = ${now}
    from pending where c.voter_id = pending.voter_id and c.channel = 'voice'
    returning c.account_id, c.voter_id, pending.language,
      case when pending.replaced = c.address then '' else pending.replaced end as replaced`.execute(
    db,
  );
  return rows;
}

/**
 * How many voters get messages and would get none once an office offers the channels `after` instead of those `before`. Unproven
 * addresses get none in either case.
 */
export async function countUnreached(
  db: Db,
  accountId: AccountId,
  before: readonly string[],
  after: readonly string[],
): Promise<number> {
  const gone = before.filter((channel) => !after.includes(channel));
  if (gone.length === 0) return 0;
  const { rows } = await sql<{ count: number }>`
    select count(distinct voter_id)::int as count from contact_channels c
    where account_id = ${accountId} and is_reachable and channel = any(${gone}::text[])
      and not exists (select from contact_channels o where o.voter_id = c.voter_id and o.is_reachable
        and o.channel = any(${[...after]}::text[]))
    -- sequential scan: counts an office’s voters, when it takes a channel away`.execute(db);
  return rows[0]?.count ?? 0;
}
