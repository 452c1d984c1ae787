import type { Format } from '../../formats/format.ts';
import type { Connection } from '../../run/import-store.ts';
import { milestones, partOfRecord, recordOf, recordParts } from './rows.ts';

/**
 * Of a format whose ballots have dates in their numbers: gives a ballot the number under which a staged row brings it
 * with a date that was not known before, or was another.
 *
 * @returns how many ballots' dates were corrected
 */
export async function adoptBallots(
  connection: Connection,
  accountId: number,
  format: Format,
): Promise<number> {
  const { rows } = await connection.query<{ has_ballots: boolean }>(
    `select exists (select from ballots where account_id = $1
      and election_id in (select distinct election_id from staged)) as has_ballots`,
    [accountId],
  );
  if (!rows[0]?.has_ballots) return 0;
  await connection.query(
    `create temp table strangers on commit drop as
    select v.voter_id, s.election_id, s.registration_id, s.undated_number,
      s.ballot_number, r.record, s.sent_on, s.line
    from staged s
    join records r using (record_id)
    join voters v on v.account_id = $1 and v.registration_id = s.registration_id
    left join ballots known on known.account_id = $1 and known.election_id = s.election_id
      and known.voter_id = v.voter_id and known.ballot_number = s.ballot_number
    where s.undated_number is not null and known.ballot_id is null`,
    [accountId],
  );
  await connection.query('analyze strangers');
  await adoptUndated(connection, accountId);
  return adoptCorrected(connection, accountId, format);
}

/** Offices write a ballot down before they send it. Of several rows the one sent first is the ballot known. */
async function adoptUndated(connection: Connection, accountId: number): Promise<void> {
  await connection.query(
    `with told as (
      select distinct on (voter_id, election_id, undated_number) * from strangers
      order by voter_id, election_id, undated_number, sent_on nulls last, line
    ), adopted as (
      update ballots b set ballot_number = told.ballot_number from told
      where b.account_id = $1 and b.election_id = told.election_id and b.voter_id = told.voter_id
        and b.ballot_number = told.undated_number
      returning b.voter_id, b.election_id, b.ballot_number
    )
    delete from strangers s using adopted a
    where a.voter_id = s.voter_id and a.election_id = s.election_id and a.ballot_number = s.ballot_number`,
    [accountId],
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
async function adoptCorrected(
  connection: Connection,
  accountId: number,
  format: Format,
): Promise<number> {
  const day = datedBy(format);
  if (day === undefined) return 0;
  const later = (record: string) => {
    const parts = milestones
      .slice(milestones.indexOf(day) + 1)
      .map((part) => partOfRecord(record, part));
    const verdict = `case when ${partOfRecord(record, 'status')} not in ('requested', 'printed', 'sent')
      then ${partOfRecord(record, 'status_on')} end`;
    return `coalesce(least(${[...parts, verdict].join(', ')}), '9999')`;
  };
  const told = partOfRecord('s.record', day);
  const known = partOfRecord('b.office_record', day);
  const kept = recordParts.filter((part) => part !== day);
  const forgotten = recordOf(
    Object.fromEntries(kept.map((part) => [part, partOfRecord('b.office_record', part)])),
  );
  await connection.query(
    `create temp table corrections on commit drop as
    with single as (
      select voter_id, election_id, undated_number, min(registration_id) as registration_id,
        min(ballot_number) as ballot_number, min(record) as record
      from strangers group by 1, 2, 3 having count(distinct ballot_number) = 1
    ), alone as (
      select o.* from single o where not exists (
        select from staged t where t.registration_id = o.registration_id
          and t.election_id = o.election_id and t.ballot_number <> o.ballot_number
          and coalesce(t.undated_number, t.ballot_number) = o.undated_number)
    )
    select min(b.ballot_id) as ballot_id, s.ballot_number, s.election_id,
      bool_and(${partOfRecord('b.office_record', 'status')} in ('requested', 'printed', 'sent', 'returned')
        and ${partOfRecord('s.record', 'status')} not in ('reprinted', 'cancelled')
        and ${told} <= ${later('b.office_record')} and ${known} <= ${later('s.record')}) as is_correction,
      bool_or(${told} <> ${known}) as is_other_day
    from alone s
    join ballots b on b.account_id = $1 and b.election_id = s.election_id and b.voter_id = s.voter_id
      and starts_with(b.ballot_number, s.undated_number)
      and substr(b.ballot_number, length(s.undated_number) + 1) ~ $2
    group by s.voter_id, s.election_id, s.undated_number, s.ballot_number having count(*) = 1`,
    [accountId, writtenDay],
  );
  await connection.query('delete from corrections where is_correction is not true');
  const { rows: left } = await connection.query<{ count: number }>(
    'select count(*) as count from corrections',
  );
  if (!left[0]?.count) return 0;
  // Of every election by itself: a file may hold several.
  await connection.query(
    `delete from corrections where election_id in (
      select e.election_id from (select distinct election_id from corrections) e
      join ballots b on b.account_id = $1 and b.election_id = e.election_id
      join voters v on v.voter_id = b.voter_id
      left join (select distinct registration_id, election_id, ballot_number from staged) s
        on s.registration_id = v.registration_id and s.election_id = e.election_id and s.ballot_number = b.ballot_number
      where b.ballot_id not in (select ballot_id from corrections)
      group by 1 having count(s.ballot_number) < count(*) * ${wholeShare})`,
    [accountId],
  );
  const { rows } = await connection.query<{ count: number }>(
    `with adopted as (
      update ballots b set ballot_number = c.ballot_number,
        office_record = case when c.is_other_day then ${forgotten} else b.office_record end
      from corrections c where b.ballot_id = c.ballot_id
      returning c.is_other_day
    ) select count(*) as count from adopted where is_other_day`,
  );
  return rows[0]?.count ?? 0;
}

/** The day that a ballot's number is told apart by. */
function datedBy({ fields, filled_later }: Format): (typeof milestones)[number] | undefined {
  return milestones.find((field) => {
    const source = fields[field];
    return typeof source === 'string' && filled_later.includes(source);
  });
}
