import { type RawBuilder, sql } from 'kysely';
import { dateInWords } from '../../../../platform/clock.ts';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../../../platform/temp-tables.ts';
import { changedBallots, isApplication } from '../../../ballots/index.ts';
import type { ExampleRow } from '../kind.ts';
import type { Resemblance, Unlikeness } from './gate-resemblance.ts';
import { ballotRecords, eventPlans, listedRecords } from './plan-store.ts';
import { milestones, partOfRecord, stagedBallots } from './rows.ts';
import {
  bothOf,
  codeOf,
  isCorrected,
  isDamaged,
  isEmptied,
  isExchanged,
  isKnown,
  isMisexplained,
  isMixed,
  isMoved,
  isOtherDay,
  isOtherReturn,
  isOverexplained,
  isRecordExchanged,
  isRedated,
  isReturnExchanged,
  isReverted,
  isScattered,
  isSentOtherwise,
  isTakenBack,
  isUnexplained,
  isUnsettled,
  losesCode,
  losesReturn,
  losesWords,
  movedDay,
  now,
  reasonOf,
  undecided,
  was,
  wayOf,
  wordsOf,
} from './unlike-conditions-store.ts';

/** New ballots of voters of whom another ballot is known that the file does not list. */
const unlikeBallots = defineTempTable('unlike_ballots', {
  ballot_id: 'bigint',
  election_id: 'bigint',
  line: 'bigint',
  registration_id: 'text',
  ballot_number: 'text',
  other_number: 'text',
  other_election: 'text',
  is_same_election: 'boolean',
  is_returned_alike: 'boolean',
});

const hasDays = [
  ...milestones.map((day) => `${now(day)} is not null`),
  `starts_with(${now('status')}, 'application-') and ${now('status_on')} is not null`,
].join(' or ');
const known = (part: Parameters<typeof partOfRecord>[1]) => partOfRecord('b.office_record', part);
/** Returned on the same day, and no day that both have differs. */
const isReturnedAlike = `coalesce(${known('returned_on')} = ${now('returned_on')}
  and ${milestones.map((day) => `coalesce(${known(day)} = ${now(day)}, true)`).join(' and ')}, false)`;

/** How the file's ballots compare with those known of the same voters, by election. Leaves {@link readUnlikeExamples} its table. */
export async function readResemblance(
  tx: Tx,
  accountId: AccountId,
  unknown: readonly string[],
): Promise<Resemblance[]> {
  await gatherUnlike(tx, accountId);
  const count = (condition: RawBuilder<boolean> | string) => {
    const met = typeof condition === 'string' ? sql.raw(condition) : condition;
    return sql`coalesce(sum(c.count) filter (where ${met}), 0)::integer`;
  };
  const { rows } = await sql<Omit<Resemblance, keyof Texts> & { id: number }>`
    with alike as (
      -- Many ballots change in few ways.
      select election_id, plan_id, old_status is null as is_added, old_status is not null and line is not null as is_known,
        count(*) as count from ${changedBallots} group by 1, 2, 3, 4
    ), unlike as (
      select election_id, count(distinct ballot_id) filter (where is_same_election) as replacing,
        count(distinct ballot_id) filter (where not is_same_election) as moved,
        count(distinct ballot_id) filter (where is_returned_alike) as returned_alike
      from ${unlikeBallots} group by 1
    )
    select el.election_id as id, el.number,
      ${count(`c.is_known and (${isRedated})`)} as redated,
      ${count(`c.is_known and ${isScattered}`)} as scattered,
      count(distinct ${sql.raw(wayOf)}) filter (where c.is_known and ${sql.raw(isScattered)})::integer as ways,
      greatest(${count(`c.is_known and ${isRecordExchanged}`)},
        -- Of a large county thousands are back since a day on which one was whose return was a mistake.
        least(${count(`c.is_known and ${isReturnExchanged}`)}, ${count(`c.is_known and ${losesReturn}`)})) as exchanged,
      greatest(count(distinct ${sql.raw(wayOf)}) filter (where c.is_known and ${sql.raw(isRecordExchanged)}),
        count(distinct ${sql.raw(now('returned_on'))}) filter (where c.is_known and ${sql.raw(isReturnExchanged)}))::integer
        as "waysExchanged",
      ${count(`c.is_known and ${isMoved}`)} as "movedDays",
      ${count(`c.is_known and ${isUnexplained}`)} as unexplained,
      ${count(`c.is_known and ${losesWords}`)} as wordless,
      ${count(`c.is_known and ${losesCode}`)} as codeless,
      ${count(`c.is_known and ${isMisexplained}`)} as misexplained,
      ${count(`c.is_known and ${isOverexplained}`)} as overexplained,
      ${count(`c.is_known and ${isEmptied}`)} as emptied,
      ${count(sql`c.is_known and ${undecided(unknown)}`)} as undecided,
      ${count(`c.is_known and ${isOtherReturn}`)} as "otherReturn",
      ${count(`c.is_known and ${isTakenBack}`)} as "takenBack",
      ${count(`c.is_known and ${isSentOtherwise}`)} as "sentOtherwise",
      ${count(`c.is_known and ${isMixed}`)} as mixed,
      ${count(`c.is_known and ${isReverted}`)} as reverted,
      ${count(`c.is_known and ${isDamaged}`)} as damaged,
      ${count('c.is_added')} as added,
      coalesce(max(u.replacing), 0)::integer as replacing, coalesce(max(u.moved), 0)::integer as moved,
      coalesce(max(u.returned_alike), 0)::integer as "movedAndReturned"
    from alike c join ${eventPlans} p on p.plan_id = c.plan_id
    join elections el on el.account_id = ${accountId} and el.election_id = c.election_id
    left join unlike u on u.election_id = c.election_id
    group by 1, 2 order by 2`.execute(tx);
  const isOneLess = rows.some(
    ({ emptied, unexplained, wordless, codeless }) =>
      emptied + unexplained + wordless + codeless > 0,
  );
  const texts = isOneLess ? await countTexts(tx) : new Map<number, Texts>();
  return rows.map(({ id, ...one }) => ({
    ...one,
    ...(texts.get(id) ?? { worded: 0, explained: 0, inWords: 0, coded: 0 }),
  }));
}

