import { type RawBuilder, sql } from 'kysely';
import { dateInWords } from '../../../../platform/clock.ts';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { changedBallots, isApplication, isBallot } from '../../../ballots/index.ts';
import type { Day } from '../../read/dates.ts';
import type { Counts, ExampleRow, KindTask } from '../kind.ts';
import type { DateFault, ElectionNews, Finding, StatusChange } from './election-news.ts';
import { ballotRecords, eventPlans, listedRecords } from './plan-store.ts';
import { partOfRecord, stagedBallots } from './rows.ts';
import { listsApplications } from './status-rules.ts';

/** What offices write of an envelope that came too late, and of nothing else: an application may be late as well. */
const lateWords = String.raw`^\W*(ballot\W+)?((returned|received|arrived|came)\W+)?(too\W+)?late\W*$`;
const saysLate = ['reason', 'reason_code', 'raw'] as const;

/** SQL over a change's record `p` and its election `el`. */
function faultConditions(today: Day): Record<DateFault, string> {
  const part = (name: Parameters<typeof partOfRecord>[1]) =>
    `${partOfRecord('p.record', name)}::date`;
  const decided = `case when ${partOfRecord('p.record', 'status')} not in ('requested', 'printed', 'sent', 'cancelled')
    and not starts_with(${partOfRecord('p.record', 'status')}, 'application-')
    then ${part('status_on')} end`;
  const back = [part('returned_on'), decided];
  const applied = `case when starts_with(${partOfRecord('p.record', 'status')}, 'application-') then ${part('status_on')} end`;
  const day = `'${today}'::date`;
  const after = (limit: string) => back.map((one) => `${one} > ${limit}`);
  return {
    'in-future': [...after(day), `${applied} > ${day}`, `${part('sent_on')} > ${day} + 60`].join(
      ' or ',
    ),
    'out-of-season': [
      ...back.map((one) => `${one} < el.election_date - 120`),
      `${part('sent_on')} < el.election_date - 200`,
      ...back.map((one) => `${one} <= ${day} and ${one} > el.election_date + 60`),
    ].join(' or '),
    // Some offices date the printing, and not the mailing.
    'out-of-order': `${part('returned_on')} < coalesce(${part('sent_on')}, ${part('printed_on')})`,
    'late-too-soon': `${partOfRecord('p.record', 'status')} like 'rejected%' and ${day} <= el.election_date
      and (${saysLate.map((name) => `coalesce(${partOfRecord('p.record', name)} ~* '${lateWords}', false)`).join(' or ')})`,
  };
}

/** A replacement that was mailed is on its way like any ballot: what comes of it is no end that is taken back. */
const statusBefore = `case when g.old_status = 'reprinted' and g.new_status <> 'reprinted'
  and ${partOfRecord('p.previous', 'status')} = 'sent' then 'sent' else g.old_status end`;

/** What the merged file would change, by election. @param before ballots by election and status, as the report has them */
export async function readElectionNews(
  tx: Tx,
  accountId: AccountId,
  today: Day,
  before: Counts,
): Promise<ElectionNews[]> {
  const faults = faultConditions(today);
  const count = (fault: DateFault) =>
    sql.raw(`coalesce(sum(count) filter (where ${faults[fault]}), 0)::bigint`);
  const { rows } = await sql<{
    number: string;
    date: Day;
    is_active: boolean;
    from: string | null;
    to: string;
    count: number;
    in_future: number;
    out_of_season: number;
    out_of_order: number;
    late_too_soon: number;
  }>`
    with grouped as (
      select election_id, old_status, new_status, plan_id, count(*) as count from ${changedBallots} group by 1, 2, 3, 4
    )
    select el.number, el.election_date as date, el.is_active, ${sql.raw(statusBefore)} as "from", g.new_status as "to",
      sum(g.count)::bigint as count, ${count('in-future')} as in_future,
      ${count('out-of-season')} as out_of_season, ${count('out-of-order')} as out_of_order,
      ${count('late-too-soon')} as late_too_soon
    from grouped g join ${eventPlans} p on p.plan_id = g.plan_id
    join elections el on el.account_id = ${accountId} and el.election_id = g.election_id
    group by 1, 2, 3, 4, 5 order by 1, 4, 5`.execute(tx);
  const elections = new Map<string, ElectionNews & { readonly changes: StatusChange[] }>();
  for (const row of rows) {
    const { number, date, is_active: isActive, from, to } = row;
    const known = elections.get(number) ?? {
      ...{ number, date, isActive, before: countsOf(before, number), changes: [] },
    };
    elections.set(number, known);
    known.changes.push({
      ...{ from, to, count: row.count },
      faults: {
        'in-future': row.in_future,
        'out-of-season': row.out_of_season,
        'out-of-order': row.out_of_order,
        'late-too-soon': row.late_too_soon,
      },
    });
  }
  return [...elections.values()];
}

/** @returns by status, of counts by election and status */
export function countsOf(counts: Counts, election: string): Counts {
  const prefix = `${election} `;
  return Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), count]] : [],
    ),
  );
}

