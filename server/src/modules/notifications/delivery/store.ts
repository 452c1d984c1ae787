import type {
  Channel,
  ConsentAction,
  MessageKind,
  MessageState,
  SuppressionReason,
} from '@ballot-beacon/contract/messages';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId, BallotId, VoterId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { isEnded } from '../../ballots/index.ts';
import { selectAskedId } from '../../contacts/index.ts';
import { dayToName } from '../office/election-day-store.ts';
import { isSendingDatabase } from '../restored/store.ts';
import { type Lane, lanes } from '../senders/limits.ts';
import type { AskedReturn } from './rules.ts';

/** A claimed message with everything the decision to send it needs, read in the claiming statement itself. */
export interface ClaimedMessage extends AskedReturn {
  readonly account_id: AccountId;
  readonly message_id: number;
  readonly kind: MessageKind;
  readonly is_answer: boolean;
  readonly lane: Lane;
  /** When it may leave. */
  readonly due_at: Date;
  readonly voter_id: VoterId | null;
  readonly ballot_id: BallotId | null;
  readonly channel: Channel;
  readonly address: string;
  readonly language: string;
  readonly attempts: number;
  readonly claimed_at: Date;
  readonly created_at: Date;
  readonly provider: string;
  /** When it was first handed to a provider whose answer was lost; null on a first attempt. */
  readonly first_claimed_at: Date | null;
  readonly name: string;
  readonly is_voter_active: boolean;
  readonly is_wanted: boolean;
  readonly hours_start: string | null;
  readonly hours_end: string | null;
  readonly suppression: SuppressionReason | null;
  readonly consent: ConsentAction | null;
  /** Of a message that asks for a proof: see `confirmationCode`. */
  readonly asked_id: number | null;
  /** What caused a message that is of no ballot. */
  readonly cause: string | null;
  /** `ended` when another ballot of the voter in the same election is complete. */
  readonly current_status: string | null;
  readonly election_name: string | null;
  /** `YYYY-MM-DD`: when the office expects the ballot at its voter, by its own files. */
  readonly office_expected_on: string | null;
  /** YYYY-MM-DD, see {@link dayToName}. */
  readonly election_date: string | null;
  readonly is_election_active: boolean | null;
  readonly is_import_waiting: boolean;
  readonly is_import_corrected: boolean;
  /** Made after a restore of the database that its office has not finished. */
  readonly is_restoring: boolean;
  readonly corrected_state: MessageState | null;
  readonly corrected_at: Date | null;
}

/** Of a message `m`, as the index of due messages has it. */
export const laneOf = sql`message_lane(m.is_answer, m.kind, m.status)`;

/** How long a claim is its worker's. Longer than any call to a provider, so that nobody else has it meanwhile. */
export const leaseMs = 60_000;

/** What of an office's messages on a channel may leave now. */
export interface DueHead {
  readonly account_id: AccountId;
  readonly lane: Lane;
  readonly deliver_after: Date;
}

/** The oldest due message of each office and lane. */
export async function readDueHeads(db: Db, channel: Channel, now: Date): Promise<DueHead[]> {
  const { rows } = await sql<DueHead>`
    select a.account_id, l.lane, m.deliver_after
    from accounts a cross join unnest(${[...lanes]}::text[]) as l (lane)
    cross join lateral (${firstDue(channel, sql`a.account_id`, sql`l.lane`, now, sql`1`)}) m
    where ${isSendingDatabase}`.execute(db);
  return rows;
}

