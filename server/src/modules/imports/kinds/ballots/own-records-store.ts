import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId } from '../../../../platform/ids.ts';
import { isInEffect } from '../../../../platform/import-state-store.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../../../platform/temp-tables.ts';
import { changedBallots, isStanding } from '../../../ballots/index.ts';
import { eventPlans, saidParts } from './plan-store.ts';
import { partOfRecord, recordOf, recordParts } from './rows.ts';

/** Changed ballots of which other files said something since this format's last one, with what was on record after that: '' for ballots listed since. */
const ownRecords = defineTempTable('own_ballot_records', {
  ballot_id: 'bigint',
  plan_id: 'bigint',
  own_plan_id: 'bigint',
  own: 'text',
});

const repeatedParts: readonly string[] = [...saidParts, 'status_on'];

/**
 * Takes what this format's last file said of a ballot, and this one repeats, for what was known: two lists of an office may date or
 * explain the same ballots differently, and each takes the other's place in the record. So it does with what this file is the first of its
 * format to say, and another list said since the last: the day's new cases are in both.
 */
export async function compareWithOwn(
  tx: Tx,
  { accountId, importId }: { readonly accountId: AccountId; readonly importId: ImportId },
  format: string,
): Promise<void> {
  const { rows: since } = await sql<{ id: ImportId }>`
    select import_id as id from imports
    where account_id = ${accountId} and import_id <> ${importId} and report->>'holds' = 'ballots'
      and (finished_at, import_id) > (select finished_at, import_id from imports
        where account_id = ${accountId} and format = ${format} and import_id <> ${importId} and ${isInEffect}
        order by finished_at desc, import_id desc limit 1)`.execute(tx);
  if (since.length === 0) return;
  const isSince = (id: RawBuilder<unknown>) =>
    sql`${id} = any(${since.map((one) => one.id)}::bigint[])`;
  const firstSaidBy = sql`(select e.import_id from ballot_events e
    where e.ballot_id = c.ballot_id and e.kind = 'office' and ${isStanding(sql`e`)} order by e.event_id limit 1)`;
  await fillTempTable(
    tx,
    ownRecords,
    sql`
    select ballot_id, plan_id, own, -dense_rank() over (order by plan_id, own) as own_plan_id
    from (
      select c.ballot_id, c.plan_id, case when ${isSince(firstSaidBy)} then '' else r.record end as own
      from ${changedBallots} c
      left join (
        select distinct on (r.ballot_id) r.ballot_id, r.office_record as record
        from replaced_ballots r join imports i on i.import_id = r.import_id
        where r.account_id = ${accountId} and ${isSince(sql`r.import_id`)} and r.office_record is not null
        order by r.ballot_id, i.finished_at, i.import_id
      ) r on r.ballot_id = c.ballot_id
      where c.line is not null and c.old_status is not null
    ) first_replaced where own is not null`,
  );
  const repeated = recordParts.map((part) => {
    const [own, now, was] = ['own', 'record', 'previous'].map((one) => partOfRecord(one, part));
    return [
      part,
      repeatedParts.includes(part)
        ? `case when ${own} is null or ${own} = ${now} then ${now} else ${was} end`
        : `${was}`,
    ] as const;
  });
  const { plan_id: _, previous: __, ...kept } = eventPlans.columns;
  const columns = sql.raw(Object.keys(kept).join(', '));
  await sql`
    insert into ${eventPlans} (plan_id, previous, ${columns})
    select own_plan_id, ${sql.raw(recordOf(Object.fromEntries(repeated)))}, ${columns}
    from (select distinct own_plan_id, plan_id, own from ${ownRecords}) o join ${eventPlans} using (plan_id)`.execute(
    tx,
  );
  await sql`update ${changedBallots} c set plan_id = o.own_plan_id from ${ownRecords} o where o.ballot_id = c.ballot_id`.execute(
    tx,
  );
  await sql`
    delete from ${eventPlans} p where p.plan_id in (select plan_id from ${ownRecords})
      and not exists (select from ${changedBallots} c where c.plan_id = p.plan_id)`.execute(tx);
}
