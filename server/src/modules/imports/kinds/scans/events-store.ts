import { sql } from 'kysely';
import type { AccountId, ImportId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  defineTempTable,
  fillTempTable,
} from '../../../../platform/temp-tables.ts';
import {
  addEvents,
  arrivingMark,
  changedBallots,
  derivedStatuses,
  deriveStatuses,
  expectedDeliveries,
  isStanding,
  stands,
  touchedBallots,
} from '../../../ballots/index.ts';
import { arrivingBefore, meaningOf, zoneOfFacility } from '../../../mail-pieces/index.ts';

export interface ScanTask {
  readonly accountId: AccountId;
  readonly importId: ImportId;
  /** IANA name of the account's zone. */
  readonly timeZone: string;
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly today: string;
}

/** The barcodes of which an import brought something new. */
export const touchedCodes = defineTempTable('touched_codes', { tracking_code: 'text' });

/** Of each barcode on a touched ballot's envelopes, the pieces that bear it and the days in which a scan may be theirs. */
const pieceOwners = defineTempTable('piece_owners', {
  mail_piece_id: 'bigint',
  /** Whose word on the way and the day of mailing counts. */
  import_id: 'bigint',
  tracking_code: 'text',
  ballot_id: 'bigint',
  direction: 'text',
  first_day: 'date',
  last_day: 'date',
});

/** Every scan of the touched ballots' pieces. */
const scansOfBallots = defineTempTable('scans_of_ballots', {
  scan_id: 'bigint',
  import_id: 'bigint',
  piece_import_id: 'bigint',
  scanned_at: 'timestamp',
  op_code: 'text',
  mail_phase: 'text',
  event_type: 'text',
  facility_state: 'text',
  facility_zip: 'text',
  expected_delivery_date: 'date',
  ballot_id: 'bigint',
  direction: 'text',
});

/** What each scan means, and when it was by the account's calendar. */
export const judgedScans = defineTempTable('judged_scans', {
  ballot_id: 'bigint',
  scan_id: 'bigint',
  import_id: 'bigint',
  piece_import_id: 'bigint',
  direction: 'text',
  scanned_at: 'timestamp',
  expected_delivery_date: 'date',
  kind: 'event_kind',
  status: 'text',
  is_arriving: 'boolean',
  occurred_at: 'timestamptz',
  occurred_on: 'date',
  raw_status: 'text',
});

/**
 * Turns what is known of the {@link touchedCodes} into what is known of the ballots they are of, set-wise: events, expected days
 * of delivery, statuses. It makes no difference whether a scan or its piece came
 * first: all scans of a ballot are read every time, and only what is new becomes events. Leaves {@link changedBallots}.
 *
 * @returns how many events were added
 */
export async function addScanEvents(tx: Tx, task: ScanTask): Promise<number> {
  // A push is of few barcodes among millions of scans.
  await sql`set local enable_nestloop = on`.execute(tx);
  await analyzeTempTable(tx, touchedCodes);
  await fillTempTable(tx, touchedBallots, ballotsOfCodes(task));
  await analyzeTempTable(tx, touchedBallots);
  await findScans(tx, task);
  await interpretScans(tx, task);
  const added = await addNewEvents(tx, task);
  await fillTempTable(tx, expectedDeliveries, latestExpected);
  await deriveStatuses(tx, task, { withDeliveries: true });
  await fillTempTable(
    tx,
    changedBallots,
    sql`
    select ballot_id, event_id, old_status, new_status, election_id, occurred_on from ${derivedStatuses}
    where old_status is distinct from new_status`,
  );
  return added;
}

/**
 * Reads the scans of the {@link touchedBallots}, and of those that the {@link touchedCodes} are of, as if the import that was put back
 * had never come: events of other imports' scans that it hid are added, and each ballot has the expected days that are left.
 */
export async function repeatScanEvents(tx: Tx, task: ScanTask): Promise<void> {
  await touchBallotsOfCodes(tx, task);
  await analyzeTempTable(tx, touchedBallots);
  await findScans(tx, task);
  await interpretScans(tx, task);
  await addNewEvents(tx, task);
  await fillTempTable(
    tx,
    expectedDeliveries,
    sql`select t.ballot_id, e.outbound, e.inbound from ${touchedBallots} t left join (${latestExpected}) e using (ballot_id)`,
  );
  await deriveStatuses(tx, task, { withDeliveries: true });
}