/** In the order of the index `messages_due_by_account`. */
function firstDue(
  channel: Channel,
  accountId: RawBuilder<unknown>,
  lane: RawBuilder<unknown>,
  now: Date,
  most: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select m.message_id, m.deliver_after from messages m
    where m.state = 'created' and m.channel = ${channel} and m.account_id = ${accountId}
      and ${laneOf} = ${lane} and m.deliver_after <= ${now}
      and not (m.kind = 'stopped' and exists (select from messages f where f.state = 'sending' and f.channel = m.channel and f.address = m.address))
    order by m.deliver_after limit ${most}`;
}

/** What is claimed at once. */
export interface ClaimBounds {
  readonly channel: Channel;
  /** The name of the provider that gets them. */
  readonly provider: string;
  /** The offices of one sender. */
  readonly accounts: readonly AccountId[];
  readonly most: number;
  /** Of them, news. */
  readonly mostNews: number;
}

/**
 * Claims due messages for one provider: answers first, then what is urgent, then news. Rows another worker has are skipped. The
 * confirmation of a STOP waits until nothing else is on its way to that number, so that it is the last thing to arrive.
 */
export async function claimDue(db: Db, bounds: ClaimBounds, now: Date): Promise<ClaimedMessage[]> {
  const { channel, provider, accounts, most, mostNews } = bounds;
  const mostOf = sql`case l.lane when 'news' then ${mostNews}::integer else ${most}::integer end`;
  const { rows } = await sql<ClaimedMessage>`
    with heads as materialized (
      select m.message_id from unnest(${[...accounts]}::integer[]) as a (account_id)
      cross join unnest(${[...lanes]}::text[]) with ordinality as l (lane, rank)
      cross join lateral (${firstDue(channel, sql`a.account_id`, sql`l.lane`, now, mostOf)}) m
      where ${isSendingDatabase}
      order by l.rank, m.deliver_after limit ${most}
    ), due as materialized (
      select m.message_id from messages m where m.message_id = any(array(select message_id from heads))
        and m.state = 'created' for update skip locked
    ), claimed as (
      update messages m set state = 'sending', attempts = attempts + 1, claimed_at = ${now},
        provider = ${provider}
      -- A limit that is computed says nothing to the planner: it expects a tenth of the queue, and joins whole tables with it.
      from (select * from due limit ${sql.lit(mostClaimed)}) due
      where m.message_id = due.message_id returning m.*
    )
    ${selectFacts(sql`null::timestamptz`)} from claimed c ${joinFacts}`.execute(db);
  const rank = (one: ClaimedMessage): number => lanes.indexOf(one.lane);
  return rows.sort((a, b) => rank(a) - rank(b) || a.due_at.getTime() - b.due_at.getTime());
}

/** No provider takes more in one call. */
const mostClaimed = 500;

/**
 * Takes over messages whose worker or provider went silent: nobody knows whether they were handed over. They keep the
 * provider that they were claimed for.
 */
export async function claimLost(
  db: Db,
  channel: Channel,
  limit: number,
  now: Date,
): Promise<ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    with lost as materialized (
      select message_id, claimed_at as first_claimed_at from messages
      where state = 'sending' and channel = ${channel}
        and claimed_at < ${new Date(now.getTime() - leaseMs)} and ${isSendingDatabase}
      order by claimed_at limit ${limit} for update skip locked
    ), claimed as (
      update messages m set attempts = attempts + 1, claimed_at = ${now}
      from lost where m.message_id = lost.message_id returning m.*, lost.first_claimed_at
    )
    ${selectFacts(sql`c.first_claimed_at`)} from claimed c ${joinFacts}`.execute(db);
  return rows;
}

/** By address: a provider's ids of the messages that it surely has, to the addresses of these and to voters who have them. */
export async function readProviderIds(
  db: Db,
  { name, channel }: { readonly name: string; readonly channel: Channel },
  messages: readonly ClaimedMessage[],
): Promise<Map<string, ReadonlySet<string>>> {
  const addresses = [...new Set(messages.map(({ address }) => address))];
  const { rows } = await sql<{ address: string; id: string }>`
    select m.address, m.provider_message_id as id
    from (select distinct c.voter_id from contact_channels c
      where lower(c.address) = any(${addresses}::text[]) and c.channel = ${channel} and c.address <> '') v
    join messages m on m.voter_id = v.voter_id
    where m.channel = ${channel} and m.provider = ${name} and m.address = any(${addresses}::text[])
      and m.provider_message_id is not null`.execute(db);
  const byAddress = Map.groupBy(rows, ({ address }) => address);
  return new Map(
    [...byAddress].map(([address, all]) => [address, new Set(all.map(({ id }) => id))]),
  );
}

