import { arrivingMark, deriveStatuses } from '../../../ballots/index.ts';
import { arrivingBefore, meaningOf, zoneOfFacility } from '../../../mail-pieces/index.ts';
import type { Connection } from '../../run/import-store.ts';
import { type BallotTask, countBallots } from '../ballots/merge-store.ts';
import type { Applied } from '../voters/merge-store.ts';

export interface ScanTask extends Pick<BallotTask, 'accountId' | 'importId'> {
  /** IANA name of the account's zone. */
  readonly timeZone: string;
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly today: string;
}

/**
 * Keeps the staged scans, those of no known piece too, and tells what they say of ballots. The same scan comes by
 * push, in a pulled file, and again: it is one, with all that was ever told of it. Those that say nothing new are
 * read and no more.
 */
export async function applyScans(
  connection: Connection,
  task: ScanTask & {
    readonly staged: number;
    /** The file's scans are the account's first, and kept already. */
    readonly areKept: boolean;
  },
): Promise<Applied> {
  const { accountId, staged, areKept } = task;
  const before = await countBallots(connection, accountId);
  const { added, changed } = areKept
    ? { added: staged, changed: 0 }
    : await keepNews(connection, task);
  // Nobody has counted them yet, and they are joined to their pieces next.
  if (areKept) await connection.query('analyze mail_scans (account_id, tracking_code, scanned_at)');
  await tellCodes(connection, areKept ? ofAccount(accountId) : 'news');
  const events = await tellScans(connection, task);
  return {
    added,
    changed,
    unchanged: staged - added - changed,
    refused: 0,
    superseded: 0,
    events,
    before,
    after: await countBallots(connection, accountId),
    refusedRows: '',
    warnings: await findUntold(connection, accountId, areKept ? ofAccount(accountId) : 'staged'),
  };
}

/** SQL of all the account's scans. */
const ofAccount = (accountId: number) =>
  `(select tracking_code from mail_scans where account_id = ${Number(accountId)})`;

async function tellCodes(connection: Connection, scans: string): Promise<void> {
  await connection.query(
    `create temp table told_codes on commit drop as select distinct tracking_code from ${scans} s`,
  );
}

export async function hasNoScans(connection: Connection, accountId: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from mail_scans where account_id = $1 limit 1
      -- sequential scan: once per import, and it ends at the account's first row`,
    [accountId],
  );
  return rowCount === 0;
}

/** A mail-piece file that never came, or tells of other envelopes, is noticed here. */
async function findUntold(
  connection: Connection,
  accountId: number,
  scans: string,
): Promise<{ message: string; count: number }[]> {
  const { rows } = await connection.query<{ count: number }>(
    `select count(*) as count from ${scans} s where not exists (
      select from mail_pieces p where p.account_id = $1 and p.tracking_code = s.tracking_code)`,
    [accountId],
  );
  const count = rows[0]?.count ?? 0;
  const message =
    'the barcode is in no mail-piece file yet: the scan is kept, and told when one names it';
  return count > 0 ? [{ message, count }] : [];
}

/** What may differ between two tellings of one scan: the fuller one counts. */
const details = [
  'routing_code',
  'mail_phase',
  'facility_city',
  'facility_state',
  'facility_zip',
  'expected_delivery_date',
] as const;
const key = ['tracking_code', 'scanned_at', 'op_code', 'event_type'] as const;
const addsTo = (known: string, told: string) =>
  `(${details.map((column) => `${told}.${column} > ${known}.${column}`).join(' or ')}
    or ${known}.expected_delivery_date is null and ${told}.expected_delivery_date is not null)`;

/**
 * Adds the staged scans that are not known to those kept, and what they add to what is known of the others. Table
 * `news`: each of them once, with its `scan_id` if it is known.
 */
async function keepNews(
  connection: Connection,
  { accountId, importId }: ScanTask,
): Promise<{ added: number; changed: number }> {
  // A push is of few scans among millions, a file pulled again of as many as are known.
  await connection.query('set local enable_nestloop = on');
  await connection.query(
    `create temp table news on commit drop as
    with told as (
      select m.scan_id, s.*, row_number() over same > 1 or lead(true, 1, false) over same as is_repeated
      from staged s
      left join mail_scans m on m.account_id = ${Number(accountId)} and ${key.map((column) => `m.${column} = s.${column}`).join(' and ')}
      where m.scan_id is null or ${addsTo('m', 's')}
      window same as (partition by ${key.map((column) => `s.${column}`).join(', ')} order by s.line)
    )
    select scan_id, ${[...key, ...details].join(', ')} from told where not is_repeated
    union all
    select scan_id, ${key.join(', ')}, ${details.map((column) => `max(${column})`).join(', ')}
    from told where is_repeated group by scan_id, ${key.join(', ')}`,
  );
  await connection.query('analyze news');
  const { rowCount: changed } = await connection.query(
    `update mail_scans m set ${details.map((column) => `${column} = greatest(m.${column}, n.${column})`).join(', ')}
    from news n where n.scan_id = m.scan_id`,
  );
  const { rowCount: added } = await connection.query(
    `insert into mail_scans (account_id, import_id, ${key.join(', ')}, ${details.join(', ')})
    select $1, $2, ${key.join(', ')}, ${details.join(', ')} from news where scan_id is null`,
    [accountId, importId],
  );
  await connection.query('set local enable_nestloop = off');
  return { added: added ?? 0, changed: changed ?? 0 };
}