/** Adds the ballots that have the {@link touchedCodes} now to {@link touchedBallots}. */
export async function touchBallotsOfCodes(tx: Tx, of: Pick<ScanTask, 'accountId'>): Promise<void> {
  await sql`insert into ${touchedBallots} ${ballotsOfCodes(of)} except select ballot_id from ${touchedBallots}`.execute(
    tx,
  );
}

function ballotsOfCodes({ accountId }: Pick<ScanTask, 'accountId'>) {
  return sql`select distinct p.ballot_id from ${touchedCodes} c
    join mail_pieces p on p.account_id = ${sql.lit(Number(accountId))} and p.tracking_code = c.tracking_code`;
}

/** Days around an election in which an envelope of it can be scanned; a barcode is used again for another later. */
const seasonDays = { before: 120, after: 60 } as const;
/** Envelopes are scanned before the day the office names, when it names the day it expects. */
const earlyDays = 3;
/** Until so many days after an election the barcode of its envelope is not yet the next election's, unless that was mailed by then. */
const lateDays = 14;

/**
 * Fills {@link scansOfBallots} with those of the {@link touchedBallots}: a scan of a barcode that several ballots had is of the piece
 * reported last in whose days it falls.
 */
async function findScans(tx: Tx, { accountId }: ScanTask): Promise<void> {
  const account = sql.lit(Number(accountId));
  await fillTempTable(
    tx,
    pieceOwners,
    sql`
    select p.mail_piece_id, coalesce(p.changed_by, p.import_id) as import_id, p.tracking_code, p.ballot_id, p.direction,
      coalesce(p.mailed_on - ${sql.lit(earlyDays)}, greatest(e.election_date - ${sql.lit(seasonDays.before)},
        max(e.election_date) over (partition by p.tracking_code order by e.election_date
          range between unbounded preceding and interval '1 day' preceding) + ${sql.lit(lateDays + 1)})) as first_day,
      e.election_date + ${sql.lit(seasonDays.after)} as last_day
    from (
      select distinct p.tracking_code from ${touchedBallots} t join mail_pieces p on p.ballot_id = t.ballot_id
    ) code
    join mail_pieces p on p.account_id = ${account} and p.tracking_code = code.tracking_code
    join ballots b on b.ballot_id = p.ballot_id
    join elections e on e.election_id = b.election_id`,
  );
  await analyzeTempTable(tx, pieceOwners);
  await fillTempTable(
    tx,
    scansOfBallots,
    sql`
    select distinct on (s.scan_id) s.scan_id, s.import_id, o.import_id as piece_import_id, s.scanned_at, s.op_code, s.mail_phase,
      s.event_type, s.facility_state, left(s.facility_zip, 5) as facility_zip, s.expected_delivery_date, o.ballot_id, o.direction
    from ${pieceOwners} o
    join mail_scans s on s.account_id = ${account} and s.tracking_code = o.tracking_code
      and s.scanned_at::date between o.first_day and o.last_day and ${stands(sql`s.import_id`)}
    order by s.scan_id, o.mail_piece_id desc`,
  );
}

