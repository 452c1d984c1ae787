import type { Channel, MessageKind } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import { localDay } from '../../../platform/clock.ts';
import type { AccountId, ImportId, VoterId } from '../../../platform/ids.ts';
import type { Db, Tx } from '../../../platform/postgres.ts';
import { changedBallots, isEnded } from '../../ballots/index.ts';
import { bindingHours, type ContactHours, nextWithinHours } from '../hours.ts';
import { findStatusNews, type NewsRules, postalDetails, statusNews } from './news-store.ts';

/** The settings of an account for its messages. */
export interface AccountRules extends NewsRules {
  readonly quietHours: ContactHours;
  /** Channels the account offers. */
  readonly channels: readonly Channel[];
  /** The most requests to confirm an address in a day that visitors can cause. */
  readonly dailyRequests: Readonly<Record<Channel, number>>;
}

export interface NewMessage {
  readonly accountId: AccountId;
  readonly voterId: VoterId | null;
  readonly kind: Exclude<MessageKind, 'status' | 'catch-up' | 'correction' | 'news-waiting'>;
  readonly channel: Channel;
  readonly address: string;
  readonly language: string;
  /** What causes it; the same cause creates no second message. */
  readonly cause: string;
  /** Answers what was just done by text, or notifies an old address at once: goes before all else and at any hour. */
  readonly isAnswer: boolean;
  readonly deliverAfter: Date;
}

/** Adds one message that is not of a ballot's status, unless its cause has made it before, and wakes the worker. */
export async function addMessage(
  db: Db,
  message: NewMessage,
  { isWaiting = false } = {},
): Promise<void> {
  await sql`
    insert into messages (account_id, kind, voter_id, channel, address, language, cause, is_answer, deliver_after,
      state, error_code)
    values (${message.accountId}, ${message.kind}, ${message.voterId}, ${message.channel}, ${message.address},
      ${message.language}, ${message.cause}, ${message.isAnswer}, ${message.deliverAfter},
      ${isWaiting ? 'held' : 'created'}, ${isWaiting ? overDailyLimit : null})
    on conflict do nothing`.execute(db);
  if (!isWaiting) await wakeWorker(db, message.channel);
}

/** Writes what has not left yet in the language that the voter has chosen since. */
export async function rewriteWaiting(db: Db, voterId: VoterId, language: string): Promise<void> {
  await sql`update messages set language = ${language}
    where voter_id = ${voterId} and state in ('created', 'held')`.execute(db);
}

/** The `error_code` of requests that wait because the account's daily limit is reached. */
export const overDailyLimit = 'daily-limit';

/** Wakes the worker when this transaction commits. */
export async function wakeWorker(db: Db, channel: Channel, at?: Date): Promise<void> {
  await (at
    ? sql`select wake_messages(${channel}, ${at})`
    : sql`select wake_messages(${channel})`
  ).execute(db);
}

/** Starts one more lane of a channel, unless that lane already waits. */
export async function wakeLane(db: Db, channel: Channel, lane: number): Promise<void> {
  await sql`select graphile_worker.add_job('deliver-messages',
    json_build_object('channel', ${channel}::text, 'lane', ${lane}::integer),
    job_key => ${`deliver-messages:${channel}${lane === 0 ? '' : `:${lane}`}`}, max_attempts => 1)`.execute(
    db,
  );
}

/** What messages of one kind have in common, and how many they are. */
export interface StatusMessages {
  readonly channel: Channel;
  readonly language: string;
  readonly status: string;
  readonly election_name: string;
  /** `YYYY-MM-DD` */
  readonly election_date: string;
  readonly count: number;
  /** How many of them are to voters whose name is empty. */
  readonly blank_names: number;
}

/**
 * Turns an import's changes into messages, set-wise and in the import's own transaction. Voters get a message on
 * every channel they asked for, once per event, channel and address; waiting messages about an earlier status are dropped.
 *
 * @returns the messages of statuses by kind, and how many messages were made in all
 */
