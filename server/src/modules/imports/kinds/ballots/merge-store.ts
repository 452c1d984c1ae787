import { sql } from 'kysely';
import type { AccountId, ImportId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  defineTempTable,
  fillTempTable,
  renameTempTable,
} from '../../../../platform/temp-tables.ts';
import {
  addBallots,
  addEvents,
  changedBallots,
  deriveStatuses,
  isStanding,
  ofNoScan,
  touchedBallots,
  updateBallots,
} from '../../../ballots/index.ts';
import { findFileDay } from '../../run/file-day.ts';
import type { Applied, Counts, KindTask, Staged } from '../kind.ts';
import { ballotChanges, chainRecords, findChanges } from './changes-store.ts';
import { leavingStatuses } from './leavers-store.ts';
import { eventPlans, planEvents, plannedEvents } from './plan-store.ts';
import { leaveOutEnded, leaveOutRepeated } from './repeated-store.ts';
import { partOfRecord } from './rows.ts';

/** What is written: the changes with their plans, and of each the event that decides the status. Becomes {@link changedBallots}. */
const plannedChanges = defineTempTable('planned_ballot_changes', {
  ...changedBallots.columns,
  line: 'bigint',
  voter_id: 'bigint',
  ballot_number: 'text',
  place: 'bigint',
  is_repeated: 'boolean',
  is_last: 'boolean',
  is_new: 'boolean',
  first_event_id: 'bigint',
  plan_id: 'bigint',
  /** Whether what is said to be sent is the replacement that is known already. */
  is_replacement: 'boolean',
});

const refusedBallots = defineTempTable('refused_ballot_rows', { line: 'bigint', problem: 'text' });

/**
 * Merges the staged rows, each what the office now says of a ballot, set-wise. Only what differs from its last
 * record becomes events. Leaves {@link changedBallots}, whose statuses are the office's own, whatever the Postal Service has seen
 * besides.
 */
export async function mergeBallots(
  tx: Tx,
  task: KindTask,
  staged: Staged,
): Promise<Omit<Applied, 'size'>> {
  const { account, format, importId, today } = task;
  const { accountId, timeZone } = account;
  const before = await countBallots(tx, accountId);
  const { refused, superseded } = await findChanges(tx, accountId, staged.idLabel);
  await leaveOutRepeated(tx, accountId, format.name);
  if (leavingStatuses(format).length > 0)
    await leaveOutEnded(tx, account, { format: format.name, importId, fileDay: findFileDay(task) });
  const hasChains = superseded > 0;
  if (hasChains) await chainRecords(tx);
  await planEvents(tx, sql`select record_id, previous from ${ballotChanges} where problem is null`);
  await planChanges(tx, hasChains);
  const { added, changed, events } = await writeBallots(tx, accountId, importId);
  if (hasChains) await sql`delete from ${plannedChanges} where not is_last`.execute(tx);
  await renameTempTable(tx, plannedChanges, changedBallots);
  await deriveScannedStatuses(tx, accountId, { timeZone, today });
  if (refused > 0)
    await fillTempTable(
      tx,
      refusedBallots,
      sql`select line, problem from ${ballotChanges} where problem is not null`,
    );
  return {
    added,
    changed,
    unchanged: staged.rows - added - changed - refused - superseded,
    refused,
    superseded,
    events,
    before,
    after: await countBallots(tx, accountId),
    refusedRows: refused > 0 ? refusedBallots : null,
  };
}

/** Fills {@link plannedChanges}. */
async function planChanges(tx: Tx, hasChains: boolean): Promise<void> {
  await fillTempTable(
    tx,
    plannedChanges,
    sql`
    select c.line, c.voter_id, c.election_id, c.ballot_number, c.place, c.is_repeated, c.is_last, c.is_new,
      c.ballot_id, c.first_event_id, p.plan_id, c.first_event_id + p.deciding - 1 as event_id,
      c.old_status, coalesce(p.status, c.old_status, 'requested') as new_status, p.occurred_on,
      false as is_replacement
    from ${ballotChanges} c
    join ${eventPlans} p on p.record_id = c.record_id and p.previous = coalesce(c.previous, '')
    where c.problem is null`,
  );
  await keepReplacements(tx);
  if (!hasChains) return;
  // The last record may have a status that no rule knows.
  await sql`
    update ${plannedChanges} t set event_id = e.event_id, new_status = e.new_status, occurred_on = e.occurred_on
    from (
      select distinct on (ballot_id) ballot_id, event_id, new_status, occurred_on from ${plannedChanges}
      where is_repeated and event_id is not null order by ballot_id, place desc
    ) e where t.ballot_id = e.ballot_id and t.is_last and t.event_id is null`.execute(tx);
}

