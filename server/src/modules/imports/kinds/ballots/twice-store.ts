import { sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import { changedBallots } from '../../../ballots/index.ts';
import type { ExampleRow } from '../kind.ts';
import { ballotRecords } from './plan-store.ts';
import { partOfRecord, stagedBallots } from './rows.ts';

export interface Contradictions {
  /** Of the election. */
  readonly number: string;
  /** Ballots that the file decides, and those of them that it accepts in one row and refuses in another with the same days. */
  readonly decided: number;
  readonly contradicted: number;
  readonly examples: readonly ExampleRow[];
}

const status = partOfRecord('r.record', 'status');
const accepts = `${status} in ('accepted', 'counted')`;
const refuses = `${status} in ('rejected', 'not-counted')`;
const days = (['sent_on', 'returned_on', 'status_on'] as const)
  .map((day) => `coalesce(${partOfRecord('r.record', day)}, '')`)
  .join(` || ' ' || `);

/** Of each election: ballots with rows that say the opposite of each other. */
export async function readContradictions(tx: Tx): Promise<Contradictions[]> {
  const { rows } = await sql<Contradictions>`
    with decided as (
      select c.ballot_id, c.election_id, c.ballot_number, v.registration_id, coalesce(c.old_status, 'not listed') as old_status
      from ${changedBallots} c join voters v on v.voter_id = c.voter_id
      where c.line is not null and c.new_status in ('accepted', 'counted', 'rejected', 'not-counted')
        and c.old_status is distinct from c.new_status
    ), twice as (
      select s.registration_id, s.election_id, s.ballot_number, min(s.line) as line
      from ${stagedBallots} s join ${ballotRecords} r using (record_id)
      where s.line is not null and (${sql.raw(accepts)} or ${sql.raw(refuses)})
      group by 1, 2, 3
      having bool_or(${sql.raw(accepts)}) and bool_or(${sql.raw(refuses)}) and count(distinct ${sql.raw(days)}) = 1
    ), judged as (
      select d.*, t.line from decided d left join twice t using (registration_id, election_id, ballot_number)
    )
    select el.number, count(*)::integer as decided, count(j.line)::integer as contradicted,
      coalesce((array_agg(json_build_object('voter', j.registration_id, 'from', j.old_status,
        'to', 'accepted and rejected', 'line', j.line) order by j.line) filter (where j.line is not null))[:5], '{}') as examples
    from judged j join elections el on el.election_id = j.election_id group by 1 order by 1`.execute(
    tx,
  );
  return rows;
}
