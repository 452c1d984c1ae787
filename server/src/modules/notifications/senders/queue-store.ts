import type { Channel, MessageKind } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { Lane } from './limits.ts';

/** Messages that wait and are alike. */
export interface QueuedGroup {
  readonly channel: Channel;
  readonly account_id: AccountId;
  readonly lane: Lane;
  readonly kind: MessageKind;
  readonly status: string | null;
  readonly language: string;
  /** Of the import that is asked for. */
  readonly is_asked: boolean;
  readonly hours_start: string | null;
  readonly hours_end: string | null;
  readonly count: number;
  readonly from_at: Date;
  readonly created_at: Date;
  readonly first_id: number;
}

/**
 * Every message of the site that waits to leave, of all offices: their senders and the pace may be shared.
 * @param importId of which messages that wait for approval count, too
 */
export async function readQueuedGroups(db: Db, importId: ImportId | null): Promise<QueuedGroup[]> {
  const { rows } = await sql<QueuedGroup>`
    -- sequential scan: every waiting message counts, and its voter's hours
    select m.channel, m.account_id, message_lane(m.is_answer, m.kind, m.status) as lane, m.kind, m.status, m.language,
      coalesce(m.import_id = ${importId}::bigint, false) as is_asked, c.hours_start, c.hours_end,
      count(*) as count, min(m.deliver_after) as from_at, min(m.created_at) as created_at, min(m.message_id) as first_id
    from messages m
    left join contact_channels c on c.voter_id = m.voter_id and c.channel = m.channel
    where m.state = 'created' or (m.state = 'held' and m.error_code = 'gate' and m.import_id = ${importId}::bigint)
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9`.execute(db);
  return rows;
}

/** What makes texts of a group longer or shorter. */
export interface QueuedSample {
  readonly name: string;
  readonly election: string;
  /** `YYYY-MM-DD` */
  readonly election_date: string | null;
}

/** So many messages after the first of a group are looked at for more of it. */
const sampledIds = 20_000;
const sampled = 300;

export async function readQueuedSample(db: Db, group: QueuedGroup): Promise<QueuedSample[]> {
  const { channel, account_id: accountId, kind, status, language, first_id: first } = group;
  const { rows } = await sql<QueuedSample>`
    select coalesce(nullif(v.firstname, ''), v.lastname, '') as name, coalesce(e.name, '') as election, e.election_date
    from messages m
    left join voters v on v.voter_id = m.voter_id
    left join ballots b on b.ballot_id = m.ballot_id
    left join elections e on e.election_id = b.election_id
    where m.message_id between ${first}::bigint and ${first + sampledIds}::bigint and m.state in ('created', 'held')
      and m.account_id = ${accountId} and m.channel = ${channel} and m.kind = ${kind}
      and m.status is not distinct from ${status} and m.language = ${language}
    limit ${sampled}`.execute(db);
  return rows;
}