const exampleCount = 5;

/** The first rows that a finding is about. */
export async function readExamples(
  tx: Tx,
  accountId: AccountId,
  today: Day,
  { where }: Pick<Finding, 'where'>,
): Promise<ExampleRow[]> {
  const conditions: RawBuilder<unknown>[] = [sql`el.number = ${where.election}`];
  if (where.from)
    conditions.push(
      sql`(c.old_status = any(${where.from.filter((one) => one !== null)}::text[])
        or ${where.from.includes(null)} and c.old_status is null)`,
    );
  if (where.to) conditions.push(sql`c.new_status = any(${[...where.to]}::text[])`);
  if (where.faults) {
    const faults = faultConditions(today);
    conditions.push(sql.raw(`(${where.faults.map((fault) => faults[fault]).join(' or ')})`));
  } else conditions.push(sql`c.old_status is distinct from c.new_status`);
  const dates = ['printed_on', 'sent_on', 'returned_on'] as const;
  const shown = dates.map(
    (name) => `', ${name.replace('_on', '')} ' || ${dateInWords(partOfRecord('p.record', name))}`,
  );
  const days = where.faults
    ? sql.raw(`|| ${shown.map((one) => `coalesce(${one}, '')`).join(' || ')}`)
    : sql``;
  const { rows } = await sql<ExampleRow>`
    select v.registration_id as voter, coalesce(c.old_status, 'not listed') as "from",
      c.new_status ${days} as "to", c.line
    from ${changedBallots} c join ${eventPlans} p on p.plan_id = c.plan_id
    join elections el on el.account_id = ${accountId} and el.election_id = c.election_id
    join voters v on v.voter_id = c.voter_id
    where ${sql.join(conditions, sql` and `)}
    order by c.line nulls last limit ${exampleCount}`.execute(tx);
  return rows;
}

/** The elections of a file's rows. */
export async function readListedElections(
  tx: Tx,
  accountId: AccountId,
): Promise<{ electionId: number; number: string; date: Day }[]> {
  const { rows } = await sql<{ electionId: number; number: string; date: Day }>`
    select el.election_id as "electionId", el.number, el.election_date as date
    from (select distinct election_id from ${listedRecords}) s
    join elections el on el.account_id = ${accountId} and el.election_id = s.election_id order by el.number`.execute(
    tx,
  );
  return rows;
}

/** The newest day that the file's rows record, if at least three rows have it or a later one: one typing error counts for nothing. */
export async function readNewestDay(tx: Tx, today: Day): Promise<Day | null> {
  const days = (['sent_on', 'returned_on', 'status_on'] as const).map(
    (name) => `${partOfRecord('r.record', name)}::date`,
  );
  const past = days.map((day) => `case when ${day} <= '${today}'::date then ${day} end`);
  const { rows } = await sql<{ day: Day }>`
    select day from (
      select greatest(${sql.raw(past.join(', '))}) as day, s.count
      from (select record_id, sum(count)::bigint as count from ${listedRecords} group by 1) s
      join ${ballotRecords} r using (record_id)
    ) d cross join lateral generate_series(1, least(d.count, 3)) where day is not null
    order by day desc limit 1 offset 2`.execute(tx);
  return rows[0]?.day ?? null;
}

/** Known ballots, or applications, of these elections of which the file of such has no row. @param statuses of which statuses; null for all */
export async function readMissing(
  tx: Tx,
  { account: { accountId }, format }: Pick<KindTask, 'account' | 'format'>,
  elections: readonly number[],
  statuses: readonly string[] | null,
): Promise<{ count: number; inPerson: number; examples: ExampleRow[] }> {
  const { rows } = await sql<{ voter: string; from: string; count: number; in_person: number }>`
    select v.registration_id as voter, coalesce(b.current_status, 'requested') as "from", count(*) over () as count,
      count(*) filter (where b.current_status = 'in-person') over () as in_person
    from ballots b join voters v on v.voter_id = b.voter_id
    where b.account_id = ${accountId} and b.election_id = any(${[...elections]}::bigint[])
      and ${listsApplications(format) ? isApplication(sql`b`) : isBallot(sql`b`)}
      and (${statuses === null} or b.current_status = any(${statuses ?? []}::text[]))
      and not exists (select from ${stagedBallots} s where s.registration_id = v.registration_id
        and s.election_id = b.election_id and s.ballot_number = b.ballot_number)
    order by length(v.registration_id), 1 limit ${exampleCount}
    -- sequential scan: compares all ballots of an election with all rows of a file`.execute(tx);
  return {
    count: rows[0]?.count ?? 0,
    inPerson: rows[0]?.in_person ?? 0,
    examples: rows.map(({ voter, from }) => ({ voter, from, to: 'missing', line: null })),
  };
}

export async function countActiveVoters(tx: Tx, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from voters where account_id = ${accountId} and is_active
    -- sequential scan: counts a whole roll, once per file of formats that do not list every ballot from the start`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}
