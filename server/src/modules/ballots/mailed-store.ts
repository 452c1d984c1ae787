import type { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import { sql } from 'kysely';
import type { AccountId, BallotId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { type EventRow, selectEvents, toEvent } from './events-of-ballot-store.ts';
import { isEnded } from './status-store.ts';
import type { MailedBallot } from './stopped.ts';

/** A ballot whose envelope is in the mail by the office's records and the scans. */
export interface BallotInMail extends MailedBallot {
  readonly voterId: VoterId;
  /** The voter is active and not confidential. */
  readonly mayGetMessages: boolean;
}

interface Row {
  readonly ballot_id: BallotId;
  readonly voter_id: VoterId;
  readonly may_get_messages: boolean;
  readonly election_date: string;
  readonly return_deadline: ReturnDeadline | null;
  readonly outbound_expected_delivery_date: string | null;
  readonly events: readonly EventRow[] | null;
}

/** Statuses of a ballot whose envelope can still be on its way. */
const inMail = ['sent', 'reprinted', 'in-transit', 'return-in-transit'];

/**
 * Ballots of an office's active elections that are in the mail and have a barcode, in order of their numbers. Those that another ballot of
 * the voter has ended are left out.
 *
 * @param which those after a number, so many at most; or only these
 */
export async function readBallotsInMail(
  db: Db,
  account: { readonly accountId: AccountId; readonly timeZone: string },
  which:
    | { readonly after: BallotId; readonly limit: number }
    | { readonly only: readonly BallotId[] },
): Promise<BallotInMail[]> {
  const { accountId, timeZone } = account;
  const isAsked =
    'only' in which
      ? sql`b.ballot_id = any(${which.only}::bigint[])`
      : sql`b.ballot_id > ${which.after}`;
  const limit = 'only' in which ? sql`` : sql`limit ${which.limit}`;
  const { rows } = await sql<Row>`
    -- sequential scan: looks once a day at every ballot of the office that is in the mail
    with mailed as materialized (
      select b.ballot_id, b.voter_id, e.election_date, e.return_deadline,
        coalesce(b.outbound_expected_delivery_date, b.office_expected_on) as outbound_expected_delivery_date
      from ballots b join elections e on e.election_id = b.election_id and e.is_active
      where b.account_id = ${accountId} and b.current_status = any(${inMail}::text[]) and ${isAsked}
        and exists (select from mail_pieces p where p.ballot_id = b.ballot_id)
        and not ${isEnded(sql`b`, sql`b.current_status`)}
      order by b.ballot_id ${limit}
    )
    select m.ballot_id, m.voter_id, m.outbound_expected_delivery_date, m.election_date, m.return_deadline,
      r.is_active and not r.is_confidential as may_get_messages,
      ${selectEvents(sql`m`, timeZone)} as events
    from mailed m join voters r on r.voter_id = m.voter_id
    order by m.ballot_id`.execute(db);
  return rows.map((row) => ({
    ballotId: row.ballot_id,
    voterId: row.voter_id,
    mayGetMessages: row.may_get_messages,
    electionDate: row.election_date,
    returnDeadline: row.return_deadline,
    outboundExpectedDeliveryDate: row.outbound_expected_delivery_date,
    events: (row.events ?? []).map(toEvent),
  }));
}
