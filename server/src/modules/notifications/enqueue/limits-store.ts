import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId, VoterId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import {
  type AccountRules,
  addMessage,
  type NewMessage,
  overDailyLimit,
  wakeWorker,
} from './store.ts';

/**
 * The most in a day: requests that one voter's saves cause, requests to one address at one office, first sign-ups that
 * one address on the roll is notified of (a household or a home may share it), notices to one address of one voter, and
 * codes of one voter and to one address that several voters have. Nobody can be made to send mail or texts to others. Requests never use up notices: many of
 * the first cannot silence a voter unseen.
 */
const dailyLimits = {
  requestsOfVoter: 20,
  requestsToAddress: 5,
  signUpsToAddress: 10,
  noticesToAddress: 5,
  codesOfVoter: 8,
  codesToAddress: 20,
} as const;

/** A limit that a save reached, for the record of security events. */
export type ReachedLimit = 'requests-limited' | 'sending-stopped';

/**
 * Adds a message that a visitor's save causes, within the limits of the voter, the address and the account. Above the
 * account's limit it waits for the office.
 *
 * @returns a limit that was not reported yet
 */
export async function addRequest(
  db: Db,
  rules: AccountRules,
  message: NewMessage,
): Promise<ReachedLimit | undefined> {
  const { accountId, voterId, channel, address, kind, cause } = message;
  const isSignUp = kind === 'registered';
  const { rows } = await sql<{ is_made: boolean; of_voter: number; to_address: number }>`
    select
      exists (select from messages where cause = ${cause} and channel = ${channel} and address = ${address}) as is_made,
      (select count(*) from messages where voter_id = ${voterId} and kind in ('welcome', 'opt-in')
        and ${isLately}) as of_voter,
      (select count(*) from messages where account_id = ${accountId} and channel = ${channel}
        and address = ${address} and ${isSignUp ? sql`kind = 'registered'` : sql`kind in ('welcome', 'opt-in')`}
        and ${isLately}) as to_address`.execute(db);
  const { is_made: isMade, of_voter: ofVoter = 0, to_address: toAddress = 0 } = rows[0] ?? {};
  if (isMade) return undefined;
  const isOver = isSignUp
    ? toAddress >= dailyLimits.signUpsToAddress
    : ofVoter >= dailyLimits.requestsOfVoter || toAddress >= dailyLimits.requestsToAddress;
  if (isOver) return 'requests-limited';
  const made = await countRequest(db, rules, channel);
  await addMessage(db, message, { isWaiting: made > rules.dailyRequests[channel] });
  return made === rules.dailyRequests[channel] + 1 ? 'sending-stopped' : undefined;
}

/** A request to confirm an address that the voter still uses, and that has not left yet. */
export interface WaitingRequest {
  readonly channel: Channel;
  readonly deliverAfter: Date;
}

export async function readWaitingRequests(
  db: Db,
  voterId: VoterId,
  now: Date,
): Promise<WaitingRequest[]> {
  const { rows } = await sql<WaitingRequest>`
    select m.channel, min(m.deliver_after) as "deliverAfter" from messages m
    join contact_channels c on c.voter_id = m.voter_id and c.channel = m.channel and c.is_opted_in
      and lower(c.address) = m.address
    where m.voter_id = ${voterId} and m.kind in ('welcome', 'opt-in') and m.state = 'created'
      and m.deliver_after > ${now}
    group by m.channel order by m.channel`.execute(db);
  return rows;
}

/** Withdraws the requests to confirm an address that have not left yet: its voter no longer wants to be asked. */
export async function withdrawRequests(
  db: Db,
  { voterId, channel, address }: Pick<NewMessage, 'channel' | 'address'> & { voterId: VoterId },
  now: Date,
): Promise<void> {
  await sql`
    update messages set state = 'withdrawn', finished_at = ${now}, error_code = 'no-consent'
    where voter_id = ${voterId} and channel = ${channel} and address = ${address}
      and kind in ('welcome', 'opt-in') and state in ('created', 'held')`.execute(db);
}

const isLately = sql`created_at > now() - interval '1 day'`;

/**
 * Counts in one row for all channels, so that two saves that ask on several never wait for each other in a circle.
 *
 * @returns how many requests of this channel the office's visitors caused today
 */
export async function countRequest(
  db: Db,
  { accountId, timeZone }: AccountRules,
  channel: Channel,
): Promise<number> {
  const column = sql.ref(channel);
  const { rows } = await sql<{ made: number }>`
    insert into daily_requests as d (account_id, day, ${column})
    values (${accountId}, (now() at time zone ${timeZone})::date, 1)
    on conflict (account_id, day) do update set ${column} = d.${column} + 1
    returning ${column} as made`.execute(db);
  return rows[0]?.made ?? 0;
}

/**
 * Notifies a proven address at once that it gets no more news: before a million alerts, at any hour, because a
 * stranger may have made the change.
 *
 * @param notice.cause what ended it; the same cause notifies an address once
 */
