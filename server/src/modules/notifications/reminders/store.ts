import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId, BallotId, ImportId, VoterId } from '../../../platform/ids.ts';
import { isInEffect } from '../../../platform/import-state-store.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { MadeReminder } from './rules.ts';

/** The offices with an envelope that waits for its voter. */
export async function readAccountsWithFixes(db: Db): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select distinct b.account_id from ballots b join elections e using (election_id)
    where b.current_status = 'rejected-curable' and e.is_active`.execute(db);
  return rows.map(({ account_id }) => account_id);
}

/** When the office's newest file of ballots that was not put back was loaded; null before the first. */
export async function readNewestBallotFile(db: Db, accountId: AccountId): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null; format: string }>`
    select max(finished_at) as at from imports
    where account_id = ${accountId} and ${isInEffect}
      and report->>'holds' = 'ballots'`.execute(db);
  return rows[0]?.at ?? null;
}

/**
 * The reminders made so far, by the problem they are about. One that ended before it left counts as not made, unless a later reminder ended
 * it: a wrong file may have said that the envelope was fixed, its voter may be back, or have more time.
 */
export async function readMadeReminders(
  db: Db,
  ballotIds: readonly BallotId[],
): Promise<ReadonlyMap<string, readonly MadeReminder[]>> {
  if (ballotIds.length === 0) return new Map();
  const { rows } = await sql<{ cause: string; channel: Channel; state: MessageState }>`
    select cause, channel, state from messages
    where kind = 'fix-reminder' and ballot_id = any(${ballotIds}::bigint[])
      and state not in ('withdrawn', 'expired')
      and not (state = 'superseded' and error_code = 'newer-status') order by message_id`.execute(
    db,
  );
  const made = rows.map(({ cause, channel, state }) => {
    const [, ballotId, problemId, point = ''] = cause.split(':');
    return { key: `${ballotId}:${problemId}`, reminder: { point, channel, state } };
  });
  const byProblem = Map.groupBy(made, ({ key }) => key);
  return new Map([...byProblem].map(([key, all]) => [key, all.map(({ reminder }) => reminder)]));
}

/** SQL of the reminders of problems that an import brought. They are of no import: what waits ends with its problem. */
export const remindersOf = (importId: ImportId) => sql`
  select r.message_id from imports i
  join ballot_events e on e.account_id = i.account_id and e.import_id = i.import_id and e.status = 'rejected-curable'
  join messages r on r.kind = 'fix-reminder' and r.ballot_id = e.ballot_id
    and starts_with(r.cause, concat_ws(':', 'fix', e.ballot_id, e.event_id, ''))
  where i.import_id = ${importId}`;

/** A way to reach a voter now. */
export interface ReachableChannel {
  readonly voterId: VoterId;
  readonly channel: Channel;
  readonly address: string;
  readonly language: string;
  readonly start: string | null;
  readonly end: string | null;
}

export async function readReachableChannels(
  db: Db,
  accountId: AccountId,
  voterIds: readonly VoterId[],
): Promise<ReachableChannel[]> {
  const { rows } = await sql<ReachableChannel>`
    select c.voter_id as "voterId", c.channel, lower(c.address) as address,
      coalesce(p.language_preference, v.language_preference, 'english') as language,
      c.hours_start as start, c.hours_end as end
    from contact_channels c
    join voters v on v.voter_id = c.voter_id
    left join contact_preferences p on p.voter_id = c.voter_id
    where c.account_id = ${accountId} and c.voter_id = any(${voterIds}::bigint[]) and c.is_reachable
      and not exists (select from suppressions s where s.account_id = ${accountId}
        and s.channel = c.channel and s.address = lower(c.address))`.execute(db);
  return rows;
}

export interface NewReminder extends Omit<ReachableChannel, 'start' | 'end'> {
  readonly ballotId: BallotId;
  /** Once per problem, moment, channel and address. */
  readonly cause: string;
  readonly deliverAfter: Date;
}

/** Ends an insert into `messages as m`: a message of the same cause that ended before it left waits once more. */
export const makeAgain = sql`
    on conflict (cause, channel, address) where cause is not null do update
      set state = 'created', error_code = null, finished_at = null, due_at = null, attempts = 0,
        language = excluded.language, deliver_after = excluded.deliver_after, created_at = excluded.created_at
      where m.state in ('superseded', 'withdrawn', 'expired')`;

export async function addReminders(
  db: Db,
  accountId: AccountId,
  reminders: readonly NewReminder[],
  now: Date,
): Promise<number> {
  const column = <T>(pick: (one: NewReminder) => T) => reminders.map(pick);
  const { numAffectedRows } = await sql`
    insert into messages as m (account_id, kind, ballot_id, status, voter_id, channel, address, language, cause,
      deliver_after, created_at)
    select ${accountId}, 'fix-reminder', r.ballot_id, 'rejected-curable', r.voter_id, r.channel, r.address, r.language, r.cause,
      r.deliver_after, ${now}
    from unnest(
      ${column((r) => r.ballotId)}::bigint[], ${column((r) => r.voterId)}::bigint[], ${column((r) => r.channel)}::text[],
      ${column((r) => r.address)}::text[], ${column((r) => r.language)}::text[], ${column((r) => r.cause)}::text[],
      ${column((r) => r.deliverAfter)}::timestamptz[]
    ) as r (ballot_id, voter_id, channel, address, language, cause, deliver_after)
    ${makeAgain} and m.error_code <> 'later-reminder'`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
