import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId } from '../../platform/ids.ts';

/** The import that writes ballots and events. */
export interface EventSource {
  readonly accountId: AccountId;
  readonly importId: ImportId;
}

/**
 * SQL of whether an event counts: those of an import that was put back do not, and of a scan neither if its barcode was tied to
 * the ballot by such an import.
 *
 * @param event the alias of `ballot_events`
 */
export function isStanding(event: RawBuilder<unknown>) {
  return sql<boolean>`(${stands(sql`${event}.import_id`)} and ${stands(sql`${event}.piece_import_id`)})`;
}

/**
 * SQL of whether a ballot was only in files that were put back: nothing of it is left but its number.
 *
 * @param ballot the alias of `ballots`
 */
export function isWithdrawn(ballot: RawBuilder<unknown>) {
  return sql<boolean>`(${ballot}.office_record is null and ${ballot}.current_event_id is null
    and exists (select from ballot_events v where v.ballot_id = ${ballot}.ballot_id and not ${isStanding(sql`v`)}
      -- Few ballots have no record. Without this, the events of all would be read for them.
      offset 0))`;
}

/**
 * SQL of whether a row of `ballots` is a ballot: neither an application, which has a row of its own there, nor what only files had that were
 * put back.
 *
 * @param ballot the alias of `ballots`
 */
export function isBallot(ballot: RawBuilder<unknown>) {
  return sql<boolean>`(not ${isApplication(ballot)} and not ${isWithdrawn(ballot)})`;
}

/** SQL of whether a row of `ballots` is an application. @param ballot the alias of `ballots` */
export function isApplication(ballot: RawBuilder<unknown>) {
  return sql<boolean>`starts_with(coalesce(${ballot}.current_status, ''), 'application-')`;
}

/**
 * SQL of whether the voter's other row of the election stands for this one too, as on the page: an application passes once there is a ballot
 * that is more than asked for, and until then it stands for the ballot.
 *
 * @param ballot the alias of `ballots`, in a statement bound to the account
 */
export function isJoined(ballot: RawBuilder<unknown>) {
  const isAskedFor = (of: RawBuilder<unknown>) =>
    sql`coalesce(${of}.current_status, 'requested') = 'requested'`;
  const o = sql`o`;
  const hasOther = (condition: RawBuilder<unknown>) => sql`exists (
    select ${fromOthers(ballot)} and ${condition} and not ${isWithdrawn(o)})`;
  return sql<boolean>`(
    (${isApplication(ballot)} and ${hasOther(sql`not ${isAskedFor(o)} and not ${isApplication(o)}`)})
    or (${isAskedFor(ballot)}
      -- Asked once: most offices have no applications, and at first all their ballots are only asked for.
      and (select exists (select from ballots a where a.account_id = current_account_id() and ${isApplication(sql`a`)}))
      and ${hasOther(isApplication(o))}))`;
}

/** SQL of the ballot that an application became, the first of several; null of a ballot, and while there is none. @param ballot the alias of `ballots` */
export function becameBallot(ballot: RawBuilder<unknown>) {
  return sql<number | null>`case when ${isApplication(ballot)} then (
    select min(o.ballot_id) ${fromOthers(ballot)} and ${isBallot(sql`o`)}) end`;
}

/** All rows `o` of the voter in the election. */
function fromOthers(ballot: RawBuilder<unknown>) {
  return sql`from ballots o where o.account_id = ${ballot}.account_id and o.election_id = ${ballot}.election_id
      and o.voter_id = ${ballot}.voter_id`;
}

/** SQL of whether an import was not put back; true of null. */
export function stands(importId: RawBuilder<unknown>) {
  return sql<boolean>`not exists (select from withdrawn_imports w where w.import_id = ${importId})`;
}