function selectFacts(firstClaimedAt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select c.account_id, c.message_id, c.kind, message_lane(c.is_answer, c.kind, c.status) as lane, c.deliver_after as due_at, c.is_answer, c.status, c.voter_id, c.ballot_id, c.channel, c.address, c.language,
      c.attempts, c.claimed_at, c.created_at, c.provider, ${firstClaimedAt} as first_claimed_at,
      coalesce(nullif(v.firstname, ''), v.lastname, '') as name,
      coalesce(v.is_active and not v.is_confidential, false) as is_voter_active,
      coalesce(lower(p.address) = c.address and case c.kind
        when 'news-waiting' then p.is_opted_in and p.status = 'unproven'
        when 'welcome' then p.is_opted_in and p.status in ('unproven', 'proven')
        when 'opt-in' then p.is_opted_in and p.status in ('unproven', 'proven')
        else p.is_reachable end, false) as is_wanted,
      p.hours_start, p.hours_end, c.cause,
      s.reason as suppression,
      (select k.action from consents k
        where k.voter_id = c.voter_id and k.channel = c.channel and k.address = c.address
        order by k.consent_id desc limit 1) as consent,
      case when c.kind in ('welcome', 'news-waiting') then ${selectAskedId(sql`c.voter_id`, 'email')} end as asked_id,
      -- Once another ballot of the voter is complete, no message about this one is true any more.
      case when ${isEnded(sql`b`, sql`b.current_status`)} then 'ended' else b.current_status end as current_status,
      b.office_expected_on, e.name as election_name, ${dayToName(sql`c.status`)} as election_date, e.election_date as election_day, e.return_deadline, e.is_active as is_election_active,
      coalesce(i.state = 'messages-held', false) as is_import_waiting,
      coalesce(i.state = 'corrected', false) as is_import_corrected,
      coalesce(c.created_at >= r.begun_at, false) as is_restoring,
      w.state as corrected_state, coalesce(w.sent_at, w.claimed_at) as corrected_at`;
}

const joinFacts = sql`
  left join voters v on v.voter_id = c.voter_id
  left join contact_channels p on p.voter_id = c.voter_id and p.channel = c.channel
  left join suppressions s on s.account_id = c.account_id and s.channel = c.channel and s.address = c.address
  left join ballots b on b.ballot_id = c.ballot_id
  left join elections e on e.election_id = b.election_id
  left join imports i on i.import_id = c.import_id
  left join restores r on r.account_id = c.account_id and r.finished_at is null
  left join messages w on w.message_id = c.corrects_message_id`;

/** What to record for a message after its claim. */
export interface Result {
  readonly messageId: number;
  readonly claimedAt: Date;
  readonly state: MessageState;
  readonly code: string | null;
  readonly providerMessageId: string | null;
  readonly deliverAfter: Date | null;
  /** Whether `deliverAfter` is another try of what is due already, and not when it becomes due. */
  readonly isRetry: boolean;
  /** False gives the attempt back: it was not the message's fault. */
  readonly countsAsAttempt: boolean;
}

/**
 * Writes results in one statement. A receipt may have come first: what it said stands. A claim that was lost to
 * another worker writes nothing.
 */
export async function recordResults(db: Db, results: readonly Result[], now: Date): Promise<void> {
  if (results.length === 0) return;
  const column = <T>(pick: (result: Result) => T) => results.map(pick);
  await sql`
    update messages m set
      state = case when m.state = 'sending' then r.state::message_state else m.state end,
      attempts = m.attempts - case when r.counts then 0 else 1 end,
      provider_message_id = coalesce(r.provider_message_id, m.provider_message_id),
      provider = case when m.state = 'sending' and r.state = 'created' then null else m.provider end,
      error_code = case when m.state = 'sending' then r.code else m.error_code end,
      deliver_after = case when m.state = 'sending' then coalesce(r.deliver_after, m.deliver_after) else m.deliver_after end,
      -- Lateness counts from when the message was first due, however often it is tried; not from before its hours.
      due_at = case when m.state <> 'sending' or r.deliver_after is null then m.due_at
        when r.is_retry then coalesce(m.due_at, m.deliver_after) end,
      -- A lost outcome is looked into at that time: its claim runs out then.
      claimed_at = case when r.state = 'sending' and r.deliver_after is not null
        then r.deliver_after - ${leaseMs} * interval '1 millisecond' else m.claimed_at end,
      sent_at = case when r.state = 'sent' then coalesce(m.sent_at, ${now}) else m.sent_at end,
      finished_at = case when m.state = 'sending' and r.state not in ('created', 'sending', 'sent', 'held')
        then ${now}::timestamptz else m.finished_at end
    from unnest(
      ${column((r) => r.messageId)}::bigint[], ${column((r) => r.claimedAt)}::timestamptz[],
      ${column((r) => r.state)}::text[], ${column((r) => r.code)}::text[],
      ${column((r) => r.providerMessageId)}::text[], ${column((r) => r.deliverAfter)}::timestamptz[],
      ${column((r) => r.countsAsAttempt)}::boolean[], ${column((r) => r.isRetry)}::boolean[]
    ) as r (message_id, claimed_at, state, code, provider_message_id, deliver_after, counts, is_retry)
    where m.message_id = r.message_id and m.claimed_at = r.claimed_at
      and m.state in ('sending', 'delivered', 'failed-permanent', 'failed-temporary-exhausted')`.execute(
    db,
  );
}

/** When the next waiting message of a channel, or the next silent claim, is due; null when nothing waits. */
export async function findNextDue(db: Db, channel: Channel): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(m.deliver_after) from accounts a cross join unnest(${[...lanes]}::text[]) as l (lane)
        cross join lateral (select m.deliver_after from messages m
          where m.state = 'created' and m.channel = ${channel} and m.account_id = a.account_id and ${laneOf} = l.lane
          order by m.deliver_after limit 1) m),
      (select min(claimed_at) + ${leaseMs} * interval '1 millisecond' from messages
        where state = 'sending' and channel = ${channel})) as at`.execute(db);
  return rows[0]?.at ?? null;
}
