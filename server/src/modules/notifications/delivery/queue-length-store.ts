import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres.ts';

/** Answers to a voter's own text leave before news. */
export type QueueLane = 'answers' | 'news';

/** Counting stops here, so that measuring costs the same whatever waits. */
const mostCounted = 100_000;

export interface QueueLength {
  readonly lane: QueueLane;
  /** At most 100,000. */
  readonly due: number;
  readonly oldestDueAt: Date | null;
}

/** What of a channel may leave now and has not, in one of its lanes. */
export async function measureLane(
  db: Db,
  channel: Channel,
  lane: QueueLane,
  now: Date,
): Promise<QueueLength> {
  const due = sql`from messages where state = 'created' and channel = ${channel}
    and is_answer = ${sql.lit(lane === 'answers')} and deliver_after <= ${now}`;
  const { rows } = await sql<{ due: number; oldest: Date | null }>`
    select (select count(*)::integer from (select ${due} limit ${mostCounted}) counted) as due,
      (select min(deliver_after) ${due}) as oldest`.execute(db);
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
