import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId, BallotId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { StopIncident } from '../../stopped-mail/index.ts';
import { makeAgain, type ReachableChannel } from '../reminders/store.ts';

/** The offices with barcodes on record. */
export async function readAccountsWithMail(db: Db): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select a.account_id from accounts a where exists (select from mail_pieces p where p.account_id = a.account_id)
    order by a.account_id`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/**
 * Puts what was found on record, with an empty facility for many places: each incident once, with its latest numbers; those that were not found any more have ended.
 *
 * @returns how many are new
 */
export async function recordIncidents(
  db: Db,
  accountId: AccountId,
  found: readonly StopIncident[],
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ is_new: boolean }>`
    insert into mail_incidents as known (account_id, facility, day, envelopes, zips, noticed_at, updated_at)
    select ${accountId}, f.facility, f.day, f.envelopes, string_to_array(f.zips, ' '), ${now}, ${now}
    from unnest(${found.map((one) => one.facility)}::text[], ${found.map((one) => one.day)}::date[],
      ${found.map((one) => one.envelopes)}::integer[], ${found.map((one) => one.zips.join(' '))}::text[])
      as f (facility, day, envelopes, zips)
    on conflict (account_id, facility, day) do update
      set envelopes = excluded.envelopes, zips = excluded.zips, updated_at = excluded.updated_at
    returning known.noticed_at = known.updated_at as is_new`.execute(db);
  await sql`update mail_incidents set envelopes = 0, updated_at = ${now}
    where account_id = ${accountId} and envelopes > 0 and updated_at < ${now}`.execute(db);
  return rows.filter((row) => row.is_new).length;
}

/** Where many envelopes stopped and still are, the most first. @param db bound to the account */
export async function listIncidents(
  db: Db,
): Promise<(StopIncident & { readonly noticedAt: Date })[]> {
  const { rows } = await sql<StopIncident & { noticedAt: Date }>`
    select facility, day, envelopes, zips, noticed_at as "noticedAt" from mail_incidents
    where account_id = current_account_id() and envelopes > 0
    order by envelopes desc, day, facility`.execute(db);
  return rows;
}

/** The facilities and days of which voters get no message of their own, as `day facility`. */
export async function readIncidentPlaces(
  db: Db,
  accountId: AccountId,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ day: string; facility: string }>`
    select day, facility from mail_incidents where account_id = ${accountId} and envelopes > 0`.execute(
    db,
  );
  return new Set(rows.map(({ day, facility }) => `${day} ${facility}`));
}

/** A message about a stopped envelope that was made before, and has left or may leave. One that ended before it left counts as not made. */
export interface MadeStopMessage {
  readonly cause: string;
  readonly channel: Channel;
  readonly state: MessageState;
}

export async function readMadeStopMessages(
  db: Db,
  ballotIds: readonly BallotId[],
): Promise<MadeStopMessage[]> {
  const { rows } = await sql<MadeStopMessage>`
    select cause, channel, state from messages
    where kind = 'stopped-mail' and ballot_id = any(${ballotIds}::bigint[])
      and state not in ('superseded', 'withdrawn', 'expired')`.execute(db);
  return rows;
}

export interface NewStopMessage extends Omit<ReachableChannel, 'start' | 'end'> {
  readonly ballotId: BallotId;
  /** Once per envelope, channel and address. */
  readonly cause: string;
  readonly deliverAfter: Date;
}

export async function addStopMessages(
  db: Db,
  accountId: AccountId,
  messages: readonly NewStopMessage[],
  now: Date,
): Promise<number> {
  const column = <T>(pick: (one: NewStopMessage) => T) => messages.map(pick);
  const { numAffectedRows } = await sql`
    insert into messages as m (account_id, kind, ballot_id, voter_id, channel, address, language, cause, deliver_after, created_at)
    select ${accountId}, 'stopped-mail', r.ballot_id, r.voter_id, r.channel, r.address, r.language, r.cause, r.deliver_after, ${now}
    from unnest(
      ${column((r) => r.ballotId)}::bigint[], ${column((r) => r.voterId)}::bigint[], ${column((r) => r.channel)}::text[],
      ${column((r) => r.address)}::text[], ${column((r) => r.language)}::text[], ${column((r) => r.cause)}::text[],
      ${column((r) => r.deliverAfter)}::timestamptz[]
    ) as r (ballot_id, voter_id, channel, address, language, cause, deliver_after)
    -- One that ended before it left: the envelope moved and stopped again, the file that ended it was wrong, or its voter is back.
    ${makeAgain}`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
