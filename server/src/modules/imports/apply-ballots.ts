import { deriveStatuses } from '../ballots/index.ts';
import type { Applied } from './apply-voters.ts';
import { milestones, partOfRecord } from './ballot-rows.ts';
import type { Counts } from './report.ts';
import type { Connection, ImportId } from './store.ts';

export interface BallotTask {
  readonly accountId: number;
  readonly importId: ImportId;
  /** What the office calls the registration ID. */
  readonly idLabel: string;
  /** Rows in the staging table. */
  readonly staged: number;
  /** IANA name of the account's zone. */
  readonly timeZone: string;
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly today: string;
}

/**
 * Takes the staged rows for what the office now says of each ballot, set-wise. Only what differs from its last
 * record becomes events. Leaves table `changed_ballots` (ballot_id, event_id, old_status, new_status) for whoever
 * tells the voters; its statuses are the office's own, whatever the post has seen besides.
 */
export async function applyBallots(connection: Connection, task: BallotTask): Promise<Applied> {
  const { accountId, importId, staged } = task;
  const before = await countBallots(connection, accountId);
  const { refused, superseded } = await findCandidates(connection, task);
  await chainRecords(connection);
  const events = await planEvents(connection);
  const { added, changed } = await writeBallots(connection, accountId, importId);
  await heedScans(connection, task);
  return {
    added,
    changed,
    unchanged: staged - added - changed - refused - superseded,
    refused,
    superseded,
    events,
    before,
    after: await countBallots(connection, accountId),
    refusedRows: 'select line, problem from candidates where problem is not null',
  };
}

type Part = Parameters<typeof partOfRecord>[1];
const sameBallot = 'partition by voter_id, election_id, ballot_number';

/** Table `candidates`: refused rows, and the records of ballots of which the file may say something new. */
async function findCandidates(
  connection: Connection,
  { accountId, idLabel }: BallotTask,
): Promise<{ refused: number; superseded: number }> {
  const account = Number(accountId);
  const unknown = `${idLabel} is not on the roll: import the voter file first`;
  await connection.query(
    `create temp table candidates on commit drop as
    select told.*, b.ballot_id, b.office_record as stored,
      case when b.current_status in ('in-transit', 'delivered', 'return-in-transit') then coalesce((
        select e.status from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'office' and e.status is not null
        order by e.event_id desc limit 1), 'requested') else b.current_status end as old_status
    from (
      select s.line, v.voter_id, s.election_id::bigint as election_id, s.ballot_number, s.sent_on, s.record,
        case when v.voter_id is null then '${unknown.replaceAll("'", "''")}' end as problem,
        count(*) over (partition by v.voter_id, s.election_id::bigint, s.ballot_number) as told_times
      from staged s left join voters v on v.account_id = ${account} and v.registration_id = s.registration_id
    ) told
    left join ballots b on b.account_id = ${account} and b.election_id = told.election_id
      and b.voter_id = told.voter_id and b.ballot_number = told.ballot_number
    where problem is not null or told_times > 1 or b.ballot_id is null or b.office_record is distinct from record`,
  );
  const { rows } = await connection.query<{ refused: number; superseded: number }>(
    `select count(*) filter (where problem is not null) as refused,
      count(*) filter (where problem is null and told_times > 1)
        - count(distinct (voter_id, election_id, ballot_number)) filter (where problem is null and told_times > 1) as superseded
    from candidates`,
  );
  return rows[0] ?? { refused: 0, superseded: 0 };
}

/**
 * Table `changes`: each new record of a ballot with the one before it. Where a file has several rows of one ballot,
 * they are records in the order of mailing; those up to the one known already say nothing new.
 */
async function chainRecords(connection: Connection): Promise<void> {
  await connection.query(
    `create temp table changes on commit drop as
    with chain as (
      select *, row_number() over told as place, lag(record) over told as record_before
      from candidates where problem is null
      window told as (${sameBallot} order by sent_on nulls first, line)
    ), known as (
      select *, max(place) filter (where record = stored) over (${sameBallot}) as known_place from chain
    )
    select * from (
      select line, voter_id, election_id, ballot_number, place, record, old_status, ballot_id is null as is_new,
        coalesce(ballot_id, case when place = 1 then nextval('ballots_ballot_id_seq') end) as ballot_id,
        case when known_place is null and stored is not null then stored else record_before end as previous
      from known
      where case when known_place is not null then place > known_place
        when stored is not null then place = told_times else true end
    ) told
    where record is distinct from previous`,
  );
  await connection.query(
    `update changes c set ballot_id = f.ballot_id from changes f
    where c.ballot_id is null and f.place = 1 and f.voter_id = c.voter_id
      and f.election_id = c.election_id and f.ballot_number = c.ballot_number`,
  );
}

/**
 * What can become of a record, in the order in which it happens: the status, its day, whether it is due, and whether
 * it is the last that the record tells.
 */
const steps = [
  ["'requested'", 'requested_on', 'asks', 'is_told and not (prints or sends or returns)'],
  ["'printed'", 'printed_on', 'prints', 'is_told and not (sends or returns)'],
  // A replacement is told as such; that it was sent goes without saying.
  ["'reprinted'", 'sent_on', 'reprints', 'is_told and not returns'],
  ["'sent'", 'sent_on', 'sends and not reprints', 'is_told and not returns'],
  ["'returned'", 'returned_on', 'returns', 'is_told'],
  ['status', 'status_on', 'not is_told', 'true'],
] as const;