/**
 * A replacement stays one while the office goes on reporting the day of its mailing, however it words that, and whatever it took
 * back in between: no voter's page goes from a replacement on its way to a ballot on its way.
 */
async function keepReplacements(tx: Tx): Promise<void> {
  const isReplacement = (event: string) =>
    sql.raw(`${event}.status = 'reprinted' and ${event}.occurred_on = p.sent_again_on`);
  await sql`
    update ${plannedChanges} t set is_replacement = true, new_status = 'reprinted'
    from ${eventPlans} p
    where p.plan_id = t.plan_id and p.sent_again_on is not null and (
      not t.is_new and exists (select from ballot_events e where e.ballot_id = t.ballot_id and e.kind = 'office'
        and ${isReplacement('e')} and ${isStanding(sql`e`)})
      or t.is_repeated and exists (
        select from ${plannedChanges} b join ${plannedEvents} e on e.plan_id = b.plan_id
        where b.ballot_id = t.ballot_id and b.place < t.place and ${isReplacement('e')}))`.execute(
    tx,
  );
}

const expectedOn = sql.raw(`${partOfRecord('p.record', 'expected_on')}::date`);

async function writeBallots(
  tx: Tx,
  accountId: AccountId,
  importId: ImportId,
): Promise<{ added: number; changed: number; events: number }> {
  const added = await addBallots(
    tx,
    accountId,
    sql`
    select t.ballot_id, t.voter_id, t.election_id, t.ballot_number, p.record as office_record,
      t.new_status as current_status, t.event_id as current_event_id, ${expectedOn} as office_expected_on
    from ${plannedChanges} t join ${eventPlans} p on p.plan_id = t.plan_id where t.is_last and t.is_new`,
  );
  const changed = await updateBallots(
    tx,
    { accountId, importId },
    sql`
    select t.ballot_id, p.record as office_record, t.new_status as current_status, t.event_id as current_event_id,
      ${expectedOn} as office_expected_on
    from ${plannedChanges} t join ${eventPlans} p on p.plan_id = t.plan_id where t.is_last and not t.is_new`,
  );
  const events = await addEvents(
    tx,
    { accountId, importId },
    sql`
    select t.first_event_id + e.place - 1 as event_id, t.ballot_id, 'office' as kind,
      case when t.is_replacement and e.status = 'sent' then 'reprinted' else e.status end as status, e.raw_status,
      e.occurred_on, null::timestamptz as occurred_at, e.reason_code, e.reason, ${ofNoScan}, t.line as source_line
    from ${plannedChanges} t join ${plannedEvents} e on e.plan_id = t.plan_id`,
  );
  return { added, changed, events };
}

/** A ballot of which there is more than the office's word, such as scans of its envelopes, has the status that follows from all its events. */
async function deriveScannedStatuses(
  tx: Tx,
  accountId: AccountId,
  of: { readonly timeZone: string; readonly today: string },
): Promise<void> {
  const { rows } = await sql<{ has_pieces: boolean }>`
    select exists (select from mail_pieces where account_id = ${accountId}) as has_pieces
      -- sequential scan: once per import, and it ends at the account's first row`.execute(tx);
  if (!rows[0]?.has_pieces) return;
  await analyzeTempTable(tx, changedBallots);
  await fillTempTable(
    tx,
    touchedBallots,
    sql`
    select c.ballot_id from ${changedBallots} c
    where exists (select from ballot_events e where e.ballot_id = c.ballot_id and e.kind <> 'office')`,
  );
  await analyzeTempTable(tx, touchedBallots);
  await deriveStatuses(tx, of);
  // After the message that the ballot is printed, nobody needs to hear that it was requested.
  await sql`
    delete from ${changedBallots} c using ballots b
    where b.ballot_id = c.ballot_id and c.new_status = 'requested' and b.current_status = 'printed'`.execute(
    tx,
  );
}

/** Ballots by election and status, as `216 accepted`. */
async function countBallots(tx: Tx, accountId: AccountId): Promise<Counts> {
  const { rows } = await sql<{ name: string; count: number }>`
    select e.number || ' ' || coalesce(b.current_status, 'requested') as name, count
    from (select election_id, current_status, count(*) from ballots where account_id = ${accountId}
      -- A ballot that only a corrected file had is none.
      and (office_record is not null or current_event_id is not null) group by 1, 2) b
    join elections e on e.account_id = ${accountId} and e.election_id = b.election_id order by 1`.execute(
    tx,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}