export async function addStatusMessages(
  tx: Tx,
  rules: AccountRules,
  importId: ImportId,
  now: Date,
): Promise<{ kinds: readonly StatusMessages[]; messages: number }> {
  await sql`
    update messages m set state = 'superseded', error_code = 'newer-status', finished_at = ${now}
    from ${changedBallots} c
    where m.ballot_id = c.ballot_id and m.state in ('created', 'held')
      and m.kind in ('status', 'catch-up') and m.status <> c.new_status
      and m.status is distinct from (select b.current_status from ballots b where b.ballot_id = c.ballot_id)
      and not (c.new_status = any(${postalDetails}::text[]) and m.status <> all(${postalDetails}::text[]))`.execute(
    tx,
  );
  await findStatusNews(tx, rules, localDay(now, rules.timeZone));
  const windows = await readWindows(tx, rules, now);
  const { rows: kinds } = await sql<StatusMessages>`
    with added as (
      insert into messages (account_id, kind, event_id, ballot_id, status, import_id, voter_id, channel, address,
        language, state, deliver_after)
      select ${rules.accountId}, 'status', ch.event_id, ch.ballot_id, ch.new_status, ${importId}, ch.voter_id,
        c.channel, lower(c.address), ch.language, 'created', coalesce(w.deliver_after, ${now})
      from ${statusNews} ch
      join contact_channels c on c.voter_id = ch.voter_id and c.is_reachable
      left join unnest(
        ${windows.map((w) => w.channel)}::text[], ${windows.map((w) => w.start)}::time[],
        ${windows.map((w) => w.end)}::time[], ${windows.map((w) => w.deliverAfter)}::timestamptz[]
      ) as w (channel, hours_start, hours_end, deliver_after)
        on w.channel = c.channel and w.hours_start is not distinct from c.hours_start
          and w.hours_end is not distinct from c.hours_end
      where c.account_id = ${rules.accountId} and c.channel = any(${[...rules.channels]}::text[])
        and not exists (select from suppressions s where s.account_id = ${rules.accountId}
          and s.channel = c.channel and s.address = lower(c.address))
      -- In the order in which the index by voters grows at its end.
      order by ch.voter_id
      on conflict on constraint messages_once_per_event do nothing
      returning event_id, channel
    )
    select kind.*, el.name as election_name, el.election_date
    from (
      select a.channel, ch.language, ch.new_status as status, ch.election_id, count(*) as count,
        count(*) filter (where ch.is_nameless) as blank_names
      from added a join ${statusNews} ch on ch.event_id = a.event_id
      group by 1, 2, 3, 4
    ) kind
    join elections el on el.election_id = kind.election_id`.execute(tx);
  const waiting = await addNewsWaiting(tx, rules, importId, now);
  return { kinds, messages: kinds.reduce((sum, { count }) => sum + count, waiting) };
}

/** The most times that an unconfirmed address is notified that there is news, however many voters gave it. */
const mostNewsWaiting = 3;

/**
 * Says to unconfirmed email addresses that there is news, without a status or a name, so that a voter who did not
 * confirm is reminded. Phone numbers get nothing: they have only been asked whether they agree.
 *
 * @returns how many messages were made
 */