/** Table `new_events`: what became different, in the order in which it happened; the status as it is now comes last. */
async function planEvents(connection: Connection): Promise<number> {
  const now = (part: Part) => partOfRecord('c.record', part);
  const before = (part: Part) => partOfRecord('c.previous', part);
  const planned = steps.map(
    ([status, day, isDue, isLast], ordinal) =>
      `select ballot_id, line, place, ${ordinal} as ordinal, ${status} as status, ${day} as occurred_on,
        case when ${isLast} then raw else '' end as raw_status,
        case when ${isLast} then reason_code else '' end as reason_code,
        case when ${isLast} then reason else '' end as reason
      from told where ${isDue}`,
  );
  const { rowCount } = await connection.query(
    `create temp table new_events on commit drop as
    with parted as materialized (
      select c.ballot_id, c.line, c.place, ${now('status')} as status, coalesce(${now('raw')}, '') as raw,
        coalesce(${now('reason_code')}, '') as reason_code, coalesce(${now('reason')}, '') as reason,
        ${now('status_on')}::date as status_on,
        ${milestones.map((day) => `${now(day)}::date as ${day}, ${before(day)}::date as was_${day}`).join(', ')}
      from changes c
    ), different as (
      select *, requested_on is distinct from was_requested_on and requested_on is not null as asks,
        printed_on is distinct from was_printed_on and printed_on is not null as prints,
        coalesce(sent_on > was_sent_on, false) as reprints,
        sent_on is distinct from was_sent_on and sent_on is not null as sends,
        returned_on is not null
          and (returned_on is distinct from was_returned_on or coalesce(sent_on > was_sent_on, false)) as returns
      from parted
    ), told as materialized (
      select *, status is not null and status = case when returns then 'returned' when sends then 'sent'
        when prints then 'printed' when asks then 'requested' else '' end as is_told
      from different
    )
    select nextval('ballot_events_event_id_seq') as event_id, ballot_id, line, status, occurred_on, raw_status,
      reason_code, reason
    from (${planned.join(' union all ')} order by ballot_id, place, ordinal) planned`,
  );
  await connection.query(
    `create temp table changed_ballots on commit drop as
    select last.ballot_id, last.event_id, c.old_status, coalesce(e.status, c.old_status, 'requested') as new_status
    from (select ballot_id, max(event_id) filter (where status is not null) as event_id from new_events group by ballot_id) last
    left join new_events e on e.event_id = last.event_id
    join (select ballot_id, max(old_status) as old_status from changes group by ballot_id) c on c.ballot_id = last.ballot_id`,
  );
  return rowCount ?? 0;
}

async function writeBallots(
  connection: Connection,
  accountId: number,
  importId: number,
): Promise<{ added: number; changed: number }> {
  const last = `(select distinct on (ballot_id) * from changes order by ballot_id, place desc)`;
  const added = await connection.query(
    `insert into ballots (account_id, ballot_id, voter_id, election_id, ballot_number, office_record, current_status, current_event_id)
    overriding system value
    select $1, c.ballot_id, c.voter_id, c.election_id, c.ballot_number, c.record, s.new_status, s.event_id
    from ${last} c join changed_ballots s on s.ballot_id = c.ballot_id where c.is_new`,
    [accountId],
  );
  const changed = await connection.query(
    `update ballots b set office_record = c.record, current_status = s.new_status,
      current_event_id = coalesce(s.event_id, b.current_event_id)
    from ${last} c join changed_ballots s on s.ballot_id = c.ballot_id
    where b.ballot_id = c.ballot_id and not c.is_new`,
  );
  await connection.query(
    `insert into ballot_events (account_id, event_id, ballot_id, kind, status, raw_status, occurred_on, reason_code, reason, import_id, source_line)
    overriding system value
    select $1, event_id, ballot_id, 'office', status, raw_status, occurred_on, reason_code, reason, $2, line
    from new_events order by event_id`,
    [accountId, importId],
  );
  return { added: added.rowCount ?? 0, changed: changed.rowCount ?? 0 };
}

/** What is known of its envelopes counts on: the status of a ballot that has any follows from all its events. */
async function heedScans(connection: Connection, task: BallotTask): Promise<void> {
  const { rows } = await connection.query<{ has_pieces: boolean }>(
    'select exists (select from mail_pieces where account_id = $1) as has_pieces',
    [task.accountId],
  );
  if (!rows[0]?.has_pieces) return;
  await connection.query('analyze changed_ballots');
  await connection.query(
    `create temp table touched_ballots on commit drop as
    select c.ballot_id from changed_ballots c
    where exists (select from ballot_events e where e.ballot_id = c.ballot_id and e.kind <> 'office')`,
  );
  await connection.query('analyze touched_ballots');
  await deriveStatuses(connection, task);
  // Who was told that it is printed need not hear that it was asked for.
  await connection.query(
    `delete from changed_ballots c using ballots b
    where b.ballot_id = c.ballot_id and c.new_status = 'requested' and b.current_status = 'printed'`,
  );
}

/** Ballots by election and status, as `216 accepted`. */
export async function countBallots(connection: Connection, accountId: number): Promise<Counts> {
  const { rows } = await connection.query<{ name: string; count: number }>(
    `select e.number || ' ' || coalesce(b.current_status, 'requested') as name, count
    from (select election_id, current_status, count(*) from ballots where account_id = $1 group by 1, 2) b
    join elections e on e.account_id = $1 and e.election_id = b.election_id order by 1`,
    [accountId],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
