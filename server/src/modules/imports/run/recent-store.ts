import { sql } from 'kysely';
import type { ImportId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import type { Account, AccountId } from '../../accounts/index.ts';
import type { Counts, RecentChange } from '../kinds/kind.ts';
import { daysOfPace } from '../kinds/pace.ts';
import type { Day } from '../read/dates.ts';

/** What the account's files of any format, loaded in a week and approved by nobody, changed of ballots. */
export async function readRecentChanges(
  tx: Tx,
  { accountId, timeZone }: Pick<Account, 'accountId' | 'timeZone'>,
  of: { readonly today: Day; readonly before: ImportId },
): Promise<RecentChange[]> {
  const { rows } = await sql<RecentChange>`
    select (i.started_at at time zone ${timeZone})::date as day, coalesce(i.report->>'fileDay', i.report->'learned'->>'newestDay') as "fileDay",
      c.election, c."from", c."to", sum(c.count)::bigint as count
    from imports i cross join lateral jsonb_to_recordset(i.report->'learned'->'changes')
      as c(election text, "from" text, "to" text, count bigint)
    where ${isRecent(accountId, timeZone, of)}
    group by 1, 2, 3, 4, 5`.execute(tx);
  return rows;
}

/** What the account's voter files changed of the roll, or its mail house's of envelopes, loaded today or in a week and approved by nobody. */
export async function readRecentCounts(
  tx: Tx,
  { accountId, timeZone }: Pick<Account, 'accountId' | 'timeZone'>,
  what: 'roll' | 'pieces',
  of: { readonly today: Day; readonly before: ImportId },
): Promise<{ readonly day: Counts; readonly week: Counts }> {
  const { rows } = await sql<{ name: string; day: number; week: number }>`
    select c.key as name, sum(c.value::bigint)::bigint as week,
      coalesce(sum(c.value::bigint) filter (where (i.started_at at time zone ${timeZone})::date = ${of.today}::date), 0)::bigint as day
    from imports i cross join lateral jsonb_each_text(i.report->'learned'->${sql.lit(what)}) c
    where ${isRecent(accountId, timeZone, of)}
    group by 1`.execute(tx);
  const countsOf = (span: 'day' | 'week') =>
    Object.fromEntries(rows.map(({ name, ...counts }) => [name, counts[span]]));
  return { day: countsOf('day'), week: countsOf('week') };
}

/** An import without a second person, of a week. */
function isRecent(
  accountId: AccountId,
  timeZone: string,
  { today, before }: { readonly today: Day; readonly before: ImportId },
) {
  return sql`i.account_id = ${accountId} and i.import_id <> ${before} and i.state in ('done', 'messages-held')
    and i.report->'learned' ?| array['changes', 'roll', 'pieces']
    and i.started_at >= ((${today}::date - ${daysOfPace - 1}::integer)::timestamp at time zone ${timeZone})`;
}
