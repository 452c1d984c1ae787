import { sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  defineTempTable,
  fillTempTable,
} from '../../../../platform/temp-tables.ts';
import {
  type EventSource,
  isBallot,
  isWithdrawn,
  renumberBallots,
} from '../../../ballots/index.ts';
import type { Format } from '../../formats/format.ts';
import { rewriteNumber } from '../ballot-numbers.ts';
import { ballotRecords } from './plan-store.ts';
import { milestones, partOfRecord, recordOf, recordParts, stagedBallots } from './rows.ts';

/** Staged rows whose number has a date and is no known ballot's. */
const newNumbers = defineTempTable('new_ballot_numbers', {
  voter_id: 'bigint',
  election_id: 'bigint',
  registration_id: 'text',
  undated_number: 'text',
  ballot_number: 'text',
  record: 'text',
  sent_on: 'date',
});

/** Known ballots under the number without its date, each with the number that the first mailed row gives. */
const datedBallots = defineTempTable('dated_ballots', {
  ballot_id: 'bigint',
  voter_id: 'bigint',
  election_id: 'bigint',
  ballot_number: 'text',
});

/** Known ballots whose date may be corrected by a new number; after {@link adoptBallots} those that were corrected. */
export const dateCorrections = defineTempTable('date_corrections', {
  ballot_id: 'bigint',
  ballot_number: 'text',
  election_id: 'bigint',
  is_correction: 'boolean',
  is_other_day: 'boolean',
});

/**
 * Of a format whose ballots have dates in their numbers: gives a ballot the number under which a staged row brings it
 * with a date that was not known before, or was another.
 *
 * @returns how many ballots' dates were corrected
 */
export async function adoptBallots(tx: Tx, source: EventSource, format: Format): Promise<number> {
  const { accountId } = source;
  const { rows } = await sql<{ has_ballots: boolean }>`
    select exists (select from ballots where account_id = ${accountId}
      and election_id in (select distinct election_id from ${stagedBallots})) as has_ballots`.execute(
    tx,
  );
  if (!rows[0]?.has_ballots) return 0;
  await fillTempTable(
    tx,
    newNumbers,
    sql`
    select v.voter_id, s.election_id, s.registration_id, s.undated_number, s.ballot_number, r.record, s.sent_on
    from ${stagedBallots} s
    join ${ballotRecords} r using (record_id)
    join voters v on v.account_id = ${accountId} and v.registration_id = s.registration_id
    left join ballots known on known.account_id = ${accountId} and known.election_id = s.election_id
      and known.voter_id = v.voter_id and known.ballot_number = s.ballot_number
    where s.undated_number is not null and known.ballot_id is null`,
  );
  await analyzeTempTable(tx, newNumbers);
  await adoptUndated(tx, source);
  return adoptCorrected(tx, source, format);
}

/**
 * Gives ballots that an earlier version of the product stored by the office's own letters the numbers as they are read now. Numbers
 * that the file does not have are of another format, such as that of applications, and stay.
 */
export async function adoptEarlierNumbers(
  tx: Tx,
  source: EventSource,
  format: Format,
): Promise<void> {
  const ofFile = sql`account_id = ${source.accountId}
    and election_id in (select distinct election_id from ${stagedBallots})`;
  const { rows } = await sql<{ ballot_number: string }>`
    select distinct ballot_number from ballots where ${ofFile} and ballot_number <> ''`.execute(tx);
  const rewritten = rows
    .map(({ ballot_number: before }) => ({ before, after: rewriteNumber(format, before) }))
    .filter(({ before, after }) => before !== after);
  const ofThisFormat = await findStagedNumbers(
    tx,
    rewritten.map(({ after }) => after),
  );
  const numbers = rewritten.filter(({ after }) => ofThisFormat.has(after));
  if (numbers.length === 0) return;
  await renumberBallots(
    tx,
    source,
    sql`
    select distinct on (b.election_id, b.voter_id, n.after) b.ballot_id, n.after as ballot_number,
      null::text as office_record
    from (select * from ballots where ${ofFile}) b
    join jsonb_to_recordset(${JSON.stringify(numbers)}::jsonb) n(before text, after text) on n.before = b.ballot_number
    where not exists (select from ballots o where o.account_id = b.account_id and o.election_id = b.election_id
      and o.voter_id = b.voter_id and o.ballot_number = n.after)
    order by b.election_id, b.voter_id, n.after, b.ballot_id`,
  );
}

/** Those of the numbers that a row of the file has, with or without its date. */
async function findStagedNumbers(tx: Tx, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  const { rows } = await sql<{ number: string }>`
    select number from unnest(${numbers}::text[]) number
    where exists (select from ${stagedBallots} s where number in (s.ballot_number, s.undated_number))`.execute(
    tx,
  );
  return new Set(rows.map(({ number }) => number));
}

/** Offices record a ballot before they send it. Of several rows the one sent first is the ballot known. */
async function adoptUndated(tx: Tx, source: EventSource): Promise<void> {
  const { accountId } = source;
  await fillTempTable(
    tx,
    datedBallots,
    sql`
    select b.ballot_id, b.voter_id, b.election_id, n.ballot_number
    from (
      select distinct on (voter_id, election_id, undated_number) * from ${newNumbers}
      order by voter_id, election_id, undated_number, sent_on nulls last,
        ${sql.raw(partOfRecord('record', 'requested_on'))} nulls last, ballot_number
    ) n
    join ballots b on b.account_id = ${accountId} and b.election_id = n.election_id and b.voter_id = n.voter_id
      and b.ballot_number = n.undated_number`,
  );
  await renumberBallots(
    tx,
    source,
    sql`select ballot_id, ballot_number, null::text as office_record from ${datedBallots}`,
  );
  await sql`
    delete from ${newNumbers} n using ${datedBallots} d
    where d.voter_id = n.voter_id and d.election_id = n.election_id and d.ballot_number = n.ballot_number`.execute(
    tx,
  );
}