export async function addNotice(
  db: Db,
  notice: Omit<NewMessage, 'kind' | 'isAnswer' | 'deliverAfter'>,
  now: Date,
): Promise<void> {
  const { voterId, channel, address } = notice;
  const { rows } = await sql<{ notices: number }>`
    select count(*) as notices from messages where voter_id = ${voterId} and kind = 'change'
      and channel = ${channel} and address = ${address} and ${isLately}`.execute(db);
  if ((rows[0]?.notices ?? 0) >= dailyLimits.noticesToAddress) return;
  await addMessage(db, { ...notice, kind: 'change', isAnswer: true, deliverAfter: now });
}

const codeCause = 'contact-code:';

/** The number of the contact code that a message carries. */
export function codeIdOf(cause: string | null): number {
  return Number(cause?.startsWith(codeCause) ? cause.slice(codeCause.length) : Number.NaN);
}

/**
 * Sends a contact code at once, at any hour: the voter is waiting for it. Above the account's limit it is not sent,
 * because it would be void before the office could look.
 *
 * @returns the limit that was reached; undefined when it is sent
 */
export async function addContactCodeMessage(
  db: Db,
  rules: AccountRules,
  { codeId, ...to }: ContactCodeMessage,
  now: Date,
): Promise<ReachedLimit | undefined> {
  const { accountId, voterId, channel, address } = to;
  const { rows } = await sql<{ of_voter: number; to_address: number }>`
    select
      (select count(*) from messages where voter_id = ${voterId} and kind = 'contact-code'
        and ${isLately}) as of_voter,
      (select count(*) from messages where account_id = ${accountId} and channel = ${channel}
        and address = ${address} and kind = 'contact-code' and ${isLately}) as to_address`.execute(
    db,
  );
  const { of_voter: ofVoter = 0, to_address: toAddress = 0 } = rows[0] ?? {};
  if (ofVoter >= dailyLimits.codesOfVoter || toAddress >= dailyLimits.codesToAddress)
    return 'requests-limited';
  const over = (await countRequest(db, rules, channel)) - rules.dailyRequests[channel];
  if (over > 0) return over === 1 ? 'sending-stopped' : 'requests-limited';
  const cause = codeCause + codeId;
  await addMessage(db, { ...to, kind: 'contact-code', cause, isAnswer: true, deliverAfter: now });
  return undefined;
}

export interface ContactCodeMessage
  extends Pick<NewMessage, 'accountId' | 'channel' | 'address' | 'language'> {
  readonly voterId: VoterId;
  readonly codeId: number;
}

/** What an office's visitors caused today, and what waits for the office. */
export interface SendingState {
  readonly channel: Channel;
  readonly today: number;
  readonly waiting: number;
  /** Whose saves caused those that wait, and how many addresses they would go to. */
  readonly voters: number;
  readonly addresses: number;
  readonly firstAt: Date | null;
  readonly lastAt: Date | null;
  readonly lastId: number | null;
}

export async function readSending(
  db: Db,
  account: { readonly accountId: AccountId; readonly timeZone: string },
): Promise<SendingState[]> {
  const { rows } = await sql<SendingState>`
    select c.channel, coalesce(case c.channel when 'email' then d.email when 'sms' then d.sms else d.voice end, 0) as today,
      w.*
    from unnest(array['email', 'sms', 'voice']) as c (channel)
    left join daily_requests d on d.account_id = ${account.accountId}
      and d.day = (now() at time zone ${account.timeZone})::date
    cross join lateral (
      select count(*)::int as waiting, count(distinct m.voter_id)::int as voters, count(distinct m.address)::int as addresses,
        min(m.created_at) as "firstAt", max(m.created_at) as "lastAt", max(m.message_id) as "lastId"
      from messages m where m.account_id = ${account.accountId} and m.channel = c.channel
        and m.state = 'held' and m.error_code = ${overDailyLimit}) w`.execute(db);
  return rows;
}

/** @param lastId those up to this message alone; left out: all that wait */
export async function resumeSending(
  db: Db,
  { accountId, timeZone }: { readonly accountId: AccountId; readonly timeZone: string },
  { channel, isDiscarded, lastId }: RequestsDecision,
  now: Date,
): Promise<number> {
  const change = isDiscarded
    ? sql`state = 'withdrawn', finished_at = ${now}`
    : // Due by the decision: by its old time it would count among the office's late messages.
      sql`state = 'created', error_code = null, created_at = ${now}, due_at = null,
        deliver_after = greatest(deliver_after, ${now}::timestamptz)`;
  const { numAffectedRows } = await sql`
    update messages set ${change} where account_id = ${accountId} and channel = ${channel} and state = 'held'
      and error_code = ${overDailyLimit}
      and message_id <= ${lastId ?? Number.MAX_SAFE_INTEGER}`.execute(db);
  await sql`update daily_requests set ${sql.ref(channel)} = 0
    where account_id = ${accountId} and day = (now() at time zone ${timeZone})::date`.execute(db);
  await wakeWorker(db, channel);
  return Number(numAffectedRows ?? 0n);
}

export interface RequestsDecision {
  readonly channel: Channel;
  readonly isDiscarded: boolean;
  readonly lastId?: number;
}
