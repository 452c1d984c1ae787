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
  return sql<boolean>`(not starts_with(coalesce(${ballot}.current_status, ''), 'application-') and not ${isWithdrawn(ballot)})`;
}

/** SQL of whether an import was not put back; true of null. */
export function stands(importId: RawBuilder<unknown>) {
  return sql<boolean>`not exists (select from withdrawn_imports w where w.import_id = ${importId})`;
}
