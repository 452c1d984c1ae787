import { type BallotStatus, ballotStatuses, statuses } from '@ballot-beacon/contract/statuses';
import { sql } from 'kysely';
import type { AccountId } from '../../../platform/ids.ts';
import type { Tx } from '../../../platform/postgres.ts';
import { analyzeTempTable, defineTempTable, fillTempTable } from '../../../platform/temp-tables.ts';
import { changedBallots, isEnded, isStanding } from '../../ballots/index.ts';

/** The settings of an account that decide what is news. */
export interface NewsRules {
  readonly accountId: AccountId;
  readonly timeZone: string;
  readonly notifyingStatuses: readonly string[];
}

/** Changes of ballots that are news to active voters who asked for messages, each ballot once. */
export const statusNews = defineTempTable('status_news', {
  ballot_id: 'bigint',
  event_id: 'bigint',
  new_status: 'text',
  voter_id: 'bigint',
  election_id: 'bigint',
  /** The voter's, for messages. */
  language: 'text',
  /** The voter has no name on the roll. */
  is_nameless: 'boolean',
});

/**
 * Fills {@link statusNews} from the changes that an import left in {@link changedBallots}.
 *
 * A change is news when the account sends messages for its status, the status is not the same as before, the election is active,
 * no other ballot of the voter is complete, and it happened lately: a first load of an old file is history, not news
 * (`historyDays`).
 */
export async function findStatusNews(tx: Tx, rules: NewsRules, today: string): Promise<void> {
  await fillTempTable(tx, statusNews, changesThatMatter(rules, today));
  await analyzeTempTable(tx, statusNews);
}

const changesThatMatter = (rules: NewsRules, today: string) => sql`
  select c.ballot_id, c.event_id, c.new_status, c.voter_id, c.election_id,
    coalesce(p.language_preference, v.language_preference, 'english') as language,
    trim(v.firstname) = '' and trim(v.lastname) = '' as is_nameless
  from (
    select c.ballot_id, c.event_id, c.old_status, c.new_status, c.occurred_on, b.voter_id, b.election_id, b.current_status
    from ${changedBallots} c
    join ballots b on b.ballot_id = c.ballot_id
    join elections el on el.election_id = b.election_id and el.is_active
    where c.new_status = any(${[...rules.notifyingStatuses]}::text[]) and c.new_status is distinct from c.old_status
      and c.event_id is not null and exists (select from contact_channels l
        where l.account_id = ${rules.accountId} and l.voter_id = b.voter_id and l.is_opted_in)
    -- What follows looks at other tables for each: only once these are the few with alerts.
    offset 0
  ) c
  join voters v on v.voter_id = c.voter_id and v.is_active and not v.is_confidential
  left join contact_preferences p on p.voter_id = c.voter_id
  -- The office reports "sent" after a scan that the voter already got a message about: that is no news.
  where not (c.current_status is distinct from c.new_status and c.current_status = any(${postalDetails}::text[])
      and c.current_status = any(${[...rules.notifyingStatuses]}::text[]))
    and (${isLearnedToday(rules, today)} or ${cameBackUnknown(rules, today)}
      or coalesce(c.occurred_on, ${today}::date)
        >= ${today}::date - case when c.old_status is null then ${firstSightDays}::integer else ${historyDays}::integer end)
    and not ${isEnded(sql`c`, sql`c.new_status`)}`;

/**
 * A verdict on the very day of return, or a decision on the day of an application's receipt, has no date of its own: the office's file dates
 * only what came in. Nobody could know it before this import, unless the election's first file brings it, which is full of old verdicts.
 */
const isLearnedToday = (
  rules: NewsRules,
  today: string,
) => sql`(c.new_status = any(${verdicts}::text[])
    and exists (select from ballot_events r where r.ballot_id = c.ballot_id and r.kind = 'office'
      and r.status = case when starts_with(c.new_status, 'application-') then 'application-received' else 'returned' end
      and r.occurred_on = c.occurred_on and ${isStanding(sql`r`)})
    and ${couldBeKnown(rules, today)})`;

/**
 * An envelope that came back from USPS has the day of its return as its date, in files that date only returns. The files before this
 * one did not say so: its voter waits for it until this message.
 */
const cameBackUnknown = (rules: NewsRules, today: string) =>
  sql`(c.new_status = 'undeliverable' and ${couldBeKnown(rules, today)})`;

/**
 * Files of earlier days listed the ballot, or at least others of its election: they would have said it if the office had known. An election's
 * first file may come in parts.
 */
const couldBeKnown = ({ accountId, timeZone }: NewsRules, today: string) =>
  sql`(c.old_status is not null or c.election_id in (
      select known.election_id from elections known where known.account_id = ${accountId} and exists (
        select from ballots b join ballot_events e on e.ballot_id = b.ballot_id join imports i on i.import_id = e.import_id
        where b.account_id = ${accountId} and b.election_id = known.election_id
          and (i.started_at at time zone ${timeZone})::date < ${today}::date)))`;

/** What an office decides about an envelope or an application that it has. */
const verdicts: readonly BallotStatus[] = [
  ...(['accepted', 'counted', 'rejected', 'not-counted', 'rejected-curable'] as const),
  ...(['application-incomplete', 'application-approved', 'application-refused'] as const),
];

/** What scans add to a status without making it untrue. */
export const postalDetails = ballotStatuses.filter(
  (status) => statuses[status].effect === 'detail',
);

/** Days after which a change is history and on the page only. */
const historyDays = 30;
/** The same for a ballot never seen before, which an office's very first file is full of. */
const firstSightDays = 14;
