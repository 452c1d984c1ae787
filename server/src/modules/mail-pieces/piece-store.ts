import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';
import type { Direction } from './stids.ts';

/** A ballot with a barcode on one of its envelopes. */
export interface TiedBallot {
  readonly registrationId: string;
  /** The office's number. */
  readonly election: string;
  readonly ballotNumber: string;
  readonly direction: Direction | null;
  /** YYYY-MM-DD */
  readonly mailedOn: string | null;
  readonly status: string;
}

export interface KnownPiece {
  /** Without confidential voters'; the current ballot first, because serial numbers are reused. */
  readonly ballots: readonly TiedBallot[];
  /** The number of scans that USPS reported. */
  readonly scans: number;
}

export async function findPiece(
  db: Db,
  accountId: AccountId,
  trackingCode: string,
): Promise<KnownPiece> {
  const { rows } = await sql<TiedBallot>`
    select v.registration_id as "registrationId", e.number as election, b.ballot_number as "ballotNumber",
      p.direction, p.mailed_on::text as "mailedOn", coalesce(b.current_status, 'requested') as status
    from mail_pieces p
    join ballots b on b.ballot_id = p.ballot_id
    join voters v on v.voter_id = b.voter_id and not v.is_confidential
    join elections e on e.election_id = b.election_id
    where p.account_id = ${accountId} and p.tracking_code = ${trackingCode}
    order by p.mail_piece_id desc`.execute(db);
  const scans = await sql<{ count: number }>`
    select count(*) as count from mail_scans
    where account_id = ${accountId} and tracking_code = ${trackingCode}`.execute(db);
  return { ballots: rows, scans: scans.rows[0]?.count ?? 0 };
}