async function gatherUnlike(tx: Tx, accountId: AccountId): Promise<void> {
  await fillTempTable(
    tx,
    unlikeBallots,
    sql`
    with others as materialized (
      -- sequential scan: a file of a new election may list all voters
      select c.ballot_id, c.election_id, c.line, c.voter_id, c.ballot_number, b.ballot_number as other_number,
        b.election_id as other_election_id, b.election_id = c.election_id as is_same_election,
        b.election_id <> c.election_id and ${sql.raw(isReturnedAlike)} as is_returned_alike
      from ${changedBallots} c join ${eventPlans} p on p.plan_id = c.plan_id
      join ballots b on b.account_id = ${accountId} and b.voter_id = c.voter_id and b.ballot_id <> c.ballot_id
        -- A ballot does not stand in the place of its application.
        and ${isApplication(sql`b`)} = starts_with(c.new_status, 'application-')
      where c.old_status is null and b.office_record is not null
        -- Who votes in person has no other envelope: some offices list the vote in its place.
        and (b.election_id = c.election_id and c.new_status <> 'in-person' or ${sql.raw(isReturnedAlike)}
          or b.office_record = p.record and (${sql.raw(hasDays)}))
    )
    select o.ballot_id, o.election_id, o.line, v.registration_id, o.ballot_number, o.other_number,
      el.number as other_election, o.is_same_election, o.is_returned_alike
    from others o join voters v on v.voter_id = o.voter_id
    join elections el on el.account_id = ${accountId} and el.election_id = o.other_election_id
    where not exists (select from ${stagedBallots} s where s.registration_id = v.registration_id
      and s.election_id = o.other_election_id and s.ballot_number = o.other_number)`,
  );
}

type Texts = Pick<Resemblance, 'worded' | 'explained' | 'inWords' | 'coded'>;

/** Rows with an office's own word for the status, and rows with a reason, its words and its code, by election. */
async function countTexts(tx: Tx): Promise<Map<number, Texts>> {
  const listed = (part: Parameters<typeof partOfRecord>[1]) => partOfRecord('r.record', part);
  const count = (value: string) =>
    sql.raw(`coalesce(sum(s.count) filter (where ${value} is not null), 0)::integer`);
  const { rows } = await sql<Texts & { id: number }>`
    select s.election_id as id, ${count(listed('raw'))} as worded, ${count(reasonOf(listed))} as explained,
      ${count(wordsOf(listed))} as "inWords", ${count(codeOf(listed))} as coded
    from ${listedRecords} s join ${ballotRecords} r using (record_id) group by 1`.execute(tx);
  return new Map(rows.map(({ id, ...texts }) => [id, texts]));
}

