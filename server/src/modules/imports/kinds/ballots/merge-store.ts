import { deriveStatuses } from '../../../ballots/index.ts';
import type { Connection, ImportId } from '../../run/import-store.ts';
import type { Counts } from '../../run/report.ts';
import type { Applied } from '../voters/merge-store.ts';
import { planEvents } from './plan-store.ts';

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
 * record becomes events. Needs the tables `staged` and, by {@link gatherRecords}, `records`. Leaves table
 * `changed_ballots` (ballot_id, event_id, old_status, new_status, election_id, occurred_on) for whoever tells the
 * voters; its statuses are the office's own, whatever the post has seen besides.
 */
export async function applyBallots(connection: Connection, task: BallotTask): Promise<Applied> {
  const { accountId, importId, staged } = task;
  const before = await countBallots(connection, accountId);
  const { refused, superseded } = await findChanges(connection, task);
  if (superseded > 0) await chainRecords(connection);
  await planEvents(connection);
  await tellChanges(connection, superseded > 0);
  const { added, changed, events } = await writeBallots(connection, accountId, importId);
  await keepChangedBallots(connection, superseded > 0);
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

/** Table `records` (record_id, record) of the different records among the staged rows. */
export async function gatherRecords(connection: Connection): Promise<void> {
  await connection.query(
    `create temp table records on commit drop as
    select record_id, record from staged where record is not null`,
  );
  await connection.query('analyze records');
}

const sameBallot = 'partition by voter_id, election_id, ballot_number';

/** SQL of the first of as many IDs as {@link planEvents} may plan events for one record. */
const nextEventIds = `nextval('ballot_events_event_id_seq')`;

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
      case when problem is null and not is_repeated then ${nextEventIds} end as first_event_id,
      case when b.current_status in ('in-transit', 'delivered', 'return-in-transit') then coalesce((
        select e.status from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'office' and e.status is not null
        order by e.event_id desc limit 1), 'requested') else b.current_status end as old_status
    from (
      select s.line, v.voter_id, s.election_id, s.ballot_number, s.record_id, s.sent_on,
        case when v.voter_id is null then '${unknown.replaceAll("'", "''")}' end as problem,
        row_number() over told as place, row_number() over told > 1 or lead(true, 1, false) over told as is_repeated
      from staged s left join voters v on v.account_id = ${account} and v.registration_id = s.registration_id
      window told as (partition by v.voter_id, s.election_id, s.ballot_number order by s.sent_on nulls first, s.line)
    ) told
    join records r using (record_id)
    left join ballots b on b.account_id = ${account} and b.election_id = told.election_id
      and b.voter_id = told.voter_id and b.ballot_number = told.ballot_number
    where problem is not null or is_repeated or b.ballot_id is null or b.office_record is distinct from r.record`,
  );
  const { rows } = await connection.query<{ refused: number; superseded: number }>(
    `select count(*) filter (where problem is not null) as refused,
      count(*) filter (where problem is null and place > 1) as superseded
    from changes`,
  );
  return rows[0] ?? { refused: 0, superseded: 0 };
}

const changeColumns =
  'line, voter_id, election_id, ballot_number, record_id, problem, place, is_repeated, is_last, is_new, previous, ballot_id, first_event_id, old_status';

/**
 * Where a file has several rows of one ballot, they are records in the order of mailing; those up to the one known
 * already say nothing new. Where that one is not among them, new are the mailings after the last that was told, and
 * what the last row says.
 */
async function chainRecords(connection: Connection): Promise<void> {
  await connection.query(
    `create temp table chained on commit drop as
    with chain as (
      select *, lag(record) over (${sameBallot} order by place) as record_before, max(place) over of_ballot as last_place,
        max(place) filter (where record = previous) over of_ballot as known_place,
        max(ballot_id) over of_ballot as only_ballot_id
      from changes join records using (record_id) where is_repeated and problem is null
      window of_ballot as (${sameBallot})
    ), news as (
      select *, row_number() over (${sameBallot} order by place) as news_place
      from chain
      where case when known_place is not null then place > known_place
        when previous is not null then place = last_place or sent_on > coalesce((
          select max(e.occurred_on) from ballot_events e where e.ballot_id = only_ballot_id and e.kind = 'office'
            and e.status in ('sent', 'reprinted')), '-infinity')
        else true end
    )
    select *, ${nextEventIds} as first_event_id from (
      select *, place = max(place) over (partition by ballot_id) as is_last from (
        select line, voter_id, election_id, ballot_number, record_id, record, problem, place, is_repeated, is_new,
          case when news_place = 1 and previous is not null then previous else record_before end as previous,
          only_ballot_id as ballot_id, old_status
        from news
      ) told
      where record is distinct from previous
      order by ballot_id, place
    ) in_order`,
  );
  await connection.query('delete from changes where is_repeated and problem is null');
  await connection.query(
    `insert into changes (${changeColumns}) select ${changeColumns} from chained`,
  );
}

/** Table `told`: the changes with their plans, and of each the event that decides the status. */
async function tellChanges(connection: Connection, hasChains: boolean): Promise<void> {
  await connection.query(
    `create temp table told on commit drop as
    select c.line, c.voter_id, c.election_id, c.ballot_number, c.place, c.is_repeated, c.is_last, c.is_new,
      c.ballot_id, c.first_event_id, p.plan_id, c.first_event_id + p.deciding - 1 as event_id,
      c.old_status, coalesce(p.status, c.old_status, 'requested') as new_status, p.occurred_on
    from changes c join plans p on p.record_id = c.record_id and p.previous = coalesce(c.previous, '')
    where c.problem is null`,
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
}

async function writeBallots(
  connection: Connection,
  accountId: number,
  importId: number,
): Promise<{ added: number; changed: number; events: number }> {
  const added = await connection.query(
    `insert into ballots (account_id, ballot_id, voter_id, election_id, ballot_number, office_record, current_status, current_event_id)
    overriding system value
    select $1, t.ballot_id, t.voter_id, t.election_id, t.ballot_number, p.record, t.new_status, t.event_id
    from told t join plans p on p.plan_id = t.plan_id where t.is_last and t.is_new`,
    [accountId],
  );
  const changed = await connection.query(
    `update ballots b set office_record = p.record, current_status = t.new_status,
      current_event_id = coalesce(t.event_id, b.current_event_id)
    from told t join plans p on p.plan_id = t.plan_id
    where t.ballot_id = b.ballot_id and t.is_last and not t.is_new`,
  );
  const events = await connection.query(
    `insert into ballot_events (account_id, event_id, ballot_id, kind, status, raw_status, occurred_on, reason_code, reason, import_id, source_line)
    overriding system value
    select $1, t.first_event_id + e.place - 1, t.ballot_id, 'office', e.status, e.raw_status, e.occurred_on, e.reason_code, e.reason, $2, t.line
    from told t join plan_events e on e.plan_id = t.plan_id`,
    [accountId, importId],
  );
  const count = (of: { rowCount: number | null }) => of.rowCount ?? 0;
  return { added: count(added), changed: count(changed), events: count(events) };
}

/** Table `changed_ballots`: of what was told, each ballot's last. */
async function keepChangedBallots(connection: Connection, hasChains: boolean): Promise<void> {
  if (hasChains) await connection.query('delete from told where not is_last');
  await connection.query('alter table told rename to changed_ballots');
}

/** What is known of its envelopes counts on: the status of a ballot that has any follows from all its events. */
async function heedScans(connection: Connection, task: BallotTask): Promise<void> {
  const { rows } = await connection.query<{ has_pieces: boolean }>(
    `select exists (select from mail_pieces where account_id = $1) as has_pieces
      -- sequential scan: once per import, and it ends at the account's first row`,
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
