import { sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../../../platform/temp-tables.ts';
import { isStanding, nextBallotId, nextEventId } from '../../../ballots/index.ts';
import { ballotRecords } from './plan-store.ts';
import { orderOfRows, stagedBallots } from './rows.ts';

const changeColumns = {
  line: 'bigint',
  voter_id: 'bigint',
  election_id: 'bigint',
  ballot_number: 'text',
  record_id: 'integer',
  sent_on: 'date',
  problem: 'text',
  /** Among the file's rows of the same ballot: of several, in the order of {@link orderOfRows} once they are chained. */
  place: 'bigint',
  is_repeated: 'boolean',
  is_last: 'boolean',
  is_new: 'boolean',
  /** The record before this one. */
  previous: 'text',
  ballot_id: 'bigint',
  /** The first of as many IDs as may be planned events for one record. */
  first_event_id: 'bigint',
  old_status: 'text',
} as const;

/** Refused rows, and the records of ballots of which the file may say something new. */
export const ballotChanges = defineTempTable('ballot_changes', changeColumns);

/** Of ballots with several rows, the records that say something new, each with the one before it. */
const chainedChanges = defineTempTable('chained_ballot_changes', changeColumns);

/** Fills {@link ballotChanges}, in the order of voters, in which the indexes grow at their ends. */
export async function findChanges(
  tx: Tx,
  accountId: AccountId,
  idLabel: string,
): Promise<{ refused: number; superseded: number }> {
  const account = sql.lit(Number(accountId));
  const unknown = sql.lit(
    `no voter has this ${idLabel}. Did Excel drop the leading zeros? Otherwise import the voter file first`,
  );
  await fillTempTable(
    tx,
    ballotChanges,
    sql`
    select f.*, true as is_last, b.ballot_id is null as is_new, b.office_record as previous,
      coalesce(b.ballot_id, case when problem is null and place = 1 then ${nextBallotId} end) as ballot_id,
      case when problem is null and not is_repeated then ${nextEventId} end as first_event_id,
      case when b.office_record is null and b.current_event_id is null then null
        when b.current_status in ('in-transit', 'delivered', 'return-in-transit') then coalesce((
        select e.status from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'office' and e.status is not null
          and ${isStanding(sql`e`)}
        order by e.event_id desc limit 1), 'requested') else b.current_status end as old_status
    from (
      select s.line, v.voter_id, s.election_id, s.ballot_number, s.record_id, s.sent_on,
        case when v.voter_id is null then ${unknown} end as problem,
        row_number() over mailings as place,
        row_number() over mailings > 1 or lead(true, 1, false) over mailings as is_repeated
      from ${stagedBallots} s
      left join voters v on v.account_id = ${account} and v.registration_id = s.registration_id
      window mailings as (partition by v.voter_id, s.election_id, s.ballot_number order by s.line)
    ) f
    join ${ballotRecords} r using (record_id)
    left join ballots b on b.account_id = ${account} and b.election_id = f.election_id
      and b.voter_id = f.voter_id and b.ballot_number = f.ballot_number
    where problem is not null or is_repeated or b.ballot_id is null or ${isNews('r.record', 'b.office_record')}`,
  );
  const { rows } = await sql<{ refused: number; superseded: number }>`
    select count(*) filter (where problem is not null) as refused,
      count(*) filter (where problem is null and place > 1) as superseded
    from ${ballotChanges}`.execute(tx);
  return rows[0] ?? { refused: 0, superseded: 0 };
}

/** An office that writes the same in other letters says nothing new. Lower case is asked for only where the two differ. */
const isNews = (record: string, previous: string) =>
  sql.raw(
    `${record} is distinct from ${previous} and lower(${record}) is distinct from lower(${previous})`,
  );

const sameBallot = sql`partition by voter_id, election_id, ballot_number`;

/**
 * Where a file has several rows of one ballot, they are records in the order of mailing; those up to the one known
 * already say nothing new. Where the known one is not among them, new are the mailings after the last that was reported, and
 * what the last row says.
 */
export async function chainRecords(tx: Tx): Promise<void> {
  const names = Object.keys(changeColumns);
  const columns = sql.raw(names.join(', '));
  const ordered = names.filter((name) => name !== 'place').join(', ');
  await fillTempTable(
    tx,
    chainedChanges,
    sql`
    with ordered as (
      select ${sql.raw(ordered)}, record, row_number() over (${sameBallot} order by ${sql.raw(orderOfRows)}) as place
      from ${ballotChanges} join ${ballotRecords} using (record_id) where is_repeated and problem is null
    ), chain as (
      select *, lag(record) over (${sameBallot} order by place) as record_before, max(place) over of_ballot as last_place,
        max(place) filter (where not (${isNews('record', 'previous')})) over of_ballot as known_place,
        max(ballot_id) over of_ballot as only_ballot_id
      from ordered
      window of_ballot as (${sameBallot})
    ), news as (
      select *, row_number() over (${sameBallot} order by place) as news_place
      from chain
      where case when known_place is not null then place > known_place
        when previous is not null then place = last_place or sent_on > coalesce((
          select max(e.occurred_on) from ballot_events e where e.ballot_id = only_ballot_id and e.kind = 'office'
            and e.status in ('sent', 'reprinted') and ${isStanding(sql`e`)}), '-infinity')
        else true end
    )
    select *, ${nextEventId} as first_event_id from (
      select *, place = max(place) over (partition by ballot_id) as is_last from (
        select line, voter_id, election_id, ballot_number, record_id, record, sent_on, problem, place, is_repeated, is_new,
          case when news_place = 1 and previous is not null then previous else record_before end as previous,
          only_ballot_id as ballot_id, old_status
        from news
      ) chained
      where ${isNews('record', 'previous')}
      order by ballot_id, place
    ) in_order`,
  );
  await sql`delete from ${ballotChanges} where is_repeated and problem is null`.execute(tx);
  await sql`insert into ${ballotChanges} (${columns}) select ${columns} from ${chainedChanges}`.execute(
    tx,
  );
}
