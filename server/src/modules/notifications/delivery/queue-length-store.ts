import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres.ts';
import type { Lane } from '../senders/limits.ts';
import { laneOf } from './store.ts';

/** Counting stops here, so that measuring costs the same whatever waits. */
const mostCounted = 100_000;

export interface QueueLength {
  readonly lane: Lane;
  /** At most 100,000. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
}

/** What of a channel may leave now and has not, in one of its lanes. */
export async function measureLane(
  db: Db,
  channel: Channel,
  lane: Lane,
  now: Date,
): Promise<QueueLength> {
  const due = sql`m.state = 'created' and m.channel = ${channel} and ${laneOf} = ${lane}
    and m.deliver_after <= ${now}`;
  const { rows } = await sql<{ due: number; oldest: Date | null }>`
    select (select count(*)::integer from (select from accounts a join messages m using (account_id)
        where ${due} limit ${mostCounted}) counted) as due,
      (select min(h.deliver_after) from accounts a cross join lateral (select m.deliver_after from messages m
        where m.account_id = a.account_id and ${due} order by m.deliver_after limit 1) h) as oldest`.execute(
    db,
  );
  return { lane, due: rows[0]?.due ?? 0, oldestDueAt: rows[0]?.oldest ?? null };
}

/** Messages of a channel that are with a provider, at most {@link mostCounted}. */
export async function countSending(db: Db, channel: Channel): Promise<number> {
  const { rows } = await sql<{ sending: number }>`
    select count(*)::integer as sending
    from (select from messages where state = 'sending' and channel = ${channel} limit ${mostCounted}) counted`.execute(
    db,
  );
  return rows[0]?.sending ?? 0;
}
