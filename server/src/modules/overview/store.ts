import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import { type AttackKind, attackKinds } from '@ballot-beacon/contract/office/today';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import { type Days, withinDays } from '../../platform/within-days.ts';
import { isJoined, isWithdrawn } from '../ballots/index.ts';
import { isConfidential } from '../voters/index.ts';

export interface ElectionBallots {
  readonly number: string;
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly ballots: readonly { readonly status: string | null; readonly count: number }[];
}

/** Ballots and applications of the current elections by status, without confidential voters', the next election first. @param db bound to the account */
export async function countBallots(db: Db): Promise<ElectionBallots[]> {
  const { rows } = await sql<ElectionBallots>`
    -- sequential scan: counts every ballot of the office's current elections
    select e.number, e.name, e.election_date as date, coalesce((
        select json_agg(json_build_object('status', c.status, 'count', c.count) order by c.status)
        from (select b.current_status as status, count(*)::int as count from ballots b
          where b.account_id = current_account_id() and b.election_id = e.election_id
            and not ${isConfidential(sql`b.voter_id`)} and not ${isWithdrawn(sql`b`)} and not ${isJoined(sql`b`)}
          group by b.current_status) c
      ), '[]') as ballots
    from elections e where e.account_id = current_account_id() and e.is_active
    order by e.election_date, e.number`.execute(db);
  return rows;
}

/** Messages to voters who are not confidential, created on these days, by channel and state. @param db bound to the account */
export async function countMessages(
  db: Db,
  days: Days,
): Promise<{ channel: Channel; state: MessageState; count: number }[]> {
  const { rows } = await sql<{ channel: Channel; state: MessageState; count: number }>`
    -- sequential scan: counts a week's messages of the office
    select channel, state::text as state, count(*)::int as count from messages
    where account_id = current_account_id() and ${sql.join(withinDays(sql`created_at`, days), sql` and `)}
      and not ${isConfidential(sql`messages.voter_id`)}
    group by 1, 2 order by 1, 2`.execute(db);
  return rows;
}

/** Attacks on the office's voters since then, each kind once. @param db bound to the account */
export async function readAttacks(
  db: Db,
  since: Date,
): Promise<{ kind: AttackKind; lastAt: Date }[]> {
  const [mass, spraying] = attackKinds;
  const { rows } = await sql<{ kind: AttackKind; lastAt: Date }>`
    select replace(action, 'security.', '') as kind, max(at) as "lastAt" from audit_log
    where account_id = current_account_id() and at > ${since}
      and action in (${sql.lit(`security.${mass}`)}, ${sql.lit(`security.${spraying}`)})
    group by 1 order by 1`.execute(db);
  return rows;
}

/** Requests to confirm an address that wait above the office's daily limit. @param db bound to the account */
export async function countWaitingRequests(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages
    where account_id = current_account_id() and state = 'held' and error_code = 'daily-limit'`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** What became of attempts to sign in. */
export interface SignIns {
  readonly signed_in: number;
  /** The details matched no voter, or did not suffice. */
  readonly refused: number;
  /** Refused once too often: details alone no longer do for this person. */
  readonly locked: number;
}

/** Attempts of the office's voters to sign in since then. @param db bound to the account */
export async function countSignIns(db: Db, since: Date): Promise<SignIns> {
  const { rows } = await sql<SignIns>`
    select count(*) filter (where action = 'session.create')::int as signed_in,
      count(*) filter (where action = 'session.refuse')::int as refused,
      count(*) filter (where action = 'session.lock')::int as locked
    from audit_log
    where account_id = current_account_id() and at > ${since}
      and action in ('session.create', 'session.refuse', 'session.lock')`.execute(db);
  return rows[0] ?? { signed_in: 0, refused: 0, locked: 0 };
}

/** Channels with a provider that lost traffic to another by its faults, or that asked us to pause, in order. */
export async function findTrouble(db: Db, now: Date): Promise<Channel[]> {
  const { rows } = await sql<{ channel: Channel }>`
    select channel from find_troubled_channels(${now}) as found(channel)`.execute(db);
  return rows.map(({ channel }) => channel);
}
