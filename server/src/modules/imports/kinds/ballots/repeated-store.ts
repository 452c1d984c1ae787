import { sql } from 'kysely';
import type { AccountId, ImportId } from '../../../../platform/ids.ts';
import { isInEffect } from '../../../../platform/import-state-store.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { isStanding } from '../../../ballots/index.ts';
import type { Day } from '../../read/dates.ts';
import { ballotChanges } from './changes-store.ts';
import { finalStatuses, refusals } from './election-news.ts';
import { ballotRecords } from './plan-store.ts';
import { partOfRecord } from './rows.ts';

const listOf = (statuses: readonly string[]) =>
  sql.raw(`(${statuses.map((status) => `'${status}'`).join(', ')})`);

const unjudged: readonly string[] = ['requested', 'printed', 'sent', 'returned'];
const onTheWay = listOf(unjudged);

/** What a list of all ballots that has no word for a problem to fix says of such an envelope. */
const withoutProblem = listOf([...unjudged, ...refusals]);

/**
 * Takes rows out of {@link ballotChanges} that say no more of an envelope than what was known before a list of open cases named its problem,
 * or no longer did: that it is back, or refused. The list of all ballots that has no word for such a problem repeats this each day, and does
 * not say that it is solved, or that its time is over.
 */
export async function leaveOutRepeated(
  tx: Tx,
  accountId: AccountId,
  format: string,
): Promise<void> {
  const { rows: lists } = await sql<{ id: ImportId }>`
    select import_id as id from imports
    where account_id = ${accountId} and format <> ${format} and ${isInEffect}
      and report->'learned'->'leaving' ? 'gone'`.execute(tx);
  if (lists.length === 0) return;
  const ids = sql`any(${lists.map(({ id }) => id)}::bigint[])`;
  await sql`
    delete from ${ballotChanges} c using ${ballotRecords} n, (
      select distinct on (r.ballot_id) r.ballot_id, r.office_record as record
      from replaced_ballots r join imports i on i.import_id = r.import_id
      where r.account_id = ${accountId} and r.import_id = ${ids}
        and ${sql.raw(partOfRecord('r.office_record', 'status'))} in ${withoutProblem}
      order by r.ballot_id, i.finished_at desc, i.import_id desc
    ) before_list
    where c.problem is null and not c.is_repeated and c.old_status not in ${onTheWay}
      and n.record_id = c.record_id and before_list.ballot_id = c.ballot_id and lower(n.record) = lower(before_list.record)
      and (select e.import_id from ballot_events e where e.ballot_id = c.ballot_id and e.kind = 'office' and ${isStanding(sql`e`)}
        order by e.event_id desc limit 1) = ${ids}`.execute(tx);
}

/**
 * Takes the rows of a list of open cases out of {@link ballotChanges} whose ballots a list of another format has ended by its file of the same
 * day or a later one. Of one day nobody can say which list is newer, and a list of the morning may come after the evening's.
 *
 * @param list.fileDay the day that the list is of; null where nothing in it says so: the day on which it came
 */
export async function leaveOutEnded(
  tx: Tx,
  { accountId, timeZone }: { readonly accountId: AccountId; readonly timeZone: string },
  list: { readonly format: string; readonly importId: ImportId; readonly fileDay: Day | null },
): Promise<void> {
  const { format, importId, fileDay } = list;
  const cameOn = (one: string) => sql`(${sql.raw(one)}.started_at at time zone ${timeZone})::date`;
  await sql`
    delete from ${ballotChanges} c using elections el
    where c.problem is null and c.old_status = any(${[...finalStatuses]}::text[]) and el.election_id = c.election_id
      and exists (
        select from imports i where i.account_id = ${accountId} and i.format = (
            select last.format from ballot_events e join imports last on last.import_id = e.import_id
            where e.ballot_id = c.ballot_id and e.kind = 'office' and ${isStanding(sql`e`)}
            order by e.event_id desc limit 1)
          and i.format <> ${format} and ${isInEffect} and i.report->'learned'->'elections' ? el.number
          and coalesce((i.report->>'fileDay')::date, ${cameOn('i')})
            >= coalesce(${fileDay}::date, (select ${cameOn('this')} from imports this where this.import_id = ${importId})))`.execute(
    tx,
  );
}
