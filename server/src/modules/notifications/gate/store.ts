import {
  type Channel,
  channels,
  type MessageKind as KindName,
} from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import { formatDay } from '../../../platform/clock.ts';
import type { AccountId, BallotId, ImportId } from '../../../platform/ids.ts';
import type { Db, Tx } from '../../../platform/postgres.ts';
import { analyzeTempTable } from '../../../platform/temp-tables.ts';
import { changedBallots, isStanding, touchedBallots } from '../../ballots/index.ts';
import { type ImportState, markCorrected, markReleased } from '../../imports/index.ts';
import { postalDetails } from '../enqueue/news-store.ts';
import { wakeWorker } from '../enqueue/store.ts';
import { dayToName } from '../office/election-day-store.ts';
import { remindersOf } from '../reminders/store.ts';
import {
  countByStatus,
  type GateElection,
  type GateReason,
  type StatusChange,
  usualChanges,
} from './rules.ts';

/** Days before an election in which a ballot of it can move, and after. */
const seasonBeforeDays = 120;
const seasonAfterDays = 60;

/** An import joins whole files. From here on it is about what changed, which may be ten ballots of millions. */
export async function turnToChanges(tx: Tx): Promise<void> {
  await sql`set local enable_nestloop = on`.execute(tx);
  await analyzeTempTable(tx, changedBallots);
}

/** The elections whose ballots an import changed. @param history null where nobody judges them by it */
export async function readGateElections(
  db: Db,
  accountId: AccountId,
  today: string,
  history: Readonly<Record<string, number>> | null,
): Promise<GateElection[]> {
  const { rows } = await sql<{
    election_id: number;
    number: string;
    date: string;
    is_first_file: boolean;
    in_future: number;
    out_of_season: number;
    changes: StatusChange[];
  }>`
    with changed as (
      select election_id, old_status, new_status, occurred_on as day
      from ${changedBallots}
      where event_id is not null and new_status is distinct from old_status
    ), grouped as (
      select el.election_id, el.number, el.election_date, old_status, new_status, count(*) as count,
        count(*) filter (where day > ${today}::date) as in_future,
        count(*) filter (where day < el.election_date - ${seasonBeforeDays}::integer
          or (day <= ${today}::date and day > el.election_date + ${seasonAfterDays}::integer)) as out_of_season
      from changed join elections el on el.election_id = changed.election_id
      where el.is_active
      group by el.election_id, el.number, el.election_date, old_status, new_status
    )
    select g.election_id, g.number, g.election_date as date,
      -- What this transaction adds bears its own time.
      not exists (select from ballots b where b.account_id = ${accountId} and b.election_id = g.election_id
        and b.created_at < now()) as is_first_file,
      sum(g.in_future) as in_future, sum(g.out_of_season) as out_of_season,
      json_agg(json_build_object('from', g.old_status, 'to', g.new_status, 'count', g.count)) as changes
    from grouped g group by g.election_id, g.number, g.election_date`.execute(db);
  const elections: GateElection[] = [];
  for (const row of rows) {
    // Counting a county's ballots takes longer than an everyday import, whose gate does not ask.
    const needsCount =
      history !== null &&
      Object.entries(countByStatus(row.changes)).some(
        ([status, count]) => count > usualChanges(status, history),
      );
    elections.push({
      number: row.number,
      date: row.date,
      day: formatDay(row.date, today),
      ballots: needsCount ? await countBallots(db, accountId, row.election_id) : 0,
      isFirstFile: row.is_first_file,
      inFuture: row.in_future,
      outOfSeason: row.out_of_season,
      changes: row.changes,
    });
  }
  return elections;
}

async function countBallots(db: Db, accountId: AccountId, electionId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ballots
    where account_id = ${accountId} and election_id = ${electionId}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The most ballots that one earlier import of the account brought into each status, of imports whose messages went out. */
export async function readGateHistory(
  db: Db,
  accountId: AccountId,
  importId: ImportId,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; most: number }>`
    select status, max(count::bigint) as most from (
      -- Scans come a hundred times a day and would leave no room for the office's files.
      select g.changes, g.reasons, g.released_at, g.corrected_at from import_gates g join imports i using (import_id)
      where g.account_id = ${accountId} and g.import_id <> ${importId} and i.report->>'holds' is distinct from 'scans'
      order by g.import_id desc limit 200
    ) g cross join lateral jsonb_each_text(g.changes) as c (status, count)
    where (g.reasons = '[]' or g.released_at is not null) and g.corrected_at is null
    group by status`.execute(db);
  return Object.fromEntries(rows.map(({ status, most }) => [status, most]));
}

