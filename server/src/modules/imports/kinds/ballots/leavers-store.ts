import { sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../../../platform/temp-tables.ts';
import { isStanding } from '../../../ballots/index.ts';
import type { Format } from '../../formats/format.ts';
import type { Day } from '../../read/dates.ts';
import type { ExampleRow, GoneBallot, KindTask } from '../kind.ts';
import { finalStatuses, refusals } from './election-news.ts';
import { milestones, partOfRecord, recordOf, stagedBallots } from './rows.ts';

/**
 * The ballots with a status by which a list of open cases lists them, each with the record that it was accepted; or, where another list goes on
 * refusing it, as that list has it.
 */
const openBallots = defineTempTable('open_ballots', {
  ballot_id: 'bigint',
  /** The list's format reported it last: it is on the list as its last file left it. */
  is_listed: 'boolean',
  /** Its election is one of the file's. */
  is_of_file: 'boolean',
  /** By another list. */
  is_refused: 'boolean',
  registration_id: 'text',
  election_id: 'bigint',
  ballot_number: 'text',
  record_id: 'integer',
  sent_on: 'date',
  record: 'text',
});

/** Statuses of open cases, which a ballot leaves by being accepted. An undeliverable or cancelled ballot is none of them. */
const openStatuses = ['returned', 'rejected-curable', 'rejected'] as const;

/** Statuses from which a ballot becomes accepted when a file of this format no longer lists it; none for most formats. */
export function leavingStatuses({ missing_rows: missing }: Format): readonly string[] {
  if (missing === 'nothing') return [];
  return missing === 'succeeded' ? openStatuses : missing.succeeded;
}

type Missing = Omit<GoneBallot, 'since'>;

/** What a file says of the ballots on a list of open cases. */
export interface Leaving {
  /** Ballots on the list before the file, without those that an earlier file missed. */
  readonly listed: number;
  /** Of those, ballots that the file no longer has. */
  readonly left: readonly number[];
  /** Ballots that a file of an earlier day missed too. */
  readonly leftBefore: readonly number[];
  /** Of all of these, ballots that another list refuses: no acceptance follows from their absence. */
  readonly refused: ReadonlySet<number>;
  /** Ballots that are missing for now: by this file and earlier ones of its day, or of an election that it does not list. */
  readonly gone: readonly GoneBallot[];
}

/**
 * Of a format whose files list open cases: which ballots have left the list. On the list are the ballots of which the last
 * report came by this format; other elections than the file's are not looked at. An empty file is of the election named, or
 * else of the active ones.
 *
 * @param goneBefore what the list before lacked
 * @param fileDay the day that the file is of
 */
export async function findLeavers(
  tx: Tx,
  { account: { accountId }, format, findings, election, elections }: KindTask,
  goneBefore: readonly GoneBallot[],
  fileDay: Day,
): Promise<Leaving> {
  const part = (name: Parameters<typeof partOfRecord>[1]) => partOfRecord('b.office_record', name);
  const days = milestones.map((day) => [day, part(day)] as const);
  const named = elections.filter(({ number, isActive }) =>
    election === null ? isActive : number.toLowerCase() === election.toLowerCase(),
  );
  const isOfFile =
    findings.read > 0
      ? sql`b.election_id in (select election_id from ${stagedBallots})`
      : sql`b.election_id = any(${named.map(({ electionId }) => electionId)}::bigint[])`;
  // What a list replaced is not kept for ever.
  const status = "coalesce(other.status, 'accepted')";
  const closed = recordOf({ status, ...Object.fromEntries(days) });
  await fillTempTable(
    tx,
    openBallots,
    sql`
    select b.ballot_id, i.format = ${format.name} as is_listed, ${isOfFile} as is_of_file, other.status is not null as is_refused, v.registration_id,
      b.election_id, b.ballot_number, -row_number() over () as record_id, ${sql.raw(part('sent_on'))}::date as sent_on,
      coalesce(other.record, ${sql.raw(closed)}) as record
    from ballots b
    join voters v on v.voter_id = b.voter_id
    cross join lateral (
      select e.import_id from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'office' and ${isStanding(sql`e`)}
      order by e.event_id desc limit 1
    ) last
    join imports i on i.import_id = last.import_id
    left join lateral (
      select e.status, (
        select r.office_record from replaced_ballots r join imports o on o.import_id = r.import_id
        where r.account_id = ${accountId} and r.ballot_id = b.ballot_id and o.format = i.format
          and ${sql.raw(partOfRecord('r.office_record', 'status'))} = e.status
        order by o.finished_at desc, o.import_id desc limit 1) as record
      from ballot_events e join imports o on o.import_id = e.import_id
      where i.format = ${format.name} and e.ballot_id = b.ballot_id and e.kind = 'office' and o.format <> i.format
        and ${isStanding(sql`e`)}
      order by e.event_id desc limit 1
    ) other on other.status = any(${[...refusals]}::text[])
    where b.account_id = ${accountId} and ${sql.raw(part('status'))} = any(${[...leavingStatuses(format)]}::text[])`,
  );
  const since = new Map(goneBefore.map((one) => [one.ballot, one.since]));
  const { rows } = await sql<{
    listed: number;
    missing: Missing[];
    others: number[];
    refused: number[];
  }>`
    select count(*) filter (where is_listed and is_of_file and ballot_id <> all(${[...since.keys()]}::bigint[])) as listed,
      coalesce(json_agg(json_build_object('ballot', ballot_id, 'election', election_id) order by ballot_id)
        filter (where is_listed and is_of_file and not is_staged), '[]') as missing,
      coalesce(json_agg(ballot_id) filter (where is_listed and not is_of_file), '[]') as others,
      coalesce(json_agg(ballot_id) filter (where is_refused), '[]') as refused
    from (select l.*, exists (select from ${stagedBallots} s where s.registration_id = l.registration_id
        and s.election_id = l.election_id and s.ballot_number = l.ballot_number) as is_staged
      from ${openBallots} l) found`.execute(tx);
  const { listed = 0, missing = [], others = [], refused = [] } = rows[0] ?? {};
  const isOfOther = new Set(others);
  const gone = missing.map((one) => ({ ...one, since: since.get(one.ballot) ?? fileDay }));
  const idOf = ({ ballot }: GoneBallot) => ballot;
  return {
    listed,
    left: gone.map(idOf).filter((ballot) => !since.has(ballot)),
    leftBefore: gone.filter((one) => one.since < fileDay).map(idOf),
    refused: new Set(refused),
    gone: [
      ...gone.filter((one) => one.since >= fileDay),
      ...goneBefore.filter(({ ballot }) => isOfOther.has(ballot)),
    ],
  };
}

/** What the rows of a list of open cases say of themselves. */
export interface ListedCases {
  /** Ballots that were a case before by files of any format, and those that this list had and another has ended since. */
  readonly known: number;
  /** Of each other ballot whose day of return is known: how many days before the file's day it came back. */
  readonly waited: readonly number[];
  /** Numbers of the rows' elections. */
  readonly elections: readonly string[];
  /** Their election days were before the file's. */
  readonly isOver: boolean;
}

/** @param fileDay the day that the file is of */
export async function readListedCases(
  tx: Tx,
  { account: { accountId }, format, elections }: KindTask,
  fileDay: Day,
): Promise<ListedCases> {
  const becomes = (format.status?.rules ?? []).map((rule) => rule.becomes);
  const cases = [...new Set<string>([...leavingStatuses(format), ...becomes])];
  const returned = sql.raw(partOfRecord('r.record', 'returned_on'));
  const { rows } = await sql<{ known: number; waited: number[]; elections: number[] }>`
    select count(b.ballot_id) as known, coalesce(json_agg(distinct s.election_id), '[]') as elections,
      coalesce(array_agg(${fileDay}::date - ${returned}::date)
        filter (where b.ballot_id is null and ${returned} is not null), '{}') as waited
    from ${stagedBallots} s
    join (select record_id, record from ${stagedBallots} where record is not null) r using (record_id)
    join voters v on v.account_id = ${accountId} and v.registration_id = s.registration_id
    left join ballots b on b.account_id = ${accountId} and b.election_id = s.election_id and b.voter_id = v.voter_id
      and b.ballot_number = s.ballot_number and (${sql.raw(partOfRecord('b.office_record', 'status'))} = any(${cases}::text[])
        or b.current_status = any(${[...finalStatuses]}::text[]) and exists (select from (
          select i.format, e.status, row_number() over (order by e.event_id desc) as place
          from ballot_events e join imports i on i.import_id = e.import_id
          where e.ballot_id = b.ballot_id and e.kind = 'office' and ${isStanding(sql`e`)}
        ) said having bool_or(format = ${format.name} and status = any(${cases}::text[]))
          and bool_and(place > 1 or format <> ${format.name})))`.execute(tx);
  const [{ known, waited, elections: ids }] = rows as [(typeof rows)[number]];
  const listed = elections.filter(({ electionId }) => ids.includes(electionId));
  return {
    known,
    waited,
    elections: listed.map(({ number }) => number),
    isOver: listed.every(({ electionDate }) => electionDate < fileDay),
  };
}

/** Stages for each of these ballots, which {@link findLeavers} has found, the record that it was accepted, or refused. */
export async function stageLeavers(tx: Tx, ballots: readonly number[]): Promise<void> {
  const {
    ballot_id: _,
    is_listed: __,
    is_of_file: ___,
    is_refused: ____,
    ...staged
  } = openBallots.columns;
  const columns = sql.raw(Object.keys(staged).join(', '));
  await sql`insert into ${stagedBallots} (${columns}) select ${columns} from ${openBallots}
    where ballot_id = any(${[...ballots]}::bigint[])`.execute(tx);
}

/** The first of the ballots that {@link findLeavers} has found missing for now. */
export async function readGone(tx: Tx, gone: readonly GoneBallot[]): Promise<ExampleRow[]> {
  if (gone.length === 0) return [];
  const ids = gone.slice(0, 5).map(({ ballot }) => ballot);
  const { rows } = await sql<{ voter: string; from: string }>`
    select l.registration_id as voter, b.current_status as "from"
    from ${openBallots} l join ballots b on b.ballot_id = l.ballot_id
    where l.ballot_id = any(${ids}::bigint[]) order by l.ballot_id`.execute(tx);
  return rows.map((row) => ({ ...row, to: 'missing', line: null }));
}
