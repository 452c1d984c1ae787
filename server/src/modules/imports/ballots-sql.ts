import type { BallotField } from './format.ts';
import {
  columnText,
  fieldLabel,
  fieldText,
  hasField,
  quoteText,
  type StagedFile,
} from './staged-sql.ts';
import { presenceOnlyColumns } from './status-rules.ts';

export const dayFields = [
  'requested_on',
  'printed_on',
  'sent_on',
  'returned_on',
  'status_on',
] as const satisfies readonly BallotField[];
type DayField = (typeof dayFields)[number];

/** The parts of an office's record of a ballot, in the order in which `ballots.office_record` joins them. */
const recordParts = ['status', 'raw', ...dayFields, 'reason_code', 'reason'] as const;
type RecordPart = (typeof recordParts)[number];
/** ASCII's unit separator, which no office types. */
const separator = "E'\\x1f'";

/** SQL of one part of a stored record, null where the part is empty. */
export function partOfRecord(record: string, part: RecordPart): string {
  return `nullif(split_part(${record}, ${separator}, ${recordParts.indexOf(part) + 1}), '')`;
}

/** The columns whose values tell rows' statuses apart, with the SQL by which they do. */
export function statusKey(file: StagedFile): { column: string; text: string }[] {
  const presenceOnly = presenceOnlyColumns(file.format);
  const { columns = [], rules = [] } = file.format.status ?? {};
  const names = new Set([...columns, ...rules.flatMap(({ when }) => Object.keys(when))]);
  return [...names]
    .filter((column) => file.match.places.has(column))
    .map((column) => {
      const text = columnText(file, column);
      return {
        column,
        text: presenceOnly.has(column) ? `case when ${text} = '' then '' else 'x' end` : text,
      };
    });
}

/**
 * The file's rows as an office's records of ballots: keys, status, days, `record` and `problem`. Tables `days` and
 * `statuses` hold what each distinct value means. Parameters: ${account} the account, $2 the election's number when the
 * command gave one, else null.
 *
 * A status allows only the days that come before it: a day of mailing on a ballot merely requested is a plan, and a
 * day of return on an undeliverable one is the post office's.
 */
export function judgedBallots(
  file: StagedFile,
  accountId: number,
  election: string | null,
): string {
  const account = String(Number(accountId));
  const id = fieldText(file, 'registration_id');
  const key = statusKey(file);
  const days = [...dayFields, 'election_date' as const].filter((field) => hasField(file, field));
  const day = (field: DayField) => (days.includes(field) ? `${field}_day.day` : 'null::date');
  const problem = (cases: string[]) => (cases.length > 0 ? `case ${cases.join(' ')} end` : 'null');

  const before = problem([
    `when ${id} = '' then ${quoteText(`${fieldLabel(file, 'registration_id')} is empty`)}`,
    ...days.map(
      (field) =>
        `when ${field}_day.problem is not null then ${quoteText(`${fieldLabel(file, field)} `)} || ${field}_day.problem`,
    ),
  ]);
  const returnedCounts = `returned_on is not null and coalesce(judged_status in ('requested', 'printed', 'sent'), false)`;

  return `
    with read as (
      select s.row_no, ${id} as registration_id, ${electionKey(file, election)} as election_key,
        ${hasField(file, 'ballot_number') ? fieldText(file, 'ballot_number') : "''"} as ballot_number,
        st.status as judged_status, st.raw, st.is_unknown, st.is_skipped,
        ${dayFields.map((field) => `${day(field)} as ${field}`).join(', ')},
        left(${fieldText(file, 'reason_code')}, 40) as reason_code,
        left(${fieldText(file, 'reason')}, 500) as reason,
        ${before} as problem
      from staged s
      join statuses st on ${key.map(({ column, text }) => `st.key[${key.findIndex((one) => one.column === column) + 1}] = ${text}`).join(' and ') || 'true'}
      ${days.map((field) => `left join days ${field}_day on ${field}_day.written = ${fieldText(file, field)}`).join('\n      ')}
    ), stated as (
      select *, case when ${returnedCounts} then 'returned' else judged_status end as status
      from read where not is_skipped
    ), allowed as (
      select row_no, registration_id, election_key, ballot_number, status, raw, is_unknown, reason_code, reason, problem,
        requested_on,
        case when status is distinct from 'requested' then printed_on end as printed_on,
        case when status is null or status not in ('requested', 'printed') then sent_on end as sent_on,
        case when status is null or status in ('returned', 'accepted', 'rejected', 'rejected-curable', 'reprinted')
          then returned_on end as returned_on,
        case when status is not null then coalesce(status_on,
          case status when 'requested' then requested_on when 'printed' then printed_on when 'sent' then sent_on
            when 'reprinted' then null when 'cancelled' then null else returned_on end) end as status_on
      from stated
    )
    select a.row_no, v.voter_id, e.election_id, a.ballot_number,
      ${recordParts.map((part) => `a.${part}`).join(', ')}, a.is_unknown,
      concat_ws(${separator}, ${recordParts.map((part) => `coalesce(a.${part}::text, '')`).join(', ')}) as record,
      coalesce(a.problem,
        case when v.voter_id is null then ${quoteText(`${fieldLabel(file, 'registration_id')} is not on the roll: import the voter file first`)} end,
        case when e.election_id is null then 'election ' || coalesce(nullif(a.election_key, ''), '(none)') || ' is not set up: run beacon election set${election === null ? ', or give --election' : ''}' end,
        case when length(a.ballot_number) > 60 then 'the ballot number is longer than 60 characters' end
      ) as problem
    from allowed a
    left join voters v on v.account_id = ${account} and v.registration_id = a.registration_id
    left join elections e on e.account_id = ${account} and ${electionMatches(file, election)}`;
}

/** What names the election in a row: its number, else its day, as text. */
function electionKey(file: StagedFile, election: string | null): string {
  if (election !== null) return quoteText(election);
  if (hasField(file, 'election')) return fieldText(file, 'election');
  return hasField(file, 'election_date') ? 'election_date_day.day::text' : "''";
}

function electionMatches(file: StagedFile, election: string | null): string {
  const isByDay = election === null && !hasField(file, 'election');
  return isByDay ? 'e.election_date::text = a.election_key' : 'e.number = a.election_key';
}