/** Whether any voter of a changed ballot asked for messages. */
export async function hasListeners(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from ${changedBallots} ch
    join ballots b on b.ballot_id = ch.ballot_id
    join contact_channels c on c.voter_id = b.voter_id
    where c.is_opted_in limit 1`.execute(db);
  return rows.length > 0;
}

/** Messages of an import of one kind, language and channel, with one of them as an example. */
export interface MessageGroup {
  readonly kind: KindName;
  readonly channel: Channel;
  readonly language: string;
  readonly status: string | null;
  readonly election: string;
  /** `YYYY-MM-DD` */
  readonly electionDate: string | null;
  readonly count: number;
  readonly name: string;
  /** Of the example; null when it is of no ballot. */
  readonly ballotId: BallotId | null;
  /** Of the example, `YYYY-MM-DD`: when the office expects the ballot at its voter; null when it has not said. */
  readonly expectedOn: string | null;
}

/** The most frequent first. */
export async function readMessageGroups(db: Db, importId: ImportId): Promise<MessageGroup[]> {
  const { rows } = await sql<MessageGroup>`
    select m.kind, m.channel, m.language, m.status, coalesce(e.name, '') as election,
      ${dayToName(sql`m.status`)} as "electionDate", count(*) as count,
      (array_agg(coalesce(nullif(v.firstname, ''), v.lastname, '') order by m.message_id))[1] as name,
      (array_agg(m.ballot_id order by m.message_id))[1] as "ballotId",
      (array_agg(b.office_expected_on order by m.message_id))[1]::text as "expectedOn"
    from messages m
    left join ballots b on b.ballot_id = m.ballot_id
    left join elections e on e.election_id = b.election_id
    join voters v on v.voter_id = m.voter_id
    where m.import_id = ${importId}
    group by m.kind, m.channel, m.language, m.status, e.name, "electionDate"
    order by count(*) desc, m.channel, m.language, m.status`.execute(db);
  return rows;
}

export async function keepMessages(db: Db, importId: ImportId): Promise<void> {
  await sql`update messages set state = 'held', error_code = 'gate'
    where import_id = ${importId} and state = 'created'`.execute(db);
}

export async function saveGate(
  db: Db,
  gate: {
    readonly accountId: AccountId;
    readonly importId: ImportId;
    readonly changes: Readonly<Record<string, number>>;
    readonly messages: number;
    readonly rowsRead: number;
    readonly reasons: readonly GateReason[];
  },
  now: Date,
): Promise<void> {
  await sql`
    insert into import_gates (account_id, import_id, changes, messages, rows_read, reasons, decided_at)
    values (${gate.accountId}, ${gate.importId}, ${JSON.stringify(gate.changes)}, ${gate.messages}, ${gate.rowsRead},
      ${JSON.stringify(gate.reasons)}, ${now})`.execute(db);
}

export interface GatedImport {
  readonly account_id: AccountId;
  readonly import_id: ImportId;
  readonly file_name: string;
  readonly operator: string;
  readonly state: ImportState;
  readonly released_by: string | null;
  readonly corrected_by: string | null;
}

/** An import with what the gate found, locked until the transaction ends. */
export async function lockImport(db: Db, importId: ImportId): Promise<GatedImport | undefined> {
  const { rows } = await sql<GatedImport>`
    select i.account_id, i.import_id, i.file_name, i.operator, i.state, g.released_by, g.corrected_by
    from imports i left join import_gates g using (import_id)
    where i.import_id = ${importId} for update of i`.execute(db);
  return rows[0];
}

export async function releaseMessages(
  db: Db,
  importId: ImportId,
  operator: string,
  now: Date,
): Promise<{ messages: number; channels: Channel[] }> {
  const { rows } = await sql<{ channel: Channel; count: number }>`
    with released as (
      update messages set state = 'created', error_code = null,
        deliver_after = greatest(deliver_after, ${now}::timestamptz), due_at = null, created_at = ${now}
      -- What may have left before the database was restored waits for a decision of its own.
      where import_id = ${importId} and state = 'held' and error_code is distinct from 'restored' returning channel
    ) select channel, count(*) as count from released group by channel`.execute(db);
  await markReleased(db, importId);
  await sql`update import_gates set released_by = ${operator}, released_at = ${now}
    where import_id = ${importId}`.execute(db);
  return {
    messages: rows.reduce((sum, { count }) => sum + count, 0),
    channels: rows.map(({ channel }) => channel),
  };
}

/** What became of a message that may have left, the surest first. */
const surestFirst = ['delivered', 'sent', 'outcome-unknown', 'sending'] as const;

/**
 * Withdraws an import's messages that have not left, and creates one correction for those of a ballot and day at an address
 * that have, and for the reminders of its problems. No message reports the import's events from then on.
 */
export async function correctMessages(
  db: Db,
  importId: ImportId,
  operator: string,
  now: Date,
): Promise<{ withdrawn: number; corrections: number; channels: Channel[] }> {
  const withdrawn = await sql`
    update messages set state = 'withdrawn', error_code = 'import-corrected', finished_at = ${now}
    where import_id = ${importId} and state in ('created', 'held')`.execute(db);
  const { rows } = await sql<{ channel: Channel; count: number }>`
    with corrections as (
      insert into messages (account_id, kind, voter_id, channel, address, language, corrects_message_id, deliver_after)
      -- The messages of a ballot of one day, which a correction names, are one. That which arrived is corrected: else none would go.
      select distinct on (voter_id, ballot_id, channel, address, day) account_id, 'correction', voter_id, channel, address, language,
        message_id, ${now}::timestamptz
      from (
        select m.account_id, m.voter_id, m.ballot_id, m.channel, m.address, m.message_id, m.state,
          coalesce(p.language_preference, v.language_preference, 'english') as language,
          (coalesce(m.sent_at, ${now}) at time zone a.time_zone)::date as day
        from messages m join accounts a using (account_id)
        left join voters v on v.voter_id = m.voter_id
        left join contact_preferences p on p.voter_id = m.voter_id
        where m.message_id = any(array(
            select message_id from messages where import_id = ${importId} and kind in ('status', 'catch-up')
            union all (${remindersOf(importId)})))
          and m.state in ('sending', 'sent', 'delivered', 'outcome-unknown')
      ) sent
      order by voter_id, ballot_id, channel, address, day, array_position(${[...surestFirst]}::message_state[], state), message_id desc
      on conflict do nothing returning channel
    ) select channel, count(*) as count from corrections group by channel`.execute(db);
  await markCorrected(db, importId, now);
  await sql`update import_gates set corrected_by = ${operator}, corrected_at = ${now}
    where import_id = ${importId}`.execute(db);
  return {
    withdrawn: Number(withdrawn.numAffectedRows ?? 0n),
    corrections: rows.reduce((sum, { count }) => sum + count, 0),
    channels: rows.map(({ channel }) => channel),
  };
}

/**
 * Lets news go after all that a wrong import overtook while it waited, where the ballot is again as the news says. Needs
 * {@link touchedBallots}, which putting the import back leaves. When it leaves, it is decided on as any other.
 */
export async function renewOvertaken(tx: Tx, now: Date): Promise<void> {
  const isWaiting = sql`exists (select from imports i where i.import_id = m.import_id and i.state = 'messages-held')`;
  await sql`
    update messages m set state = case when ${isWaiting} then 'held' else 'created' end::message_state,
      error_code = case when ${isWaiting} then 'gate' end, finished_at = null, due_at = null,
      language = coalesce((select p.language_preference from contact_preferences p where p.voter_id = m.voter_id), m.language),
      deliver_after = greatest(m.deliver_after, ${now}::timestamptz)
    from ${touchedBallots} t join ballots b using (ballot_id)
    where m.voter_id = b.voter_id and m.ballot_id = b.ballot_id and m.state = 'superseded'
      and m.error_code = 'newer-status' and m.kind in ('status', 'catch-up')
      and (m.status = b.current_status
        or (b.current_status = any(${postalDetails}::text[]) and m.status in ('printed', 'sent')))
      and exists (select from ballot_events e where e.ballot_id = m.ballot_id and e.event_id = m.event_id
        and ${isStanding(sql`e`)})
      -- What a later file says is news of its own.
      and not exists (select from ballot_events e where e.ballot_id = m.ballot_id and e.event_id > m.event_id
        and e.kind = 'office' and e.status <> m.status and ${isStanding(sql`e`)})
      and not exists (select from messages l where l.voter_id = m.voter_id and l.message_id > m.message_id
        and l.ballot_id = m.ballot_id and l.status = m.status and l.channel = m.channel and l.address = m.address
        and l.state not in ('superseded', 'withdrawn'))`.execute(tx);
  for (const channel of channels) await wakeWorker(tx, channel);
}
