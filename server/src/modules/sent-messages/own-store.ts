import type {
  Channel,
  ConsentAction,
  MessageKind,
  MessageState,
} from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { BallotId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { isEnded } from '../ballots/index.ts';
import type { AskedReturn } from '../notifications/index.ts';

/** A message of a voter, with what decides whether it is still true. */
export interface LedgerMessage extends AskedReturn {
  readonly message_id: number;
  readonly kind: MessageKind;
  readonly channel: Channel;
  readonly address: string;
  /** Null when it is of no ballot. */
  readonly ballot_id: BallotId | null;
  readonly state: MessageState;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  /** Of its ballot, now; null for none, when another ballot of the voter is complete, or when the office took its import back. */
  readonly current_status: string | null;
  readonly is_election_active: boolean | null;
  /** The same news has not left yet. */
  readonly is_on_way: boolean;
  /** The confirmed address that gets the voter's news this way today; null for none. */
  readonly current_address: string | null;
  readonly hours_start: string | null;
  readonly hours_end: string | null;
}

/** More than a voter gets in 90 days. */
const mostMessages = 1_000;

/**
 * @param db bound to the voter's account
 * @param only one of them; null for all
 */
export async function readLedger(
  db: Db,
  voterId: VoterId,
  since: Date,
  only: number | null,
): Promise<LedgerMessage[]> {
  const { rows } = await sql<LedgerMessage>`
    select m.message_id, m.kind, m.channel, m.address, m.ballot_id, m.status, m.state, m.created_at, m.sent_at,
      case when i.state is distinct from 'corrected' and not ${isEnded(sql`b`, sql`b.current_status`)}
        then b.current_status end as current_status,
      e.is_active as is_election_active, e.election_date as election_day, e.return_deadline,
      exists (select from messages w where w.voter_id = m.voter_id and w.ballot_id = m.ballot_id
        and w.status = m.status and w.channel = m.channel and w.state in ('created', 'held', 'sending')) as is_on_way,
      case when s.address is null then lower(c.address) end as current_address, c.hours_start, c.hours_end
    from messages m
    left join ballots b on b.ballot_id = m.ballot_id
    left join elections e on e.election_id = b.election_id
    left join imports i on i.import_id = m.import_id
    left join contact_channels c on c.voter_id = m.voter_id and c.channel = m.channel and c.is_reachable
    left join suppressions s on s.account_id = m.account_id and s.channel = m.channel and s.address = lower(c.address)
    where m.account_id = current_account_id() and m.voter_id = ${voterId} and m.created_at > ${since}
      and (${only}::bigint is null or m.message_id = ${only}::bigint)
    order by m.message_id desc limit ${mostMessages}`.execute(db);
  return rows;
}

/** Lets a voter's requests to send something again come one after the other, until the transaction ends. */
export async function lockVoter(tx: Db, voterId: VoterId): Promise<void> {
  await sql`select from contact_preferences where voter_id = ${voterId} for update`.execute(tx);
}

export interface LedgerConsent {
  readonly at: Date;
  readonly channel: Channel;
  readonly address: string;
  readonly action: ConsentAction;
  readonly source: string;
}

/** Every consent of a voter, newest first. @param db bound to the voter's account */
export async function readConsents(db: Db, voterId: VoterId): Promise<LedgerConsent[]> {
  const { rows } = await sql<LedgerConsent>`
    select at, channel, address, action, source from consents
    where account_id = current_account_id() and voter_id = ${voterId} order by consent_id desc`.execute(
    db,
  );
  return rows;
}
