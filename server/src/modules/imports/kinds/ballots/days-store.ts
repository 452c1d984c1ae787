import { sql } from 'kysely';
import { dateInWords } from '../../../../platform/clock.ts';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { changedBallots } from '../../../ballots/index.ts';
import type { Counts, ExampleRow } from '../kind.ts';
import type { ReturnDays } from './gate-acceptances.ts';
import { ballotRecords, eventPlans, listedRecords, saidParts } from './plan-store.ts';
import { type milestones, partOfRecord } from './rows.ts';

type Milestone = (typeof milestones)[number];
const exampleCount = 5;
const hasReturn = (record: string) => `${partOfRecord(record, 'returned_on')} is not null`;
const accepted = ['accepted', 'counted'] as const;
const refused = ['rejected', 'not-counted', 'rejected-curable'] as const;
/**
 * By status: which ballots of the file would newly have it, of which the file should date the return alike, and which others show that the
 * office dates returns at all. What is accepted says little of what is rejected.
 */
const kinds = {
  accepted: { given: accepted, compared: accepted, back: accepted },
  returned: {
    given: ['returned'],
    compared: ['returned', ...accepted],
    back: ['returned', ...accepted],
  },
  rejected: { given: refused, compared: refused, back: ['returned', ...accepted, ...refused] },
} as const satisfies Record<ReturnDays['status'], object>;
const listOf = (statuses: readonly string[]) => statuses.map((one) => `'${one}'`).join(', ');
const isNewly = (status: ReturnDays['status']) =>
  `c.line is not null and c.new_status in (${listOf(kinds[status].given)})
    and coalesce(c.old_status, '') not in (${listOf(kinds[status].compared)}, 'in-person')`;

/** How many rows of the file have each day of a ballot's way, a word for the status, a reason and its code. */
export async function readSaidCounts(tx: Tx): Promise<Counts> {
  const counts = saidParts.map(
    (part) =>
      `coalesce(sum(s.count) filter (where ${partOfRecord('r.record', part)} is not null), 0)::bigint as ${part}`,
  );
  const { rows } = await sql<Record<(typeof saidParts)[number], number>>`
    select ${sql.raw(counts.join(', '))}
    from ${listedRecords} s join ${ballotRecords} r using (record_id)`.execute(tx);
  return { ...rows[0] };
}

/** The ballots that had such a day and would have none, and keep their status: another one may allow no such day. */
export async function readLostDays(
  tx: Tx,
  day: Milestone,
): Promise<{ count: number; examples: ExampleRow[] }> {
  const was = partOfRecord('p.previous', day);
  const name = day.replace('_on', '');
  const { rows } = await sql<{ voter: string; from: string; line: number; count: number }>`
    select v.registration_id as voter, ${sql.raw(`'${name} ' || ${dateInWords(was)}`)} as "from", c.line,
      count(*) over ()::integer as count
    from ${changedBallots} c join ${eventPlans} p on p.plan_id = c.plan_id join voters v on v.voter_id = c.voter_id
    where c.old_status = c.new_status
      and ${sql.raw(`${was} is not null and ${partOfRecord('p.record', day)} is null`)}
    order by c.line limit ${exampleCount}`.execute(tx);
  return {
    count: rows[0]?.count ?? 0,
    examples: rows.map(({ voter, from, line }) => ({ voter, from, to: `no ${name} day`, line })),
  };
}

/** Of each election with ballots that would become accepted, returned or rejected without a day of return. */
export async function readReturnDays(tx: Tx, accountId: AccountId): Promise<ReturnDays[]> {
  return [
    ...(await readDaysOf(tx, accountId, 'accepted')),
    ...(await readDaysOf(tx, accountId, 'returned')),
    ...(await readDaysOf(tx, accountId, 'rejected')),
  ];
}

async function readDaysOf(
  tx: Tx,
  accountId: AccountId,
  status: ReturnDays['status'],
): Promise<ReturnDays[]> {
  const { rows: newly } = await sql<{ id: number; newly: number; undated: number }>`
    select c.election_id as id, sum(c.count)::integer as newly,
      sum(c.count) filter (where not (${sql.raw(hasReturn('p.record'))}))::integer as undated
    from (select election_id, plan_id, count(*) as count from ${changedBallots} c
      where ${sql.raw(isNewly(status))} group by 1, 2) c join ${eventPlans} p on p.plan_id = c.plan_id
    group by 1 having count(*) filter (where not (${sql.raw(hasReturn('p.record'))})) > 0`.execute(
    tx,
  );
  if (newly.length === 0) return [];
  const is = (statuses: readonly string[]) =>
    `${partOfRecord('r.record', 'status')} in (${listOf(statuses)})`;
  const { compared, back } = kinds[status];
  const count = (condition: string) =>
    sql`coalesce(sum(s.count) filter (where ${sql.raw(condition)}), 0)::integer`;
  const { rows: listed } = await sql<{
    id: number;
    number: string;
    all: number;
    dated: number;
    backDated: number;
  }>`
    select s.election_id as id, el.number, ${count(is(compared))} as all,
      ${count(`${is(compared)} and ${hasReturn('r.record')}`)} as dated,
      ${count(hasReturn('r.record'))} as "backDated"
    from ${listedRecords} s join ${ballotRecords} r using (record_id)
    join elections el on el.account_id = ${accountId} and el.election_id = s.election_id
    where ${sql.raw(is(back))} group by 1, 2`.execute(tx);
  return listed.flatMap(({ id, number, dated, all, backDated }) =>
    newly
      .filter((one) => one.id === id)
      .map((one) => ({
        ...{ number, status, newly: one.newly, undated: one.undated },
        ...{ allDated: dated, allUndated: all - dated, backDated },
      })),
  );
}

/** The first ballots that would become accepted, returned or rejected without a day of return. */
export async function readUndatedExamples(
  tx: Tx,
  accountId: AccountId,
  { number, status }: Pick<ReturnDays, 'number' | 'status'>,
): Promise<ExampleRow[]> {
  const { rows } = await sql<ExampleRow>`
    select v.registration_id as voter, coalesce(c.old_status, 'not listed') as "from",
      c.new_status || ', no return day' as "to", c.line
    from ${changedBallots} c join ${eventPlans} p on p.plan_id = c.plan_id join voters v on v.voter_id = c.voter_id
    join elections el on el.account_id = ${accountId} and el.election_id = c.election_id and el.number = ${number}
    where ${sql.raw(isNewly(status))} and not (${sql.raw(hasReturn('p.record'))})
    order by c.line limit ${exampleCount}`.execute(tx);
  return rows;
}