/** Fills {@link judgedScans}. */
async function interpretScans(tx: Tx, { timeZone }: ScanTask): Promise<void> {
  const { rows: marks } = await sql<{
    op_code: string;
    mail_phase: string;
    event_type: string;
  }>`select distinct op_code, mail_phase, event_type from ${scansOfBallots}`.execute(tx);
  const known = marks.flatMap((mark) => {
    const { op_code: opCode, mail_phase: mailPhase, event_type: eventType } = mark;
    const meaning = meaningOf({ opCode, mailPhase, eventType });
    return meaning ? [{ ...mark, ...meaning }] : [];
  });
  const { rows: places } = await sql<{
    facility_state: string;
    facility_zip: string;
  }>`select distinct facility_state, facility_zip from ${scansOfBallots}`.execute(tx);
  const clocks = places.map(({ facility_state: state, facility_zip: zip }) => ({
    state,
    zip,
    zone: zoneOfFacility(state, zip),
  }));
  await fillTempTable(
    tx,
    judgedScans,
    sql`
    select s.ballot_id, s.scan_id, s.import_id, s.piece_import_id, s.direction, s.scanned_at, s.expected_delivery_date, m.kind,
      case s.direction when 'outbound' then m.outbound when 'inbound' then m.inbound end as status,
      coalesce(m.is_arriving and s.direction = 'outbound' and s.scanned_at::time < ${sql.lit(arrivingBefore)}, false) as is_arriving,
      s.scanned_at at time zone c.zone as occurred_at,
      coalesce((s.scanned_at at time zone c.zone at time zone ${timeZone})::date, s.scanned_at::date) as occurred_on,
      concat_ws(' ', nullif(s.event_type, ''), nullif(s.mail_phase, ''), nullif(s.op_code, '')) as raw_status
    from ${scansOfBallots} s
    left join unnest(${known.map((one) => one.op_code)}::text[], ${known.map((one) => one.mail_phase)}::text[],
      ${known.map((one) => one.event_type)}::text[], ${known.map((one) => one.kind)}::text[],
      ${known.map((one) => one.outbound)}::text[], ${known.map((one) => one.inbound)}::text[],
      ${known.map((one) => one.isArriving)}::boolean[])
      as m (op_code, mail_phase, event_type, kind, outbound, inbound, is_arriving)
      on m.op_code = s.op_code and m.mail_phase = s.mail_phase and m.event_type = s.event_type
    left join unnest(${clocks.map((one) => one.state)}::text[], ${clocks.map((one) => one.zip)}::text[],
      ${clocks.map((one) => one.zone)}::text[]) as c (state, zip, zone)
      on c.state = s.facility_state and c.zip = s.facility_zip`,
  );
}

/**
 * Of each ballot, status and day the first scan becomes an event, unless an earlier one is there: the nine after it
 * report nothing more. All of them stay in `mail_scans`.
 */
async function addNewEvents(tx: Tx, { accountId, importId, timeZone }: ScanTask): Promise<number> {
  // As the rules order moments: a day alone stands before its hours, of an estimate after them.
  const moment = (at: string, kind: string) =>
    sql.raw(
      `coalesce(${at}, case ${kind} when 'estimate' then 'infinity' else '-infinity' end::timestamptz)`,
    );
  const arriving = sql.lit(arrivingMark);
  return addEvents(
    tx,
    { accountId, importId },
    sql`
    select null::bigint as event_id, n.ballot_id, n.kind, n.status, n.raw_status, n.occurred_on, n.occurred_at,
      null as reason_code, null as reason, n.scan_id, n.import_id, n.piece_import_id, null::bigint as source_line
    from (
      select distinct on (ballot_id, kind, status, occurred_on, is_arrival) *,
        ${moment('occurred_at', 'kind')} as moment
      from (
        select ballot_id, scan_id, import_id, piece_import_id, kind, status, raw_status, occurred_on, occurred_at,
          false as is_arrival
        from ${judgedScans} where status is not null
        union all
        select ballot_id, scan_id, import_id, piece_import_id, 'estimate', 'delivered', ${arriving}, scanned_at::date, null, true
        from ${judgedScans} where is_arriving
      ) found
      order by ballot_id, kind, status, occurred_on, is_arrival, moment, scan_id
    ) n
    where not exists (
      select from ballot_events e
      where e.ballot_id = n.ballot_id and e.kind = n.kind and e.status = n.status
        and (e.raw_status = ${arriving}) = n.is_arrival and ${isStanding(sql`e`)}
        and coalesce((e.occurred_at at time zone ${timeZone})::date, e.occurred_on) = n.occurred_on
        and ${moment('e.occurred_at', 'e.kind')} <= n.moment)
    order by n.ballot_id, n.occurred_on, n.moment`,
  );
}

/**
 * SQL of {@link expectedDeliveries}: the latest scan's word on when the envelope arrives, each way; a carrier's sorting in the
 * morning says today.
 */
const latestExpected = sql`
  select ballot_id, max(day) filter (where direction = 'outbound') as outbound,
    max(day) filter (where direction = 'inbound') as inbound
  from (
    select distinct on (ballot_id, direction) ballot_id, direction, day from (
      select ballot_id, direction, scanned_at,
        case when is_arriving then scanned_at::date else expected_delivery_date end as day
      from ${judgedScans} where direction is not null
    ) expected where day is not null order by ballot_id, direction, scanned_at desc, day desc
  ) latest group by ballot_id`;