/**
 * Tells what is known of the barcodes in the temporary table `told_codes (tracking_code)` to the ballots they are of,
 * set-wise: events, expected days of delivery, statuses. It makes no difference whether a scan or its piece came
 * first: all scans of a ballot are read every time, and only what is new becomes events. Leaves table
 * `changed_ballots` (ballot_id, event_id, old_status, new_status, election_id, occurred_on) for whoever tells the voters.
 *
 * @returns how many events were added
 */
export async function tellScans(connection: Connection, task: ScanTask): Promise<number> {
  // A push is of few barcodes among millions of scans.
  await connection.query('analyze told_codes');
  await connection.query('set local enable_nestloop = on');
  await findTouched(connection, task);
  await judgeScans(connection, task);
  const added = await addEvents(connection, task);
  await expectDeliveries(connection);
  await connection.query(
    'create temp table told_ballots on commit drop as select ballot_id from touched_ballots',
  );
  await addDueEstimates(connection, task);
  await deriveStatuses(connection, task, 'expected_deliveries');
  // That a day is over is no news: what nobody saw is on the page, and no message tells it.
  await connection.query(
    `create temp table changed_ballots on commit drop as
    select ballot_id, event_id, old_status, new_status, election_id, occurred_on from derived_statuses
    where old_status is distinct from new_status and ballot_id in (select ballot_id from told_ballots)`,
  );
  await connection.query('set local enable_nestloop = off');
  return added;
}

/** Days around an election in which an envelope of it can be scanned; a barcode is used again for another later. */
const seasonDays = { before: 120, after: 60 } as const;
/** Envelopes are scanned before the day the office names, when it names the day it expects. */
const earlyDays = 3;

/**
 * Tables `touched_ballots`, and `seen` of every scan of their pieces: of a barcode that several ballots had, the piece
 * that was told last and in whose days it falls.
 */
async function findTouched(connection: Connection, { accountId }: ScanTask): Promise<void> {
  const account = Number(accountId);
  await connection.query(
    `create temp table touched_ballots on commit drop as
    select distinct p.ballot_id from told_codes c
    join mail_pieces p on p.account_id = ${account} and p.tracking_code = c.tracking_code`,
  );
  await connection.query('analyze touched_ballots');
  await connection.query(
    `create temp table owners on commit drop as
    select p.mail_piece_id, p.tracking_code, p.ballot_id, p.direction,
      coalesce(p.mailed_on - ${earlyDays}, e.election_date - ${seasonDays.before}) as first_day,
      e.election_date + ${seasonDays.after} as last_day
    from (
      select distinct p.tracking_code from touched_ballots t join mail_pieces p on p.ballot_id = t.ballot_id
    ) code
    join mail_pieces p on p.account_id = ${account} and p.tracking_code = code.tracking_code
    join ballots b on b.ballot_id = p.ballot_id
    join elections e on e.election_id = b.election_id`,
  );
  await connection.query('analyze owners');
  await connection.query(
    `create temp table seen on commit drop as
    select distinct on (s.scan_id) s.scan_id, s.scanned_at, s.op_code, s.mail_phase, s.event_type, s.facility_state,
      left(s.facility_zip, 5) as facility_zip, s.expected_delivery_date, o.ballot_id, o.direction
    from owners o
    join mail_scans s on s.account_id = ${account} and s.tracking_code = o.tracking_code
      and s.scanned_at::date between o.first_day and o.last_day
    order by s.scan_id, o.mail_piece_id desc`,
  );
}

