import type { Readable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import { copyOut, type Tx } from '../../platform/postgres.ts';
import type { AccountId, ElectionId } from '../accounts/index.ts';
import { isStanding } from '../ballots/index.ts';

const leaving = (electionId: ElectionId) => sql`ballots b join voters v using (voter_id)
  where b.account_id = current_account_id() and b.election_id = ${sql.lit(electionId)}`;

/** What is written about an election, a table each, for a program or a spreadsheet. */
const tables: Readonly<Record<string, (electionId: ElectionId) => RawBuilder<unknown>>> = {
  ballots: (electionId) => sql`
    select b.ballot_id, v.registration_id, v.firstname, v.middlename, v.lastname, b.ballot_number, b.current_status, b.office_record,
      b.outbound_expected_delivery_date, b.inbound_expected_delivery_date, b.office_expected_on, b.created_at
    from ${leaving(electionId)} order by b.ballot_id`,
  events: (electionId) => sql`
    select e.ballot_id, e.event_id, e.kind, e.status, e.raw_status, e.occurred_on, e.occurred_at, e.reason_code, e.reason,
      i.file_name, e.import_id, e.source_line, e.scan_id, e.recorded_at,
      not ${isStanding(sql`e`)} as is_withdrawn
    from ballot_events e left join imports i on i.import_id = e.import_id
    where e.ballot_id in (select ballot_id from ${leaving(electionId)}) order by e.ballot_id, e.event_id`,
  envelopes: (electionId) => sql`
    select ballot_id, tracking_code, direction, mailed_on from mail_pieces
    where ballot_id in (select ballot_id from ${leaving(electionId)}) order by ballot_id, mail_piece_id`,
  scans: (electionId) => sql`
    select scan_id, tracking_code, routing_code, scanned_at, event_type, op_code, mail_phase, facility_city, facility_state,
      facility_zip, expected_delivery_date, received_at from mail_scans
    where account_id = current_account_id() and tracking_code in (select tracking_code from mail_pieces
      where ballot_id in (select ballot_id from ${leaving(electionId)})) order by scan_id`,
  messages: (electionId) => sql`
    select message_id, ballot_id, event_id, kind, status, channel, address, language, state, provider, provider_message_id,
      error_code, created_at, sent_at, finished_at from messages
    where ballot_id in (select ballot_id from ${leaving(electionId)}) order by message_id`,
  receipts: (electionId) => sql`
    select r.message_id, r.provider, r.outcome, r.error_code, r.at from receipts r join messages m using (message_id)
    where m.ballot_id in (select ballot_id from ${leaving(electionId)}) order by r.receipt_id`,
  letters: (electionId) => sql`
    select ballot_id, problem_id, printed_at, printed_by from fix_letters
    where account_id = current_account_id() and ballot_id in (select ballot_id from ${leaving(electionId)})
    order by ballot_id, problem_id`,
  'opened-links': (electionId) => sql`
    select message_id, ballot_id, event_id, opened_at from fix_link_opens
    where account_id = current_account_id() and ballot_id in (select ballot_id from ${leaving(electionId)}) order by message_id`,
  deadlines: (electionId) => sql`
    select defect, ends_on, ends_at, reason, set_by, set_at from office_deadlines
    where account_id = current_account_id() and election_id = ${sql.lit(electionId)} order by defect`,
};

export const archivedTables = Object.keys(tables);

/** Binds a transaction to one office, as the console is: what is archived is nobody else's. */
export async function readAsOffice(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`select set_config('role', 'beacon_office', true),
    set_config('beacon.account_id', ${String(accountId)}, true)`.execute(tx);
}

/** @returns a table of the election as CSV with a line of names. @param tx of {@link readAsOffice} */
export function readTable(tx: Tx, table: string, electionId: ElectionId): Readable {
  const select = tables[table];
  if (!select) throw new Error(`Nothing is archived as ${table}.`);
  return copyOut(tx, select(electionId), 'csv');
}