/** Of the other ballots known, a file that lists fewer is a part or an extract: what it lacks says nothing. */
const wholeShare = 0.8;
/** A day as an office may write it, and a time after it. */
const writtenDay =
  '^[^0-9A-Za-z]*(\\d{8}|\\d{1,4}[-/. ](\\d{1,2}|[A-Za-z]{3,9})[-/. ]\\d{1,4})([ T]\\d{1,2}:\\d{2}(:\\d{2})?( ?[AaPp][Mm])?)?$';

/**
 * A corrected date and a replacement look alike: a number that is new. It is a correction where the file is whole and
 * has one row of the voter's, the one ballot known of the voter is still open and not in the file any more, and each of
 * the two days comes before whatever else is known of the other: nothing is sent after it has come back.
 */
async function adoptCorrected(tx: Tx, source: EventSource, format: Format): Promise<number> {
  const { accountId } = source;
  const day = findDatingField(format);
  if (day === undefined) return 0;
  await findCorrections(tx, accountId, day);
  await sql`delete from ${dateCorrections} where is_correction is not true`.execute(tx);
  if ((await countCorrections(tx)) === 0) return 0;
  await dropPartialElections(tx, accountId);
  const kept = recordParts.filter((part) => part !== day);
  const withoutDay = recordOf(
    Object.fromEntries(kept.map((part) => [part, partOfRecord('b.office_record', part)])),
  );
  const corrected = await countCorrections(tx, sql`is_other_day`);
  await renumberBallots(
    tx,
    source,
    sql`
    select c.ballot_id, c.ballot_number, case when c.is_other_day then ${sql.raw(withoutDay)} end as office_record
    from ${dateCorrections} c join ballots b on b.ballot_id = c.ballot_id`,
  );
  return corrected;
}

type Milestone = (typeof milestones)[number];

async function findCorrections(tx: Tx, accountId: AccountId, day: Milestone): Promise<void> {
  /** SQL of the first day of a record that comes after this one. */
  const later = (record: string) => {
    const parts = milestones
      .slice(milestones.indexOf(day) + 1)
      .map((part) => partOfRecord(record, part));
    const verdict = `case when ${partOfRecord(record, 'status')} not in ('requested', 'printed', 'sent')
      then ${partOfRecord(record, 'status_on')} end`;
    return `coalesce(least(${[...parts, verdict].join(', ')}), '9999')`;
  };
  const stated = partOfRecord('s.record', day);
  const known = partOfRecord('b.office_record', day);
  const isCorrection = `${partOfRecord('b.office_record', 'status')} in ('requested', 'printed', 'sent', 'returned')
    and ${partOfRecord('s.record', 'status')} not in ('reprinted', 'cancelled')
    and ${stated} <= ${later('b.office_record')} and ${known} <= ${later('s.record')}`;
  await fillTempTable(
    tx,
    dateCorrections,
    sql`
    with single as (
      select voter_id, election_id, undated_number, min(registration_id) as registration_id,
        min(ballot_number) as ballot_number, min(record) as record
      from ${newNumbers} group by 1, 2, 3 having count(distinct ballot_number) = 1
    ), alone as (
      select o.* from single o where not exists (
        select from ${stagedBallots} t where t.registration_id = o.registration_id
          and t.election_id = o.election_id and t.ballot_number <> o.ballot_number
          and coalesce(t.undated_number, t.ballot_number) = o.undated_number)
    )
    select min(b.ballot_id) as ballot_id, s.ballot_number, s.election_id,
      bool_and(${sql.raw(isCorrection)}) as is_correction, bool_or(${sql.raw(`${stated} <> ${known}`)}) as is_other_day
    from alone s
    join ballots b on b.account_id = ${accountId} and b.election_id = s.election_id and b.voter_id = s.voter_id
      and starts_with(b.ballot_number, s.undated_number)
      and substr(b.ballot_number, length(s.undated_number) + 1) ~ ${writtenDay} and not ${isWithdrawn(sql`b`)}
    group by s.voter_id, s.election_id, s.undated_number, s.ballot_number having count(*) = 1`,
  );
}

/** Corrects nothing in an election of which the file is no whole list: each is judged by itself, for a file may have several. */
async function dropPartialElections(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`
    delete from ${dateCorrections} where election_id in (
      select e.election_id from (select distinct election_id from ${dateCorrections}) e
      join ballots b on b.account_id = ${accountId} and b.election_id = e.election_id
      join voters v on v.voter_id = b.voter_id
      left join (select distinct registration_id, election_id, ballot_number from ${stagedBallots}) s
        on s.registration_id = v.registration_id and s.election_id = e.election_id and s.ballot_number = b.ballot_number
      where b.ballot_id not in (select ballot_id from ${dateCorrections})
        and ${isBallot(sql`b`)}
      group by 1 having count(s.ballot_number) < count(*) * ${sql.lit(wholeShare)})`.execute(tx);
}

async function countCorrections(tx: Tx, condition = sql`true`): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${dateCorrections} where ${condition}`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The day by which the office distinguishes a ballot's numbers. */
function findDatingField({ fields, filled_later }: Format): Milestone | undefined {
  return milestones.find((field) => {
    const source = fields[field];
    return typeof source === 'string' && filled_later.includes(source);
  });
}