/** Table `judged`: what each scan tells, and when it was by the account's calendar. */
async function judgeScans(connection: Connection, { timeZone }: ScanTask): Promise<void> {
  const { rows: marks } = await connection.query<{
    op_code: string;
    mail_phase: string;
    event_type: string;
  }>('select distinct op_code, mail_phase, event_type from seen');
  const known = marks.flatMap((mark) => {
    const { op_code: opCode, mail_phase: mailPhase, event_type: eventType } = mark;
    const meaning = meaningOf({ opCode, mailPhase, eventType });
    return meaning ? [{ ...mark, ...meaning }] : [];
  });
  const { rows: places } = await connection.query<{ facility_state: string; facility_zip: string }>(
    'select distinct facility_state, facility_zip from seen',
  );
  const clocks = places.map(({ facility_state: state, facility_zip: zip }) => ({
    state,
    zip,
    zone: zoneOfFacility(state, zip),
  }));
  await connection.query(
    `create temp table judged on commit drop as
    select s.ballot_id, s.scan_id, s.direction, s.scanned_at, s.expected_delivery_date, m.kind::event_kind as kind,
      case s.direction when 'outbound' then m.outbound when 'inbound' then m.inbound end as status,
      coalesce(m.is_arriving and s.direction = 'outbound' and s.scanned_at::time < '${arrivingBefore}', false) as is_arriving,
      s.scanned_at at time zone c.zone as occurred_at,
      coalesce((s.scanned_at at time zone c.zone at time zone $1)::date, s.scanned_at::date) as occurred_on,
      concat_ws(' ', nullif(s.event_type, ''), nullif(s.mail_phase, ''), nullif(s.op_code, '')) as raw_status
    from seen s
    left join unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])
      as m (op_code, mail_phase, event_type, kind, outbound, inbound, is_arriving)
      on m.op_code = s.op_code and m.mail_phase = s.mail_phase and m.event_type = s.event_type
    left join unnest($9::text[], $10::text[], $11::text[]) as c (state, zip, zone)
      on c.state = s.facility_state and c.zip = s.facility_zip`,
    [
      timeZone,
      known.map((one) => one.op_code),
      known.map((one) => one.mail_phase),
      known.map((one) => one.event_type),
      known.map((one) => one.kind),
      known.map((one) => one.outbound),
      known.map((one) => one.inbound),
      known.map((one) => one.isArriving),
      clocks.map((one) => one.state),
      clocks.map((one) => one.zip),
      clocks.map((one) => one.zone),
    ],
  );
}

/**
 * Of each ballot, status and day the first scan becomes an event, unless an earlier one is there: the nine after it
 * tell nothing more. All of them stay in `mail_scans`.
 */
async function addEvents(
  connection: Connection,
  { accountId, importId, timeZone }: ScanTask,
): Promise<number> {
  // As the rules order moments: a day alone stands before its hours, of an estimate after them.
  const moment = (at: string, kind: string) =>
    `coalesce(${at}, case ${kind} when 'estimate' then 'infinity' else '-infinity' end::timestamptz)`;
  const { rowCount } = await connection.query(
    `insert into ballot_events (account_id, ballot_id, kind, status, raw_status, occurred_on, occurred_at, import_id, scan_id)
    select $1, n.ballot_id, n.kind, n.status, n.raw_status, n.occurred_on, n.occurred_at, $2, n.scan_id
    from (
      select distinct on (ballot_id, kind, status, occurred_on, is_arrival) *,
        ${moment('occurred_at', 'kind')} as moment
      from (
        select ballot_id, scan_id, kind, status, raw_status, occurred_on, occurred_at, false as is_arrival
        from judged where status is not null
        union all
        select ballot_id, scan_id, 'estimate', 'delivered', $4, scanned_at::date, null, true
        from judged where is_arriving
      ) told
      order by ballot_id, kind, status, occurred_on, is_arrival, moment, scan_id
    ) n
    where not exists (
      select from ballot_events e
      where e.ballot_id = n.ballot_id and e.kind = n.kind and e.status = n.status
        and (e.raw_status = $4) = n.is_arrival
        and coalesce((e.occurred_at at time zone $3)::date, e.occurred_on) = n.occurred_on
        and ${moment('e.occurred_at', 'e.kind')} <= n.moment)
    order by n.ballot_id, n.occurred_on, n.moment`,
    [accountId, importId, timeZone, arrivingMark],
  );
  return rowCount ?? 0;
}

/**
 * Table `expected_deliveries`: the latest scan's word on when the envelope arrives, each way; a carrier's sorting in the
 * morning says today.
 */
async function expectDeliveries(connection: Connection): Promise<void> {
  await connection.query(
    `create temp table expected_deliveries on commit drop as
    select ballot_id, max(day) filter (where direction = 'outbound') as outbound,
      max(day) filter (where direction = 'inbound') as inbound
    from (
      select distinct on (ballot_id, direction) ballot_id, direction, day from (
        select ballot_id, direction, scanned_at,
          case when is_arriving then scanned_at::date else expected_delivery_date end as day
        from judged where direction is not null
      ) told where day is not null order by ballot_id, direction, scanned_at desc, day desc
    ) latest group by ballot_id`,
  );
}

/**
 * Estimates of arrival whose day is over since: ballots that are not yet so far are added to table `touched_ballots`.
 * @returns how many
 */
export async function addDueEstimates(
  connection: Connection,
  { accountId, today }: Pick<ScanTask, 'accountId' | 'today'>,
): Promise<number> {
  const { rowCount } = await connection.query(
    `insert into touched_ballots
    select distinct v.ballot_id from ballot_events v
    join ballots b on b.ballot_id = v.ballot_id
      and b.current_status in ('requested', 'printed', 'reprinted', 'sent', 'in-transit')
    where v.account_id = $1 and v.kind = 'estimate' and v.raw_status = $3
      and v.occurred_on between $2::date - 7 and $2::date - 1
      and v.ballot_id not in (select ballot_id from touched_ballots)`,
    [accountId, today, arrivingMark],
  );
  return rowCount ?? 0;
}
