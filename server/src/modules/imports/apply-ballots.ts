import { deriveStatuses } from '../ballots/index.ts';
import type { Applied } from './apply-voters.ts';
import { mostEvents, planEvents } from './plan-events.ts';
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
 * record becomes events. Leaves table `changed_ballots` (ballot_id, event_id, old_status,
 * new_status, election_id, occurred_on) for whoever tells the voters; its statuses are the office's own, whatever the post has seen besides.
 */
export async function applyBallots(connection: Connection, task: BallotTask): Promise<Applied> {
  const { accountId, importId, staged } = task;
  const before = await countBallots(connection, accountId);
  const { refused, superseded } = await findChanges(connection, task);
  if (superseded > 0) await chainRecords(connection);
  await planEvents(connection);
  await tellChanges(connection, superseded > 0);
  const { added, changed, events } = await writeBallots(connection, accountId, importId);
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
    refusedRows: 'select line, problem from changes where problem is not null',
  };
}

const sameBallot = 'partition by voter_id, election_id, ballot_number';

/**
 * Table `changes`: refused rows, and the records of ballots of which the file may say something new, each with the one
 * before it. They are in the order of voters, in which the indexes grow at their ends.
 */
async function findChanges(
  connection: Connection,
  { accountId, idLabel }: BallotTask,
): Promise<{ refused: number; superseded: number }> {
  const account = Number(accountId);
  const unknown = `${idLabel} is not on the roll: import the voter file first`;
  await connection.query(
    `create temp table changes on commit drop as
    select told.*, true as is_last, b.ballot_id is null as is_new, b.office_record as previous,
      coalesce(b.ballot_id, case when problem is null and place = 1 then nextval('ballots_ballot_id_seq') end) as ballot_id,
      case when b.current_status in ('in-transit', 'delivered', 'return-in-transit') then coalesce((
        select e.status from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'office' and e.status is not null
        order by e.event_id desc limit 1), 'requested') else b.current_status end as old_status
    from (
      select s.line, v.voter_id, s.election_id::bigint as election_id, s.ballot_number, s.record,
        case when v.voter_id is null then '${unknown.replaceAll("'", "''")}' end as problem,
        row_number() over told as place, row_number() over told > 1 or lead(true, 1, false) over told as is_repeated
      from staged s left join voters v on v.account_id = ${account} and v.registration_id = s.registration_id
      window told as (partition by v.voter_id, s.election_id::bigint, s.ballot_number order by s.sent_on nulls first, s.line)
    ) told
    left join ballots b on b.account_id = ${account} and b.election_id = told.election_id
      and b.voter_id = told.voter_id and b.ballot_number = told.ballot_number
    where problem is not null or is_repeated or b.ballot_id is null or b.office_record is distinct from record`,
  );
  const { rows } = await connection.query<{ refused: number; superseded: number }>(
    `select count(*) filter (where problem is not null) as refused,
      count(*) filter (where problem is null and place > 1) as superseded
    from changes`,
  );
  return rows[0] ?? { refused: 0, superseded: 0 };
}

/**
 * Where a file has several rows of one ballot, they are records in the order of mailing; those up to the one known
 * already say nothing new.
 */
async function chainRecords(connection: Connection): Promise<void> {
  await connection.query(
    `create temp table chained on commit drop as
    with chain as (
      select *, lag(record) over (${sameBallot} order by place) as record_before, max(place) over of_ballot as last_place,
        max(place) filter (where record = previous) over of_ballot as known_place,
        max(ballot_id) over of_ballot as only_ballot_id
      from changes where is_repeated and problem is null
      window of_ballot as (${sameBallot})
    )
    select *, place = max(place) over (partition by ballot_id) as is_last from (
      select line, voter_id, election_id, ballot_number, record, problem, place, is_repeated, is_new,
        case when known_place is null and previous is not null then previous else record_before end as previous,
        only_ballot_id as ballot_id, old_status
      from chain
      where case when known_place is not null then place > known_place
        when previous is not null then place = last_place else true end
    ) told
    where record is distinct from previous`,
  );
  await connection.query('delete from changes where is_repeated and problem is null');
  const columns =
    'line, voter_id, election_id, ballot_number, record, problem, place, is_repeated, is_last, is_new, previous, ballot_id, old_status';
  await connection.query(`insert into changes (${columns}) select ${columns} from chained`);
}

const eventIds = Array.from({ length: mostEvents }, (_, index) => `event_${index + 1}`);
/** SQL of the ID of one of a change's events. @param place SQL of its place in the plan */
const eventIdAt = (place: string) =>
  `case ${place} ${eventIds.map((name, index) => `when ${index + 1} then ${name}`).join(' ')} end`;

/**
 * Table `told`: the changes with the IDs of their events, which rise in the order in which things happened, and the
 * event that decides the status. Table `changed_ballots`: each ballot's last.
 */
async function tellChanges(connection: Connection, hasChains: boolean): Promise<void> {
  const ids = eventIds.map(
    (name, index) =>
      `case when p.events > ${index} then nextval('ballot_events_event_id_seq') end as ${name}`,
  );
  await connection.query(
    `create temp table told on commit drop as
    select *, ${eventIdAt('deciding')} as event_id, coalesce(status, old_status, 'requested') as new_status
    from (
      select c.line, c.voter_id, c.election_id, c.ballot_number, c.record, c.place, c.is_repeated, c.is_last, c.is_new,
        c.ballot_id, c.old_status, p.plan_id, p.deciding, p.status, p.occurred_on, ${ids.join(', ')}
      from changes c join plans p on p.record = c.record and p.previous = coalesce(c.previous, '')
      where c.problem is null
    ) numbered`,
  );
  if (hasChains) {
    // The last record may have a status that nobody knows.
    await connection.query(
      `update told t set event_id = e.event_id, new_status = e.new_status, occurred_on = e.occurred_on
      from (
        select distinct on (ballot_id) ballot_id, event_id, new_status, occurred_on from told
        where is_repeated and event_id is not null order by ballot_id, place desc
      ) e where t.ballot_id = e.ballot_id and t.is_last and t.event_id is null`,
    );
  }
  await connection.query(
    `create temp table changed_ballots on commit drop as
    select ballot_id, event_id, old_status, new_status, election_id, occurred_on from told where is_last`,
  );
}

async function writeBallots(
  connection: Connection,
  accountId: number,
  importId: number,
): Promise<{ added: number; changed: number; events: number }> {
  const added = await connection.query(
    `insert into ballots (account_id, ballot_id, voter_id, election_id, ballot_number, office_record, current_status, current_event_id)
    overriding system value
    select $1, ballot_id, voter_id, election_id, ballot_number, record, new_status, event_id
    from told where is_last and is_new`,
    [accountId],
  );
  const changed = await connection.query(
    `update ballots b set office_record = t.record, current_status = t.new_status,
      current_event_id = coalesce(t.event_id, b.current_event_id)
    from told t where t.ballot_id = b.ballot_id and t.is_last and not t.is_new`,
  );
  const events = await connection.query(
    `insert into ballot_events (account_id, event_id, ballot_id, kind, status, raw_status, occurred_on, reason_code, reason, import_id, source_line)
    overriding system value
    select $1, ${eventIdAt('e.place')}, t.ballot_id, 'office', e.status, e.raw_status, e.occurred_on, e.reason_code, e.reason, $2, t.line
    from told t join plan_events e on e.plan_id = t.plan_id`,
    [accountId, importId],
  );
  const count = (of: { rowCount: number | null }) => of.rowCount ?? 0;
  return { added: count(added), changed: count(changed), events: count(events) };
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
