import { sql } from 'kysely';
import { dateInWords } from '../../../../platform/clock.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { changedBallots } from '../../../ballots/index.ts';
import type { ExampleRow } from '../kind.ts';
import { ballotRecords, eventPlans } from './plan-store.ts';
import { milestones, partOfRecord, stagedBallots } from './rows.ts';

const exampleCount = 5;
const days = [...milestones, 'status_on', 'expected_on'] as const;

/**
 * The first ballots that the file changes: those that left a list of open cases, then those whose status becomes another, then those
 * of which it says something else.
 */
export async function readFirstChanges(tx: Tx): Promise<ExampleRow[]> {
  const parts = [...days, 'raw', 'reason_code', 'reason'] as const;
  const now = (part: (typeof parts)[number]) => partOfRecord('p.record', part);
  const was = (part: (typeof parts)[number]) => partOfRecord('p.previous', part);
  const differing = (side: typeof now) =>
    sql.raw(
      `case ${parts.map((part) => `when ${was(part)} is distinct from ${now(part)} then '${nameOf(part)} ' || coalesce(${isDay(part) ? dateInWords(side(part)) : side(part)}, 'empty')`).join(' ')} else c.new_status end`,
    );
  const { rows } = await sql<ExampleRow>`
    select v.registration_id as voter,
      case when c.old_status is null then 'not listed' when c.old_status <> c.new_status then c.old_status
        else ${differing(was)} end as "from",
      case when c.old_status = c.new_status then ${differing(now)} else c.new_status end as "to", c.line
    from ${changedBallots} c join ${eventPlans} p on p.plan_id = c.plan_id join voters v on v.voter_id = c.voter_id
    order by c.line is not null, c.old_status is not distinct from c.new_status, c.line, length(v.registration_id), 1
    limit ${exampleCount}`.execute(tx);
  return rows;
}

function isDay(part: string): boolean {
  return days.some((day) => day === part);
}

function nameOf(part: string): string {
  return (
    { raw: 'status', reason_code: 'reason', status_on: 'status date' }[part] ??
    part.replace('_on', '')
  );
}

/** The first rows whose status no rule of the format knows. */
export async function readUnknownStatuses(tx: Tx): Promise<ExampleRow[]> {
  const { rows } = await sql<ExampleRow>`
    select s.registration_id as voter, 'status' as "from", '"' || ${sql.raw(partOfRecord('r.record', 'raw'))} || '"' as "to", s.line
    from ${stagedBallots} s join ${ballotRecords} r using (record_id)
    where s.line is not null and ${sql.raw(partOfRecord('r.record', 'status'))} is null
      and ${sql.raw(partOfRecord('r.record', 'raw'))} is not null
    order by s.line limit ${exampleCount}`.execute(tx);
  return rows;
}