const exampleCount = 5;

/** The first of the known ballots whose days or status words would change so. */
export async function readChangedExamples(
  tx: Tx,
  accountId: AccountId,
  election: string,
  what: Exclude<Unlikeness['what'], 'replacing' | 'moved'>,
  unknown: readonly string[],
): Promise<ExampleRow[]> {
  // Of the days that change, the first.
  const changed = (side: typeof now) =>
    `case ${milestones.map((day) => `when ${isOtherDay(day)} then '${day.replace('_on', '')} ' || coalesce(${dateInWords(side(day))}, 'empty')`).join(' ')} else 'decided ' || ${dateInWords(side('status_on'))} end`;
  /** Statuses, each with such a day, or else the day of mailing. */
  const withDay = (day: (typeof milestones)[number], is: string) => {
    const of = (side: typeof now) =>
      `${side('status')} || coalesce(', ${day.replace('_on', '')} ' || ${dateInWords(side(day))}, ', sent ' || ${dateInWords(side('sent_on'))}, '')`;
    return { from: of(was), to: of(now), is: sql.raw(is) };
  };
  const shown = {
    redated: { from: changed(was), to: changed(now), is: sql.raw(isRedated) },
    scattered: { from: changed(was), to: changed(now), is: sql.raw(isScattered) },
    exchanged: withDay('requested_on', isExchanged),
    'moved-days': { from: movedDay('from'), to: movedDay('to'), is: sql.raw(isMoved) },
    unexplained: {
      from: bothOf(was),
      to: bothOf(now),
      is: sql.raw(`(${losesWords} or ${losesCode})`),
    },
    misexplained: {
      from: reasonOf(was),
      to: `coalesce(${reasonOf(now)}, 'no reason')`,
      is: sql.raw(isMisexplained),
    },
    corrected: { from: "'another day'", to: 'c.ballot_number', is: sql.raw(isCorrected) },
    emptied: { from: was('raw'), to: "'no status'", is: sql.raw(isEmptied) },
    unsettled: withDay('returned_on', isUnsettled),
    mixed: withDay('requested_on', isMixed),
    reverted: withDay('returned_on', isReverted),
    damaged: {
      from: `coalesce(${was('raw')}, ${was('reason')}, '')`,
      to: `coalesce(${now('raw')}, ${now('reason')}, '')`,
      is: sql.raw(isDamaged),
    },
    undecided: {
      from: was('status'),
      to: `'"' || ${now('raw')} || '"'`,
      is: undecided(unknown),
    },
  }[what];
  return readExamples(
    tx,
    sql`
    select v.registration_id as voter, ${sql.raw(shown.from)} as "from", ${sql.raw(shown.to)} as "to", c.line
    from ${changedBallots} c join ${eventPlans} p on p.plan_id = c.plan_id
    join elections el on el.account_id = ${accountId} and el.election_id = c.election_id and el.number = ${election}
    join voters v on v.voter_id = c.voter_id
    where ${sql.raw(isKnown)} and (${shown.is})`,
  );
}

/** The first of the new ballots in the place of a known ballot that the file does not list. */
export async function readUnlikeExamples(
  tx: Tx,
  accountId: AccountId,
  election: string,
  what: 'replacing' | 'moved',
): Promise<ExampleRow[]> {
  const [from, to] =
    what === 'replacing'
      ? [sql`u.other_number`, sql`u.ballot_number`]
      : [sql`'election ' || u.other_election`, sql`'election ' || el.number`];
  return readExamples(
    tx,
    sql`
    select u.registration_id as voter, ${from} as "from", ${to} as "to", u.line from ${unlikeBallots} u
    join elections el on el.account_id = ${accountId} and el.election_id = u.election_id and el.number = ${election}
    where u.is_same_election = ${what === 'replacing'}`,
  );
}

async function readExamples(tx: Tx, query: RawBuilder<unknown>): Promise<ExampleRow[]> {
  const { rows } =
    await sql<ExampleRow>`${query} order by line nulls last limit ${exampleCount}`.execute(tx);
  return rows;
}
