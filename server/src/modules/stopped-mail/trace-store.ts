import { sql } from 'kysely';
import type { AccountId, BallotId } from '../../platform/ids.ts';
import { isInEffect } from '../../platform/import-state-store.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Direction } from '../mail-pieces/index.ts';

/** An envelope with a barcode, and where USPS saw it last. Days are `YYYY-MM-DD`. */
export interface MailTrace {
  readonly ballotId: BallotId;
  readonly direction: Direction;
  readonly trackingCode: string;
  readonly mailedOn: string | null;
  readonly lastSeenOn: string | null;
  /** Such as "PORT ALDEN, FL 34811"; null when it was never seen, or the scan names no place. */
  readonly facility: string | null;
  /** Of the address on it, as the barcode says: five digits; empty where no scan says. */
  readonly zip: string;
}

/** Machines scan envelopes before the day that the office names, when it names the day it expects. */
const earlyDays = 3;

/**
 * The envelopes of ballots, each with its latest scan.
 *
 * @param ballots `since`: the day on which the office mailed it; a barcode's earlier scans are of an earlier envelope
 */
export async function readTraces(
  db: Db,
  accountId: AccountId,
  ballots: readonly { readonly ballotId: BallotId; readonly since: string | null }[],
): Promise<MailTrace[]> {
  const { rows } = await sql<MailTrace>`
    select p.ballot_id as "ballotId", p.direction, p.tracking_code as "trackingCode", p.mailed_on as "mailedOn",
      s.day as "lastSeenOn", s.facility, coalesce(s.zip, '') as zip
    from unnest(${ballots.map(({ ballotId }) => ballotId)}::bigint[], ${ballots.map(({ since }) => since)}::date[])
      as asked (ballot_id, since)
    join mail_pieces p on p.ballot_id = asked.ballot_id and p.direction is not null and p.account_id = ${accountId}
    left join lateral (
      select m.scanned_at::date as day, left(m.routing_code, 5) as zip,
        nullif(concat_ws(', ', nullif(m.facility_city, ''), nullif(concat_ws(' ', nullif(m.facility_state, ''),
          nullif(left(m.facility_zip, 5), '')), '')), '') as facility
      from mail_scans m
      where m.account_id = ${accountId} and m.tracking_code = p.tracking_code
        and m.scanned_at >= coalesce(asked.since, p.mailed_on, '-infinity'::date) - ${sql.lit(earlyDays)}
        and not exists (select from withdrawn_imports w where w.import_id = m.import_id)
      order by m.scanned_at desc limit 1
    ) s on true`.execute(db);
  return rows;
}

/** As many files and pushes as decide until when the scans are known: they overlap, and come in any order. */
const newestFiles = 30;

/**
 * Until when the scans are known: the day of the newest one. What was not scanned after it may only not be reported yet.
 *
 * @returns `YYYY-MM-DD` by the facilities' clocks; null before the first
 */
export async function readScansUntil(db: Db, accountId: AccountId): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select max((report->'learned'->>'newestDay')::date) as day from (
      select report from imports
      where account_id = ${accountId} and ${isInEffect}
        and report->>'holds' = 'scans'
      order by import_id desc limit ${sql.lit(newestFiles)}
    ) newest`.execute(db);
  return rows[0]?.day ?? null;
}
