import { type RawBuilder, sql } from 'kysely';
import type { BallotId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { analyzeTempTable, fillTempTable } from '../../platform/temp-tables.ts';
import { type EventSource, isStanding, stands } from './event-store.ts';
import { deriveStatuses, type StatusTask, touchedBallots } from './status-store.ts';

/** Keeps what the office said of these ballots before an import changes it, for {@link putBackBallots}. */
export async function keepReplacedBallots(
  tx: Tx,
  { accountId, importId }: EventSource,
  ballotIds: RawBuilder<{ readonly ballot_id: BallotId }>,
): Promise<void> {
  await sql`
    insert into replaced_ballots (account_id, import_id, ballot_id, office_record, ballot_number, office_expected_on)
    select ${accountId}, ${importId}, b.ballot_id, b.office_record, b.ballot_number, b.office_expected_on
    from (${ballotIds}) r join ballots b using (ballot_id)
    on conflict do nothing`.execute(tx);
}

export interface PutBackBallots {
  /** Ballots that are as they were before the import; those it listed for the first time are no longer shown. */
  readonly restored: number;
  /** Ballots of which a later import said something else; that stays. */
  readonly changedLater: number;
}

/**
 * Makes the events of an import count no longer, and those of scans whose barcodes it tied to their ballots.
 * Leaves {@link touchedBallots}, whose statuses are yet to be derived.
 */
export async function withdrawEvents(tx: Tx, { accountId, importId }: EventSource): Promise<void> {
  await sql`
    insert into withdrawn_imports (import_id, account_id) values (${importId}, ${accountId})
    on conflict do nothing`.execute(tx);
  await fillTempTable(
    tx,
    touchedBallots,
    sql`
    select ballot_id from ballots b where b.account_id = ${accountId}
      and exists (select from ballot_events e where e.ballot_id = b.ballot_id and (e.import_id = ${importId} or e.piece_import_id = ${importId}))
    -- sequential scan: puts back a whole file, which happens seldom
    union
    select ballot_id from replaced_ballots where account_id = ${accountId} and import_id = ${importId}`,
  );
  await analyzeTempTable(tx, touchedBallots);
}

/** Makes the events of an import of ballots count no longer, and the office's word of each ballot what it was before. */
export async function putBackBallots(
  tx: Tx,
  source: EventSource,
  task: StatusTask,
): Promise<PutBackBallots> {
  const { accountId, importId } = source;
  await withdrawEvents(tx, source);
  // A file that waited for approval is loaded later than its number says, which it got when it came.
  const loaded = (one: RawBuilder<unknown>) => sql`(${one}.finished_at, ${one}.import_id)`;
  const thisLoaded = sql`(select finished_at, import_id from imports where import_id = ${importId})`;
  const standing = sql`from replaced_ballots s join imports j on j.import_id = s.import_id
    where s.ballot_id = t.ballot_id and s.account_id = ${accountId} and ${stands(sql`s.import_id`)}`;
  const isChangedLater = sql`exists (select ${standing} and ${loaded(sql`j`)} > ${thisLoaded})`;
  const hasStandingBetween = sql`exists (select ${standing}
    and ${loaded(sql`j`)} > ${loaded(sql`i`)} and ${loaded(sql`j`)} < ${thisLoaded})`;
  const isOfficeEvent = sql`e.ballot_id = t.ballot_id and e.kind = 'office'`;
  const { numAffectedRows: restored } = await sql`
    with before as (
      -- What it replaced may be of wrong imports that were put back before it.
      select distinct on (t.ballot_id) t.ballot_id, r.office_record, r.office_expected_on, r.ballot_number
      from ${touchedBallots} t
      join replaced_ballots r on r.ballot_id = t.ballot_id and r.account_id = ${accountId}
      join imports i on i.import_id = r.import_id and ${loaded(sql`i`)} <= ${thisLoaded}
      join withdrawn_imports w on w.import_id = i.import_id
      where not ${hasStandingBetween}
      order by t.ballot_id, i.finished_at, i.import_id
    ), added as (
      -- One of them listed the ballot first, and no record of the office stands.
      select distinct t.ballot_id from ${touchedBallots} t
      join ballot_events e on ${isOfficeEvent}
      join imports i on i.import_id = e.import_id and ${loaded(sql`i`)} < ${thisLoaded}
      join withdrawn_imports w on w.import_id = i.import_id
      where not exists (select from replaced_ballots r where r.import_id = e.import_id and r.ballot_id = t.ballot_id)
        and not ${hasStandingBetween}
        and not exists (select from ballot_events e where ${isOfficeEvent} and ${isStanding(sql`e`)})
    )
    update ballots b set ballot_number = coalesce(r.ballot_number, b.ballot_number),
      office_record = case when a.ballot_id is null then r.office_record end,
      office_expected_on = case when a.ballot_id is null then r.office_expected_on end
    from ${touchedBallots} t
    left join before r on r.ballot_id = t.ballot_id
    left join added a on a.ballot_id = t.ballot_id
    where b.ballot_id = t.ballot_id and not ${isChangedLater}
      -- A ballot whose record replaced none was listed for the first time.
      and (r.ballot_id is not null or not exists (select from ballot_events e
        where ${isOfficeEvent} and e.import_id is distinct from ${importId}::bigint))`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${touchedBallots} t where ${isChangedLater}`.execute(tx);
  await deriveStatuses(tx, task);
  return { restored: Number(restored ?? 0n), changedLater: rows[0]?.count ?? 0 };
}