async function addNewsWaiting(
  db: Db,
  rules: AccountRules,
  importId: ImportId,
  now: Date,
): Promise<number> {
  if (!rules.channels.includes('email')) return 0;
  const unproven = sql`c.account_id = ${rules.accountId} and c.channel = 'email' and c.status = 'unproven'
    and c.is_opted_in and c.address <> ''`;
  const { rows } = await sql`select from contact_channels c where ${unproven} limit 1`.execute(db);
  if (rows.length === 0) return 0;
  const { numAffectedRows } = await sql`
    insert into messages (account_id, kind, import_id, voter_id, channel, address, language, cause, deliver_after)
    select ${rules.accountId}, 'news-waiting', ${importId}, n.voter_id, 'email', n.address, n.language,
      'news-waiting:office:' || ${rules.accountId} || ':' || earlier.count + n.nth, ${now}
    from (select c.voter_id, ch.language, lower(c.address) as address,
        row_number() over (partition by lower(c.address) order by c.voter_id) as nth
      from (select distinct voter_id, language from ${statusNews}) ch
      join contact_channels c on c.voter_id = ch.voter_id and ${unproven}) n
    cross join lateral (select count(*) from messages m
      where m.account_id = ${rules.accountId} and m.kind = 'news-waiting' and m.address = n.address) earlier
    where n.nth <= ${mostNewsWaiting}::integer and earlier.count + n.nth <= ${mostNewsWaiting}::integer
      and not exists (select from suppressions s where s.account_id = ${rules.accountId}
        and s.channel = 'email' and s.address = n.address)
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

interface Window {
  readonly channel: Channel;
  readonly start: string | null;
  readonly end: string | null;
  readonly deliverAfter: Date;
}

/** When each of the different contact hours among the voters concerned opens next: a few hundred at most. */
async function readWindows(db: Db, rules: AccountRules, now: Date): Promise<Window[]> {
  const { rows } = await sql<{ channel: Channel; start: string | null; end: string | null }>`
    select distinct c.channel, c.hours_start as start, c.hours_end as end
    from ${statusNews} ch
    join contact_channels c on c.voter_id = ch.voter_id and c.is_reachable
    where c.account_id = ${rules.accountId}`.execute(db);
  return rows.map((row) => ({ ...row, deliverAfter: firstAllowed(row.channel, row, rules, now) }));
}

/** When a message made now may first go out on a channel. */
export function firstAllowed(
  channel: Channel,
  own: { readonly start: string | null; readonly end: string | null },
  rules: Pick<AccountRules, 'quietHours' | 'timeZone'>,
  now: Date,
): Date {
  const hours = bindingHours(channel, own, rules.quietHours);
  return new Date(nextWithinHours(now.getTime(), hours, rules.timeZone));
}

/**
 * Sends a voter who was just confirmed on a channel the current status of each ballot, unless this address already got
 * it. That includes what was dropped while the voter could not be notified. Where the status came by an import whose messages wait, it waits
 * with them.
 */
export async function addCatchUp(
  db: Db,
  rules: AccountRules,
  voterId: VoterId,
  channel: Channel,
  now: Date,
): Promise<void> {
  if (!rules.channels.includes(channel)) return;
  const { rows } = await sql<{ start: string | null; end: string | null }>`
    select hours_start as start, hours_end as end from contact_channels
    where voter_id = ${voterId} and channel = ${channel}`.execute(db);
  const own = rows[0];
  if (!own) return;
  const deliverAfter = firstAllowed(channel, own, rules, now);
  await sql`
    insert into messages as m (account_id, kind, event_id, ballot_id, status, import_id, voter_id, channel, address,
      language, deliver_after, state, error_code)
    select b.account_id, 'catch-up', ev.event_id, b.ballot_id, ev.status, ev.import_id, b.voter_id, c.channel, lower(c.address),
      coalesce(p.language_preference, v.language_preference, 'english'), ${deliverAfter},
      case when ev.is_waiting then 'held' else 'created' end::message_state, case when ev.is_waiting then 'gate' end
    from ballots b
    join elections el on el.election_id = b.election_id and el.is_active
    join voters v on v.voter_id = b.voter_id and v.is_active and not v.is_confidential
    join contact_channels c on c.voter_id = b.voter_id and c.channel = ${channel} and c.is_reachable
    left join contact_preferences p on p.voter_id = b.voter_id
    cross join lateral (select e.event_id, e.status, e.import_id, coalesce(i.state = 'messages-held', false) as is_waiting
      from ballot_events e left join imports i on i.import_id = e.import_id
      where e.ballot_id = b.ballot_id and e.kind = 'office' and e.status is not null
        and i.state is distinct from 'corrected'
      order by e.event_id desc limit 1) ev
    where b.voter_id = ${voterId}
      and ev.status = any(${[...rules.notifyingStatuses]}::text[])
      and not ${isEnded(sql`b`, sql`ev.status`)}
    on conflict on constraint messages_once_per_event do update
      set kind = 'catch-up', state = excluded.state, deliver_after = excluded.deliver_after, due_at = null, attempts = 0,
        language = excluded.language, error_code = excluded.error_code, finished_at = null, created_at = ${now},
        sent_at = null
      where m.state in ('withdrawn', 'expired', 'failed-temporary-exhausted')`.execute(db);
  await wakeWorker(db, channel);
}
